/**
 * The turn loop (spec 02): one user request up to the final answer, as a stream of events. Front ends render the events;
 * the agent knows none of them, nor files, HTTP or the terminal.
 */
import { Cause, Context, Effect, Fiber, Layer, Queue, Stream } from "effect"
import { Config } from "../config/Config.ts"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { Attachment } from "../domain/message.ts"
import { Hooks } from "../extensions/hooks/Hooks.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import { ToolRunner } from "../tools/ToolRunner.ts"
import { ContextCare } from "./ContextCare.ts"
import type { Conversation } from "./Conversation.ts"
import { Turn } from "./turn.ts"
import { TurnHooks } from "./turnHooks.ts"
import { makeTurnRules } from "./turnRules.ts"

export interface TurnInput {
  readonly text: string
  readonly attachments?: ReadonlyArray<Attachment>
  /** Completes when the user interrupts; the turn then settles and its last event says `interrupted`. */
  readonly interrupt?: Effect.Effect<void>
  /** Messages typed while the agent works, taken before each next request. */
  readonly steering?: Effect.Effect<ReadonlyArray<string>>
  /** Model calls; the settings' `maxIterations` when absent. */
  readonly maxIterations?: number
  /** What the model is told when they are used up, in place of the usual words. */
  readonly lastRequest?: string
  /** One model call; tools stay declared and may not be used. */
  readonly answerOnly?: { /** Tokens; the usual limit when absent. */ readonly maxTokens?: number }
}

export class Agent extends Context.Service<
  Agent,
  {
    /**
     * Runs one turn. The stream never fails: errors are events, and the last event is always `finished`. Interrupting the
     * consumer (or `interrupt`) stops the model call and every tool and leaves the session valid.
     */
    readonly turn: (conversation: Conversation, input: TurnInput) => Stream.Stream<AgentEvent>
  }
>()("maia/agent/Agent") {
  static readonly layer = Layer.effect(
    Agent,
    Effect.gen(function* () {
      const config = yield* Config
      const llm = yield* LiteLlm
      const runner = yield* ToolRunner
      const care = yield* ContextCare
      const rulesOf = yield* makeTurnRules(config)
      const programs = yield* Hooks

      const turn = (conversation: Conversation, input: TurnInput): Stream.Stream<AgentEvent> =>
        Stream.callback<AgentEvent>((queue) =>
          Effect.gen(function* () {
            const emit = (event: AgentEvent) => Effect.asVoid(Queue.offer(queue, event))
            const hooks = new TurnHooks(programs, emit)
            const emitRule = (event: AgentEvent) =>
              event.type === "stream-rule" ? Effect.andThen(emit(event), hooks.noteRules(event)) : emit(event)
            const state = new Turn({
              config,
              llm,
              runner,
              care,
              rules: rulesOf(conversation, emitRule),
              hooks,
              conversation,
              input,
              emit,
              emitAll: (events) => Effect.asVoid(Queue.offerAll(queue, events))
            })
            const fiber = yield* Effect.forkChild(state.run, { startImmediately: true })
            const stopped = input.interrupt ?? Effect.never
            const ended = yield* Effect.raceFirst(Fiber.await(fiber), Effect.as(stopped, undefined))
            if (ended === undefined) {
              yield* Fiber.interrupt(fiber)
              yield* Queue.offer(queue, state.finished("interrupted"))
            } else if (ended._tag === "Failure") {
              yield* Queue.offerAll(queue, state.crashed(Cause.pretty(ended.cause)))
            }
            yield* Queue.end(queue)
          })
        )

      return Agent.of({ turn })
    })
  )
}
