/** Splits streamed Markdown into finished blocks and the open rest. Pure. */

const FENCE = /^ {0,3}(`{3,}|~{3,})/

/** Blocks end at a blank line outside a code fence, or with the fence's end. */
export const finishedBlocks = (open: string): { readonly blocks: ReadonlyArray<string>; readonly rest: string } => {
  if (!open.includes("\n")) return { blocks: [], rest: open }
  const blocks: Array<string> = []
  let start = 0
  let position = 0
  let fence: string | undefined
  for (let end = open.indexOf("\n"); end !== -1; end = open.indexOf("\n", position)) {
    const line = open.slice(position, end)
    position = end + 1
    const mark = FENCE.exec(line)?.[1]
    if (fence !== undefined) {
      if (mark?.startsWith(fence) !== true) continue
      fence = undefined
    } else if (mark !== undefined) {
      fence = mark
      continue
    } else if (line.trim() !== "") continue
    const block = open.slice(start, position)
    if (block.trim() !== "") blocks.push(block.replace(/^\n+|\s+$/g, ""))
    start = position
  }
  return { blocks, rest: open.slice(start) }
}
