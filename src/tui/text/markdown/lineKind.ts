/**
 * What one line of Markdown can begin (CommonMark 0.31, GFM tables), as far as it takes to find where a block ends. Pure; the
 * line comes without its line end.
 */

/** Cells of blanks before the first character; a tab goes to the next multiple of four. */
export const indentOf = (line: string): number => {
  let column = 0
  for (const character of line) {
    if (character === " ") column++
    else if (character === "\t") column += 4 - (column % 4)
    else return column
  }
  return column
}

export const isBlank = (line: string): boolean => line.trim() === ""

/** An opened fence: what closes it is as many or more of the same character, alone on its line. */
export interface Fence {
  readonly mark: string
  readonly length: number
}

const FENCE = /^[ \t]*(`{3,}|~{3,})([^\n]*)$/

/** A line that opens a fence, blanks before it aside. Backticks can not stand in the language of a backtick fence. */
export const fenceOpen = (line: string): Fence | undefined => {
  const [, run, info = ""] = FENCE.exec(line) ?? []
  const mark = run?.[0]
  if (run === undefined || mark === undefined || (mark === "`" && info.includes("`"))) return undefined
  return { mark, length: run.length }
}

export const closesFence = (line: string, fence: Fence): boolean => {
  const [, run, info = ""] = FENCE.exec(line) ?? []
  return run !== undefined && run.startsWith(fence.mark) && run.length >= fence.length && isBlank(info)
}

export const isHeading = (line: string): boolean => /^ {0,3}#{1,6}(?:[ \t]|$)/.test(line)

export const isRule = (line: string): boolean =>
  /^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(line)

/** `===` or `---` under a paragraph makes it a heading. */
export const isUnderline = (line: string): boolean => /^ {0,3}(?:=+|-+)[ \t]*$/.test(line)

export const isQuote = (line: string): boolean => /^ {0,3}>/.test(line)

export interface ListMarker {
  /** Column where the item's content begins: lines of the item are indented as far. */
  readonly content: number
  /** A list may begin right under a paragraph: it has content, and an ordered one begins with 1. */
  readonly interrupts: boolean
}

const MARKER = /^([ \t]*)([-*+]|(\d{1,9})[.)])(?:([ \t]+)([^\n]*))?$/

export const listMarker = (line: string): ListMarker | undefined => {
  const match = MARKER.exec(line)
  if (match === null) return undefined
  const [, blanks = "", marker = "", number, gap, content = ""] = match
  const start = indentOf(`${blanks}.`) + marker.length
  const empty = gap === undefined || isBlank(content)
  const width = empty ? 1 : indentOf(`${" ".repeat(start)}${gap}.`) - start
  return {
    content: start + (width > 4 ? 1 : width),
    interrupts: !empty && (number === undefined || Number(number) === 1)
  }
}

/** The line under a table's header. */
const DELIMITERS = /^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$/

export const isTableDelimiter = (line: string, header: string): boolean =>
  line.includes("|") && header.includes("|") && line.length < 2_000 && DELIMITERS.test(line)
