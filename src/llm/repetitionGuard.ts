/**
 * Notices an answer that repeats the same text without end (spec 06). Tables, lists, rules of dashes and code with repeated
 * lines are legitimate: only a long run of exact repeats counts, a longer one where the repeated text is hardly made of
 * words. Pure; linear in the text, with bounded memory.
 */

export interface Repetition {
  /** Characters of the repeated text. */
  readonly period: number
  /** Whole repeats seen, the first included. */
  readonly times: number
  /** Characters from the start of the answer up to where the repeats began, as far back as was looked. */
  readonly before: number
}

/** Characters that are looked back at. */
const WINDOW = 16_384
/** Characters of repeated words that are too many: about two thousand tokens. */
const WORDS = 8_192
/** Repeats that are not enough, however long they are. */
const LEAST_TIMES = 8
/** Letters a repeated text has if it is made of words. */
const LETTERS = 5
/** Characters between two looks. */
const STEP = 512
/** What must occur a second time for a closer look to be worth while. */
const PROBE = 32

export class RepetitionGuard {
  private tail = ""
  private fresh: Array<string> = []
  private freshLength = 0
  private length = 0
  private next = STEP

  /** Takes the next piece; says where the answer began to repeat itself once that has gone on for too long. */
  push(piece: string): Repetition | undefined {
    this.fresh.push(piece)
    this.freshLength += piece.length
    if (this.freshLength < this.next) return undefined
    this.length += this.freshLength
    this.tail = (this.tail + this.fresh.join("")).slice(-WINDOW)
    this.fresh = []
    this.freshLength = 0
    this.next = STEP
    const run = hasRepeat(this.tail) ? longestRun(this.tail) : undefined
    if (run === undefined) return undefined
    const tooMany = isWords(this.tail.slice(-run.period)) ? WORDS : WINDOW
    if (run.length < tooMany) {
      // It cannot be long enough before so much more has come.
      this.next = Math.max(STEP, tooMany - run.length)
      return undefined
    }
    return {
      period: run.period,
      times: Math.floor(run.length / run.period),
      before: this.length - run.length
    }
  }

  /** The text so far is void. */
  reset(): void {
    this.tail = ""
    this.fresh = []
    this.freshLength = 0
    this.length = 0
    this.next = STEP
  }
}

const hasRepeat = (tail: string): boolean =>
  tail.length >= STEP && tail.lastIndexOf(tail.slice(-PROBE), tail.length - PROBE - 1) !== -1

/** The longest run at the end of the text that is made of enough repeats, by the prefix function of the text read backwards. */
const longestRun = (text: string): { readonly length: number; readonly period: number } | undefined => {
  const last = text.length - 1
  const borders = new Int32Array(text.length + 1)
  let best: { length: number; period: number } | undefined
  let border = 0
  for (let n = 1; n < text.length; n++) {
    const code = text.charCodeAt(last - n)
    while (border > 0 && code !== text.charCodeAt(last - border)) border = borders[border] ?? 0
    if (code === text.charCodeAt(last - border)) border++
    const length = n + 1
    borders[length] = border
    const period = length - border
    if (period * LEAST_TIMES <= length) best = { length, period }
  }
  return best
}

const isWords = (unit: string): boolean => new Set(unit.toLowerCase().match(/\p{L}/gu) ?? []).size >= LETTERS
