/**
 * Shortens old tool results before any compaction is thought of (seed 001, "Élagage avant compaction"; seed 003 p4). Nothing is
 * rewritten: the body of a `prune` entry says which results are shortened from then on. Pure.
 */
import { Option, Predicate, Schema } from "effect"
import type { EntryBody } from "../domain/entry.ts"
import type { Message, ToolCall, ToolMessage } from "../domain/message.ts"
import { cut } from "../domain/text.ts"
import type { AnyEntry } from "../sessions/checkEntry.ts"
import { livePath, type LiveItem } from "./livePath.ts"

/** What the model needs word for word as long as it is in the context. */
const PROTECTED_TOOLS: ReadonlySet<string> = new Set(["Skill", "Read"])
/** Shortening a result by less than this is not worth a changed prefix. */
const LEAST_GAIN = 50
const NAMED_CALL = 160

export interface PruningInput {
  /** From the first entry to the leaf. */
  readonly path: ReadonlyArray<AnyEntry>
  /** Tokens of newest tool output that stay; see `pruningNumbers`. */
  readonly protect: number
  /** Tokens that must be saved for anything to happen: pruning comes in big steps, as each one changes the prefix. */
  readonly minimum: number
  readonly count: (message: Message) => number
}

export interface Pruning {
  readonly body: Extract<EntryBody, { readonly type: "prune" }>
  readonly savedTokens: number
}

/** Undefined where there is too little to save. Calls keep their results, so the context stays valid. */
export const planPruning = ({ path, protect, minimum, count }: PruningInput): Pruning | undefined => {
  const { items } = livePath(path)
  const calls = callsById(items)
  const results: Array<{ readonly entryId: string; readonly text: string }> = []
  // The model has not read the results that follow its last message.
  const seen = items.findLastIndex(({ message }) => message?.role === "assistant")
  let newer = 0
  let savedTokens = 0
  for (let index = items.length - 1; index >= 0; index--) {
    const item = items[index]
    if (item?.message?.role !== "tool") continue
    const { message } = item
    const tokens = count(message)
    const isProtected = newer < protect || index > seen || PROTECTED_TOOLS.has(message.toolName)
    newer += tokens
    if (isProtected || item.original !== undefined) continue
    const short = shortened(message, calls.get(message.toolCallId), tokens)
    const gain = tokens - count({ ...message, text: short, attachments: [] })
    if (gain < LEAST_GAIN) continue
    savedTokens += gain
    results.push({ entryId: item.entry.id, text: short })
  }
  if (results.length === 0 || savedTokens < minimum) return undefined
  return { body: { type: "prune", results: results.reverse() }, savedTokens }
}

const callsById = (items: ReadonlyArray<LiveItem>): ReadonlyMap<string, ToolCall> => {
  const calls = new Map<string, ToolCall>()
  for (const { message } of items) {
    if (message?.role === "assistant") for (const call of message.toolCalls) calls.set(call.id, call)
  }
  return calls
}

/** Says what the call was and how it ended, so that the model knows what to run again. */
const shortened = (message: ToolMessage, call: ToolCall | undefined, tokens: number): string => {
  const name = call === undefined ? message.toolName : describeCall(call)
  return `[Output truncated - ${tokens} tokens] ${name}: ${howItEnded(message)}. Run it again if you need its output.`
}

const ARGUMENT_NAMES = ["command", "path", "pattern", "url", "query"] as const
const decodeArguments = Schema.decodeUnknownOption(Schema.fromJsonString(Schema.Record(Schema.String, Schema.Unknown)))

/** `Bash "go test ./..."`: the tool and what tells this call from others. */
export const describeCall = (call: ToolCall): string => {
  const input = Option.getOrElse(decodeArguments(call.arguments), (): Record<string, unknown> => ({}))
  const main = ARGUMENT_NAMES.map((key) => input[key]).find(Predicate.isString)
  const shown = main === undefined ? call.arguments : JSON.stringify(main)
  return `${call.name} ${shown.length > NAMED_CALL ? `${cut(shown, NAMED_CALL)}…` : shown}`
}

/** Bash's last line, which says how the command ended. */
const STATUS_LINE = /^\[(exit code: -?\d+|timed out after [^\]]+|interrupted|could not start: [^\]]*)\]$/

const howItEnded = ({ text, isError, details }: ToolMessage): string => {
  const lines = text.replace(/\n+$/, "").split("\n")
  const status = lines.findLast((line) => STATUS_LINE.test(line))?.slice(1, -1)
  const exitCode = details?.["exitCode"]
  const length = lines.length === 1 ? "1 line" : `${lines.length} lines`
  if (status !== undefined) return `${length}, ${status.replace("exit code: ", "exit code ")}`
  if (typeof exitCode === "number") return `${length}, exit code ${exitCode}`
  return isError ? `${length}, failed: ${cut(lines[0] ?? "", NAMED_CALL)}` : `${length}, ended well`
}
