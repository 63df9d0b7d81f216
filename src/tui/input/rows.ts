/**
 * The rows in which a content of several lines is drawn (spec 07 "Input", field case G1): broken behind spaces where there
 * are any, else between graphemes. Text fills all columns but the last, which is left to the cursor; a space at the end of
 * a row may stand there too. Pure; linear in the text, cheap for simple text.
 */
import { safeText } from "../text/safeText.ts"
import { cellWidth } from "../text/width.ts"
import { isSimple, simpleWidth } from "./characterClass.ts"
import type { Content, Token } from "./content.ts"
import { graphemes } from "./graphemes.ts"

export interface Row {
  /** Offsets in the content, the line end not included. */
  readonly from: number
  readonly to: number
  /** The line goes on in the next row. */
  readonly soft: boolean
}

/** How wide a box is and what is written in place of a token. */
export interface Drawing {
  /** Columns, that of the cursor behind the text included; at least 2 are used. */
  readonly width: number
  readonly labelOf: (token: Token) => string
}

/** One grapheme as it is drawn. */
export interface Cell {
  readonly at: number
  readonly length: number
  readonly width: number
  /** Undefined: the grapheme itself. */
  readonly shown: string | undefined
  readonly token: Token | undefined
}

const TAB = "    "

/** What a grapheme that is not simple looks like; texts repeat their characters. */
const looks = new Map<string, { readonly shown: string | undefined; readonly width: number }>()
const MOST_LOOKS = 5_000

const lookOf = (grapheme: string): { readonly shown: string | undefined; readonly width: number } => {
  const known = looks.get(grapheme)
  if (known !== undefined) return known
  const safe = grapheme === "\t" ? TAB : safeText(grapheme)
  const look = { shown: safe === grapheme ? undefined : safe, width: cellWidth(safe) }
  if (looks.size >= MOST_LOOKS) looks.clear()
  looks.set(grapheme, look)
  return look
}

/** The graphemes between two boundaries, line ends left out. */
export function* cellsOf(content: Content, from: number, to: number, drawing: Drawing): Generator<Cell> {
  const { text, marks } = content
  let nextMark = marks.findIndex((mark) => mark.at >= from)
  let at = from
  while (at < to) {
    const mark = nextMark === -1 ? undefined : marks[nextMark]
    if (mark !== undefined && mark.at === at) {
      const shown = drawing.labelOf(mark.token)
      yield { at, length: 1, width: cellWidth(shown), shown, token: mark.token }
      nextMark++
      at++
      continue
    }
    const end = Math.min(to, mark?.at ?? to)
    const width = simpleWidth(text.charCodeAt(at))
    if (width !== 0 && (at + 1 >= end || isSimple(text.charCodeAt(at + 1)))) {
      yield { at, length: 1, width, shown: undefined, token: undefined }
      at++
      continue
    }
    const stop = runEnd(text, at, end)
    for (const grapheme of graphemes(text, at, stop)) {
      if (grapheme.text === "\n") continue
      yield { at: grapheme.at, length: grapheme.text.length, ...lookOf(grapheme.text), token: undefined }
    }
    at = stop
  }
}

/** Where characters that need segmentation end. */
const runEnd = (text: string, at: number, end: number): number => {
  let place = at + 1
  while (place < end && !(isSimple(text.charCodeAt(place)) && isSimple(text.charCodeAt(place - 1)))) place++
  return place
}

interface Computed {
  readonly width: number
  readonly labelOf: Drawing["labelOf"]
  readonly rows: ReadonlyArray<Row>
}

/** Contents are immutable, so their rows are kept; drawing, motions and scrolling all ask for the same. */
const computed = new WeakMap<Content, Computed>()

/** At least one row. */
export const rowsOf = (content: Content, drawing: Drawing): ReadonlyArray<Row> => {
  const known = computed.get(content)
  if (known !== undefined && known.width === drawing.width && known.labelOf === drawing.labelOf) return known.rows
  const rows: Array<Row> = []
  const { text } = content
  for (let start = 0; ;) {
    const newline = text.indexOf("\n", start)
    const end = newline === -1 ? text.length : newline
    wrapLine(content, start, end, drawing, rows)
    if (newline === -1) break
    start = newline + 1
  }
  computed.set(content, { ...drawing, rows })
  return rows
}

const wrapLine = (content: Content, start: number, end: number, drawing: Drawing, rows: Array<Row>): void => {
  const width = Math.max(2, drawing.width)
  const { text } = content
  let from = start
  let column = 0
  /** Behind the last space of the row: the place, and the column there. */
  let breakAt = start
  let breakColumn = 0
  if (end - start >= width || !isPlain(text, start, end)) {
    for (const cell of cellsOf(content, start, end, drawing)) {
      const isSpace = cell.length === 1 && text[cell.at] === " "
      while (column > 0 && column + cell.width > (isSpace ? width : width - 1)) {
        const isWordBreak = breakAt > from
        const to = isWordBreak ? breakAt : cell.at
        rows.push({ from, to, soft: true })
        column = isWordBreak ? column - breakColumn : 0
        from = to
        breakAt = to
      }
      column += cell.width
      if (isSpace) {
        breakAt = cell.at + 1
        breakColumn = column
      }
    }
  }
  rows.push({ from, to: end, soft: false })
}

const isPlain = (text: string, start: number, end: number): boolean => {
  for (let at = start; at < end; at++) {
    const code = text.charCodeAt(at)
    if (code < 0x20 || code > 0x7e) return false
  }
  return true
}

/** The index of the row where a cursor at `at` stands: at a soft break, the row that follows. */
export const rowAt = (rows: ReadonlyArray<Row>, at: number): number => {
  let low = 0
  let high = rows.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if ((rows[middle]?.from ?? 0) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Columns before the place `at` of its row. */
export const columnAt = (content: Content, row: Row, at: number, drawing: Drawing): number => {
  let column = 0
  for (const cell of cellsOf(content, row.from, at, drawing)) column += cell.width
  return column
}

/** The place in a row at a column, or the last one before it. */
export const placeAt = (content: Content, row: Row, column: number, drawing: Drawing): number => {
  let used = 0
  let last = row.from
  for (const cell of cellsOf(content, row.from, row.to, drawing)) {
    if (used + cell.width > column) return cell.at
    used += cell.width
    last = cell.at
  }
  // The end of a row that goes on is the beginning of the next.
  return row.soft ? last : row.to
}
