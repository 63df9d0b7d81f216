/**
 * The edit engine (spec 02, Edit): every edit is resolved against the original, overlaps are refused, uniqueness is kept,
 * and what the model is told when something does not fit lets it do better. Pure.
 */
import { withoutCopied } from "./copiedAlong.ts"
import { hunksOf, type Hunk } from "./diff.ts"
import { blankEdges, edgesOf, findText, type Found, type Match, type MatchKind } from "./findText.ts"
import { explainNotFound } from "./nearest.ts"
import { reindent } from "./reindent.ts"
import { applyReplacements, type Replacement, type TextFile } from "./TextFile.ts"
import { TextIndex } from "./TextIndex.ts"

export interface EditRequest {
  readonly old: string
  readonly new: string
  /** Every place instead of the only one. */
  readonly all?: boolean
}

export type EditResult =
  | {
      readonly file: TextFile
      /** Places changed. */
      readonly count: number
      /** For the model, one sentence each. */
      readonly notes: ReadonlyArray<string>
      readonly hunks: ReadonlyArray<Hunk>
    }
  /** One message for the model: all edits that do not fit. Nothing was changed. */
  | { readonly problem: string }

interface Planned extends Replacement {
  /** Number of the edit, from 1. */
  readonly edit: number
}

/** Problems that are explained at length; the others are named. */
const EXPLAINED = 5

/** Applies all edits or none. */
export const applyEdits = (
  file: TextFile,
  edits: ReadonlyArray<EditRequest>,
  options: { readonly loose: boolean } = { loose: true }
): EditResult => {
  const index = new TextIndex(file.text)
  const planned: Array<Planned> = []
  const problems: Array<string> = []
  const kinds: Array<MatchKind | "repaired"> = []
  for (const [at, edit] of edits.entries()) {
    const outcome = planEdit(index, edit, { explain: problems.length < EXPLAINED, loose: options.loose })
    if ("problem" in outcome) problems.push(edits.length === 1 ? outcome.problem : `Edit ${at + 1}: ${outcome.problem}`)
    else {
      kinds.push(outcome.kind)
      for (const replacement of outcome.replacements) planned.push({ ...replacement, edit: at + 1 })
    }
  }
  if (problems.length > 0) return { problem: `${problems.join("\n")}\nNothing was changed.` }
  const sorted = planned.sort((left, right) => left.start - right.start || left.end - right.end)
  for (const [at, next] of sorted.entries()) {
    const before = sorted[at - 1]
    if (before !== undefined && next.start < before.end) {
      return {
        problem: `Edits ${before.edit} and ${next.edit} overlap around line ${index.lineAt(next.start) + 1}. All edits are applied to the original file at once: merge these two into one. Nothing was changed.`
      }
    }
  }
  return {
    file: applyReplacements(file, sorted),
    count: sorted.length,
    notes: notesOf(kinds),
    hunks: hunksOf(index, sorted)
  }
}

const notesOf = (kinds: ReadonlyArray<MatchKind | "repaired">): ReadonlyArray<string> => {
  const loose = kinds.filter((kind) => kind === "edges" || kind === "indentation").length
  const repaired = kinds.filter((kind) => kind === "repaired").length
  return [
    ...(loose === 0 ? [] : [`${loose} matched ignoring whitespace; copy the text exactly next time`]),
    ...(repaired === 0 ? [] : [`${repaired} matched after line numbers or HTML escapes were taken out of "old"`])
  ]
}

type Plan =
  | { readonly replacements: ReadonlyArray<Replacement>; readonly kind: MatchKind | "repaired" }
  | { readonly problem: string }

