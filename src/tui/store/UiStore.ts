/**
 * Holds what the screen shows, without React (spec 07): one immutable state, changed by functions, told to listeners at most
 * twenty times a second. Tests drive it; renderers only read it.
 */
import type { UiState } from "./state.ts"

/**
 * Milliseconds between two drawings: more cost a third of a core (Ink measured at 60 a second) and nobody sees them. What a
 * model or a tool writes is read, not typed: it may come in larger steps.
 */
const INTERVALS = { key: 50, stream: 80 } as const

/** Who changes the state: a key must be seen soon. */
export type Pace = keyof typeof INTERVALS

/** Time as the store needs it; tests give another. */
export interface StoreClock {
  readonly now: () => number
  /** Returns how to take it back. */
  readonly after: (milliseconds: number, run: () => void) => () => void
}

export const systemClock: StoreClock = {
  now: () => Date.now(),
  after: (milliseconds, run) => {
    const timer = setTimeout(run, milliseconds)
    return () => clearTimeout(timer)
  }
}

export class UiStore {
  private state: UiState
  /** What listeners were last told: drawings between two ticks see no half-made state. */
  private shown: UiState
  private readonly clock: StoreClock
  private readonly listeners = new Set<() => void>()
  private lastTold = Number.NEGATIVE_INFINITY
  /** The drawing that is planned. */
  private planned: { readonly due: number; readonly cancel: () => void } | undefined
  private held = false
  /** `false` while the terminal has not taken what was drawn before: a slow line gets fewer drawings, not a longer queue. */
  private readonly canDraw: () => boolean

  constructor(state: UiState, clock: StoreClock = systemClock, canDraw: () => boolean = () => true) {
    this.state = state
    this.shown = state
    this.clock = clock
    this.canDraw = canDraw
  }

  /** The newest state; renderers use `getSnapshot`. */
  get current(): UiState {
    return this.state
  }

  readonly getSnapshot = (): UiState => this.shown

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  now(): number {
    return this.clock.now()
  }

  /** `change` returns the same state where nothing changes. */
  update(change: (state: UiState) => UiState, pace: Pace = "key"): void {
    const next = change(this.state)
    if (next === this.state) return
    this.state = next
    this.schedule(INTERVALS[pace])
  }

  /** Nothing is told until `release`: the terminal is being resized, or somebody else has it. */
  hold(): void {
    this.held = true
    this.unplan()
  }

  /** Draws again, also where nothing has changed: the screen may hold something else now. */
  release(): void {
    this.held = false
    this.state = { ...this.state }
    this.flush()
  }

  /** Tells at once what is waiting. */
  flush(): void {
    if (this.held || this.shown === this.state) return
    this.unplan()
    this.lastTold = this.clock.now()
    this.shown = this.state
    for (const listener of this.listeners) listener()
  }

  private unplan(): void {
    this.planned?.cancel()
    this.planned = undefined
  }

  private schedule(interval: number): void {
    if (this.held || this.shown === this.state) return
    const now = this.clock.now()
    const due = this.lastTold + interval
    if (due <= now && this.canDraw()) return this.flush()
    if (this.planned !== undefined && this.planned.due <= Math.max(due, now)) return
    this.unplan()
    // Due, but the terminal is behind.
    const wait = due <= now ? INTERVALS.key : due - now
    const cancel = this.clock.after(wait, () => {
      this.planned = undefined
      this.schedule(0)
    })
    this.planned = { due: now + wait, cancel }
  }
}
