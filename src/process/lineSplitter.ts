/**
 * Cuts bytes into lines of UTF-8 as they come, holding no more than one line of bounded length. Pure.
 */

/** `undefined` stands for a line that was longer than allowed: what of it had come was dropped. */
export type Line = string | undefined

export class LineSplitter {
  private readonly maxBytes: number
  private readonly decoder = new TextDecoder()
  private pieces: Array<Uint8Array> = []
  private size = 0
  private dropping = false

  /** `maxBytes` of one line, its end not counted. */
  constructor(maxBytes: number) {
    this.maxBytes = maxBytes
  }

  /** The lines that end in these bytes, without their ends (`\n`, `\r\n`). */
  take(bytes: Uint8Array): ReadonlyArray<Line> {
    const lines: Array<Line> = []
    let from = 0
    for (let end = bytes.indexOf(NEWLINE); end !== -1; end = bytes.indexOf(NEWLINE, from)) {
      this.add(bytes.subarray(from, end))
      lines.push(this.finish())
      from = end + 1
    }
    this.add(bytes.subarray(from))
    return lines
  }

  private add(bytes: Uint8Array): void {
    if (this.dropping || bytes.length === 0) return
    this.size += bytes.length
    if (this.size > this.maxBytes) {
      this.dropping = true
      this.pieces = []
    } else this.pieces.push(bytes.slice())
  }

  private finish(): Line {
    const line = this.dropping ? undefined : this.decoder.decode(this.join()).replace(/\r$/, "")
    this.pieces = []
    this.size = 0
    this.dropping = false
    return line
  }

  private join(): Uint8Array {
    const [first] = this.pieces
    if (first !== undefined && this.pieces.length === 1) return first
    const whole = new Uint8Array(this.size)
    let at = 0
    for (const piece of this.pieces) {
      whole.set(piece, at)
      at += piece.length
    }
    return whole
  }
}

const NEWLINE = 10
