/**
 * Diffs as lines for people (spec 07): numbers, signs that need no colour, what changed inside a line, long ones folded in
 * the middle. Pure. The diff of a call is in its result's `details` (`diffOfDetails`); two texts are compared by
 * `diffOfTexts` of the file tools.
 */
import { Option, Schema } from "effect"
import { text, type Text } from "../../domain/text.ts"
import type { Diff, DiffLine } from "../../tools/files/diff.ts"
import { foldLines } from "./fold.ts"
import { safeText } from "./safeText.ts"
import type { Style, Theme } from "./theme.ts"
import type { View } from "./view.ts"
import { truncate, wrapCells } from "./width.ts"

const Details = Schema.Struct({
  diff: Schema.Array(
    Schema.Struct({
      kind: Schema.Literals(["same", "removed", "added"]),
      number: Schema.Finite,
      text: Schema.String
    })
  ),
  added: Schema.Finite,
  removed: Schema.Finite
})

const decode = Schema.decodeUnknownOption(Details)

/** The diff in the `details` of an Edit or Write result, also of one read from a session file. */
export const diffOfDetails = (details: unknown): Diff | undefined =>
  Option.getOrUndefined(Option.map(decode(details), ({ added, diff, removed }) => ({ lines: diff, added, removed })))

/** `+3 −1`; empty when nothing changed. */
export const diffCounts = ({ added, removed }: Pick<Diff, "added" | "removed">, theme: Theme): string =>
  [...(added > 0 ? [theme.added(`+${added}`)] : []), ...(removed > 0 ? [theme.removed(`−${removed}`)] : [])].join(" ")

export interface DiffOptions {
  /** Most lines on the screen; a longer diff keeps its beginning and its end. 40 where it is not said. */
  readonly most?: number
}

const MOST = 40

/** The diff's lines; lines that do not fit are wrapped, never cut. */
export const diffLines = (diff: Diff, view: View, { most = MOST }: DiffOptions = {}): ReadonlyArray<string> => {
  // Far more lines than are shown need not be drawn.
  const considered = diff.lines.length > 4 * most + 100 ? ends(diff.lines, 2 * most) : { head: diff.lines, tail: [] }
  const digits = Math.max(2, String(Math.max(0, ...diff.lines.map(({ number }) => number))).length)
  const marks = { gaps: gapsOf(diff.lines), words: changedWords(diff.lines) }
  const head = drawn(considered.head, marks, digits, view)
  const tail = drawn(considered.tail, marks, digits, view)
  const skipped = diff.lines.length - considered.head.length - considered.tail.length
  const changed = diff.lines.filter(({ kind }) => kind !== "same").length
  const beyond = diff.added + diff.removed - changed
  const note = beyond > 0 ? [view.theme.dim(truncate(`  ${moreChanges(beyond)[view.language]}`, view.width))] : []
  return [...foldLines({ head, tail, left: skipped }, { most, end: Math.floor(most / 3) }, view), ...note]
}

const ends = (
  lines: ReadonlyArray<DiffLine>,
  each: number
): { readonly head: ReadonlyArray<DiffLine>; readonly tail: ReadonlyArray<DiffLine> } => ({
  head: lines.slice(0, each),
  tail: lines.slice(-each)
})

/** Changes of a very long diff that were not even kept. */
const moreChanges = (count: number): Text =>
  text(
    `… ${count} more changed line${count === 1 ? "" : "s"} …`,
    `… ${count} autre${count === 1 ? "" : "s"} ligne${count === 1 ? "" : "s"} modifiée${count === 1 ? "" : "s"} …`
  )

/** What is known of a line from the lines around it. */
interface Marks {
  readonly gaps: ReadonlySet<DiffLine>
  readonly words: ReadonlyMap<DiffLine, Range>
}

const drawn = (lines: ReadonlyArray<DiffLine>, marks: Marks, digits: number, view: View): ReadonlyArray<string> =>
  lines.flatMap((line) => {
    const gap = marks.gaps.has(line) ? [view.theme.muted(`${" ".repeat(digits)} ⋯`)] : []
    return [...gap, ...drawnLine(line, marks.words.get(line), digits, view)]
  })

/** Lines before which lines of the file are left out. Removed lines are numbered in the old text, all others in the new. */
const gapsOf = (lines: ReadonlyArray<DiffLine>): ReadonlySet<DiffLine> => {
  const gaps = new Set<DiffLine>()
  /** How much further the old text is than the new one. */
  let shift = 0
  let expected = Infinity
  for (const line of lines) {
    const at = line.kind === "removed" ? line.number - shift : line.number
    if (at > expected) gaps.add(line)
    expected = line.kind === "removed" ? at : at + 1
    shift += line.kind === "removed" ? 1 : line.kind === "added" ? -1 : 0
  }
  return gaps
}

