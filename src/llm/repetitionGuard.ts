/**
 * Notices an answer that repeats the same text without end (spec 06). Tables, lists, rules of dashes and code with repeated
 * lines are legitimate, and so is any text that was there at once: only a long run of exact repeats counts, a longer one
 * where the repeated text is hardly made of words, and only once it has been waited for. Pure; linear in the text, with
 * bounded memory.
 */

export interface Repetition {
  /** Characters of the repeated text. */
  readonly period: number
  /** Whole repeats seen, the first included. */
  readonly times: number
  /** Characters from the start of the answer up to where the repeats began, as far back as was looked. */
  readonly before: number
}

/** Characters that are looked back at; so many repeated ones that are hardly words are too many. */
const WINDOW = 16_384
/** Characters of repeated words that are too many: about two thousand tokens. */
const WORDS = 8_192
/** Repeats that are not enough, however long they are. */
const LEAST_TIMES = 8
/** Letters a repeated text has if it is made of words. */
const LETTERS = 5
/** Milliseconds that somebody has waited for nothing but repeats. */
const PATIENCE = 10_000
/** Characters between two looks; more of them after looks that found nothing. */
const STEP = 512
const LONGEST_STEP = 2048
/** What must occur a second time for a closer look to be worth while. */
const PROBE = 32

interface Run {
  readonly period: number
  length: number
  /** Time waited when it was first seen. */
  readonly since: number
}

export class RepetitionGuard {
  private tail = ""
  private fresh: Array<string> = []
  private freshLength = 0
  private length = 0
  private step = STEP
  private run: Run | undefined

  /**
   * Takes the next piece, and the milliseconds this answer has been waited for so far. Says where the answer began to repeat
   * itself once that has gone on for too long.
   */
  push(piece: string, waited: number): Repetition | undefined {
    this.fresh.push(piece)
    this.freshLength += piece.length
    if (this.freshLength < this.step) return undefined
    const text = this.tail + this.fresh.join("")
    if (this.run !== undefined && goesOn(text, this.tail.length, this.run.period)) this.run.length += this.freshLength
    else this.run = undefined
    this.length += this.freshLength
    this.tail = text.slice(-WINDOW)
    this.fresh = []
    this.freshLength = 0
    if (this.run === undefined && hasRepeat(this.tail)) {
      const found = longestRun(this.tail)
      if (found !== undefined) this.run = { ...found, since: waited }
      this.step = found === undefined ? Math.min(LONGEST_STEP, this.step * 2) : STEP
    }
    return this.run === undefined ? undefined : this.judge(this.run, waited)
  }

  /** The text so far is void. */
  reset(): void {
    this.tail = ""
    this.fresh = []
    this.freshLength = 0
    this.length = 0
    this.step = STEP
    this.run = undefined
  }

  private judge({ length, period, since }: Run, waited: number): Repetition | undefined {
    if (waited - since < PATIENCE || length < WORDS) return undefined
    if (length < WINDOW && !isWords(this.tail.slice(-period))) return undefined
    return { period, times: Math.floor(length / period), before: this.length - length }
  }
}

/** Whether everything from `start` on equals what stands a period before it. */
const goesOn = (text: string, start: number, period: number): boolean => {
  for (let i = start; i < text.length; i++) if (text.charCodeAt(i) !== text.charCodeAt(i - period)) return false
  return true
}

/** The end occurs once more, no further back than a run of enough repeats allows. */
const hasRepeat = (tail: string): boolean => {
  const near = tail.slice(-WINDOW / LEAST_TIMES - PROBE)
  return tail.length >= STEP && near.lastIndexOf(near.slice(-PROBE), near.length - PROBE - 1) !== -1
}

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
