/**
 * Where a text stands in a file, in three passes from strict to loose (spec 02, Edit; seed 003): exactly; without regard to
 * its edges; without regard to indentation. The first pass that finds anything decides. Pure, near linear.
 */

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

/** `old` and `text` have `\n` only. Undefined where no pass finds it. */
export const findText = (text: string, old: string): Found | undefined => {
  const exact = occurrences(text, old)
  if (exact.length > 0) return { kind: "exact", matches: exact }
  const trimmed = withoutEdges(old)
  if (trimmed === "") return undefined
  const edges = trimmed === old ? [] : edgeMatches(text, trimmed)
  if (edges.length > 0) return { kind: "edges", matches: edges }
  const indentation = lineMatches(text, trimmed)
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

/** Without blank lines at both ends; a single line also without the white space around it. */
export const withoutEdges = (old: string): string => {
  const lines = old.split("\n")
  let first = 0
  let last = lines.length
  while (first < last && lines[first]?.trim() === "") first++
  while (last > first && lines[last - 1]?.trim() === "") last--
  const kept = lines.slice(first, last)
  return kept.length === 1 ? (kept[0] ?? "").trim() : kept.join("\n")
}

/** A single line matches inside a line; a block only as whole lines, or its ends would eat what stands beside it. */
const edgeMatches = (text: string, trimmed: string): ReadonlyArray<Match> => {
  const found = occurrences(text, trimmed)
  if (!trimmed.includes("\n")) return found
  return found.filter(
    ({ start, end }) => (start === 0 || text[start - 1] === "\n") && (end === text.length || text[end] === "\n")
  )
}

/** Lines compared without the white space at both ends; blank lines match blank lines. */
const lineMatches = (text: string, wanted: string): ReadonlyArray<Match> => {
  const pattern = wanted.split("\n").map((line) => line.trim())
  const lines: Array<string> = []
  const starts: Array<number> = []
  let start = 0
  for (const line of text.split("\n")) {
    lines.push(line.trim())
    starts.push(start)
    start += line.length + 1
  }
  starts.push(start)
  const found: Array<Match> = []
  for (const at of lineOccurrences(lines, pattern)) {
    const end = (starts[at + pattern.length] ?? text.length + 1) - 1
    found.push({ start: starts[at] ?? 0, end })
  }
  return found
}

/** Knuth, Morris and Pratt over lines: linear even for a block that nearly repeats. Non-overlapping. */
const lineOccurrences = (lines: ReadonlyArray<string>, pattern: ReadonlyArray<string>): ReadonlyArray<number> => {
  const fallback: Array<number> = [0]
  for (let i = 1, length = 0; i < pattern.length; i++) {
    while (length > 0 && pattern[i] !== pattern[length]) length = fallback[length - 1] ?? 0
    if (pattern[i] === pattern[length]) length++
    fallback[i] = length
  }
  const found: Array<number> = []
  let length = 0
  for (const [index, line] of lines.entries()) {
    while (length > 0 && line !== pattern[length]) length = fallback[length - 1] ?? 0
    if (line === pattern[length]) length++
    if (length === pattern.length) {
      found.push(index - length + 1)
      length = 0
    }
  }
  return found
}

/** Number of the line (from 1) in which an offset lies. */
export const lineAt = (text: string, offset: number): number => {
  let line = 1
  for (let at = text.indexOf("\n"); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++
  return line
}
