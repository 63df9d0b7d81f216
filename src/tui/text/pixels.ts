/**
 * Pictures of half blocks: two pixels in one cell, `▀` `▄` `█`. Pure. A pixel is a colour or nothing; where there are no
 * colours it is there or not.
 */
import type { Colour } from "./colours.ts"
import type { Theme } from "./theme.ts"

/** One pixel, undefined for none; rows from the top, each as long as the first. */
export type Pixels = ReadonlyArray<ReadonlyArray<Colour | undefined>>

/** Half as many lines as there are rows of pixels. */
export const halfBlocks = (pixels: Pixels, theme: Theme): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (let row = 0; row < pixels.length; row += 2) {
    const upper = pixels[row] ?? []
    const lower = pixels[row + 1] ?? []
    lines.push(joined(upper.map((pixel, at) => cellOf(pixel, lower[at], theme))))
  }
  return lines
}

interface Cell {
  /** One, or those of a run of cells. */
  readonly character: string
  readonly front: Colour | undefined
  readonly back: Colour | undefined
  readonly theme: Theme
}

const cellOf = (upper: Colour | undefined, lower: Colour | undefined, theme: Theme): Cell => {
  if (upper === undefined && lower === undefined) return { character: " ", front: undefined, back: undefined, theme }
  if (upper === undefined) return { character: "▄", front: lower, back: undefined, theme }
  if (lower === undefined) return { character: "▀", front: upper, back: undefined, theme }
  const same = theme.depth === "none" || theme.colour(upper)("x") === theme.colour(lower)("x")
  return same
    ? { character: "█", front: upper, back: undefined, theme }
    : { character: "▀", front: upper, back: lower, theme }
}

/** Neighbours that look alike share their sequences. */
const joined = (cells: ReadonlyArray<Cell>): string => {
  const runs: Array<Cell> = []
  for (const cell of cells) {
    const last = runs.at(-1)
    if (last === undefined || last.front !== cell.front || last.back !== cell.back) runs.push(cell)
    else runs[runs.length - 1] = { ...last, character: last.character + cell.character }
  }
  return runs
    .map(({ back, character, front, theme }) => {
      const painted = front === undefined ? character : theme.colour(front)(character)
      return back === undefined ? painted : theme.on(back)(painted)
    })
    .join("")
    .trimEnd()
}