const planEdit = (
  index: TextIndex,
  edit: EditRequest,
  { explain, loose }: { readonly explain: boolean; readonly loose: boolean }
): Plan => {
  const wanted = { ...edit, old: lineFeeds(edit.old), new: lineFeeds(edit.new) }
  if (wanted.old === "") {
    return index.text === ""
      ? { replacements: [{ start: 0, end: 0, text: wanted.new }], kind: "exact" }
      : { problem: '"old" is empty but the file is not. Quote the text to replace, or use Write for the whole file.' }
  }
  if (wanted.old === wanted.new) {
    return {
      problem:
        edit.old === edit.new
          ? '"old" and "new" are the same: there is nothing to change.'
          : '"old" and "new" differ in their line endings only. The file keeps its own line endings: there is nothing to change.'
    }
  }
  const found = findText(index, wanted.old)
  if (found !== undefined && (loose || found.kind === "exact")) return planFound(index, wanted, found, found.kind)
  for (const repaired of loose ? withoutCopied(wanted) : []) {
    const again = findText(index, repaired.old)
    if (again !== undefined && repaired.old !== repaired.new) return planFound(index, repaired, again, "repaired")
  }
  const near = explain ? explainNotFound(index, wanted.old) : ""
  return {
    problem: `"old" was not found in the file. ${near === "" ? "Read the file again and copy the text." : near}`
  }
}

/** A half surrogate must not match half a character of the file. */
const lineFeeds = (text: string): string => text.toWellFormed().replaceAll("\r\n", "\n")

const planFound = (index: TextIndex, edit: EditRequest, found: Found, kind: MatchKind | "repaired"): Plan => {
  if (found.matches.length > 1 && edit.all !== true) {
    const lines = found.matches.slice(0, 10).map(({ start }) => index.lineAt(start) + 1)
    const more = found.matches.length > lines.length ? " …" : ""
    return {
      problem: `"old" was found ${found.matches.length} times, in lines ${lines.join(", ")}${more}. Add lines around it until it is unique, or set replace_all.`
    }
  }
  return { replacements: found.matches.map((match) => replacementFor(index, edit, match, found.kind)), kind }
}

const replacementFor = (index: TextIndex, edit: EditRequest, match: Match, kind: MatchKind): Replacement => {
  if (kind === "exact") return { ...match, text: edit.new }
  const { text } = index
  const start = wholeLineStart(text, match)
  if (start === undefined) return { ...match, text: withoutSameEdges(edit) }
  const block = withoutBlankEdges(edit)
  // Lines that go take their last line end with them, as the blank end of "old" says.
  if (block.new === undefined) return { start, end: text[match.end] === "\n" ? match.end + 1 : match.end, text: "" }
  return { start, end: match.end, text: reindent(text.slice(start, match.end), block.old, block.new, index.unit) }
}

/** Where the lines of a match begin, when nothing else stands in them. */
const wholeLineStart = (text: string, match: Match): number | undefined => {
  const start = text.lastIndexOf("\n", match.start - 1) + 1
  const lineEnd = text.indexOf("\n", match.end)
  const behind = text.slice(match.end, lineEnd === -1 ? text.length : lineEnd)
  return text.slice(start, match.start).trim() === "" && behind.trim() === "" ? start : undefined
}

/** Inside a line: "new" loses the white space at its ends that was taken off "old". */
const withoutSameEdges = (edit: EditRequest): string => {
  const { after, before } = edgesOf(edit.old)
  const start = before === "" ? edit.new : edit.new.trimStart()
  return after === "" ? start : start.trimEnd()
}

/** Both without the blank lines at their ends, "new" without as many as "old" had; undefined where no line is left of it. */
const withoutBlankEdges = (edit: EditRequest): { readonly old: string; readonly new: string | undefined } => {
  const oldLines = edit.old.split("\n")
  const newLines = edit.new.split("\n")
  const had = blankEdges(oldLines)
  const left = newLines.slice(Math.min(had.blankBefore, blankEdges(newLines).blankBefore))
  const { blankAfter, blankBefore } = blankEdges(left)
  const blankEnd = blankBefore === left.length ? left.length : blankAfter
  const kept = left.slice(0, left.length - Math.min(had.blankAfter, blankEnd))
  return {
    old: oldLines.slice(had.blankBefore, oldLines.length - had.blankAfter).join("\n"),
    new: kept.length === 0 ? undefined : kept.join("\n")
  }
}
