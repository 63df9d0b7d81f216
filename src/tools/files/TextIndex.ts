/**
 * What several edits of one text need to know of it, each fact worked out once and only when it is asked for: hundreds of
 * edits of a large file stay near linear (spec 02, Edit). Pure.
 */
import { lookAlike } from "./lookAlike.ts"
import { unitOf } from "./reindent.ts"

export class TextIndex {
  readonly text: string
  #starts: ReadonlyArray<number> | undefined
  #trimmed: LineSequence | undefined
  #lookAlike: LineSequence | undefined
  #unit: { readonly unit: string | undefined } | undefined

  /** `text` has `\n` only. */
  constructor(text: string) {
    this.text = text
  }

  /** Offsets at which the lines begin; a line end at the very end begins an empty one. */
  get starts(): ReadonlyArray<number> {
    if (this.#starts !== undefined) return this.#starts
    const starts = [0]
    for (let at = this.text.indexOf("\n"); at !== -1; at = this.text.indexOf("\n", at + 1)) starts.push(at + 1)
    this.#starts = starts
    return starts
  }

  /** By index from 0, without its end. */
  line(index: number): string {
    const start = this.starts[index]
    return start === undefined ? "" : this.text.slice(start, this.lineEnd(index))
  }

  /** Offset behind the last character of a line. */
  lineEnd(index: number): number {
    const next = this.starts[index + 1]
    return next === undefined ? this.text.length : next - 1
  }

  /** Index (from 0) of the line in which an offset lies. */
  lineAt(offset: number): number {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >>> 1
      if ((this.starts[middle] ?? Infinity) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }

  /** The lines without the white space around them. */
  get trimmed(): LineSequence {
    this.#trimmed ??= new LineSequence(this.text.split("\n").map((line) => line.trim()))
    return this.#trimmed
  }

  /** The same with invisible and look-alike characters made plain. */
  get lookAlike(): LineSequence {
    this.#lookAlike ??= new LineSequence(this.text.split("\n").map((line) => lookAlike(line).trim()))
    return this.#lookAlike
  }

  /** One level of indentation; undefined where nothing is indented. */
  get unit(): string | undefined {
    this.#unit ??= { unit: unitOf(this.text) }
    return this.#unit.unit
  }
}

/** Lines in which blocks are looked for. */
export class LineSequence {
  readonly lines: ReadonlyArray<string>
  readonly #known: ReadonlySet<string>

  constructor(lines: ReadonlyArray<string>) {
    this.lines = lines
    this.#known = new Set(lines)
  }

  has(line: string): boolean {
    return this.#known.has(line)
  }

  /** Indices at which a block begins; not overlapping. Knuth, Morris and Pratt: linear even for a block that nearly repeats. */
  find(block: ReadonlyArray<string>): ReadonlyArray<number> {
    if (!block.every((line) => this.has(line))) return []
    const fallback: Array<number> = [0]
    for (let i = 1, length = 0; i < block.length; i++) {
      while (length > 0 && block[i] !== block[length]) length = fallback[length - 1] ?? 0
      if (block[i] === block[length]) length++
      fallback[i] = length
    }
    const found: Array<number> = []
    let length = 0
    for (const [index, line] of this.lines.entries()) {
      while (length > 0 && line !== block[length]) length = fallback[length - 1] ?? 0
      if (line === block[length]) length++
      if (length === block.length) {
        found.push(index - length + 1)
        length = 0
      }
    }
    return found
  }
}
