/**
 * Notices tool arguments that run away (spec 01, "Runaway guard"): a model that repeats itself inside a call, or a call that
 * never ends. Pure; the work per piece is bounded, whatever came before.
 */
const WINDOW = 256
const SHORTEST = 4
const LONGEST = 64
/** Blanks, rules of dashes and zeros are legitimate in code: with fewer distinct characters the run must be this long. */
const PLAIN_RUN = 2048
const DISTINCT = 3
/** Bytes of UTF-8. */
const MOST_BYTES = 256 * 1024

export class RunawayGuard {
  #tail = ""
  #bytes = 0
  #length = 0
  /** Length at which the present run was first seen, less the window it already filled. */
  #runStart: number | undefined

  /** Says in English why the arguments must end here, or undefined. */
  push(piece: string): string | undefined {
    this.#length += piece.length
    this.#bytes += Buffer.byteLength(piece)
    if (this.#bytes > MOST_BYTES) return `the arguments grew beyond ${MOST_BYTES / 1024} KiB`
    this.#tail = piece.length >= WINDOW ? piece.slice(-WINDOW) : (this.#tail + piece).slice(-WINDOW)
    const period = periodOf(this.#tail)
    if (period === undefined) {
      this.#runStart = undefined
      return undefined
    }
    this.#runStart ??= this.#length - WINDOW
    if (new Set(this.#tail).size < DISTINCT && this.#length - this.#runStart < PLAIN_RUN) return undefined
    return `the same ${period} characters were repeated over and over`
  }
}

/** The shortest period of 4 to 64 characters that holds over the whole window. */
const periodOf = (tail: string): number | undefined => {
  if (tail.length < WINDOW) return undefined
  for (let period = SHORTEST; period <= LONGEST; period++) {
    let i = WINDOW - 1
    while (i >= period && tail.charCodeAt(i) === tail.charCodeAt(i - period)) i--
    if (i < period) return period
  }
  return undefined
}
