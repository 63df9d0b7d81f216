/**
 * The input as it is drawn in a box (spec 07 "Input"): the visible rows, and where the terminal's own cursor stands, so that
 * input methods draw there (field case G1). Pure; colours are the view's.
 */
import { truncate } from "../text/width.ts"
import type { Content } from "./content.ts"
import { labelOf, type Language } from "./paste.ts"
import { cellsOf, columnAt, rowAt, rowsOf, type Drawing, type Row } from "./rows.ts"

/** A piece of a row in one style; safe to draw. */
export interface Span {
  readonly kind: "text" | "token" | "placeholder"
  readonly text: string
}

export interface Box {
  /** Columns, that of the cursor behind the text included. */
  readonly width: number
  /** Most rows. */
  readonly height: number
  readonly language: Language
  /** First visible row of the last drawing, kept where the cursor can be seen from it. */
  readonly top?: number
  /** For an empty input. */
  readonly placeholder?: string
}

export interface InputLayout {
  readonly rows: ReadonlyArray<ReadonlyArray<Span>>
  /** From the box's first cell. */
  readonly cursor: { readonly row: number; readonly column: number }
  readonly top: number
  /** Rows that cannot be seen. */
  readonly above: number
  readonly below: number
}

/** How tokens are written in a box, in one row each. */
export const drawingOf = ({ width, language }: Pick<Box, "width" | "language">): Drawing => ({
  width,
  labelOf: labelers(width, language)
})

/** One function for each width and language: rows are remembered by it. */
const known = new Map<string, Drawing["labelOf"]>()

const labelers = (width: number, language: Language): Drawing["labelOf"] => {
  const key = `${width} ${language}`
  const found = known.get(key)
  if (found !== undefined) return found
  if (known.size > 100) known.clear()
  const made: Drawing["labelOf"] = (token) => truncate(labelOf(token, language), Math.max(1, width - 1))
  known.set(key, made)
  return made
}

export const layoutInput = (content: Content, cursor: number, box: Box): InputLayout => {
  const drawing = drawingOf(box)
  const rows = rowsOf(content, drawing)
  const row = rowAt(rows, cursor)
  const height = Math.max(1, box.height)
  const top = topRow(row, rows.length, height, box.top)
  const visible = rows.slice(top, top + height)
  const here = rows[row]
  const column = here === undefined ? 0 : Math.min(columnAt(content, here, cursor, drawing), Math.max(1, box.width - 1))
  return {
    rows: content.text === "" ? [placeholderRow(box)] : visible.map((shown) => spansOf(content, shown, drawing)),
    cursor: { row: row - top, column },
    top,
    above: top,
    below: rows.length - top - visible.length
  }
}

/** Moves the window no further than the cursor needs, and leaves no room below that rows could fill. */
export const topRow = (row: number, rows: number, height: number, before = 0): number => {
  const seen = Math.min(Math.max(before, row - height + 1), row)
  return Math.max(0, Math.min(seen, rows - height))
}

const placeholderRow = ({ placeholder, width }: Box): ReadonlyArray<Span> =>
  placeholder === undefined || placeholder === ""
    ? []
    : [{ kind: "placeholder", text: truncate(placeholder, Math.max(1, width - 1)) }]

const spansOf = (content: Content, row: Row, drawing: Drawing): ReadonlyArray<Span> => {
  const spans: Array<Span> = []
  let text = ""
  for (const cell of cellsOf(content, row.from, row.to, drawing)) {
    const shown = cell.shown ?? content.text.slice(cell.at, cell.at + cell.length)
    if (cell.token === undefined) text += shown
    else {
      if (text !== "") spans.push({ kind: "text", text })
      spans.push({ kind: "token", text: shown })
      text = ""
    }
  }
  return text === "" ? spans : [...spans, { kind: "text", text }]
}
