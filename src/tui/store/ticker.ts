/** Moves the state's time on while something shows it: spinners, seconds, hints that go away. An idle screen costs nothing. */
import type { UiState } from "./state.ts"
import { systemClock, type StoreClock, type UiStore } from "./UiStore.ts"

/** Milliseconds between two pictures of a spinner. */
const TICK = 100

const isMoving = ({ hint, turn, waiting }: UiState): boolean =>
  turn !== undefined || waiting !== undefined || hint !== undefined

/** Pure; the state itself where nothing moves. */
export const ticked = (state: UiState, now: number): UiState => {
  const hint = state.hint !== undefined && state.hint.until <= now ? undefined : state.hint
  if (hint === state.hint && !isMoving(state)) return state
  return { ...state, hint, now }
}

/** Returns how to stop it. */
export const startTicker = (store: UiStore, clock: StoreClock = systemClock): (() => void) => {
  let cancel: (() => void) | undefined
  const plan = (): void => {
    if (cancel !== undefined || !isMoving(store.current)) return
    cancel = clock.after(TICK, () => {
      cancel = undefined
      store.update((state) => ticked(state, clock.now()), "stream")
      plan()
    })
  }
  const unsubscribe = store.subscribe(plan)
  plan()
  return () => {
    unsubscribe()
    cancel?.()
  }
}
