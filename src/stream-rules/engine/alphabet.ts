/**
 * Characters that no instruction tells apart, as one class, so that a state has one edge per class. Pure.
 */
import type { Op } from "./program.ts"

const NEWLINE = 10

export class Alphabet {
  /** Class of each ASCII character. */
  readonly ascii = new Uint16Array(128)
  readonly size: number
  /** First code point of each stretch, ascending. */
  private readonly starts: ReadonlyArray<number>

  /** With `watchesEnds`, line ends and word characters are classes of their own, whatever the ranges say. */
  constructor(ops: Iterable<Op>, watchesEnds: boolean) {
    const starts = new Set([0])
    const add = (first: number, last: number) => {
      starts.add(first)
      starts.add(last + 1)
    }
    if (watchesEnds) {
      add(NEWLINE, NEWLINE)
      add(0x30, 0x39)
      add(0x41, 0x5a)
      add(0x5f, 0x5f)
      add(0x61, 0x7a)
    }
    for (const op of ops) {
      if (op.op !== "rune") continue
      for (let i = 0; i + 1 < op.ranges.length; i += 2) add(op.ranges[i] ?? 0, op.ranges[i + 1] ?? 0)
    }
    this.starts = [...starts].sort((left, right) => left - right)
    this.size = this.starts.length
    for (let code = 0; code < 128; code++) this.ascii[code] = this.classOf(code)
  }

  classOf(rune: number): number {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.starts[middle] ?? 0) <= rune) low = middle
      else high = middle - 1
    }
    return low
  }

  /** A character of the class. */
  representative(index: number): number {
    return this.starts[index] ?? 0
  }
}
