/**
 * The numbered diff of a change (spec 02): proof for the model, and what front ends colour. Pure; near linear, and bounded in
 * what it keeps, because a session keeps it too.
 */
import { TextDiff } from "effect"
import type { Replacement } from "./TextFile.ts"
import type { TextIndex } from "./TextIndex.ts"

export interface DiffLine {
  readonly kind: "same" | "removed" | "added"
  /** In the old file for removed lines, in the new one for the others; from 1. */
  readonly number: number
  readonly text: string
}

export interface Diff {
  /** The first ones of a long diff. */
  readonly lines: ReadonlyArray<DiffLine>
  /** Lines of all of it. */
  readonly added: number
  readonly removed: number
}

const CONTEXT = 2
/** Lines of a diff that are kept for front ends, and of these shown to the model. */
const KEPT = 400
const SHOWN = 60
/** Longest line that is kept whole. */
const LONGEST = 300

/** A changed stretch: lines of the old text that are replaced by lines of the new one. */
export interface Hunk {
  /** Index of the first line in each text, from 0. */
  readonly oldStart: number
  readonly newStart: number
  readonly oldLines: ReadonlyArray<string>
  readonly newLines: ReadonlyArray<string>
}

/** What replacements (ascending, not overlapping) change of a text, by line. */
export const hunksOf = (index: TextIndex, replacements: ReadonlyArray<Replacement>): ReadonlyArray<Hunk> => {
  const hunks: Array<Hunk> = []
  let shift = 0
  for (let at = 0; at < replacements.length;) {
    const first = replacements[at]
    if (first === undefined) break
    const from = index.lineAt(first.start)
    const pieces = [index.text.slice(index.starts[from] ?? 0, first.start), first.text]
    let done = first.end
    let to = index.lineAt(done)
    at++
    // Replacements that meet in one line make one hunk.
    for (let next = replacements[at]; next !== undefined && index.lineAt(next.start) <= to; next = replacements[++at]) {
      pieces.push(index.text.slice(done, next.start), next.text)
      done = next.end
      to = index.lineAt(done)
    }
    pieces.push(index.text.slice(done, index.lineEnd(to)))
    const atEnd = to === index.starts.length - 1
    const oldLines = linesOf(index.text.slice(index.starts[from] ?? 0, index.lineEnd(to)), atEnd)
    const newLines = linesOf(pieces.join(""), atEnd)
    for (const hunk of changes(oldLines, newLines)) {
      hunks.push({ ...hunk, oldStart: from + hunk.oldStart, newStart: from + shift + hunk.newStart })
    }
    shift += newLines.length - oldLines.length
  }
  return hunks
}

/** The line end at the end of a file begins no line. */
const linesOf = (text: string, atEnd: boolean): ReadonlyArray<string> => {
  const lines = text.split("\n")
  return atEnd && lines.at(-1) === "" ? lines.slice(0, -1) : lines
}

/** Steps of the search for the shortest diff; past these a longer one is taken. */
const WORK = 10_000_000

const changes = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Hunk> => {
  const maxEdits = Math.max(10, Math.min(1_000, Math.floor(WORK / (before.length + after.length + 1))))
  const hunks: Array<Hunk> = []
  let oldAt = 0
  let newAt = 0
  let open: { oldStart: number; newStart: number; oldLines: Array<string>; newLines: Array<string> } | undefined
  for (const run of TextDiff.diffWith<string>((a, b) => a === b)(before, after, { maxEdits })) {
    if (run._tag === "Equal") {
      if (open !== undefined) hunks.push(open)
      open = undefined
      oldAt += run.items.length
      newAt += run.items.length
      continue
    }
    open ??= { oldStart: oldAt, newStart: newAt, oldLines: [], newLines: [] }
    for (const line of run.items) (run._tag === "Delete" ? open.oldLines : open.newLines).push(line)
    if (run._tag === "Delete") oldAt += run.items.length
    else newAt += run.items.length
  }
  return open === undefined ? hunks : [...hunks, open]
}

export interface DiffLimits {
  readonly lines: number
  /** UTF-16 units of a line. */
  readonly longest: number
}

const KEPT_LIMITS: DiffLimits = { lines: KEPT, longest: LONGEST }

/** Diff of hunks that are known, as an edit knows them. */
export const diffOfHunks = (newText: string, hunks: ReadonlyArray<Hunk>, limits = KEPT_LIMITS): Diff => {
  const after = linesOf(newText, true)
  const lines: Array<DiffLine> = []
  const add = (kind: DiffLine["kind"], start: number, texts: ReadonlyArray<string>): void => {
    for (const [offset, text] of texts.slice(0, limits.lines - lines.length).entries()) {
      lines.push({ kind, number: start + offset + 1, text: shorten(text, limits.longest) })
    }
  }
  let shownTo = 0
  let added = 0
  let removed = 0
  for (const [at, hunk] of hunks.entries()) {
    const from = Math.max(shownTo, hunk.newStart - CONTEXT)
    add("same", from, after.slice(from, hunk.newStart))
    add("removed", hunk.oldStart, hunk.oldLines)
    add("added", hunk.newStart, hunk.newLines)
    added += hunk.newLines.length
    removed += hunk.oldLines.length
    const end = hunk.newStart + hunk.newLines.length
    shownTo = Math.min(after.length, end + CONTEXT, hunks[at + 1]?.newStart ?? Infinity)
    add("same", end, after.slice(end, shownTo))
  }
  return { lines, added, removed }
}

/** Diff of two whole texts. */
export const diffOfTexts = (oldText: string, newText: string, limits = KEPT_LIMITS): Diff =>
  diffOfHunks(newText, changes(linesOf(oldText, true), linesOf(newText, true)), limits)

/** `   12  text`, `-  12  text`, `+  12  text`; a long one is cut. Empty where no line differs. */
export const formatDiff = ({ added, lines, removed }: Diff): string => {
  const shown = lines
    .slice(0, SHOWN)
    .map(({ kind, number, text }) => `${SIGNS[kind]}${String(number).padStart(5)}  ${text}`)
  const changed = lines.slice(0, SHOWN).filter(({ kind }) => kind !== "same").length
  const left = added + removed - changed
  return [...shown, ...(left > 0 ? [`  … ${left} more changed lines not shown …`] : [])].join("\n")
}

const SIGNS = { same: " ", added: "+", removed: "-" } as const

const shorten = (text: string, longest: number): string =>
  text.length <= longest ? text : `${text.slice(0, longest).toWellFormed()}…`
