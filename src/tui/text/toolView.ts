/**
 * Calls of tools as lines (spec 07, MAIA §15.1): a title, and of the result a preview of 600 characters, the diff, or the task
 * list; while it runs, its last lines. Pure. Names, arguments and results are others' text and pass `safeText.ts`.
 */
import { reduceTerminalText } from "../../process/terminalText.ts"
import type { ToolMessage } from "../../domain/message.ts"
import { text, type Text } from "../../domain/text.ts"
import { diffLines, diffOfDetails } from "./diff.ts"
import { duration, elapsed } from "./duration.ts"
import { foldLines } from "./fold.ts"
import { safeLine, safeText } from "./safeText.ts"
import type { Style } from "./theme.ts"
import { todoLines } from "./todoView.ts"
import { todosOf, toolOutcome } from "./toolOutcome.ts"
import { toolSubject } from "./toolTitle.ts"
import type { View } from "./view.ts"
import { bound, cellWidth, truncate, wrapCells, wrapWords } from "./width.ts"

/** UTF-16 units of a result that are shown, and of the output of `!` (MAIA §15.1). */
export const RESULT_PREVIEW = 600
export const SHELL_PREVIEW = 4_000

/** Lines of a preview; a diff may have more. */
const RESULT_ROWS = 8
const DIFF_ROWS = 24
const SHELL_ROWS = 40

export interface FinishedCall {
  readonly name: string
  /** Decoded arguments as far as they were understood. */
  readonly input: unknown
  readonly result: ToolMessage
  readonly seconds: number
}

/** `✓ Edit src/a.ts +3 −1` and what is worth showing below. */
export const finishedCall = (call: FinishedCall, view: View): ReadonlyArray<string> => {
  const { theme } = view
  const outcome = toolOutcome(call.result, call.input, view)
  const bad = call.result.isError || outcome.failed
  const mark = bad ? theme.bad("✗") : theme.good("✓")
  const time = call.seconds >= 1 ? theme.dim(duration(call.seconds * 1_000)) : ""
  const title = titleLine(mark, call, [outcome.note, time], view)
  // How it failed is said in any case.
  const failure = outcome.failed && !title.includes(outcome.note) ? [truncate(`  ${outcome.note}`, view.width)] : []
  return [title, ...body(call.result, outcome.body, view), ...failure]
}

export interface RunningCall {
  readonly name: string
  readonly input: unknown
  readonly phase: "requested" | "asked" | "running" | "done"
  /** Milliseconds since it began, for the phases `running` and `done`. */
  readonly elapsed: number
  /** The end of what it has printed so far, escapes and all. */
  readonly tail: string
}

/** `⠙ Bash npm test 12 s` and its last lines, at most `rows` of them. `mark` is one cell: a spinner. */
export const runningCall = (
  call: RunningCall,
  { mark, rows }: { readonly mark: string; readonly rows: number },
  view: View
): ReadonlyArray<string> => {
  const { language, theme, width } = view
  const state = PHASES[call.phase][language]
  const time = call.phase === "running" || call.phase === "done" ? elapsed(call.elapsed) : ""
  const notes = [state, time].filter((note) => note !== "").map(theme.dim)
  const title = titleLine(call.phase === "done" ? theme.good("✓") : mark, call, notes, view)
  if (rows <= 0 || call.tail === "") return [title]
  const printed = safeText(reduceTerminalText(call.tail.slice(-TAIL))).trimEnd()
  const lines = printed.split("\n").slice(-rows)
  return [title, ...lines.map((line) => theme.dim(`  ${truncate(line, width - 2)}`))]
}

/** UTF-16 units of running output that are looked at. */
const TAIL = 4_000

const PHASES: Readonly<Record<RunningCall["phase"], Text>> = {
  requested: text("waiting", "en attente"),
  asked: text("waiting for your answer", "attend votre réponse"),
  running: text("", ""),
  done: text("done", "terminé")
}

export interface ShellResult {
  /** What the user typed after `!`. */
  readonly command: string
  /** Its output, at most 4 000 characters of it are shown. */
  readonly shown: string
  /** How it ended. */
  readonly status: string
}

