/**
 * Cells of text on a terminal (field case G1), the same count as Ink's, so that what is measured is what is drawn. All
 * functions take text that is safe (`safeText.ts`), with or without styles (`ESC[…m`), and keep the styles whole: a line
 * that is cut or broken closes what it opened. Pure; the time is bounded by the width asked for where text is cut, and
 * linear where it is wrapped.
 */
import stringWidth from "string-width"
import wrapAnsi from "wrap-ansi"
import { makeStyles, STYLE, type Styles } from "./styles.ts"

/** Tabs of source code and output: narrower than eight, because many screens are. */
const TAB = 4

/** Characters looked at per cell when a line is cut: more than a styled family emoji has. */
const PER_CELL = 40

/** Cells `text` takes on one line. */
export const cellWidth = (text: string): number => stringWidth(text)

/** Tabs become blanks up to the next multiple of four cells of their line. */
export const expandTabs = (text: string): string =>
  text.includes("\t")
    ? text
        .split("\n")
        .map((line) => (line.includes("\t") ? expandLine(line) : line))
        .join("\n")
    : text

const expandLine = (line: string): string => {
  let column = 0
  const pieces = line.split("\t")
  return pieces
    .map((piece, at) => {
      if (at === pieces.length - 1) return piece
      const width = cellWidth(piece)
      const blanks = TAB - ((column + width) % TAB)
      column += width + blanks
      return piece + " ".repeat(blanks)
    })
    .join("")
}

/** Where the ellipsis stands. */
export type Cut = "start" | "middle" | "end"

/** At most `width` cells of one line, with `…` where something is left out; never half a wide character. */
export const truncate = (text: string, width: number, where: Cut = "end"): string => {
  if (width <= 0) return ""
  const bounded = text.length > (width + 2) * PER_CELL * 2
  if (!bounded && cellWidth(text) <= width) return text
  if (width === 1) return "…"
  const room = width - 1
  switch (where) {
    case "end":
      return `${firstCells(text, room)}…`
    case "start":
      return `…${lastCells(text, room)}`
    case "middle": {
      const before = Math.ceil(room / 2)
      return `${firstCells(text, before)}…${lastCells(text, room - before)}`
    }
  }
}

const firstCells = (text: string, width: number): string => {
  const styles = makeStyles()
  let kept = ""
  let used = 0
  for (const cell of cellsOf(headOf(text, (width + 2) * PER_CELL), styles)) {
    if (used + cell.width > width) break
    used += cell.width
    kept += cell.style + cell.text
  }
  return kept + styles.close()
}

const lastCells = (text: string, width: number): string => {
  if (width <= 0) return ""
  const styles = makeStyles()
  const cells = [...cellsOf(tailOf(text, (width + 2) * PER_CELL), styles)]
  let used = 0
  let from = cells.length
  while (from > 0 && used + (cells[from - 1]?.width ?? 0) <= width) used += cells[--from]?.width ?? 0
  const kept = cells.slice(from)
  return (
    (kept[0]?.open ?? "") + kept.map((cell, at) => (at === 0 ? "" : cell.style) + cell.text).join("") + styles.close()
  )
}

/** A character with its marks; `style` stands before it, `open` would bring all its styles about. */
interface Cell {
  readonly text: string
  readonly width: number
  readonly style: string
  readonly open: string
}

/** `styles` are those in force at the cell that was given last. */
function* cellsOf(text: string, styles: Styles): Generator<Cell> {
  let style = ""
  for (const [at, piece] of text.split(STYLE).entries()) {
    if (at % 2 === 1) {
      styles.apply(piece)
      style += `\u001b[${piece}m`
      continue
    }
    if (piece === "") continue
    const open = styles.open()
    for (const character of isAscii(piece) ? piece : segments(piece)) {
      yield { text: character, width: cellWidth(character), style, open }
      style = ""
    }
  }
}

const segmenter = new Intl.Segmenter()

function* segments(text: string): Generator<string> {
  for (const { segment } of segmenter.segment(text)) yield segment
}

const headOf = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(0, length).replace(/\u001b\[?[0-9;:]*$|[\uD800-\uDBFF]$/, "")

const tailOf = (text: string, length: number): string =>
  text.length <= length ? text : text.slice(-length).replace(/^[0-9;:]*m|^[\uDC00-\uDFFF]/, "")

/** `text` with blanks to `width` cells; longer text is truncated. */
export const pad = (text: string, width: number, align: "left" | "right" | "center" = "left"): string => {
  const fitted = truncate(text, width)
  const blanks = Math.max(0, width - cellWidth(fitted))
  switch (align) {
    case "left":
      return fitted + " ".repeat(blanks)
    case "right":
      return " ".repeat(blanks) + fitted
    case "center":
      return " ".repeat(Math.floor(blanks / 2)) + fitted + " ".repeat(Math.ceil(blanks / 2))
  }
}

/** Prefixes of wrapped lines; they count towards the width. */
export interface Indent {
  readonly first?: string
  readonly rest?: string
}

/** Narrower than this a prefix would leave no room for text and is left out. */
const LEAST = 2

/** Lines of at most `width` cells, broken between words; a word that is longer is broken between characters. */
export const wrapWords = (text: string, width: number, indent: Indent = {}): ReadonlyArray<string> =>
  wrap(text, width, indent, { hard: true, trim: true })

/**
 * The same for text whose lines begin with blanks that mean something: they are kept, and what is carried on hangs below.
 * A style ends with its line, as those of a theme do.
 */
export const wrapText = (
  text: string,
  width: number,
  { first = "", rest = first }: Indent = {}
): ReadonlyArray<string> =>
  text.split("\n").flatMap((line, at) => {
    const [whole = "", styles = "", blanks = ""] = LEADING.exec(line) ?? []
    const prefix = at === 0 ? first : rest
    const room = width - cellWidth(prefix)
    return blanks.length > room / 2
      ? wrapWords(line, width, { first: prefix, rest })
      : wrapWords(styles + line.slice(whole.length), width, { first: prefix + blanks, rest: rest + blanks })
  })

const LEADING = /^((?:\u001b\[[0-9;]*m)*)( *)/

/** Lines of at most `width` cells, broken anywhere and with every blank kept: code and output. */
export const wrapCells = (text: string, width: number, indent: Indent = {}): ReadonlyArray<string> =>
  wrap(text, width, indent, { hard: true, trim: false, wordWrap: false })

const wrap = (
  text: string,
  width: number,
  { first = "", rest = first }: Indent,
  options: { readonly hard: boolean; readonly trim: boolean; readonly wordWrap?: boolean }
): ReadonlyArray<string> => {
  const prefix = Math.max(cellWidth(first), cellWidth(rest))
  const prefixed = width - prefix >= LEAST
  const room = Math.max(LEAST, prefixed ? width - prefix : width)
  const lines =
    text.length <= room && !text.includes("\n") && isAscii(text)
      ? [options.trim ? text.trim() : text]
      : wrapAnsi(text, room, options).split("\n")
  return prefixed && prefix > 0 ? lines.map((line, at) => (at === 0 ? first : rest) + line) : lines
}

const isAscii = (text: string): boolean => /^[\u0020-\u007E]*$/.test(text)

/** The first `max` UTF-16 units of text that may be huge, and how many are left out; no half characters. */
export const bound = (text: string, max: number): { readonly text: string; readonly left: number } => {
  const kept = headOf(text, max)
  return { text: kept, left: text.length - kept.length }
}
