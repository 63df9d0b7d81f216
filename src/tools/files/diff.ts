/**
 * The numbered diff of a change (spec 02): proof for the model, and what front ends colour. Pure; linear apart from the
 * changed middle, which is bounded.
 */

export interface DiffLine {
  readonly kind: "same" | "removed" | "added"
  /** In the old file for removed lines, in the new one for the others; from 1. */
  readonly number: number
  readonly text: string
}

export interface Diff {
  readonly lines: ReadonlyArray<DiffLine>
  readonly added: number
  readonly removed: number
}

const CONTEXT = 2
/** Lines of a hunk that are shown to the model. */
const SHOWN = 60

/** A changed stretch: lines of the old text that are replaced by lines of the new one. */
export interface Hunk {
  /** Index of the first line in each text, from 0. */
  readonly oldStart: number
  readonly newStart: number
  readonly oldLines: ReadonlyArray<string>
  readonly newLines: ReadonlyArray<string>
}

/** Diff of hunks that are known, as an edit knows them. */
export const diffOfHunks = (newText: string, hunks: ReadonlyArray<Hunk>): Diff => {
  const after = newText.split("\n")
  const lines: Array<DiffLine> = []
  let shownTo = 0
  let added = 0
  let removed = 0
  for (const hunk of hunks) {
    const from = Math.max(shownTo, hunk.newStart - CONTEXT)
    for (let at = from; at < hunk.newStart; at++) lines.push({ kind: "same", number: at + 1, text: after[at] ?? "" })
    hunk.oldLines.forEach((text, index) => lines.push({ kind: "removed", number: hunk.oldStart + index + 1, text }))
    hunk.newLines.forEach((text, index) => lines.push({ kind: "added", number: hunk.newStart + index + 1, text }))
    added += hunk.newLines.length
    removed += hunk.oldLines.length
    const end = hunk.newStart + hunk.newLines.length
    shownTo = Math.min(after.length, end + CONTEXT)
    for (let at = end; at < shownTo; at++) lines.push({ kind: "same", number: at + 1, text: after[at] ?? "" })
  }
  return { lines, added, removed }
}

/** Diff of two whole texts: what they share at both ends is context, the middle is the change. */
export const diffOfTexts = (oldText: string, newText: string): Diff => {
  const before = oldText === "" ? [] : oldText.split("\n")
  const after = newText === "" ? [] : newText.split("\n")
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start++
  let end = 0
  while (
    end < before.length - start &&
    end < after.length - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end++
  }
  const oldLines = before.slice(start, before.length - end)
  const newLines = after.slice(start, after.length - end)
  if (oldLines.length === 0 && newLines.length === 0) return { lines: [], added: 0, removed: 0 }
  return diffOfHunks(newText, [{ oldStart: start, newStart: start, oldLines, newLines }])
}

/** `  12  text`, `- 12  text`, `+ 12  text`; the middle of a long one left out. */
export const formatDiff = (diff: Diff): string => {
  const format = ({ kind, number, text }: DiffLine) =>
    `${kind === "same" ? " " : kind === "added" ? "+" : "-"}${String(number).padStart(5)}  ${text.length <= 300 ? text : `${text.slice(0, 300)}…`.toWellFormed()}`
  const { lines } = diff
  if (lines.length <= SHOWN) return lines.map(format).join("\n")
  const half = SHOWN / 2
  return [
    ...lines.slice(0, half).map(format),
    `  … ${lines.length - SHOWN} lines not shown …`,
    ...lines.slice(-half).map(format)
  ].join("\n")
}
