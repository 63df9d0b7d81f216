/** Presses of a key that are carried out one after the other: those that come too early or too fast wait. */
import { Effect } from "effect"
import { Signal } from "./Signal.ts"

export class Presses {
  private waiting = 0
  private readonly pressed = new Signal<void>()

  /** Completes for each press once. For one reader. */
  readonly next: Effect.Effect<void> = Effect.suspend(() => {
    if (this.waiting === 0) return Effect.flatMap(this.pressed.wait, () => this.next)
    this.waiting--
    return Effect.void
  })

  press(): void {
    this.waiting++
    this.pressed.fire()
  }
}
