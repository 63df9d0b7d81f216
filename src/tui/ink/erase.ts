/**
 * Taking a frame off the screen. Rows are erased one by one, upwards: erased at once from the first row on, tmux takes it for a
 * cleared screen and keeps a copy in the scrollback. Pure.
 */

/** From the row of the cursor and below, then `above` rows more; the cursor ends in the uppermost. */
export const eraseRows = (above: number): string => `\r\u001b[J${"\u001b[A\u001b[2K".repeat(above)}`

/** Ink goes to the first row of its frame and erases all that follows. */
// oxlint-disable-next-line no-control-regex
const INK = /\u001b\[(\d+)A\u001b\[1G\u001b\[J/g

/** The same effect as what Ink wrote. */
export const eraseByRows = (written: string): string =>
  written.replace(INK, (_all, above: string) => eraseRows(Number(above)))
