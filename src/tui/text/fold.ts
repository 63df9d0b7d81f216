/** Long lists of lines with a part left out, and that said. Pure. */
import { text, type Text } from "../../domain/text.ts"
import type { View } from "./view.ts"
import { truncate } from "./width.ts"

export interface Foldable {
  /** The beginning; all of it where nothing is left out. */
  readonly head: ReadonlyArray<string>
  /** The end, where lines between it and the beginning are not there. */
  readonly tail?: ReadonlyArray<string>
  /** How many those are. */
  readonly left?: number
}

/** At most `most` lines, `end` of them from the end, and in the place of the others how many they are. */
export const foldLines = (
  { head, left = 0, tail = [] }: Foldable,
  { end, most }: { readonly most: number; readonly end: number },
  { language, theme, width }: View
): ReadonlyArray<string> => {
  const all = [...head, ...tail]
  if (left === 0 && all.length <= most) return all
  const ends = left > 0 ? tail : all
  const last = ends.slice(ends.length - Math.min(end, ends.length, most - 1))
  const first = (left > 0 ? head : all).slice(0, most - 1 - last.length)
  const hidden = all.length - first.length - last.length + left
  return [...first, theme.dim(truncate(`  ${hiddenLines(hidden)[language]}`, width)), ...last]
}

const hiddenLines = (count: number): Text =>
  text(`… ${count} more line${count === 1 ? "" : "s"} …`, `… ${count} ligne${count === 1 ? "" : "s"} de plus …`)
