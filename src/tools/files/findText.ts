/**
 * Where a text stands in a file, in three passes from strict to loose (spec 02, Edit; seed 003): exactly; without regard to
 * its edges; without regard to indentation. The first pass that finds anything decides. Pure, near linear.
 */
import type { TextIndex } from "./TextIndex.ts"

export type MatchKind = "exact" | "edges" | "indentation"

export interface Match {
  readonly start: number
  readonly end: number
}

export interface Found {
  readonly kind: MatchKind
  /** Not overlapping, ascending. */
  readonly matches: ReadonlyArray<Match>
}

/** `old` has `\n` only. Undefined where no pass finds it. */
export const findText = (index: TextIndex, old: string): Found | undefined => {
  const exact = occurrences(index.text, old)
  if (exact.length > 0) return { kind: "exact", matches: exact }
  const edges = edgesOf(old)
  if (edges.body === "") return undefined
  const loose = edges.body === old ? [] : edgeMatches(index.text, edges)
  if (loose.length > 0) return { kind: "edges", matches: loose }
  const lines = edges.body.split("\n").map((line) => line.trim())
  const indentation = index.trimmed.find(lines).map((first) => ({
    start: index.starts[first] ?? 0,
    end: index.lineEnd(first + lines.length - 1)
  }))
  return indentation.length > 0 ? { kind: "indentation", matches: indentation } : undefined
}

/** Non-overlapping scan; the same rule counts and replaces. */
const occurrences = (text: string, wanted: string): ReadonlyArray<Match> => {
  const found: Array<Match> = []
  if (wanted === "") return found
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + wanted.length)) {
    found.push({ start: at, end: at + wanted.length })
  }
  return found
}

/** A text in three: blank lines (for a single line also white space) before it, itself, and the same behind it. */
export interface Edges {
  readonly before: string
  readonly body: string
  readonly after: string
}

export const edgesOf = (text: string): Edges => {
  const lines = text.split("\n")
  const { blankAfter, blankBefore } = blankEdges(lines)
  const kept = lines.slice(blankBefore, lines.length - blankAfter)
  const block = kept.join("\n")
  const body = kept.length === 1 ? block.trim() : block
  const start = lines.slice(0, blankBefore).join("\n").length + (blankBefore > 0 ? 1 : 0) + block.indexOf(body)
  return { before: text.slice(0, start), body, after: text.slice(start + body.length) }
}

/** Blank lines at both ends; all of them count as before where there is nothing else. */
export const blankEdges = (
  lines: ReadonlyArray<string>
): { readonly blankBefore: number; readonly blankAfter: number } => {
  const first = lines.findIndex((line) => line.trim() !== "")
  if (first === -1) return { blankBefore: lines.length, blankAfter: 0 }
  return { blankBefore: first, blankAfter: lines.length - 1 - lines.findLastIndex((line) => line.trim() !== "") }
}

/**
 * A block matches only as whole lines, or its ends would eat what stands beside it. A single line matches inside a line
 * where the white space that was taken off has its counterpart: `old` with a blank before it never means the end of a word.
 */
const edgeMatches = (text: string, { after, before, body }: Edges): ReadonlyArray<Match> => {
  const found = occurrences(text, body)
  if (body.includes("\n")) {
    return found.filter(
      ({ start, end }) => (start === 0 || text[start - 1] === "\n") && (end === text.length || text[end] === "\n")
    )
  }
  return found.filter(({ start, end }) => opens(text, start, before) && closes(text, end, after))
}

const BLANK = /[ \t]/

const opens = (text: string, start: number, taken: string): boolean => {
  if (taken === "") return true
  if (!taken.includes("\n")) return start === 0 || /\s/.test(text[start - 1] ?? "")
  let at = start
  while (at > 0 && BLANK.test(text[at - 1] ?? "")) at--
  return at === 0 || text[at - 1] === "\n"
}

const closes = (text: string, end: number, taken: string): boolean => {
  if (taken === "") return true
  if (!taken.includes("\n")) return end === text.length || /\s/.test(text[end] ?? "")
  let at = end
  while (at < text.length && BLANK.test(text[at] ?? "")) at++
  return at === text.length || text[at] === "\n"
}
