/**
 * The conversation as maia keeps it (spec 01, 02, 04). Pure data: what a provider wants on the wire is built in `llm/`.
 */
import { Schema } from "effect"

/** An image or a file handed to the model, base64 encoded. */
export const Attachment = Schema.Struct({
  type: Schema.Literals(["image", "file"]),
  /** MIME type, for example `image/png`. */
  mediaType: Schema.String,
  /** Base64 bytes, without a `data:` prefix. */
  data: Schema.String,
  /** File name shown to people and sent with files. */
  name: Schema.optionalKey(Schema.String)
})
export type Attachment = typeof Attachment.Type

/** Token counts reported by the server for one model call. */
export const Usage = Schema.Struct({
  inputTokens: Schema.Finite,
  /** Without reasoning tokens. */
  outputTokens: Schema.Finite,
  reasoningTokens: Schema.optionalKey(Schema.Finite),
  /** Part of `inputTokens` that came out of the server's cache. */
  cachedTokens: Schema.optionalKey(Schema.Finite),
  /** Output tokens as the server wrote them, reasoning included. */
  completionTokens: Schema.optionalKey(Schema.Finite),
  /** Tokens per second reported by llama.cpp (`timings`). */
  promptPerSecond: Schema.optionalKey(Schema.Finite),
  outputPerSecond: Schema.optionalKey(Schema.Finite)
})
export type Usage = typeof Usage.Type

/**
 * Reasoning of one answer. It is shown, and goes back only inside the tool loop of the same turn, in the field it came
 * in (spec 01).
 */
export const Reasoning = Schema.Struct({
  text: Schema.String,
  /** Wire field it arrived in; `think` stands for `<think>` tags inside the content. */
  field: Schema.Literals(["reasoning_content", "reasoning", "thinking_blocks", "reasoning_details", "think"]),
  /** Signed or opaque blocks, kept byte for byte. */
  blocks: Schema.optionalKey(Schema.Array(Schema.Unknown)),
  details: Schema.optionalKey(Schema.Array(Schema.Unknown))
})
export type Reasoning = typeof Reasoning.Type

/** Why a call as assembled must not run. */
export const ToolCallProblem = Schema.Struct({
  kind: Schema.Literals(["cut", "malformed", "no-name", "runaway"]),
  /** One English sentence for the model. */
  detail: Schema.String,
  /** The argument text as received, for the repair message. */
  received: Schema.String
})
export type ToolCallProblem = typeof ToolCallProblem.Type

export const ToolCall = Schema.Struct({
  /** The server's own id, sent back unchanged. */
  id: Schema.String,
  name: Schema.String,
  /** Arguments as JSON text; always valid JSON (`{}` when `problem` is set). */
  arguments: Schema.String,
  problem: Schema.optionalKey(ToolCallProblem),
  /** Unknown fields of the call, sent back unchanged. */
  extra: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown)),
  /** Unknown fields of the call's `function`, sent back unchanged. */
  functionExtra: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
export type ToolCall = typeof ToolCall.Type

export const StopReason = Schema.Literals([
  "end_turn",
  "tool_use",
  "max_tokens",
  "content_filter",
  "context_window",
  "error",
  "interrupted",
  "other"
])
export type StopReason = typeof StopReason.Type

export const UserMessage = Schema.Struct({
  role: Schema.Literal("user"),
  text: Schema.String,
  attachments: Schema.optionalKey(Schema.Array(Attachment)),
  /** Where it came from; absent for what the user typed. */
  origin: Schema.optionalKey(
    Schema.Literals([
      "steering",
      "shell",
      "reminder",
      "repair",
      "continue",
      "limit",
      "context",
      "compaction_summary",
      "branch_summary",
      "custom"
    ])
  )
})
export type UserMessage = typeof UserMessage.Type

export const AssistantMessage = Schema.Struct({
  role: Schema.Literal("assistant"),
  text: Schema.String,
  reasoning: Schema.optionalKey(Reasoning),
  toolCalls: Schema.Array(ToolCall),
  model: Schema.optionalKey(Schema.String),
  provider: Schema.optionalKey(Schema.String),
  usage: Schema.optionalKey(Usage),
  stopReason: Schema.optionalKey(StopReason),
  error: Schema.optionalKey(Schema.String)
})
export type AssistantMessage = typeof AssistantMessage.Type

export const ToolMessage = Schema.Struct({
  role: Schema.Literal("tool"),
  toolCallId: Schema.String,
  toolName: Schema.String,
  text: Schema.String,
  isError: Schema.Boolean,
  attachments: Schema.optionalKey(Schema.Array(Attachment)),
  /** For front ends only (diff, todo list, exit code): never sent to the model. */
  details: Schema.optionalKey(Schema.Record(Schema.String, Schema.Unknown))
})
export type ToolMessage = typeof ToolMessage.Type

export const Message = Schema.Union([UserMessage, AssistantMessage, ToolMessage])
export type Message = typeof Message.Type
