/**
 * Reads some lines of a file of any size without holding more than what is shown (spec 02, Read). Platform access through
 * Effect's `FileSystem` only.
 */
import { Effect, FileSystem } from "effect"

/** UTF-16 units of a line that are shown. */
export const LONGEST_LINE = 2_000

const BLOCK = 64 * 1024

export interface LineRange {
  /** From 1. */
  readonly first: number
  /** Lines at most. */
  readonly count: number
  /** Characters at most, line numbers not counted. */
  readonly characters: number
}

export interface ReadLines {
  readonly lines: ReadonlyArray<string>
  /** Lines whose end was cut off. */
  readonly cutLines: number
  /** Lines of the file; undefined where reading stopped before its end. */
  readonly total: number | undefined
  /** Bytes that are no UTF-8 were seen. */
  readonly damaged: boolean
}

/** Stops as soon as the range is full. */
export const readLines = Effect.fnUntraced(function* (path: string, range: LineRange) {
  const fs = yield* FileSystem.FileSystem
  const file = yield* fs.open(path, { flag: "r" })
  const collector = new LineCollector(range)
  const decoder = new TextDecoder("utf-8")
  for (;;) {
    const block = yield* file.readAlloc(BLOCK)
    if (block._tag === "None") {
      collector.take(decoder.decode())
      return collector.end()
    }
    if (collector.take(decoder.decode(block.value, { stream: true }))) return collector.stopped()
  }
}, Effect.scoped)

class LineCollector {
  private readonly range: LineRange
  private readonly lines: Array<string> = []
  private number = 1
  private line = ""
  private lineLength = 0
  private characters = 0
  private cutLines = 0
  private damaged = false

  constructor(range: LineRange) {
    this.range = range
  }

  /** `true` when the range is full and there is more. */
  take(text: string): boolean {
    if (text.includes("\uFFFD")) this.damaged = true
    let from = 0
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.add(text, from, at)
      if (this.full) return true
      this.close()
      from = at + 1
    }
    this.add(text, from, text.length)
    return this.full
  }

  /** A line end at the very end begins no further line. */
  end(): ReadLines {
    if (this.lineLength > 0) this.close()
    return { lines: this.lines, cutLines: this.cutLines, total: this.number - 1, damaged: this.damaged }
  }

  stopped(): ReadLines {
    return { lines: this.lines, cutLines: this.cutLines, total: undefined, damaged: this.damaged }
  }

  /** The line being read lies behind the range. */
  private get full(): boolean {
    return (
      this.number >= this.range.first + this.range.count ||
      (this.lines.length > 0 && this.characters >= this.range.characters)
    )
  }

  private add(text: string, from: number, to: number): void {
    this.lineLength += to - from
    const room = LONGEST_LINE + 1 - this.line.length
    if (this.number >= this.range.first && room > 0) this.line += text.slice(from, Math.min(to, from + room))
  }

  private close(): void {
    if (this.number >= this.range.first) {
      const whole = this.line.endsWith("\r") ? this.line.slice(0, -1) : this.line
      const isLong = this.lineLength > LONGEST_LINE + 1
      if (isLong) this.cutLines++
      this.lines.push(isLong ? `${whole.slice(0, LONGEST_LINE)}…`.toWellFormed() : whole)
      this.characters += Math.min(this.lineLength, LONGEST_LINE)
    }
    this.number++
    this.line = ""
    this.lineLength = 0
  }
}
