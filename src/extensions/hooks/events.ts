/** The events a hook can be named for, and what each of its answers may say (spec 08, 04, 05; seed 001). Pure. */
import { Schema } from "effect"

export const HOOK_EVENTS = [
  "session_start",
  "user_prompt",
  "before_tool",
  "after_tool",
  "before_stop",
  "session_before_compact",
  "session_compacting",
  "session_compact",
  "session_before_tree",
  "session_tree",
  "stream_rule_triggered"
] as const

export type HookEvent = (typeof HOOK_EVENTS)[number]

/** Events whose `matcher` is the name of a tool, or of a stream rule. */
export const MATCHED: ReadonlySet<HookEvent> = new Set<HookEvent>([
  "before_tool",
  "after_tool",
  "stream_rule_triggered"
])

const { Array: List, Boolean: Flag, Record, String: Str, Struct, Unknown, optionalKey } = Schema

const Blocking = { block: optionalKey(Flag), reason: optionalKey(Str) }
const Files = Struct({ readFiles: List(Str), modifiedFiles: List(Str) })

/** What is read of the JSON a hook prints; other keys are ignored. */
export const answers = {
  session_start: Struct({ context: optionalKey(Str) }),
  user_prompt: Struct({ ...Blocking, prompt: optionalKey(Str), context: optionalKey(Str) }),
  before_tool: Struct({ ...Blocking, input: optionalKey(Record(Str, Unknown)) }),
  after_tool: Struct({ ...Blocking, text: optionalKey(Str), context: optionalKey(Str) }),
  before_stop: Struct({ ...Blocking, continue: optionalKey(Flag) }),
  session_before_compact: Struct({
    cancel: optionalKey(Flag),
    compaction: optionalKey(
      Struct({
        summary: Str,
        shortSummary: optionalKey(Str),
        firstKeptEntryId: optionalKey(Str),
        details: optionalKey(Files),
        preserveData: optionalKey(Unknown)
      })
    )
  }),
  session_compacting: Struct({
    prompt: optionalKey(Str),
    context: optionalKey(List(Str)),
    preserveData: optionalKey(Unknown)
  }),
  session_compact: Struct({}),
  session_before_tree: Struct({
    cancel: optionalKey(Flag),
    summary: optionalKey(Struct({ summary: Str, details: optionalKey(Files) }))
  }),
  session_tree: Struct({}),
  stream_rule_triggered: Struct({})
} satisfies Readonly<{ [Event in HookEvent]: Schema.Codec<unknown> }>

export type Answer<Event extends HookEvent> = (typeof answers)[Event]["Type"]
