/**
 * Notices a server that has stopped sending (spec 01, "Watchdog"). One fiber an answer, not one timer a chunk. Any byte is
 * life; time in which the consumer does not ask for more is not counted.
 */
import { Clock, Effect } from "effect"
import { firstTokenTimeout, stalled } from "./classify.ts"
import type { LlmError } from "./errors.ts"

export interface Patience {
  /** Seconds until the first token. */
  readonly first: number
  /** Seconds without a byte after it. */
  readonly idle: number
}

export class Watchdog {
  readonly #patience: Patience
  /** Milliseconds on the clock since which bytes are awaited; undefined while nobody waits. */
  #since: number | undefined
  #sawToken = false

  constructor(patience: Patience) {
    this.#patience = patience
  }

  waiting(now: number): void {
    this.#since = now
  }

  received(sawToken: boolean): void {
    this.#since = undefined
    this.#sawToken = sawToken
  }

  /** Fails when patience is at an end; never succeeds. */
  get watch(): Effect.Effect<never, LlmError> {
    return Clock.clockWith((clock) =>
      Effect.gen({ self: this }, function* () {
        for (;;) {
          const seconds = this.#sawToken ? this.#patience.idle : this.#patience.first
          const now = clock.currentTimeMillisUnsafe()
          const left = (this.#since ?? now) + seconds * 1000 - now
          if (left <= 0) return yield* this.#sawToken ? stalled(seconds) : firstTokenTimeout(seconds)
          // A limit that shrinks meanwhile (the first token comes) must be seen in time.
          yield* Effect.sleep(Math.min(left, this.#patience.idle * 1000))
        }
      })
    )
  }
}
