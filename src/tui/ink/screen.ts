/**
 * Ink on the terminal device: prints what is finished once, above the live part that Ink draws; redraws after a resize, lets
 * others have the screen for a while. Erases by what the terminal has made of the frame at its *new* width, so that no line of
 * the scrollback goes and no old frame stays (field case G4).
 *
 * Printed lines do not go through Ink's `<Static>`: it lays out and reads every cell of them again, 0.4 ms a line, which
 * stops the keyboard for half a second on a long answer.
 */
import { render, type Instance } from "ink"
import { createElement } from "react"
import type { TerminalDevice, TerminalSize } from "../../process/terminalDevice.ts"
import { cellWidth } from "../text/width.ts"
import type { UiStore } from "../store/UiStore.ts"
import type { LiveFrame } from "../views/live.ts"
import type { Looks } from "../views/looks.ts"
import { logLines } from "../views/logItem.ts"
import { orSay } from "../views/orSay.ts"
import { App } from "./App.tsx"
import { eraseRows } from "./erase.ts"
import { TerminalStream } from "./terminalStream.ts"

/** Milliseconds without another resize until the screen is drawn anew. */
const SETTLED = 60

/** Rows the frame takes above the row of the cursor, once lines that are too long have been broken at `columns`. Pure. */
export const rowsAboveCursor = ({ cursor, lines }: LiveFrame, columns: number): number =>
  lines
    .slice(0, cursor === undefined ? lines.length : cursor.y)
    .reduce((sum, line) => sum + Math.max(1, Math.ceil(cellWidth(line) / columns)), 0)

export class Screen {
  private readonly device: TerminalDevice["Service"]
  private readonly store: UiStore
  private readonly stream: TerminalStream
  private readonly ink: Instance
  /** The frame React has made, and the one that is on the screen. */
  private made: LiveFrame = { lines: [], cursor: undefined }
  private drawn: LiveFrame = this.made
  private settling: ReturnType<typeof setTimeout> | undefined
  private away = false
  private readonly looks: Looks
  /** Items of the log that are on the terminal. */
  private printed = 0

  constructor(device: TerminalDevice["Service"], store: UiStore, looks: Looks) {
    this.device = device
    this.store = store
    this.stream = new TerminalStream(device)
    this.looks = looks
    const onFrame = (frame: LiveFrame): void => {
      this.made = frame
    }
    // Before React's own: the items come first, then the frame.
    store.subscribe(() => this.print())
    this.ink = render(createElement(App, { store, looks, onFrame }), {
      stdout: this.stream,
      exitOnCtrlC: false,
      patchConsole: false,
      interactive: true,
      // Only changed lines are written (field case G5).
      incrementalRendering: true,
      maxFps: 60,
      onRender: () => {
        this.drawn = this.made
      }
    })
  }

  /** Writes the new items where the frame is; React draws the frame below them in the same picture. */
  private print(): void {
    const { items, language, size } = this.store.getSnapshot()
    if (items.length === this.printed) return
    const fresh = items.slice(this.printed)
    this.printed = items.length
    const view = { width: size.columns, language, ...this.looks }
    const lines = fresh.flatMap((item) => [
      "",
      ...orSay(
        () => logLines(item, view),
        (problem) => [problem]
      )
    ])
    this.stream.gather()
    this.ink.clear()
    this.stream.write(`${lines.join("\n")}\n`)
    setImmediate(() => this.stream.shown())
  }

  /** The terminal has another size: waits for the last of a burst. `settled` is told before it is drawn. */
  resized(settled: () => void): void {
    if (this.away) return
    this.store.hold()
    clearTimeout(this.settling)
    this.settling = setTimeout(() => this.redraw(this.device.size(), settled), SETTLED)
  }

  /** Ctrl+L: the live part once more; what is above it belongs to the terminal. */
  redrawAll(): void {
    if (!this.away) this.redraw(this.device.size())
  }

  /** Takes the frame off the screen and draws nothing until `back`. */
  async leave(): Promise<void> {
    clearTimeout(this.settling)
    this.away = true
    this.store.hold()
    await this.ink.waitUntilRenderFlush()
    this.ink.clear()
    this.stream.shown()
    this.drawn = { lines: [], cursor: undefined }
  }

  back(): void {
    this.away = false
    // Whoever had the screen wants a cursor; Ink shows it again where the frame has one.
    this.device.write("\u001b[?25l")
    this.redraw(this.device.size())
  }

  async close(): Promise<void> {
    clearTimeout(this.settling)
    this.store.release()
    await this.ink.waitUntilRenderFlush()
    this.stream.shown()
    this.ink.unmount()
  }

  private redraw(size: TerminalSize, settled: () => void = () => {}): void {
    this.erase(size.columns)
    this.stream.setSize(size)
    this.store.update((state) => ({ ...state, size }))
    settled()
    this.store.release()
  }

  /** Ink must forget the frame without erasing it by its own count. */
  private erase(columns: number): void {
    const { cursor, lines } = this.drawn
    this.stream.shown()
    if (lines.length > 0) {
      const up = rowsAboveCursor({ cursor, lines }, columns)
      this.device.write(`\u001b[?25l${eraseRows(up)}`)
    }
    this.stream.muted = true
    this.ink.clear()
    this.stream.muted = false
  }
}
