/** What an emulated terminal makes of a text: the oracle of the tests about drawing. */
import xterm from "@xterm/headless"

export interface Drawn {
  readonly lines: ReadonlyArray<string>
  readonly row: number
  readonly column: number
  /** What the terminal would have sent to the program, and the titles it was given. */
  readonly said: ReadonlyArray<string>
  readonly titles: ReadonlyArray<string>
  readonly alternate: boolean
}

/** Writes `text` on a fresh terminal that is wide enough for it. */
export const draw = async (text: string, columns = 400, rows = 60): Promise<Drawn> => {
  const terminal = new xterm.Terminal({
    cols: columns,
    rows,
    scrollback: 500,
    allowProposedApi: true,
    convertEol: true
  })
  const said: Array<string> = []
  const titles: Array<string> = []
  terminal.onData((data) => said.push(data))
  terminal.onBinary((data) => said.push(data))
  terminal.onTitleChange((title) => titles.push(title))
  terminal.onBell(() => said.push("bell"))
  await new Promise<void>((resolve) => terminal.write(text, resolve))
  const { active, alternate } = terminal.buffer
  const lines: Array<string> = []
  for (let at = 0; at <= active.baseY + active.cursorY; at++) {
    lines.push(active.getLine(at)?.translateToString(true) ?? "")
  }
  const drawn = {
    lines,
    row: active.baseY + active.cursorY,
    column: active.cursorX,
    said,
    titles,
    alternate: active === alternate
  }
  terminal.dispose()
  return drawn
}
