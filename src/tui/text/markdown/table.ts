/**
 * A table as columns; one that does not fit, however its cells are wrapped, as a list of its rows. Nothing is cut. Pure.
 */
import type { Tokens } from "marked"
import { cellWidth, pad, wrapWords } from "../width.ts"
import { inlineText } from "./inline.ts"
import type { MarkdownView } from "./view.ts"

/** A column narrower than its longest word is hard to read; one as wide as this is not. */
const WORD = 20
const LEAST = 4
/** ` │ ` between two columns. */
const GAP = 3

export const tableLines = (table: Tokens.Table, view: MarkdownView): ReadonlyArray<string> => {
  const header = table.header.map((cell) => view.theme.strong(inlineText(cell.tokens, view.theme)))
  const rows = table.rows.map((row) => row.map((cell) => inlineText(cell.tokens, view.theme)))
  // Read aloud, a value means nothing without the name of its column.
  const widths = view.theme.frames ? fitColumns([header, ...rows], view.width) : undefined
  return widths === undefined
    ? recordLines(header, rows, view)
    : gridLines(
        header,
        rows,
        widths,
        table.align.map((align) => align ?? "left"),
        view
      )
}

/** Widths of the columns, or undefined where they do not fit. */
const fitColumns = (rows: ReadonlyArray<ReadonlyArray<string>>, width: number): ReadonlyArray<number> | undefined => {
  const columns = rows[0]?.length ?? 0
  const cellsOf = (column: number): ReadonlyArray<string> => rows.map((row) => row[column] ?? "")
  const natural: Array<number> = []
  const least: Array<number> = []
  for (let column = 0; column < columns; column++) {
    const cells = cellsOf(column)
    natural.push(Math.max(1, ...cells.map((cell) => widest(cell.split("\n")))))
    least.push(Math.max(1, ...cells.map((cell) => Math.min(WORD, widest(cell.split(/\s+/))))))
  }
  const room = width - GAP * (columns - 1)
  if (sum(natural) <= room) return natural
  const floor = least.map((words, column) => Math.min(natural[column] ?? 1, Math.max(LEAST, words)))
  if (sum(floor) > room) return undefined
  return share(natural, floor, room)
}

/** What is left over the least widths is shared evenly; columns that want little are satisfied first. */
const share = (natural: ReadonlyArray<number>, floor: ReadonlyArray<number>, room: number): ReadonlyArray<number> => {
  const widths = [...floor]
  let spare = room - sum(floor)
  while (spare > 0) {
    const wanting = widths.flatMap((width, column) => (width < (natural[column] ?? 0) ? [column] : []))
    if (wanting.length === 0) break
    const each = Math.max(1, Math.floor(spare / wanting.length))
    for (const column of wanting) {
      const more = Math.min(each, spare, (natural[column] ?? 0) - (widths[column] ?? 0))
      widths[column] = (widths[column] ?? 0) + more
      spare -= more
    }
  }
  return widths
}

const widest = (parts: ReadonlyArray<string>): number =>
  parts.reduce((most, part) => Math.max(most, cellWidth(part)), 0)
const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

const gridLines = (
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  widths: ReadonlyArray<number>,
  aligns: ReadonlyArray<"left" | "right" | "center">,
  { theme }: MarkdownView
): ReadonlyArray<string> => {
  const bar = theme.muted(" │ ")
  const rule = (middle: string): string => theme.muted(widths.map((width) => "─".repeat(width)).join(middle))
  const rowLines = (row: ReadonlyArray<string>): ReadonlyArray<string> => {
    const cells = widths.map((width, column) => wrapWords(row[column] ?? "", width))
    const height = Math.max(1, ...cells.map((lines) => lines.length))
    return Array.from({ length: height }, (_, at) =>
      cells
        .map((lines, column) => pad(lines[at] ?? "", widths[column] ?? 1, aligns[column]))
        .join(bar)
        .trimEnd()
    )
  }
  const bodies = rows.map(rowLines)
  // Rows of several lines run into each other without a rule.
  const ruled = bodies.some((lines) => lines.length > 1)
  return [
    ...rowLines(header),
    rule("─┼─"),
    ...bodies.flatMap((lines, at) => (ruled && at > 0 ? [rule("─┼─"), ...lines] : lines))
  ]
}

/** `Column: value` for every cell, a rule between two rows. */
const recordLines = (
  header: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string>>,
  { theme, width }: MarkdownView
): ReadonlyArray<string> => {
  const rule = theme.frames ? theme.muted("─".repeat(Math.min(width, 12))) : ""
  if (rows.length === 0) return header.flatMap((name) => wrapWords(name, width, { first: "• ", rest: "  " }))
  return rows.flatMap((row, at) => [
    ...(at > 0 ? [rule] : []),
    ...header.flatMap((name, column) => {
      const value = row[column] ?? ""
      return value === "" ? [] : wrapWords(name === "" ? value : `${name}: ${value}`, width, { first: "", rest: "  " })
    })
  ])
}
