/**
 * What Ink draws on: a stream over the terminal device. Ink's writes go through the device's queue, so that a slow terminal
 * never blocks. Ink is not told of a new size by an event: it would erase by the old one (`screen.ts` does it).
 */
import { Writable } from "node:stream"
import { eraseByRows } from "./erase.ts"
import type { TerminalDevice, TerminalSize } from "../../process/terminalDevice.ts"

/** Synchronised output: the terminal shows what is between as one picture. */
const BEGIN = "\u001b[?2026h"
const END = "\u001b[?2026l"

export class TerminalStream extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  /** Ink's bookkeeping goes on, nothing is written. */
  muted = false
  private readonly device: TerminalDevice["Service"]
  /** What is written while several writes are put together. */
  private gathered: string | undefined

  constructor(device: TerminalDevice["Service"]) {
    super({
      decodeStrings: false,
      write: (chunk: unknown, _encoding, done) => {
        this.put(String(chunk))
        done()
      }
    })
    this.device = device
    const { columns, rows } = device.size()
    this.columns = columns
    this.rows = rows
  }

  /** What is written from now on is shown at once by `shown`, so that no half-made screen is seen in between. */
  gather(): void {
    this.gathered ??= ""
  }

  shown(): void {
    const text = this.gathered
    this.gathered = undefined
    if (text !== undefined && text !== "")
      this.device.write(BEGIN + text.replaceAll(BEGIN, "").replaceAll(END, "") + END)
  }

  private put(written: string): void {
    if (this.muted) return
    const text = eraseByRows(written)
    if (this.gathered === undefined) this.device.write(text)
    else this.gathered += text
  }

  setSize({ columns, rows }: TerminalSize): void {
    this.columns = columns
    this.rows = rows
  }
}
