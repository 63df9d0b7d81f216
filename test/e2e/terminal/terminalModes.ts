/** What a program has asked of its terminal, read from all it wrote: modes that are on, titles, what must never be there. Pure. */

export interface TerminalModes {
  /** Private modes that were switched on and not off again, `25` (the cursor, on at first) where it was hidden. */
  readonly on: ReadonlyArray<number>
  /** Depth of the stack of kitty's keyboard modes, and of kept titles. */
  readonly keyboards: number
  readonly titles: number
}

/** Private modes, kitty's keyboard, kept titles. */
const CHANGE = /\u001b\[(?:\?([\d;]+)([hl])|([<>])\d*u|(2[23]);0t)/g

export const modesOf = (raw: string): TerminalModes => {
  const on = new Set<number>()
  let keyboards = 0
  let titles = 0
  for (const [, modes, set, keyboard, title] of raw.matchAll(CHANGE)) {
    for (const mode of (modes ?? "")
      .split(";")
      .filter((word) => word !== "")
      .map(Number)) {
      // The cursor is there at first; all others are off.
      if ((set === "h") === (mode !== 25)) on.add(mode)
      else on.delete(mode)
    }
    if (keyboard !== undefined) keyboards += keyboard === ">" ? 1 : -1
    if (title !== undefined) titles += title === "22" ? 1 : -1
  }
  return { on: [...on].sort((a, b) => a - b), keyboards, titles }
}

/** As a terminal is before a program takes it. */
export const UNTOUCHED: TerminalModes = { on: [], keyboards: 0, titles: 0 }

/** Sequences that clear the window or the scrollback, switch to another screen or reset the terminal. */
export const clears = (raw: string): ReadonlyArray<string> =>
  [...raw.matchAll(/\u001b\[[23]J|\u001b\[\?(?:47|1047|1049)[hl]|\u001bc/g)].map(([found]) => JSON.stringify(found))
