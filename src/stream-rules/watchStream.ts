/**
 * The operator between the model's stream and the turn loop (spec 05): hands on what a watch lets through and fails where a
 * rule stops the answer, which interrupts the model call at once, without a timer.
 */
import { Cause, Effect, Pull, Schema, Stream } from "effect"
import { isReadonlyArrayNonEmpty, type NonEmptyReadonlyArray } from "effect/Array"
import type { LlmEvent } from "../domain/llm.ts"
import { UserMessage } from "../domain/message.ts"
import type { StreamWatch, Verdict } from "./StreamRuleGuard.ts"

/** A rule stopped the answer. Not a fault: say `reminder` and ask again. */
export class RuleViolation extends Schema.TaggedError<RuleViolation>()("RuleViolation", {
  /** Names, for the entry and the event. */
  rules: Schema.Array(Schema.String),
  /** For the entry. */
  turn: Schema.Finite,
  /** What becomes of the output so far. */
  mode: Schema.Literals(["discard", "keep"]),
  reminder: UserMessage
}) {
  override get message(): string {
    return `stopped by ${this.rules.join(", ")}`
  }
}

/**
 * `stream` as far as no rule stops it: what came before a match is handed on, then it fails with `RuleViolation`. The end
 * waits for rules with `engine: js`, so that an answer that has ended has passed every rule.
 */
export const watchStream =
  (watch: StreamWatch | undefined) =>
  <E>(stream: Stream.Stream<LlmEvent, E>): Stream.Stream<LlmEvent, E | RuleViolation> => {
    if (watch === undefined) return stream
    return Stream.transformPull(stream, (pull) =>
      Effect.sync(() => {
        let violation: RuleViolation | undefined
        const next = Effect.flatMap(pull, (events) => {
          const verdict = watch.push(events)
          if (verdict === undefined) return Effect.succeed(events)
          violation = violationOf(verdict)
          return isReadonlyArrayNonEmpty(verdict.before) ? Effect.succeed(verdict.before) : Effect.fail(violation)
        })
        const atEnd = Effect.flatMap(watch.settle, (verdict): Effect.Effect<never, RuleViolation | Cause.Done> =>
          verdict === undefined ? Cause.done() : Effect.fail(violationOf(verdict))
        )
        const all: Events<E | RuleViolation> = Pull.catchDone(next, () => atEnd)
        return Effect.suspend((): Events<E | RuleViolation> => (violation === undefined ? all : Effect.fail(violation)))
      })
    )
  }

type Events<E> = Pull.Pull<NonEmptyReadonlyArray<LlmEvent>, E>

const violationOf = ({ rules, turn, mode, reminder }: Verdict): RuleViolation =>
  new RuleViolation({ rules, turn, mode, reminder })