const SIGNS = { same: " ", added: "+", removed: "−" } as const

const drawnLine = (
  { kind, number, text: raw }: DiffLine,
  word: Range | undefined,
  digits: number,
  { theme, width }: View
): ReadonlyArray<string> => {
  const style: Style = kind === "added" ? theme.added : kind === "removed" ? theme.removed : (line) => line
  const emphasis = kind === "added" ? theme.addedWord : theme.removedWord
  const content = word === undefined ? safeText(raw) : emphasised(raw, word, emphasis)
  const gutter = theme.muted(String(number).padStart(digits))
  return wrapCells(style(content), width, {
    first: `${gutter} ${style(SIGNS[kind])} `,
    rest: " ".repeat(digits + 3)
  })
}

interface Range {
  readonly from: number
  readonly to: number
}

const emphasised = (raw: string, { from, to }: Range, emphasis: Style): string => {
  // Tabs are expanded by their column in the whole line, which cutting it would change.
  const safe = safeText(raw)
  if (safe !== raw) return safe
  return raw.slice(0, from) + emphasis(raw.slice(from, to)) + raw.slice(to)
}

/** Of removed lines followed by as many added ones, what differs in each pair that is otherwise alike. */
const changedWords = (lines: ReadonlyArray<DiffLine>): ReadonlyMap<DiffLine, Range> => {
  const found = new Map<DiffLine, Range>()
  for (let at = 0; at < lines.length;) {
    const removed = runOf(lines, at, "removed")
    const added = runOf(lines, at + removed, "added")
    if (removed > 0 && removed === added) {
      for (let pair = 0; pair < removed; pair++) {
        const [before, after] = [lines[at + pair], lines[at + removed + pair]]
        if (before === undefined || after === undefined) continue
        const difference = differenceOf(before.text, after.text)
        if (difference === undefined) continue
        found.set(before, difference.before)
        found.set(after, difference.after)
      }
    }
    at += Math.max(1, removed + added)
  }
  return found
}

const runOf = (lines: ReadonlyArray<DiffLine>, from: number, kind: DiffLine["kind"]): number => {
  let at = from
  while (lines[at]?.kind === kind) at++
  return at - from
}

/** The middle between what two lines share at both ends; undefined where they share less than half. */
const differenceOf = (before: string, after: string): { readonly before: Range; readonly after: Range } | undefined => {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && before[start] === after[start]) start++
  let end = 0
  while (end < shorter - start && before[before.length - 1 - end] === after[after.length - 1 - end]) end++
  // Whole words and whole characters: `12` to `13` shows the number, not its last digit.
  while (start > 0 && isInside(before, start, after)) start--
  while (end > 0 && isInside(before, before.length - end, after, after.length - end)) end--
  if (start + end < Math.max(before.trim().length, after.trim().length) / 2) return undefined
  return { before: { from: start, to: before.length - end }, after: { from: start, to: after.length - end } }
}

/** Whether a cut would part a word or a character in either text. */
const isInside = (before: string, at: number, after: string, afterAt: number = at): boolean =>
  partsWord(before, at) || partsWord(after, afterAt)

const partsWord = (line: string, at: number): boolean =>
  // Code points one by one, marks and joiners included.
  // oxlint-disable-next-line no-misleading-character-class
  /^[\p{L}\p{N}\p{M}_\u200d\ufe0f\ud800-\udfff]{2}$/u.test(`${line[at - 1] ?? " "}${line[at] ?? " "}`) ||
  /^[\ud800-\udbff][\udc00-\udfff]$/.test(`${line[at - 1] ?? ""}${line[at] ?? ""}`)

/** A patch as `git diff` and `/undo` write it. */
export const patchLines = (patch: string, view: View, { most = MOST }: DiffOptions = {}): ReadonlyArray<string> => {
  const all = patch.replace(/\n$/, "").split("\n")
  const some = all.slice(0, most * 3)
  const lines = some.flatMap((line) => wrapCells(patchStyle(line, view.theme)(safeText(line)), view.width))
  return foldLines({ head: lines, left: all.length - some.length }, { most, end: Math.floor(most / 3) }, view)
}

const patchStyle = (line: string, theme: Theme): Style => {
  if (line.startsWith("@@")) return theme.muted
  if (/^(?:\+\+\+ |--- |diff |index )/.test(line)) return theme.strong
  if (line.startsWith("+")) return theme.added
  return line.startsWith("-") ? theme.removed : (same) => same
}
