/**
 * One answer as a stream (spec 01, "Failure"): sends the request, decodes what comes, and decides what is sent again. Knows
 * Effect and the decoder; the connection is handed in, so that this file knows nothing of settings or addresses.
 */
import { Cause, Clock, Duration, Effect, Exit, Pull, Schedule, Scope, Stream } from "effect"
import type { NonEmptyReadonlyArray } from "effect/Array"
import type { LlmEvent } from "../domain/llm.ts"
import { AnswerDecoder, type Outcome } from "./answerDecoder.ts"
import * as errors from "./classify.ts"
import type { Facts, Judged } from "./classify.ts"
import type { LlmError } from "./errors.ts"
import { MOST_RETRIES, refusedSchedule, serverSchedule } from "./retry.ts"
import type { AssemblerOptions } from "./toolCallAssembler.ts"
import { retrying } from "./warnings.ts"
import { Watchdog, type Patience } from "./watchdog.ts"
import { parseJson } from "./wire.ts"

/** A response whose body is about to be read. */
export interface Opened {
  /** Fails only where the connection breaks. */
  readonly bytes: Stream.Stream<Uint8Array, unknown>
  /** What to tell before the answer. */
  readonly notices: ReadonlyArray<LlmEvent>
}

export interface AnswerOptions {
  /** Sends the request; the connection lives as long as the scope. */
  readonly open: (streaming: boolean) => Effect.Effect<Opened, Judged, Scope.Scope>
  readonly assembler: AssemblerOptions
  readonly patience: Patience
  /** Seconds a server may ask to wait. */
  readonly maxRetryAfter: number
  readonly facts: Effect.Effect<Facts>
  /** Takes the key out of what a server said. */
  readonly mask: (text: string) => string
}

/** After the finish reason only usage may come: a connection left open is not waited for longer than this. */
const GRACE = Duration.seconds(5)
/** After `[DONE]` the end of the body is nearly always there already; reading it keeps the connection usable. */
const DRAIN = Duration.millis(100)
/** Seconds before the second try after a stream that failed because the server has too much to do. */
const BUSY_WAIT = 1

interface Attempt {
  readonly scope: Scope.Closeable
  readonly pull: Pull.Pull<NonEmptyReadonlyArray<Uint8Array>, unknown>
  readonly decoder: AnswerDecoder
  readonly watchdog: Watchdog
}

type Phase =
  | { readonly at: "open" }
  | { readonly at: "wait"; readonly seconds: number }
  | { readonly at: "read"; readonly attempt: Attempt }
  | { readonly at: "drain"; readonly attempt: Attempt }
  | { readonly at: "fail"; readonly error: LlmError }
  | { readonly at: "over" }

/** Events to hand on; an empty list means that there is more to do first. */
type Step = Effect.Effect<ReadonlyArray<LlmEvent>, LlmError>

export const answerStream = (options: AnswerOptions): Stream.Stream<LlmEvent, LlmError> =>
  Stream.scoped(
    Stream.fromPull(
      Effect.gen(function* () {
        const run = new AnswerRun(options, yield* Effect.scope, {
          clock: yield* Clock.Clock,
          server: yield* Schedule.toStep(serverSchedule),
          refused: yield* Schedule.toStep(refusedSchedule)
        })
        return run.pull
      })
    )
  )

type DelayStep = (now: number, input: unknown) => Pull.Pull<readonly [unknown, Duration.Duration], never, unknown>

interface Tools {
  readonly clock: Clock.Clock
  readonly server: DelayStep
  readonly refused: DelayStep
}

class AnswerRun {
  readonly #options: AnswerOptions
  readonly #scope: Scope.Scope
  readonly #tools: Tools
  #phase: Phase = { at: "open" }
  #streaming = true
  #retries = 0
  /** A stream that broke off or an answer without content is asked for once more, not oftener. */
  #restarted = false

  constructor(options: AnswerOptions, scope: Scope.Scope, tools: Tools) {
    this.#options = options
    this.#scope = scope
    this.#tools = tools
  }

