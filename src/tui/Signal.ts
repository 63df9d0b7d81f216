/** Tells everybody who waits that something happened; who comes later waits for the next time. */
import { Effect } from "effect"

export class Signal<A> {
  private waiting = new Set<(value: A) => void>()

  readonly wait: Effect.Effect<A> = Effect.callback((resume) => {
    const done = (value: A): void => resume(Effect.succeed(value))
    this.waiting.add(done)
    return Effect.sync(() => this.waiting.delete(done))
  })

  fire(value: A): void {
    const { waiting } = this
    this.waiting = new Set()
    for (const done of waiting) done(value)
  }
}
