/** How much of a result the model gets, and the form of a cut one (spec 02, "Output limits"). Pure. */

/** Characters where the window is not known, and the most in any case. */
export const DEFAULT_OUTPUT_LIMIT = 30_000

const SMALLEST = 2_000
const CHARACTERS_PER_TOKEN = 3.5
const SHARE = 0.15

/** Characters of one result for a window of so many tokens. */
export const limitFor = (window: number | undefined): number =>
  window === undefined
    ? DEFAULT_OUTPUT_LIMIT
    : Math.min(DEFAULT_OUTPUT_LIMIT, Math.max(SMALLEST, Math.floor(window * SHARE * CHARACTERS_PER_TOKEN)))

/** Head and tail, whole lines where that costs little, around a notice that says where the whole text is. */
export const headAndTail = (text: string, limit: number, file: string | undefined): string => {
  const notice = (left: number) =>
    file === undefined
      ? `[… ${left} of ${text.length} characters left out; the whole output could not be kept …]`
      : `[… ${left} of ${text.length} characters left out. The whole output is in ${file} — read a part of it with Read (offset, limit) or search it with Grep …]`
  const room = Math.max(0, limit - notice(text.length).length - 2)
  const head = wholeLines(text.slice(0, Math.ceil(room * 0.6)), "end")
  const tail = wholeLines(text.slice(text.length - Math.floor(room * 0.4)), "start")
  return `${head}\n${notice(text.length - head.length - tail.length)}\n${tail}`.toWellFormed()
}

/** Drops a broken line at the cut when that costs less than a tenth. */
const wholeLines = (part: string, cutAt: "start" | "end"): string => {
  const whole = dropHalfPairs(part)
  if (cutAt === "end") {
    const last = whole.lastIndexOf("\n")
    return last > whole.length * 0.9 ? whole.slice(0, last) : whole
  }
  const first = whole.indexOf("\n")
  return first !== -1 && first < whole.length * 0.1 ? whole.slice(first + 1) : whole
}

/** A cut may stand inside a surrogate pair: the half goes. */
const dropHalfPairs = (part: string): string => part.replace(/^[\uDC00-\uDFFF]/, "").replace(/[\uD800-\uDBFF]$/, "")
