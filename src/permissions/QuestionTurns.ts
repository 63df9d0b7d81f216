/**
 * One question at a time (spec 03), whoever asks: the calls of an answer and those of its sub-agents stand in one line.
 * Who had to wait can tell that somebody was answered meanwhile, and judges anew: an "always" may have settled it.
 */
import { Context, Effect, Semaphore } from "effect"

export interface QuestionTurns {
  /** Questions that have been settled so far. */
  readonly settled: () => number
  /** Runs `ask` when nobody else is being asked. */
  readonly take: <A, E, R>(ask: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
}

export const makeQuestionTurns = (): QuestionTurns => {
  const line = Semaphore.makeUnsafe(1)
  let settled = 0
  return {
    settled: () => settled,
    take: (ask) =>
      line.withPermit(
        Effect.ensuring(
          ask,
          Effect.sync(() => {
            settled++
          })
        )
      )
  }
}

/** The line of this composition. */
export const QuestionTurns = Context.Reference<QuestionTurns>("maia/permissions/QuestionTurns", {
  defaultValue: makeQuestionTurns
})
