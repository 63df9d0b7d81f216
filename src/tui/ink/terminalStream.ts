/**
 * What Ink draws on: a stream over the terminal device. Ink's writes go through the device's queue, so that a slow terminal
 * never blocks. Ink is not told of a new size by an event: it would erase by the old one (`screen.ts` does it).
 */
import { Writable } from "node:stream"
import { eraseByRows } from "./erase.ts"
import type { TerminalDevice, TerminalSize } from "../../process/terminalDevice.ts"

export class TerminalStream extends Writable {
  readonly isTTY = true
  columns: number
  rows: number
  /** Ink's bookkeeping goes on, nothing is written. */
  muted = false

  constructor(device: TerminalDevice["Service"]) {
    super({
      decodeStrings: false,
      write: (chunk: unknown, _encoding, done) => {
        if (!this.muted) device.write(eraseByRows(String(chunk)))
        done()
      }
    })
    const { columns, rows } = device.size()
    this.columns = columns
    this.rows = rows
  }

  setSize({ columns, rows }: TerminalSize): void {
    this.columns = columns
    this.rows = rows
  }
}
