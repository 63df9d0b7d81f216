/**
 * Picks some lines out of text that comes in pieces, and holds no more than what is shown (spec 02, Read). Pure.
 */

/** UTF-16 units of a line that are shown. */
const LONGEST_LINE = 2_000
/** Units a line is followed beyond that before reading is given up: a file may be one endless line. */
const ENDLESS = 50_000_000
/** Characters the number of a line takes. */
export const NUMBER_WIDTH = 7

export interface LineRange {
  /** From 1. */
  readonly first: number
  /** Lines at most. */
  readonly count: number
  /** Characters at most, line numbers included. */
  readonly characters: number
}

export interface SomeLines {
  readonly lines: ReadonlyArray<string>
  /** Lines whose end was cut off. */
  readonly cutLines: number
  /** Characters of a line that were kept at most. */
  readonly longest: number
  /** Lines of the text; undefined where reading stopped before its end. */
  readonly total: number | undefined
  /** The line with the last number is so long that nothing behind it was read. */
  readonly endless: boolean
}

export class LineCollector {
  readonly #range: LineRange
  readonly #longest: number
  readonly #lines: Array<string> = []
  #number = 1
  #line = ""
  #lineLength = 0
  #characters = 0
  #cutLines = 0
  /** A line of the range did not fit. */
  #overflow = false

  constructor(range: LineRange) {
    this.#range = range
    this.#longest = Math.max(1, Math.min(LONGEST_LINE, range.characters - NUMBER_WIDTH - 1))
  }

  /** `true` when nothing more is wanted. */
  take(text: string): boolean {
    let from = 0
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.#add(text, from, at)
      this.#close()
      if (this.#full(at + 1 < text.length ? 1 : 0)) return true
      from = at + 1
    }
    this.#add(text, from, text.length)
    return this.#full(this.#lineLength) || this.#lineLength > ENDLESS
  }

  /** After the last piece. A line end at the very end begins no further line. */
  end(): SomeLines {
    if (this.#lineLength > 0) this.#close()
    return this.#result(this.#overflow ? undefined : this.#number - 1, false)
  }

  /** After a `take` that wanted no more. */
  stopped(): SomeLines {
    const endless = this.#lineLength > ENDLESS
    if (endless) this.#close()
    return this.#result(undefined, endless)
  }

  #result(total: number | undefined, endless: boolean): SomeLines {
    return { lines: this.#lines, cutLines: this.#cutLines, longest: this.#longest, total, endless }
  }

  /** Nothing more fits, and `behind` says that there is more. */
  #full(behind: number): boolean {
    if (this.#overflow) return true
    if (behind === 0) return false
    const { characters, count, first } = this.#range
    return this.#number >= first + count || (this.#lines.length > 0 && this.#characters + NUMBER_WIDTH >= characters)
  }

  #add(text: string, from: number, to: number): void {
    this.#lineLength += to - from
    const room = this.#longest + 1 - this.#line.length
    if (this.#number >= this.#range.first && room > 0) this.#line += text.slice(from, Math.min(to, from + room))
  }

  #close(): void {
    if (this.#number >= this.#range.first && this.#lines.length < this.#range.count && !this.#overflow) {
      const whole = this.#line.endsWith("\r") ? this.#line.slice(0, -1) : this.#line
      const isLong = whole.length > this.#longest
      const shown = isLong ? `${whole.slice(0, this.#longest).replace(/[\uD800-\uDBFF]$/, "")}…` : whole
      if (this.#lines.length === 0 || this.#characters + shown.length + NUMBER_WIDTH < this.#range.characters) {
        if (isLong) this.#cutLines++
        this.#lines.push(shown)
        this.#characters += shown.length + NUMBER_WIDTH + 1
      } else {
        this.#overflow = true
      }
    }
    this.#number++
    this.#line = ""
    this.#lineLength = 0
  }
}
