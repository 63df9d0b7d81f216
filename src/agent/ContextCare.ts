/**
 * Keeps a conversation within its model's window while a turn runs (spec 04). The turn loop calls it at the three places
 * where the context may be shortened; a composition without it sends the whole history.
 */
import { Context, Effect } from "effect"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { Usage } from "../domain/message.ts"
import type { LlmError } from "../llm/errors.ts"
import { DEFAULT_OUTPUT_LIMIT } from "../tools/outputLimit.ts"
import type { Conversation } from "./Conversation.ts"

type Emit = (event: AgentEvent) => Effect.Effect<void>

export interface ContextCare {
  /** Before each request: prunes and compacts where the threshold is passed. */
  readonly beforeRequest: (conversation: Conversation, emit: Emit) => Effect.Effect<void>
  /** After an overflow error: `true` when the context was shortened and the request may be sent once more. */
  readonly onOverflow: (conversation: Conversation, error: LlmError, emit: Emit) => Effect.Effect<boolean>
  /** After each answer, with the server's count. */
  readonly noteAnswer: (conversation: Conversation, usage: Usage | undefined) => Effect.Effect<void>
  /** After the turn. */
  readonly afterTurn: (conversation: Conversation, emit: Emit) => Effect.Effect<void>
  /** The request that says `next` would be past the threshold: for the places between turns where a front end may compact. */
  readonly isFull: (conversation: Conversation, next?: string) => Effect.Effect<boolean>
  /** Characters of result text one call may bring. */
  readonly outputLimit: (conversation: Conversation) => Effect.Effect<number>
}

export const ContextCare = Context.Reference<ContextCare>("maia/agent/ContextCare", {
  defaultValue: () => ({
    beforeRequest: () => Effect.void,
    onOverflow: () => Effect.succeed(false),
    noteAnswer: () => Effect.void,
    afterTurn: () => Effect.void,
    isFull: () => Effect.succeed(false),
    outputLimit: () => Effect.succeed(DEFAULT_OUTPUT_LIMIT)
  })
})
