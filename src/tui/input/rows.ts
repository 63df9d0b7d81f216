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

/** Takes a grapheme, `shown` in its place where that is defined; answers `true` to see no more. */
type Visit = (at: number, length: number, width: number, shown: string | undefined, token: Token | undefined) => boolean

/** The graphemes between two boundaries, line ends left out. Plain arguments, because a text may have a million of them. */
const visitCells = (content: Content, from: number, to: number, drawing: Drawing, visit: Visit): void => {
  const { text, marks } = content
  let nextMark = marks.findIndex((mark) => mark.at >= from)
  let at = from
  while (at < to) {
    const mark = nextMark === -1 ? undefined : marks[nextMark]
    if (mark !== undefined && mark.at === at) {
      const shown = drawing.labelOf(mark.token)
      if (visit(at, 1, cellWidth(shown), shown, mark.token)) return
      nextMark++
      at++
      continue
    }
    const end = Math.min(to, mark?.at ?? to)
    const width = simpleWidth(text.charCodeAt(at))
    if (width !== 0 && (at + 1 >= end || isSimple(text.charCodeAt(at + 1)))) {
      if (visit(at, 1, width, undefined, undefined)) return
      at++
      continue
    }
    const stop = runEnd(text, at, end)
    for (const look of looksOf(text.slice(at, stop))) {
      if (look.width >= 0 && visit(at, look.length, look.width, look.shown, undefined)) return
      at += look.length
    }
  }
}

export const cellsOf = (content: Content, from: number, to: number, drawing: Drawing): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  visitCells(content, from, to, drawing, (at, length, width, shown, token) => {
    cells.push({ at, length, width, shown, token })
    return false
  })
  return cells
}

/** Where characters that need segmentation end. */
const runEnd = (text: string, at: number, end: number): number => {
  let place = at + 1
  while (place < end && !(isSimple(text.charCodeAt(place)) && isSimple(text.charCodeAt(place - 1)))) place++
  return place
}

/** What a grapheme that is not simple looks like; the width of a line end is -1. */
interface Look {
  readonly length: number
  readonly width: number
  readonly shown: string | undefined
}

/** Texts repeat their characters, and segmentation is dear: looks of short runs, and of graphemes. */
const runLooks = new Map<string, ReadonlyArray<Look>>()
const graphemeLooks = new Map<string, Look>()
const MOST_KNOWN = 5_000
const LONGEST_KNOWN = 32

const looksOf = (run: string): Iterable<Look> => {
  if (run.length > LONGEST_KNOWN) return looksIn(run)
  return remembered(runLooks, run, () => [...looksIn(run)])
}

function* looksIn(run: string): Generator<Look> {
  for (const { text } of graphemes(run, 0, run.length)) yield remembered(graphemeLooks, text, () => lookOf(text))
}

const remembered = <A>(memory: Map<string, A>, key: string, make: () => A): A => {
  const found = memory.get(key)
  if (found !== undefined) return found
  if (memory.size >= MOST_KNOWN) memory.clear()
  const made = make()
  memory.set(key, made)
  return made
}

const lookOf = (grapheme: string): Look => {
  const { length } = grapheme
  if (grapheme === "\n") return { length, width: -1, shown: undefined }
  const safe = grapheme === "\t" ? TAB : safeText(grapheme)
  return { length, width: cellWidth(safe), shown: safe === grapheme ? undefined : safe }
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
    visitCells(content, start, end, drawing, (at, length, cells) => {
      const isSpace = length === 1 && text.charCodeAt(at) === 0x20
      while (column > 0 && column + cells > (isSpace ? width : width - 1)) {
        const isWordBreak = breakAt > from
        const to = isWordBreak ? breakAt : at
        rows.push({ from, to, soft: true })
        column = isWordBreak ? column - breakColumn : 0
        from = to
        breakAt = to
      }
      column += cells
      if (isSpace) {
        breakAt = at + 1
        breakColumn = column
      }
      return false
    })
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
  visitCells(content, row.from, at, drawing, (_at, _length, width) => {
    column += width
    return false
  })
  return column
}

/** The place in a row at a column, or the last one before it. */
export const placeAt = (content: Content, row: Row, column: number, drawing: Drawing): number => {
  let used = 0
  let last = row.from
  let found: number | undefined
  visitCells(content, row.from, row.to, drawing, (at, _length, width) => {
    if (used + width > column) found = at
    used += width
    last = at
    return found !== undefined
  })
  // The end of a row that goes on is the beginning of the next.
  return found ?? (row.soft ? last : row.to)
}
