/**
 * Code inside a list item whose lines are less indented than the item. By the book the code ends there and its closing fence
 * opens another, which swallows what follows; models write it often and mean one block of code. Pure: gives the text with the
 * code moved to the right where a closing fence shows what was meant, unchanged otherwise.
 */
import { closesFence, type Fence, fenceOpen, indentOf, isBlank } from "./lineKind.ts"

interface OpenFence {
  readonly fence: Fence
  /** Column of its opening line. */
  readonly column: number
  readonly body: Array<string>
}

export const mendFences = (text: string): string => {
  if (!/^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]/.test(text) || !/```|~~~/.test(text)) return text
  const lines: Array<string> = []
  let open: OpenFence | undefined
  for (const line of text.split("\n")) {
    if (open === undefined) {
      lines.push(line)
      open = fenceOf(line)
    } else if (closesFence(line, open.fence)) {
      lines.push(...moved(open), " ".repeat(open.column) + line.trim())
      open = undefined
    } else open.body.push(line)
  }
  return [...lines, ...(open?.body ?? [])].join("\n")
}

/** The fence a line opens, itself or behind a list marker; only what is indented belongs to an item. */
const fenceOf = (line: string): OpenFence | undefined => {
  const marker = /^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+/.exec(line)?.[0] ?? ""
  const fence = fenceOpen(line.slice(marker.length))
  const column = marker === "" ? indentOf(line) : indentOf(`${" ".repeat(marker.length)}${line.slice(marker.length)}`)
  return fence === undefined || column === 0 ? undefined : { fence, column, body: [] }
}

const moved = ({ body, column }: OpenFence): ReadonlyArray<string> => {
  const least = Math.min(...body.filter((line) => !isBlank(line)).map(indentOf), column)
  return least === column ? body : body.map((line) => " ".repeat(column - least) + line)
}
