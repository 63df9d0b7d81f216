/**
 * The lines of a terminal and its cursor, as far as programs that are not on a terminal use them. Pure state behind
 * methods; lines that are only appended to stay strings, and a line that is once drawn over stays a list of cells, so
 * the work is linear in what is written.
 */
import { characterWidth } from "./characterWidth.ts"

/** Rows and columns count from 1 in the methods that take them. */
export interface Screen {
  /** Plain text with tabs and newlines. */
  readonly write: (text: string) => void
  readonly carriageReturn: () => void
  readonly left: (count: number) => void
  readonly right: (count: number) => void
  readonly up: (count: number) => void
  readonly down: (count: number) => void
  readonly column: (column: number) => void
  readonly row: (row: number) => void
  readonly goTo: (row: number, column: number) => void
  readonly eraseRight: () => void
  readonly eraseLeft: () => void
  readonly eraseLine: () => void
  readonly eraseBelow: () => void
  readonly eraseAbove: () => void
  readonly eraseAll: () => void
  readonly save: () => void
  readonly restore: () => void
  readonly alternate: (on: boolean) => void
  readonly text: () => string
}

const height = 50
/** A cursor cannot go beyond this column, or the end of a longer line. */
const width = 200
const tabStop = 8

/** Cells: one string per column; a wide character is followed by an empty cell. */
type Row = string | Array<string>

interface State {
  rows: Array<Row>
  /** First row of the screen; rows above have scrolled away for good. */
  top: number
  row: number
  /** Undefined: at the end of the row. */
  column: number | undefined
  saved: { readonly row: number; readonly column: number } | undefined
}

export const makeScreen = (): Screen => {
  const fresh = (): State => ({ rows: [""], top: 0, row: 0, column: undefined, saved: undefined })
  let main = fresh()
  let state = main

  const makeRow = (index: number): void => {
    while (state.rows.length <= index) state.rows.push("")
    state.top = Math.max(state.top, state.rows.length - height)
  }

  /** The cursor's row as cells; from now on it stays cells, so this costs each character once. */
  const cellsNow = (): Array<string> => {
    makeRow(state.row)
    const row = state.rows[state.row] ?? ""
    if (typeof row !== "string") return row
    const cells: Array<string> = []
    overwrite(cells, 0, row)
    state.rows[state.row] = cells
    return cells
  }

  const columnNow = (): number => state.column ?? cellsNow().length

  const setColumn = (column: number): void => {
    const limit = Math.max(width - 1, cellsNow().length)
    state.column = Math.max(0, Math.min(column, limit))
  }

  const setRow = (row: number): void => {
    const column = columnNow()
    state.row = Math.max(state.top, Math.min(row, state.top + height - 1))
    setColumn(column)
  }

  const newline = (): void => {
    state.row++
    state.column = state.row < state.rows.length ? 0 : undefined
    makeRow(state.row)
  }

  const writeLine = (line: string): void => {
    if (line === "") return
    makeRow(state.row)
    const row = state.rows[state.row] ?? ""
    if (typeof row === "string" && (state.column === undefined || (row === "" && state.column === 0))) {
      state.rows[state.row] = row + line
      state.column = undefined
      return
    }
    const cells = cellsNow()
    state.column = overwrite(cells, state.column ?? cells.length, line)
  }

  const blank = (from: number, to: number): void => {
    const column = columnNow()
    for (let index = from; index < to && index < state.rows.length; index++) state.rows[index] = ""
    setColumn(column)
  }

  const eraseRight = (): void => {
    const column = columnNow()
    const cells = cellsNow()
    cutWide(cells, column)
    cells.length = Math.min(cells.length, column)
    setColumn(column)
  }

  /** Of a longer line only what a terminal would have on the cursor's own screen line. */
  const eraseLeft = (): void => {
    const cells = cellsNow()
    const end = Math.min(columnNow() + 1, cells.length)
    const start = Math.max(0, end - width)
    cutWide(cells, start)
    cutWide(cells, end)
    cells.fill(" ", start, end)
  }

  const dropBelow = (): void => {
    state.rows.length = Math.min(state.rows.length, Math.max(state.row, state.top) + 1)
  }

  const goTo = (row: number, column: number): void => {
    setRow(state.top + row - 1)
    setColumn(column - 1)
  }

  return {
    write: (text) => {
      let start = 0
      for (let end = text.indexOf("\n"); end !== -1; end = text.indexOf("\n", start)) {
        writeLine(text.slice(start, end))
        newline()
        start = end + 1
      }
      writeLine(text.slice(start))
    },
    carriageReturn: () => {
      state.column = 0
    },
    left: (count) => setColumn(columnNow() - count),
    right: (count) => setColumn(columnNow() + count),
    up: (count) => setRow(state.row - count),
    down: (count) => setRow(state.row + count),
    column: (column) => setColumn(column - 1),
    row: (row) => setRow(state.top + row - 1),
    goTo,
    eraseRight,
    eraseLeft,
    eraseLine: () => blank(state.row, state.row + 1),
    eraseBelow: () => {
      eraseRight()
      dropBelow()
    },
    eraseAbove: () => {
      blank(state.top, state.row)
      eraseLeft()
    },
    eraseAll: () => {
      blank(state.top, state.rows.length)
      dropBelow()
    },
    save: () => {
      state.saved = { row: state.row - state.top, column: columnNow() }
    },
    restore: () => {
      const saved = state.saved ?? { row: 0, column: 0 }
      setRow(state.top + saved.row)
      setColumn(saved.column)
    },
    alternate: (on) => {
      if (on && state === main) state = fresh()
      else if (!on && state !== main) state = main
    },
    text: () => {
      if (state !== main) main = { ...main, rows: [...main.rows, ...state.rows] }
      return main.rows.map((row) => (typeof row === "string" ? row : row.join("").trimEnd())).join("\n")
    }
  }
}

/** Writes over the cells from `column` on; returns the column after it. */
const overwrite = (cells: Array<string>, column: number, line: string): number => {
  let at = column
  while (cells.length < at) cells.push(" ")
  for (const character of line) {
    if (character === "\t") {
      at += tabStop - (at % tabStop)
      while (cells.length < at) cells.push(" ")
      continue
    }
    const columns = characterWidth(character)
    if (columns === 0) {
      const before = at > 0 && cells[at - 1] === "" ? at - 2 : at - 1
      if (before >= 0) cells[before] = (cells[before] ?? "") + character
      continue
    }
    cutWide(cells, at)
    cutWide(cells, at + columns)
    cells[at] = character
    if (columns === 2) cells[at + 1] = ""
    at += columns
  }
  return at
}

/** A wide character whose second half begins at `column` becomes two blanks: one half is about to go. */
const cutWide = (cells: Array<string>, column: number): void => {
  if (cells[column] !== "") return
  cells[column] = " "
  if (column > 0) cells[column - 1] = " "
}
