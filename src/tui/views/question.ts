/** The question on the screen as lines (spec 07, MAIA §15.5). Pure; at most `room` lines. */
import { scopeText } from "../control/alwaysOptions.ts"
import { diffLines } from "../text/diff.ts"
import { safeLine, safeText } from "../text/safeText.ts"
import { cellWidth, truncate, wrapCells, wrapWords } from "../text/width.ts"
import type { Diff } from "../../tools/files/diff.ts"
import type { AlwaysOption, Choice, LineInput, Question } from "../store/state.ts"
import type { Part } from "./live.ts"
import type { View } from "../text/view.ts"
import * as phrases from "./phrases.ts"

/** Rows of a list of choices (MAIA §15.5). */
const LIST_ROWS = 10

export interface QuestionView extends View {
  /** Most lines. */
  readonly room: number
}

export const questionPart = (question: Question, view: QuestionView): Part => {
  switch (question.type) {
    case "permission":
      return permissionPart(question, view)
    case "confirm": {
      const detail = question.detail === "" ? [] : wrapCells(safeText(question.detail), view.width, { first: "  " })
      const title = titleLines(question.title, view)
      const keys = keyLines(phrases.confirmKeys[view.language], view)
      const body = clipped(detail, view.room - title.length - keys.length, view)
      return { lines: [...title, ...body, ...keys], cursor: undefined }
    }
    case "choice": {
      const title = titleLines(question.title, view)
      const keys = keyLines(phrases.listKeys[view.language], view)
      const rows = Math.max(1, Math.min(LIST_ROWS, view.room - title.length - keys.length))
      return { lines: [...title, ...list(question.choices, question.selected, rows, view), ...keys], cursor: undefined }
    }
    case "line": {
      const title = titleLines(question.title, view)
      const shown = question.secret ? masked(question.line) : question.line
      const field = fieldPart(shown, view)
      return {
        lines: [...title, field.line, ...keyLines(phrases.lineKeys[view.language], view)],
        cursor: { x: field.x, y: title.length }
      }
    }
  }
}

const titleLines = (title: string, { theme, width }: QuestionView): ReadonlyArray<string> =>
  wrapWords(theme.strong(safeText(title)), width, { first: `${theme.ask(" ASK ")} `, rest: "      " })

/** Keys as one line, or as few as hold them: each stays whole. */
const keyLines = (keys: string, { theme, width }: QuestionView): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const one of keys.split(" · ")) {
    const last = lines.at(-1)
    const joined = `${last} · ${one}`
    if (last !== undefined && cellWidth(joined) <= width) lines[lines.length - 1] = joined
    else lines.push(one)
  }
  return lines.map((line) => theme.dim(truncate(line, width)))
}

/** The beginning of lines that are too many, and how many are left out. */
const clipped = (
  lines: ReadonlyArray<string>,
  room: number,
  { language, theme }: QuestionView
): ReadonlyArray<string> => {
  if (lines.length <= room) return lines
  const kept = Math.max(0, room - 1)
  return [...lines.slice(0, kept), theme.dim(phrases.moreLines(lines.length - kept)[language])].slice(
    0,
    Math.max(0, room)
  )
}

const permissionPart = (question: Extract<Question, { type: "permission" }>, view: QuestionView): Part => {
  const { language, theme, room, width } = view
  const { diff, step, tool } = question
  const title = titleLines(phrases.allow(tool, question.question.asker)[language], view)
  const reason = wrapWords(safeText(question.question.reason[language]), width, { first: "  " }).map(theme.dim)
  const subject = wrapCells(safeText(question.question.subject), width, { first: "  " })
  const whole = (isCut: boolean) => {
    const foot = permissionFoot(question, isCut, view)
    const left = room - title.length - foot.lines.length
    const spare = step.at === "ask" ? reason.length : 0
    const change = diff === undefined ? [] : changeLines(diff, Math.max(4, left - subject.length - spare), view)
    return { foot, left, isCut: change.length < changeSize(diff) || subject.length + change.length > left, change }
  }
  const first = whole(false)
  const { change, foot, left } = first.isCut ? whole(true) : first
  // What is to be allowed comes first: the reason goes where there is no room for both.
  const body = clipped([...subject, ...change], left, view)
  const why = left - body.length >= reason.length && step.at === "ask" ? reason : []
  const above = [...title, ...body, ...why]
  return {
    lines: [...above, ...foot.lines],
    cursor: foot.cursor === undefined ? undefined : { x: foot.cursor.x, y: above.length + foot.cursor.y }
  }
}

