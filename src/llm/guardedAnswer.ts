/**
 * An answer on its way to the turn, with the rails for small models on it (spec 06): tool calls written as text become
 * calls, and text or reasoning that repeats itself without end is stopped, which ends the request.
 */
import { Cause, Clock, Effect, Stream } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import type { LlmEvent } from "../domain/llm.ts"
import type { LlmError } from "./errors.ts"
import { RepetitionGuard, type Repetition } from "./repetitionGuard.ts"
import type { TextCallFilter } from "./textCalls/TextCallFilter.ts"

export interface Stopped extends Repetition {
  readonly where: "text" | "reasoning"
}

export interface AnswerGuards {
  /** Absent: text is never a call. */
  readonly textCalls?: TextCallFilter
  /** Told once, before the stream ends with a `finish` of its own; absent: repetition is not looked for. */
  readonly onRepetition?: (stopped: Stopped) => void
}

export const guardedAnswer = (
  answer: Stream.Stream<LlmEvent, LlmError>,
  guards: AnswerGuards
): Stream.Stream<LlmEvent, LlmError> => {
  if (guards.textCalls === undefined && guards.onRepetition === undefined) return answer
  return Stream.transformPull(answer, (pull) =>
    Effect.map(Clock.Clock, (clock) => {
      const guarded = new Guarded(guards)
      return Effect.gen(function* () {
        for (;;) {
          if (guarded.isOver) return yield* Cause.done()
          const asked = clock.currentTimeMillisUnsafe()
          const taken = yield* pull
          const events = guarded.take(taken, clock.currentTimeMillisUnsafe() - asked)
          if (isNonEmpty(events)) return events
        }
      })
    })
  )
}

class Guarded {
  isOver = false
  private readonly guards: AnswerGuards
  private waited = 0
  private readonly text = new RepetitionGuard()
  private readonly reasoning = new RepetitionGuard()

  constructor(guards: AnswerGuards) {
    this.guards = guards
  }

  /** `waited`: milliseconds until these events were there. */
  take(events: ReadonlyArray<LlmEvent>, waited: number): ReadonlyArray<LlmEvent> {
    this.waited += waited
    const { onRepetition, textCalls } = this.guards
    const end = onRepetition === undefined ? undefined : this.repetitionIn(events)
    if (end === undefined) return textCalls === undefined ? events : textCalls.take(events)
    this.isOver = true
    const before = events.slice(0, end.index + 1)
    onRepetition?.(end.stopped)
    return [
      ...(textCalls === undefined ? before : [...textCalls.take(before), ...textCalls.release()]),
      { type: "finish", reason: "other", raw: "repetition" }
    ]
  }

  /** The event with which it became too much. Every event of every answer passes here. */
  private repetitionIn(events: ReadonlyArray<LlmEvent>): { index: number; stopped: Stopped } | undefined {
    let index = 0
    for (const event of events) {
      if (event.type === "text-delta") {
        const found = this.text.push(event.text, this.waited)
        if (found !== undefined) return { index, stopped: { ...found, where: "text" } }
      } else if (event.type === "reasoning-delta") {
        const found = this.reasoning.push(event.text, this.waited)
        if (found !== undefined) return { index, stopped: { ...found, where: "reasoning" } }
      } else if (event.type === "discard") {
        this.text.reset()
        this.reasoning.reset()
      }
      index++
    }
    return undefined
  }
}

const isNonEmpty = <A>(items: ReadonlyArray<A>): items is NonEmptyReadonlyArray<A> => items.length > 0
