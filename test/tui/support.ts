/** States, a clock that moves when told, and events for the tests of the terminal interface. */
import { initialState, type UiState } from "../../src/tui/store/state.ts"
import type { StoreClock } from "../../src/tui/store/UiStore.ts"
import type { InputEvent } from "../../src/tui/input/inputEvent.ts"
import { key, typed } from "../../src/tui/input/inputEvent.ts"

export const newState = (change: Partial<UiState> = {}): UiState => ({
  ...initialState({
    language: "en",
    size: { columns: 80, rows: 24 },
    status: { model: "test-model", mode: "ask", session: "", tokens: 0, window: undefined },
    now: 0
  }),
  ...change
})

export interface ManualClock extends StoreClock {
  readonly advance: (milliseconds: number) => void
}

export const manualClock = (): ManualClock => {
  let now = 0
  const timers = new Set<{ readonly at: number; readonly run: () => void }>()
  return {
    now: () => now,
    after: (milliseconds, run) => {
      const timer = { at: now + milliseconds, run }
      timers.add(timer)
      return () => timers.delete(timer)
    },
    advance: (milliseconds) => {
      const end = now + milliseconds
      for (;;) {
        const due = [...timers].filter(({ at }) => at <= end).sort((one, other) => one.at - other.at)[0]
        if (due === undefined) break
        timers.delete(due)
        now = due.at
        due.run()
      }
      now = end
    }
  }
}

/** `"ctrl+c"`, `"enter"`, or characters as typed. */
export const keys = (...names: ReadonlyArray<string>): ReadonlyArray<InputEvent> =>
  names.map((name) => {
    if (Array.from(name).length === 1) return typed(name)
    const parts = name.split("+")
    return key(parts.at(-1) ?? "", {
      ctrl: parts.includes("ctrl"),
      alt: parts.includes("alt"),
      shift: parts.includes("shift")
    })
  })

export const write = (text: string): ReadonlyArray<InputEvent> => Array.from(text, typed)
