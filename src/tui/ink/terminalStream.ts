/**
 * What Ink draws on: a stream over the terminal device. Ink's writes go through the device's queue, so that a slow terminal
 * never blocks, and Ink sees a new size only when told.
 */
import { Writable } from "node:stream"
import type { TerminalDevice } from "../../process/terminalDevice.ts"

export class TerminalStream extends Writable {
  readonly isTTY = true
  columns: number
  rows: number

  constructor(device: TerminalDevice["Service"]) {
    super({
      decodeStrings: false,
      write: (chunk: unknown, _encoding, done) => {
        device.write(String(chunk))
        done()
      }
    })
    const { columns, rows } = device.size()
    this.columns = columns
    this.rows = rows
  }

  resize(size: { readonly columns: number; readonly rows: number }): void {
    this.columns = size.columns
    this.rows = size.rows
    this.emit("resize")
  }
}
