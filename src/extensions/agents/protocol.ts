/**
 * What the process of a sub-agent and its parent say to each other: one JSON object a line, the parent's on the child's
 * stdin, the child's on its stdout. The parent decides everything that needs rules or a person; the child only works.
 */
import { Result, Schema } from "effect"
import { Usage } from "../../domain/message.ts"
import { Text } from "../../domain/text.ts"
import { AgentDefinition } from "./definition.ts"

const { Array: List, Finite, Literal, Literals, String: Str, Struct, Union, Unknown, optionalKey } = Schema

/** Bytes of one line of the child; longer ones are dropped, and count as rubbish. */
export const MAX_LINE = 4 * 1024 * 1024

const Rule = Struct({
  text: Str,
  kind: Literals(["allow", "ask", "deny"]),
  scope: Literals(["session", "project", "user", "flag"]),
  file: Str,
  line: Finite
})

const Call = Struct({ tool: Str, input: Schema.Record(Str, Unknown), fallback: Literals(["auto", "ask"]) })

const Decision = Struct({
  decision: Literals(["allow", "ask", "deny"]),
  rule: optionalKey(Rule),
  reason: Text,
  subject: Str,
  suggestions: List(Str),
  realPath: optionalKey(Str)
})

const Answer = Union([
  Struct({ answer: Literal("yes") }),
  Struct({ answer: Literal("no"), reason: optionalKey(Str) }),
  Struct({ answer: Literal("unavailable") })
])
export type Answer = typeof Answer.Type

/** Settings and places of the parent as they are; no file is read again for them. */
export const ChildConfig = Struct({
  launchFolder: Str,
  home: Str,
  userDir: Str,
  projectDir: Str,
  outputDir: Str,
  cacheDir: Str,
  language: Literals(["en", "fr"]),
  apiKey: optionalKey(Str),
  /** `Settings`. */
  settings: Unknown,
  /** `ReadonlyArray<ExtensionSettings>`. */
  extensionSettings: Unknown
})

export type ChildConfig = typeof ChildConfig.Type

export const Start = Struct({
  type: Literal("start"),
  /** Of the parent's build: another one may speak otherwise. */
  version: Str,
  config: ChildConfig,
  agent: AgentDefinition,
  task: Str,
  model: Str,
  maxIterations: Finite,
  /** What the parent thinks of the folder: not trusted; trusted as long as nothing has changed; trusted for this run. */
  trust: Literals(["no", "check", "run"]),
  /** Keep the conversation as a session of this name. */
  trace: optionalKey(Struct({ name: Str, parentSession: Str }))
})
export type Start = typeof Start.Type

/** What a child asks; each is answered by a reply with its id. */
export const Request = Union([
  Struct({ ask: Literal("decision"), call: Call }),
  Struct({ ask: Literal("person"), call: Call }),
  Struct({ ask: Literal("rules") }),
  /** The file is about to be read or changed: the parent keeps what it was. */
  Struct({ ask: Literal("before"), path: Str, noticed: Literals(["read", "change"]) })
])
export type Request = typeof Request.Type

export const Reply = Union([
  Struct({ decision: Decision }),
  Struct({ person: Answer }),
  Struct({ rules: List(Rule) }),
  Struct({ noted: Literal(true) })
])
export type Reply = typeof Reply.Type

export const ToChild = Union([
  Start,
  Struct({ type: Literal("reply"), id: Finite, reply: Reply }),
  Struct({ type: Literal("abort") })
])
export type ToChild = typeof ToChild.Type

export const Done = Struct({
  type: Literal("done"),
  /** For the main agent's model. */
  text: Str,
  /** Why there is no result. */
  failure: optionalKey(Text),
  /** `limit`: the steps were used up. `stuck`: it went in circles. */
  ended: Literals(["done", "limit", "stuck", "interrupted", "failed"]),
  /** Rules that would have allowed what was refused because no one could be asked. */
  refused: List(Str),
  toolCalls: Finite,
  iterations: Finite,
  /** Name of the session that holds its conversation. */
  trace: optionalKey(Str)
})
export type Done = typeof Done.Type

export const FromChild = Union([
  Struct({ type: Literal("request"), id: Finite, request: Request }),
  Struct({ type: Literal("warning"), message: Text }),
  /** `toolCalls` so far, and the one that runs now. */
  Struct({ type: Literal("progress"), toolCalls: Finite, current: Str }),
  Struct({ type: Literal("usage"), usage: Usage }),
  Done
])
export type FromChild = typeof FromChild.Type

const decodeFromChild = Schema.decodeUnknownResult(Schema.fromJsonString(FromChild))
const decodeToChild = Schema.decodeUnknownResult(Schema.fromJsonString(ToChild))

/** Undefined for what is no message. */
export const parseFromChild = (line: string): FromChild | undefined => Result.getOrUndefined(decodeFromChild(line))
export const parseToChild = (line: string): ToChild | undefined => Result.getOrUndefined(decodeToChild(line))

/** Without a line end. */
export const encode = (message: FromChild | ToChild): string => JSON.stringify(message).toWellFormed()
