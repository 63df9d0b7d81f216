/**
 * The objects of `--output stream-json` and `--output json` (spec 02, "Headless"): one object a line, the last one a
 * `result`. Readers ignore types and fields they do not know.
 */
import { Schema } from "effect"
import type { AgentEvent } from "../../domain/agent-event.ts"
import { Usage } from "../../domain/message.ts"

const {
  Array: List,
  Boolean: Flag,
  Finite,
  Literal,
  Literals,
  String: Str,
  Struct,
  Union,
  Unknown,
  optionalKey
} = Schema

export const SessionLine = Struct({ type: Literal("session"), name: Str, model: Str, cwd: Str })
export const IterationLine = Struct({ type: Literal("iteration"), n: Finite })
export const TextLine = Struct({ type: Literal("text"), delta: Str })
export const ReasoningLine = Struct({ type: Literal("reasoning"), delta: Str })
/** What was streamed since the last `iteration` is void. */
export const DiscardLine = Struct({ type: Literal("discard"), reason: Str })
export const ToolCallLine = Struct({ type: Literal("tool_call"), id: Str, name: Str, input: Unknown })
export const PermissionLine = Struct({
  type: Literal("permission"),
  id: Str,
  decision: Literals(["allow", "deny", "refused"]),
  rule: optionalKey(Str),
  askedBy: optionalKey(Str)
})
export const ToolProgressLine = Struct({ type: Literal("tool_progress"), id: Str, text: Str })
export const ToolResultLine = Struct({
  type: Literal("tool_result"),
  id: Str,
  name: Str,
  isError: Flag,
  content: Str
})
export const WarningLine = Struct({ type: Literal("warning"), code: Str, message: Str })
export const NoticeLine = Struct({ type: Literal("notice"), code: Str, message: Str })
/** `agent`: the sub-agent whose model call it was. */
export const UsageLine = Struct({ type: Literal("usage"), ...Usage.fields, agent: optionalKey(Str) })
export const CompactionLine = Struct({
  type: Literal("compaction"),
  phase: Literals(["started", "finished", "failed"]),
  reason: Literals(["threshold", "overflow", "manual"]),
  tokensBefore: Finite,
  tokensAfter: optionalKey(Finite),
  summaryCalls: optionalKey(Finite)
})
export const StreamRuleLine = Struct({
  type: Literal("stream_rule"),
  rules: List(Str),
  mode: Literals(["discard", "keep", "note"])
})
export const ErrorLine = Struct({ type: Literal("error"), code: Str, message: Str })
export const ResultLine = Struct({
  type: Literal("result"),
  reason: Literals(["done", "refused", "max_iterations", "stuck", "error", "interrupted"]),
  text: Str,
  iterations: Finite,
  usage: Usage,
  /** Name of the session; null with `--no-save`. */
  session: Schema.NullOr(Str)
})

/** Any line of `stream-json`. */
export const StreamJsonLine = Union([
  SessionLine,
  IterationLine,
  TextLine,
  ReasoningLine,
  DiscardLine,
  ToolCallLine,
  PermissionLine,
  ToolProgressLine,
  ToolResultLine,
  WarningLine,
  NoticeLine,
  UsageLine,
  CompactionLine,
  StreamRuleLine,
  ErrorLine,
  ResultLine
])
export type StreamJsonLine = typeof StreamJsonLine.Type

/** The line an event is printed as; undefined for events that only a screen needs. */
export const toLine = (
  event: AgentEvent,
  context: { readonly language: "en" | "fr"; readonly session: string | null }
): StreamJsonLine | undefined => {
  switch (event.type) {
    case "started":
      return { type: "session", name: event.session, model: event.model, cwd: event.cwd }
    case "iteration":
    case "text":
    case "reasoning":
    case "discard":
    case "permission":
    case "compaction":
      return event
    case "tool-requested":
      return { type: "tool_call", id: event.call.id, name: event.call.name, input: event.input }
    case "tool-progress":
      return { type: "tool_progress", id: event.id, text: event.text }
    case "tool-finished": {
      const { isError, text, toolCallId, toolName } = event.result
      return { type: "tool_result", id: toolCallId, name: toolName, isError, content: text }
    }
    case "warning":
    case "notice":
      return { type: event.type, code: event.code, message: event.message[context.language] }
    case "usage":
      return { type: "usage", ...event.usage, ...(event.agent === undefined ? {} : { agent: event.agent }) }
    case "stream-rule":
      return { type: "stream_rule", rules: event.rules, mode: event.mode }
    case "error":
      return { type: "error", code: event.code, message: event.message[context.language] }
    case "finished": {
      const { iterations, reason, text, usage } = event
      return { type: "result", reason, text, iterations, usage, session: context.session }
    }
    case "prompt-progress":
    case "tool-composing":
    case "tool-started":
    case "tool-done":
    case "permission-asked":
    case "todo":
      return undefined
  }
}

/** One line of output, line end included. */
export const encodeLine = (line: StreamJsonLine): string => `${JSON.stringify(line).toWellFormed()}\n`
