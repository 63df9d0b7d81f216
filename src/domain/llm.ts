/**
 * What goes to a model and what comes back (spec 01). `LlmEvent` is all that anything above `llm/` ever sees of a server.
 */
import type { Message, Reasoning, StopReason, ToolCall, Usage } from "./message.ts"
import type { Text } from "./text.ts"

/** A tool as declared to the model. */
export interface ToolSpec {
  readonly name: string
  readonly description: string
  /** JSON Schema of the arguments, always `type: "object"`. */
  readonly parameters: Record<string, unknown>
}

/** Sampling settings; only what is set is sent. */
export interface Sampling {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
  readonly minP?: number
  readonly frequencyPenalty?: number
  readonly presencePenalty?: number
  readonly repeatPenalty?: number
}

export interface LlmRequest {
  readonly model: string
  readonly system: string
  readonly messages: ReadonlyArray<Message>
  /** Sorted by name by the caller once a session, so that the prefix stays byte-identical. */
  readonly tools: ReadonlyArray<ToolSpec>
  /** `none`: declared, but no call wanted (last call at the iteration limit, summaries). */
  readonly toolChoice?: "auto" | "none" | { readonly name: string }
  /** Tokens; wins over the model's and the settings' limit. */
  readonly maxTokens?: number
  readonly sampling?: Sampling
  /** Sent as `reasoning_effort` only when given. */
  readonly effort?: string
  /** `false` asks for no reasoning where the server can be told (summaries). */
  readonly thinking?: boolean
  readonly parallelToolCalls?: boolean
  /** Multiplies the watchdog's times (summaries are given twice the patience). */
  readonly patience?: number
}

export type LlmEvent =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /** `index` counts the calls of this answer from 0 in the order they began. */
  | { readonly type: "tool-call-start"; readonly index: number; readonly id: string; readonly name: string }
  /** A piece of the arguments' JSON text. */
  | { readonly type: "tool-call-delta"; readonly index: number; readonly delta: string }
  | { readonly type: "tool-call-end"; readonly index: number; readonly call: ToolCall }
  | { readonly type: "prompt-progress"; readonly processed: number; readonly total: number; readonly cached?: number }
  | { readonly type: "usage"; readonly usage: Usage }
  /** Something a person should know; the stream goes on. */
  | { readonly type: "warning"; readonly code: string; readonly message: Text }
  /** All that was streamed so far is void: the request is being sent again. */
  | { readonly type: "discard"; readonly reason: string }
  | {
      readonly type: "finish"
      readonly reason: StopReason
      /** The server's own word, when it gave one. */
      readonly raw?: string
      readonly reasoning?: Reasoning
    }

/** What a model costs, in US dollars a token. */
export interface Prices {
  readonly input: number
  readonly output: number
  /** Input that came out of the server's cache; the price of any input when absent. */
  readonly cached?: number
}

export interface ModelInfo {
  readonly id: string
  /** Tokens, when the list says so. */
  readonly contextWindow?: number
  /** Name of the field that said it. */
  readonly contextWindowField?: string
}
