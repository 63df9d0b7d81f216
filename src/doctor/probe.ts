/**
 * Puts one request to the model and keeps everything that was observed, also of an answer that fails or never ends. The
 * checks judge what it brings; nothing here judges.
 */
import { Clock, Effect, Stream } from "effect"
import { text, type Text } from "../domain/text.ts"
import type { LlmEvent, LlmRequest } from "../domain/llm.ts"
import type { Reasoning, StopReason, ToolCall, Usage } from "../domain/message.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"

/** Why there is no whole answer. `too_slow`, `unended`: the check's time was up, before the first piece or after it. */
export interface Problem {
  readonly code: string
  readonly text: Text
}

export interface Probe {
  readonly text: string
  /** Characters of reasoning. */
  readonly thought: number
  readonly reasoningField: Reasoning["field"] | undefined
  readonly calls: ReadonlyArray<ToolCall>
  /** Pieces of text or reasoning that came one by one. */
  readonly pieces: number
  readonly usage: Usage | undefined
  readonly stop: StopReason | undefined
  readonly warnings: ReadonlyArray<{ readonly code: string; readonly message: Text }>
  /** From the request to the first piece; undefined where none came. */
  readonly firstMillis: number | undefined
  readonly millis: number
  readonly problem: Problem | undefined
}

/** When the time of a check is up, in milliseconds since the epoch. */
export interface Deadline {
  readonly at: number
  /** Seconds that were given. */
  readonly seconds: number
}

export const deadlineIn = (seconds: number): Effect.Effect<Deadline> =>
  Effect.map(Clock.currentTimeMillis, (now) => ({ at: now + seconds * 1000, seconds }))

export const tooSlow = (seconds: number): Problem => ({
  code: "too_slow",
  text: text(`no answer within ${seconds} s`, `pas de réponse en ${seconds} s`)
})

/** It wrote, and did not come to an end. */
const unended = (seconds: number): Problem => ({
  code: "unended",
  text: text(`the answer did not end within ${seconds} s`, `la réponse ne s'est pas terminée en ${seconds} s`)
})

/** Never fails; an answer that is not whole by the deadline is a `problem`. */
export const ask = (request: LlmRequest, deadline: Deadline): Effect.Effect<Probe, never, LiteLlm> =>
  Effect.gen(function* () {
    const llm = yield* LiteLlm
    const clock = yield* Clock.Clock
    const started = yield* Clock.currentTimeMillis
    const observed = new Observed(started)
    const read = Stream.runForEachArray(llm.stream(request), (events) =>
      Effect.sync(() => events.forEach((event) => observed.take(event, clock.currentTimeMillisUnsafe())))
    )
    const problem = yield* read.pipe(
      Effect.as(undefined),
      Effect.catchTag("LlmError", ({ code, text: said }) => Effect.succeed<Problem | undefined>({ code, text: said })),
      Effect.timeoutOrElse({
        duration: Math.max(0, deadline.at - started),
        orElse: () =>
          Effect.sync((): Problem | undefined =>
            observed.hasBegun ? unended(deadline.seconds) : tooSlow(deadline.seconds)
          )
      })
    )
    return observed.probe(yield* Clock.currentTimeMillis, problem)
  })

class Observed {
  readonly #started: number
  #texts: Array<string> = []
  #thought = 0
  #pieces = 0
  #calls: Array<ToolCall> = []
  #first: number | undefined
  #usage: Usage | undefined
  #stop: StopReason | undefined
  #field: Reasoning["field"] | undefined
  readonly #warnings: Array<{ readonly code: string; readonly message: Text }> = []

  constructor(started: number) {
    this.#started = started
  }

  take(event: LlmEvent, now: number): void {
    switch (event.type) {
      case "text-delta":
        this.#texts.push(event.text)
        return this.#piece(now)
      case "reasoning-delta":
        this.#thought += event.text.length
        return this.#piece(now)
      case "tool-call-start":
        return this.#piece(now)
      case "tool-call-end":
        this.#calls.push(event.call)
        return
      case "usage":
        this.#usage = event.usage
        return
      case "warning":
        this.#warnings.push({ code: event.code, message: event.message })
        return
      case "finish":
        this.#stop = event.reason
        this.#field = event.reasoning?.field
        return
      case "discard":
        this.#texts = []
        this.#calls = []
        this.#thought = 0
        return
      default:
        return
    }
  }

  get hasBegun(): boolean {
    return this.#first !== undefined
  }

  probe(now: number, problem: Problem | undefined): Probe {
    return {
      text: this.#texts.join(""),
      thought: this.#thought,
      reasoningField: this.#field,
      calls: this.#calls,
      pieces: this.#pieces,
      usage: this.#usage,
      stop: this.#stop,
      warnings: this.#warnings,
      firstMillis: this.#first === undefined ? undefined : this.#first - this.#started,
      millis: now - this.#started,
      problem
    }
  }

  #piece(now: number): void {
    this.#pieces += 1
    this.#first ??= now
  }
}
