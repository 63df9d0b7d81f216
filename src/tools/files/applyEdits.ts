/**
 * The edit engine (spec 02, Edit): every edit is resolved against the original, overlaps are refused, uniqueness is kept,
 * and what the model is told when something does not fit lets it do better. Pure.
 */
import type { Hunk } from "./diff.ts"
import { findText, lineAt, withoutEdges, type Found, type Match, type MatchKind } from "./findText.ts"
import { explainNotFound } from "./nearest.ts"
import { reindent } from "./reindent.ts"
import { applyReplacements, type Replacement, type TextFile } from "./TextFile.ts"

export interface EditRequest {
  readonly old: string
  readonly new: string
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

/** Applies all edits or none. */
export const applyEdits = (
  file: TextFile,
  edits: ReadonlyArray<EditRequest>,
  options: { readonly replaceAll: boolean }
): EditResult => {
  const planned: Array<Planned> = []
  const problems: Array<string> = []
  const kinds: Array<MatchKind | "repaired"> = []
  for (const [index, edit] of edits.entries()) {
    const label = edits.length === 1 ? "" : `Edit ${index + 1}: `
    const outcome = planEdit(file.text, edit, options.replaceAll)
    if ("problem" in outcome) problems.push(label + outcome.problem)
    else {
      kinds.push(outcome.kind)
      for (const replacement of outcome.replacements) planned.push({ ...replacement, edit: index + 1 })
    }
  }
  if (problems.length > 0) return { problem: problems.join("\n") }
  const sorted = planned.sort((left, right) => left.start - right.start || left.end - right.end)
  for (const [index, next] of sorted.entries()) {
    const before = sorted[index - 1]
    if (before !== undefined && next.start < before.end) {
      return {
        problem: `Edits ${before.edit} and ${next.edit} overlap around line ${lineAt(file.text, next.start)}. All edits are applied to the original file at once: merge these two into one.`
      }
    }
  }
  return {
    file: applyReplacements(file, sorted),
    count: sorted.length,
    notes: notesOf(kinds),
    hunks: hunksOf(file.text, sorted)
  }
}

const notesOf = (kinds: ReadonlyArray<MatchKind | "repaired">): ReadonlyArray<string> => {
  const soft = kinds.filter((kind) => kind === "edges" || kind === "indentation").length
  const repaired = kinds.filter((kind) => kind === "repaired").length
  return [
    ...(soft === 0 ? [] : [`${soft} matched ignoring whitespace; copy the text exactly next time`]),
    ...(repaired === 0 ? [] : [`${repaired} matched after line numbers or HTML escapes were taken out of "old"`])
  ]
}

type Plan =
  | { readonly replacements: ReadonlyArray<Replacement>; readonly kind: MatchKind | "repaired" }
  | { readonly problem: string }

const planEdit = (text: string, edit: EditRequest, replaceAll: boolean): Plan => {
  const wanted = { old: edit.old.replaceAll("\r\n", "\n"), new: edit.new.replaceAll("\r\n", "\n") }
  if (wanted.old === "") {
    return text === ""
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
  const found = findText(text, wanted.old)
  if (found !== undefined) return planFound(text, wanted, found, replaceAll, found.kind)
  for (const repaired of repairs(wanted)) {
    const again = findText(text, repaired.old)
    if (again !== undefined && repaired.old !== repaired.new)
      return planFound(text, repaired, again, replaceAll, "repaired")
  }
  const near = explainNotFound(text, wanted.old)
  return {
    problem: `"old" was not found in the file. Nothing was changed.${near === "" ? " Read the file again and copy the text." : ` ${near}`}`
  }
}

const planFound = (
  text: string,
  edit: EditRequest,
  found: Found,
  replaceAll: boolean,
  kind: MatchKind | "repaired"
): Plan => {
  if (found.matches.length > 1 && !replaceAll) {
    const lines = found.matches.slice(0, 10).map(({ start }) => lineAt(text, start))
    const more = found.matches.length > lines.length ? " …" : ""
    return {
      problem: `"old" was found ${found.matches.length} times, in lines ${lines.join(", ")}${more}. Add lines around it until it is unique, or set replace_all.`
    }
  }
  return { replacements: found.matches.map((match) => replacementFor(text, edit, match, found.kind)), kind }
}

const replacementFor = (text: string, edit: EditRequest, match: Match, kind: MatchKind): Replacement => {
  if (kind === "exact") return { ...match, text: edit.new }
  const whole = wholeLines(text, match)
  if (whole === undefined) return { ...match, text: edit.new.trim() }
  const body = sameEdges(edit)
  // A whole line that goes takes its line end with it.
  const end = body === "" && text[whole.end] === "\n" ? whole.end + 1 : whole.end
  return { start: whole.start, end, text: reindent(text.slice(whole.start, whole.end), edit.old, body, text) }
}

/** The match with the indentation before it, when nothing else stands in its lines. */
const wholeLines = (text: string, match: Match): Match | undefined => {
  const start = text.lastIndexOf("\n", match.start - 1) + 1
  const lineEnd = text.indexOf("\n", match.end)
  const end = lineEnd === -1 ? text.length : lineEnd
  const free = text.slice(start, match.start).trim() === "" && text.slice(match.end, end).trim() === ""
  return free ? { start, end: match.end } : undefined
}

/** "new" without the blank lines at its ends that "old" had too. */
const sameEdges = (edit: EditRequest): string => {
  const trimmed = withoutEdges(edit.old)
  const lines = edit.new.split("\n")
  const oldLines = edit.old.split("\n")
  const firstOld = oldLines.findIndex((line) => line.trim() !== "")
  const lastOld = oldLines.length - 1 - oldLines.findLastIndex((line) => line.trim() !== "")
  let first = 0
  while (first < firstOld && lines[first]?.trim() === "") first++
  let last = lines.length
  for (let left = lastOld; left > 0 && last > first && lines[last - 1]?.trim() === ""; left--) last--
  const body = lines.slice(first, last).join("\n")
  return trimmed.includes("\n") ? body : body.replace(/[ \t]+$/, "")
}

/** What models copy along with a text: Read's line numbers, and HTML escapes. */
const repairs = (edit: EditRequest): ReadonlyArray<EditRequest> => {
  const tried: Array<EditRequest> = []
  const plain = withoutLineNumbers(edit.old)
  const numberless = plain === undefined ? undefined : { old: plain, new: withoutLineNumbers(edit.new) ?? edit.new }
  if (numberless !== undefined) tried.push(numberless)
  for (const base of [edit, ...(numberless === undefined ? [] : [numberless])]) {
    const old = withoutHtmlEscapes(base.old)
    if (old !== base.old) tried.push({ old, new: withoutHtmlEscapes(base.new) })
  }
  return tried
}

/** Undefined unless every line that is not blank begins with a number as Read shows it. */
const withoutLineNumbers = (text: string): string | undefined => {
  const prefix = /^ *\d+(?:\t|→|\| ?)/
  const lines = text.split("\n")
  const numbered = lines.filter((line) => line.trim() !== "")
  if (numbered.length === 0 || !numbered.every((line) => prefix.test(line))) return undefined
  return lines.map((line) => line.replace(prefix, "")).join("\n")
}

const ESCAPES: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"', "#39": "'", apos: "'" }

const withoutHtmlEscapes = (text: string): string =>
  text.replaceAll(/&(lt|gt|amp|quot|#39|apos);/g, (whole, name: string) => ESCAPES[name] ?? whole)

/** The changed lines in both texts; replacements in one line make one hunk. */
export const hunksOf = (text: string, replacements: ReadonlyArray<Replacement>): ReadonlyArray<Hunk> => {
  const hunks: Array<Hunk> = []
  let line = 0
  let counted = 0
  let shift = 0
  const lineOf = (offset: number): number => {
    for (let at = text.indexOf("\n", counted); at !== -1 && at < offset; at = text.indexOf("\n", at + 1)) line++
    counted = Math.max(counted, offset)
    return line
  }
  for (let index = 0; index < replacements.length;) {
    const first = replacements[index]
    if (first === undefined) break
    const start = text.lastIndexOf("\n", first.start - 1) + 1
    let end = lineEndAfter(text, first.end)
    let body = text.slice(start, first.start) + first.text
    let from = first.end
    index++
    for (let next = replacements[index]; next !== undefined && next.start <= end; next = replacements[++index]) {
      body += text.slice(from, next.start) + next.text
      from = next.end
      end = Math.max(end, lineEndAfter(text, next.end))
    }
    body += text.slice(from, end)
    const oldStart = lineOf(start)
    const oldLines = text.slice(start, end).split("\n")
    const newLines = body.split("\n")
    hunks.push({ oldStart, newStart: oldStart + shift, oldLines, newLines })
    shift += newLines.length - oldLines.length
  }
  return hunks
}

const lineEndAfter = (text: string, offset: number): number => {
  const end = text.indexOf("\n", offset)
  return end === -1 ? text.length : end
}
