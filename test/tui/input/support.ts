/** Short names for keys in tests: `C-a`, `M-b`, `S-tab`, `C-M-x`, a bare character is typed text. */
import { character, key, typed, type InputEvent, type KeyEvent } from "../../../src/tui/input/inputEvent.ts"

/** The event of a short name. */
export const press = (name: string): KeyEvent => {
  const [, held = "", base = ""] = /^((?:[CMS]-)*)([\s\S]+)$/.exec(name) ?? []
  const modifiers = { ctrl: held.includes("C-"), alt: held.includes("M-"), shift: held.includes("S-") }
  if ([...base].length > 1) return key(base, modifiers)
  return held === "" ? typed(base) : character(base, modifiers)
}

/** The short name of an event; `"text"` for a paste. */
export const nameOf = (event: InputEvent): string => {
  if (event.type === "paste") return JSON.stringify(event.text)
  if (event.type === "focus") return event.focused ? "<in>" : "<out>"
  if (event.type === "report") return "<report>"
  if (event.text !== undefined) return event.text
  return `${event.ctrl ? "C-" : ""}${event.alt ? "M-" : ""}${event.shift ? "S-" : ""}${event.name}`
}

/** Milliseconds of processor time the best of some runs takes: other programs run on the machine too. */
export const bestTime = (run: (turn: number) => void, turns = 5): number =>
  Math.min(
    ...Array.from({ length: turns }, (_, turn) => {
      const start = process.cpuUsage()
      run(turn)
      const { system, user } = process.cpuUsage(start)
      return (system + user) / 1000
    })
  )