/** The result of `!command`. */
export const shellResult = ({ command, shown, status }: ShellResult, view: View): ReadonlyArray<string> => {
  const { theme, width } = view
  const { text: some } = bound(shown.trimEnd(), SHELL_PREVIEW)
  return [
    theme.strong(truncate(`! ${safeLine(command)}`, width)),
    ...foldLines({ head: preview(some, (line) => line, view) }, { most: SHELL_ROWS, end: SHELL_ROWS / 2 }, view),
    theme.dim(truncate(safeLine(status), width))
  ]
}

/** Cells of the subject for which notes are left out, the last one first. */
const SUBJECT = 20

/** Name, subject and notes on one line. */
const titleLine = (
  mark: string,
  { input, name }: { readonly input: unknown; readonly name: string },
  notes: ReadonlyArray<string>,
  { language, theme, width }: View
): string => {
  const { cut, name: shown, subject } = toolSubject(name, input, language)
  const head = `${mark} ${theme.strong(truncate(shown, Math.max(8, Math.floor(width / 2))))}`
  const wanted = subject === "" ? 0 : Math.min(SUBJECT, cellWidth(subject)) + 1
  const kept = notes.filter((note) => note !== "")
  const endOf = (): string => kept.map((note) => ` ${note}`).join("")
  while (kept.length > 0 && cellWidth(head) + wanted + cellWidth(endOf()) > width) kept.pop()
  const room = width - cellWidth(head) - cellWidth(endOf())
  return truncate(`${head}${subject === "" ? "" : ` ${truncate(subject, room - 1, cut)}`}${endOf()}`, width)
}

const body = (result: ToolMessage, shown: string, view: View): ReadonlyArray<string> => {
  const { theme } = view
  if (!result.isError) {
    const diff = diffOfDetails(result.details)
    if (diff !== undefined && diff.lines.length > 0) {
      return indented(diffLines(diff, { ...view, width: view.width - 2 }, { most: DIFF_ROWS }))
    }
    if (result.toolName === "TodoWrite") {
      return indented(todoLines(todosOf(result.details), { ...view, width: view.width - 2 }))
    }
  }
  const trimmed = shown.trim() === "" ? "" : shown.replace(/^\n+|\s+$/g, "")
  if (trimmed === "") return []
  const { head, left, tail } = excerpt(trimmed, keepsEnd(result))
  if (result.isError) {
    const lines = wrapWords(safeText(head), view.width, { first: "  " }).map(theme.failText)
    return foldLines({ head: lines, left }, { most: RESULT_ROWS, end: 0 }, view)
  }
  return foldLines(
    { head: preview(head, theme.dim, view), tail: preview(tail, theme.dim, view), left },
    { most: RESULT_ROWS, end: keepsEnd(result) ? RESULT_ROWS / 2 : 0 },
    view
  )
}

/** Of output the end says how it went; of anything else the beginning says what it is. */
const keepsEnd = ({ isError, toolName }: ToolMessage): boolean =>
  !isError && (toolName === "Bash" || toolName === "BashOutput")

/** At most 600 characters, and how many lines between the two parts are left out. */
const excerpt = (
  whole: string,
  withEnd: boolean
): { readonly head: string; readonly tail: string; readonly left: number } => {
  if (whole.length <= RESULT_PREVIEW) return { head: whole, tail: "", left: 0 }
  const head = bound(whole, withEnd ? RESULT_PREVIEW / 3 : RESULT_PREVIEW).text
  const tail = withEnd ? whole.slice(head.length - RESULT_PREVIEW).replace(/^[\uDC00-\uDFFF]/, "") : ""
  return { head, tail, left: whole.slice(head.length, whole.length - tail.length).split("\n").length }
}

const preview = (some: string, style: Style, { width }: View): ReadonlyArray<string> =>
  some === ""
    ? []
    : safeText(some)
        .split("\n")
        .flatMap((line) => wrapCells(line, width, { first: "  " }).map(style))

const indented = (lines: ReadonlyArray<string>): ReadonlyArray<string> => lines.map((line) => `  ${line}`)