/** Lines of a diff that are drawn with every frame; past these only its beginning is. */
const LONG = 400

const changeLines = (diff: Diff, most: number, view: QuestionView): ReadonlyArray<string> => {
  const some = diff.lines.length <= LONG ? diff : { ...diff, lines: diff.lines.slice(0, most - 1) }
  return diffLines(some, { ...view, width: view.width - 2 }, { most }).map((line) => `  ${line}`)
}

/** Fewest lines that show all of it. */
const changeSize = (diff: Diff | undefined): number => diff?.lines.length ?? 0

const permissionFoot = (
  question: Extract<Question, { type: "permission" }>,
  isCut: boolean,
  view: QuestionView
): Part => {
  const { language } = view
  const { always, step } = question
  switch (step.at) {
    case "ask": {
      const keys = always.length === 0 ? phrases.askKeys : phrases.askAlwaysKeys
      const whole = isCut ? ` · ${phrases.askWholeKey[language]}` : ""
      return { lines: keyLines(`${keys[language]}${whole}`, view), cursor: undefined }
    }
    case "reason": {
      const field = fieldPart(step.line, view)
      const keys = keyLines(phrases.reason[language], view)
      return { lines: [...keys, field.line], cursor: { x: field.x, y: keys.length } }
    }
    case "always": {
      const rows = Math.max(1, Math.min(LIST_ROWS, Math.floor(view.room / 2)))
      const { choices, isCut } = ruleChoices(always, view)
      const selected = isCut ? safeLine(always[step.selected]?.rule ?? "") : ""
      return {
        lines: [
          ...keyLines(phrases.alwaysTitle[language], view),
          ...list(choices, step.selected, rows, view),
          // A rule is never accepted unseen.
          ...(selected === "" ? [] : clipped(wrapCells(selected, view.width, { first: "  " }), LIST_ROWS, view)),
          ...keyLines(phrases.listKeys[language], view)
        ],
        cursor: undefined
      }
    }
  }
}

/** Rules with where they go; long ones give way in their middle, since they differ by the other. */
const ruleChoices = (
  always: ReadonlyArray<AlwaysOption>,
  { language, width }: QuestionView
): { readonly choices: ReadonlyArray<Choice>; readonly isCut: boolean } => {
  const scopes = always.map(({ scope }) => scopeText[scope][language])
  const room = width - 4 - Math.min(Math.max(...scopes.map(cellWidth)), Math.floor(width / 2))
  const labels = always.map(({ rule }) => truncate(safeLine(rule), room, "middle"))
  return {
    choices: labels.map((label, at) => ({ label, hint: scopes[at] ?? "" })),
    isCut: labels.some((label, at) => label !== safeLine(always[at]?.rule ?? ""))
  }
}

/** A window of `rows` rows that holds the selected one. */
const list = (
  choices: ReadonlyArray<Choice>,
  selected: number,
  rows: number,
  { theme, width }: QuestionView
): ReadonlyArray<string> => {
  const from = Math.max(0, Math.min(selected - Math.floor(rows / 2), choices.length - rows))
  return choices.slice(from, from + rows).map(({ hint, label }, at) => {
    const isSelected = from + at === selected
    const text = safeLine(label) + (hint === undefined ? "" : `  ${theme.dim(safeLine(hint))}`)
    return truncate(isSelected ? `${theme.accent("❯")} ${theme.strong(text)}` : `  ${text}`, width)
  })
}

const masked = ({ cursor, text }: LineInput): LineInput => ({
  text: "•".repeat(Array.from(text).length),
  cursor: Array.from(text.slice(0, cursor)).length
})

/** One line of text with the caret in sight. */
const fieldPart = (
  { cursor, text }: LineInput,
  { theme, width }: QuestionView
): { readonly line: string; readonly x: number } => {
  const before = safeLineKept(text.slice(0, cursor))
  const room = width - 3
  const hidden = Math.max(0, cellWidth(before) - room)
  const shownBefore = hidden === 0 ? before : truncate(before, room, "start")
  const rest = truncate(safeLineKept(text.slice(cursor)), Math.max(0, room - cellWidth(shownBefore)))
  return { line: `${theme.accent("▸")} ${shownBefore}${rest}`, x: 2 + cellWidth(shownBefore) }
}

/** Safe text on one line that keeps its blanks: a caret stands among them. */
const safeLineKept = (text: string): string => safeText(text).replaceAll("\n", "⏎")