  get pull(): Pull.Pull<NonEmptyReadonlyArray<LlmEvent>, LlmError> {
    return Effect.gen({ self: this }, function* () {
      for (;;) {
        if (this.#phase.at === "over") return yield* Cause.done()
        const events = yield* this.#step(this.#phase)
        if (isNonEmpty(events)) return events
      }
    })
  }

  #step(phase: Exclude<Phase, { at: "over" }>): Step {
    switch (phase.at) {
      case "open":
        return this.#open()
      case "wait":
        return Effect.as(this.#enter(Effect.sleep(Duration.seconds(phase.seconds)), { at: "open" }), [])
      case "read":
        return this.#read(phase.attempt)
      case "drain":
        return Effect.as(this.#enter(this.#drain(phase.attempt), { at: "over" }), [])
      case "fail":
        return Effect.fail(phase.error)
    }
  }

  #enter(effect: Effect.Effect<void>, next: Phase): Effect.Effect<void> {
    return Effect.map(effect, () => {
      this.#phase = next
    })
  }

  #open(): Step {
    return Effect.gen({ self: this }, function* () {
      const scope = yield* Scope.fork(this.#scope)
      const opened = yield* this.#options.open(this.#streaming).pipe(Scope.provide(scope), Effect.result)
      if (opened._tag === "Failure") {
        yield* Scope.close(scope, Exit.void)
        return yield* this.#again(opened.failure)
      }
      const watchdog = new Watchdog(this.#patience())
      const bytes = Stream.interruptWhen(opened.success.bytes, watchdog.watch)
      this.#phase = {
        at: "read",
        attempt: {
          scope,
          pull: yield* Scope.provide(Stream.toPull(bytes), scope),
          decoder: new AnswerDecoder(this.#options.assembler),
          watchdog
        }
      }
      return opened.success.notices
    })
  }

  /** Without streaming the whole answer is written before its first byte. */
  #patience(): Patience {
    const { first, idle } = this.#options.patience
    return this.#streaming ? this.#options.patience : { first: first + idle, idle }
  }

  #read(attempt: Attempt): Step {
    const { decoder, watchdog } = attempt
    watchdog.waiting(this.#tools.clock.currentTimeMillisUnsafe())
    const pull = decoder.isEnding
      ? Effect.timeoutOrElse(attempt.pull, { duration: GRACE, orElse: () => Cause.done() })
      : attempt.pull
    return Pull.matchEffect(pull, {
      onSuccess: (chunks) => {
        for (const bytes of chunks) decoder.push(bytes)
        const events = decoder.take()
        watchdog.received(decoder.hasSpoken)
        return decoder.isOver ? this.#end(attempt, events) : Effect.succeed(events)
      },
      onDone: () => this.#end(attempt, []),
      onFailure: (cause) => this.#broken(attempt, cause)
    })
  }

  /** The connection broke, or the watchdog bit. */
  #broken(attempt: Attempt, cause: Cause.Cause<unknown>): Step {
    if (Cause.hasInterrupts(cause)) return Effect.interrupt
    const { decoder } = attempt
    // Nothing was missing any more.
    if (decoder.isEnding) return this.#end(attempt, [])
    const failure = Cause.squash(cause)
    const error = errors.isLlmError(failure) ? failure : errors.brokenStream(failure)
    return this.#restart(attempt, decoder.take(), { error, retry: error === failure ? "never" : "once" })
  }

  #end(attempt: Attempt, before: ReadonlyArray<LlmEvent>): Step {
    return Effect.gen({ self: this }, function* () {
      const cutShort = attempt.decoder.isOver && !attempt.decoder.isDone
      const outcome = attempt.decoder.end()
      const events = [...before, ...attempt.decoder.take()]
      if (outcome.type !== "finished") {
        return yield* this.#restart(attempt, events, judge(outcome, yield* this.#options.facts, this.#options.mask))
      }
      // Arguments that ran away: the server must stop writing now.
      if (cutShort) yield* Scope.close(attempt.scope, Exit.void)
      this.#phase = cutShort ? { at: "over" } : { at: "drain", attempt }
      return events
    })
  }

  #drain(attempt: Attempt): Effect.Effect<void> {
    const rest = Effect.forever(attempt.pull)
    return Effect.timeoutOption(rest, DRAIN).pipe(Effect.exit, Effect.andThen(Scope.close(attempt.scope, Exit.void)))
  }

  /** After a response that failed in the middle: once more if that may help and was not done before. */
  #restart(attempt: Attempt, events: ReadonlyArray<LlmEvent>, judged: Judged): Step {
    return Effect.gen({ self: this }, function* () {
      yield* Scope.close(attempt.scope, Exit.void)
      if (judged.retry !== "once" || this.#restarted) {
        this.#phase = { at: "fail", error: judged.error }
        return events
      }
      this.#restarted = true
      // A proxy may swallow an error in a stream that it would show in a plain answer.
      this.#streaming = attempt.decoder.hasSpoken
      const isBusy = judged.error.code === "rate_limit" || judged.error.code === "overloaded"
      this.#phase = isBusy ? { at: "wait", seconds: BUSY_WAIT } : { at: "open" }
      if (!attempt.decoder.hasSpoken) return []
      return [...events, { type: "discard", reason: judged.error.text.en }]
    })
  }

  /** After a request that brought no answer. */
  #again(judged: Judged): Step {
    return Effect.gen({ self: this }, function* () {
      const { error } = judged
      if (judged.retry === "never" || this.#retries === MOST_RETRIES) return yield* error
      const now = this.#tools.clock.currentTimeMillisUnsafe()
      const asked = error.retryAfter ?? 0
      if (asked > this.#options.maxRetryAfter) return yield* errors.waitTooLong(error, asked, now)
      const step =
        judged.retry === "connection" && errors.isRefused(error.cause) ? this.#tools.refused : this.#tools.server
      const own = yield* Pull.catchDone(
        Effect.map(step(now, error), ([, delay]) => Duration.toSeconds(delay)),
        () => Effect.void
      )
      if (own === undefined) return yield* error
      this.#retries += 1
      const seconds = Math.max(own, asked)
      this.#phase = { at: "wait", seconds }
      return [retrying(error.text, seconds, this.#retries, MOST_RETRIES)]
    })
  }
}

const judge = (outcome: Exclude<Outcome, { type: "finished" }>, facts: Facts, mask: AnswerOptions["mask"]): Judged => {
  switch (outcome.type) {
    case "broken":
      return { error: errors.brokenStream(), retry: "once" }
    case "empty":
      return { error: errors.emptyAnswer(), retry: "once" }
    case "overflow":
      return { error: errors.windowOverflow(), retry: "never" }
    case "alien":
      return { error: errors.alienBody(mask(outcome.body), facts), retry: "never" }
    case "failed":
      return errors.judgeStreamError(
        typeof outcome.said === "string" ? mask(outcome.said) : parseJson(mask(JSON.stringify(outcome.said))),
        facts
      )
  }
}

const isNonEmpty = <A>(items: ReadonlyArray<A>): items is NonEmptyReadonlyArray<A> => items.length > 0
