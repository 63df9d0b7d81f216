/**
 * What a tool is (spec 02). A tool's `run` needs no services: the effect that makes it has taken them.
 */
import { Schema, type Effect } from "effect"
import type { AgentEvent } from "./agent-event.ts"
import type { Attachment } from "./message.ts"

/** What a tool may tell the front ends and the turn besides its output. */
export type ToolReport = Extract<AgentEvent, { type: "warning" | "notice" | "usage" }>

export interface ToolContext {
  readonly callId: string
  /** Shows text that has just been produced; at most a few times a second reach a front end. */
  readonly progress: (text: string) => Effect.Effect<void>
  /** Absent where nobody listens. */
  readonly report?: (event: ToolReport) => Effect.Effect<void>
  /** Characters of result text the model may get. */
  readonly outputLimit: number
  readonly model: { readonly id: string; readonly images: boolean }
  /** The real path that the permission was given for; a tool that finds another one there does nothing. */
  readonly judgedPath?: string
}

export interface ToolOutput {
  /** What the model reads. */
  readonly text: string
  /** Refused or failed; a command that ran and exited non-zero is not an error. */
  readonly isError?: boolean
  readonly attachments?: ReadonlyArray<Attachment>
  /** For front ends only. */
  readonly details?: Record<string, unknown>
  /** Something in it was refused because no one could be asked. */
  readonly refused?: boolean
  /** The tool has already cut its text to `outputLimit` and named the file that holds the whole. */
  readonly limited?: boolean
}

/** A failure the model can act on; `message` is written as a repair instruction, in English. */
export class ToolFailure extends Schema.TaggedError<ToolFailure>()("ToolFailure", { message: Schema.String }) {}

/** A call whose arguments were understood. */
export interface PreparedCall {
  /** Decoded arguments, with the tool's own parameter names: what rules judge and front ends show. */
  readonly input: Readonly<Record<string, unknown>>
  /** Near misses that were put right, told to the model (one English sentence each). */
  readonly notes: ReadonlyArray<string>
  /** Calls with the same key run one after the other, in call order. */
  readonly lockKey: Effect.Effect<string | undefined>
  readonly run: (context: ToolContext) => Effect.Effect<ToolOutput, ToolFailure>
}

export interface Tool {
  readonly name: string
  readonly description: string
  /** JSON Schema sent to the model, always `type: "object"`. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Decision where no rule speaks: `auto` only for tools that touch nothing outside maia. */
  readonly permission: "auto" | "ask"
  /** The failure says what is wrong, what was received and the expected shape. */
  readonly prepare: (raw: unknown) => Effect.Effect<PreparedCall, ToolFailure>
}
