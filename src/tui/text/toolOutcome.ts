/**
 * What came of a call, in a few words for the end of its title, and which part of its result is worth showing below (spec 07).
 * Pure; reads `details` where a tool gives them and the text it writes for the model where not.
 */
import { Option, Predicate, Schema } from "effect"
import type { TodoItem } from "../../domain/agent-event.ts"
import type { ToolMessage } from "../../domain/message.ts"
import { text, type Text } from "../../domain/text.ts"
import type { ShellStatus } from "../../process/Shell.ts"
import { describeStatus } from "../../process/shellStatus.ts"
import { diffCounts, diffOfDetails } from "./diff.ts"
import { shortNumber } from "./numbers.ts"
import { safeLine } from "./safeText.ts"
import type { View } from "./view.ts"

export interface ToolOutcome {
  /** Styled, short; empty when there is nothing to say. */
  readonly note: string
  /** The text below the title; empty for none. Not safe yet. */
  readonly body: string
  /** It ran and did not succeed, although it is no error of the tool: a command that ended with another code than 0. */
  readonly failed: boolean
}

export const toolOutcome = (result: ToolMessage, input: unknown, view: View): ToolOutcome => {
  const say = result.isError ? undefined : OUTCOMES[result.toolName]
  return say === undefined
    ? { note: "", body: result.text, failed: false }
    : { failed: false, ...say(result, asRecord(input), view) }
}

type Say = (
  result: ToolMessage,
  input: Readonly<Record<string, unknown>>,
  view: View
) => { readonly note: string; readonly body: string; readonly failed?: boolean }

const counted = (count: number, more: boolean, one: Text, many: Text, { language, theme }: View): string =>
  theme.dim(`→ ${shortNumber(count)}${more ? "+" : ""} ${(count === 1 ? one : many)[language]}`)

const LINE = text("line", "ligne")
const LINES = text("lines", "lignes")
const FILE = text("file", "fichier")
const FILES = text("files", "fichiers")
const MATCH = text("match", "occurrence")
const MATCHES = text("matches", "occurrences")
const CHARACTER = text("character", "caractère")
const CHARACTERS = text("characters", "caractères")

const OUTCOMES: Readonly<Record<string, Say>> = {
  Bash: ({ details, text: whole }, _input, { language, theme }) => {
    const status = statusOf(details?.["status"])
    if (status === undefined) return { note: "", body: whole }
    const body = whole.replace(/\n?\[[^\]\n]*\]$/, "").replace(/^\(no output\)$/, "")
    if (status.kind === "exited" && status.code === 0) return { note: "", body }
    const ended = describeStatus(status)[language].replaceAll(/^\[|\]$/g, "")
    return { note: theme.bad(`→ ${safeLine(ended)}`), body, failed: true }
  },
  Read: ({ text: whole }, _input, view) => {
    const lines = whole.split("\n").filter((line) => /^ *\d+\t/.test(line)).length
    const more = /more lines follow/.test(whole.slice(-500))
    return lines === 0
      ? { note: "", body: whole }
      : { note: counted(lines, more, LINE, LINES, view), body: whole.replaceAll(/^ *(\d+)\t/gm, "$1  ") }
  },
  Write: changed,
  Edit: changed,
  Glob: ({ text: whole }, _input, view) => {
    const { count, more } = resultLines(whole)
    return count === undefined
      ? { note: "", body: whole }
      : { note: counted(count, more, FILE, FILES, view), body: count === 0 ? "" : whole }
  },
  Grep: ({ text: whole }, input, view) => {
    const { count, lines, more } = resultLines(whole)
    if (count === undefined) return { note: "", body: whole }
    if (count === 0) return { note: counted(0, false, MATCH, MATCHES, view), body: "" }
    const perFile = input["output_mode"] === "files" || input["output_mode"] === "count"
    if (perFile) return { note: counted(count, more, FILE, FILES, view), body: whole }
    // Lines of context have `-` where matches have `:`.
    const matches = typeof input["context"] === "number" ? lines.filter((line) => /:\d+:/.test(line)).length : count
    return { note: counted(matches, more, MATCH, MATCHES, view), body: whole }
  },
  WebFetch: ({ details, text: whole }, _input, view) => {
    const facts = asRecord(details)
    const { characters, title } = facts
    if (typeof characters !== "number") return { note: "", body: whole }
    const named = typeof title === "string" && title !== "" ? ` ${view.theme.dim(`"${safeLine(title)}"`)}` : ""
    const body = facts["output"] === undefined ? whole.replace(/^[^]*?\n\n/, "") : ""
    return { note: counted(characters, false, CHARACTER, CHARACTERS, view) + named, body }
  },
  TodoWrite: ({ details }, _input, { theme }) => {
    const todos = todosOf(details)
    const done = todos.filter(({ status }) => status === "completed").length
    return { note: theme.dim(`${done}/${todos.length}`), body: "" }
  },
  CurrentModel: ({ text: whole }, _input, { theme }) => ({ note: theme.dim(`→ ${safeLine(whole)}`), body: "" }),
  Skill: ({ text: whole }, _input, view) => ({
    note: counted(whole.split("\n").length, false, LINE, LINES, view),
    body: ""
  })
}

function changed({ details, text: whole }: ToolMessage, _input: unknown, { theme }: View): ReturnType<Say> {
  const diff = diffOfDetails(details)
  return diff === undefined ? { note: "", body: whole } : { note: diffCounts(diff, theme), body: "" }
}

const Status = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("exited"), code: Schema.Finite }),
  Schema.Struct({ kind: Schema.Literal("signalled"), signal: Schema.String }),
  Schema.Struct({ kind: Schema.Literal("timedOut"), seconds: Schema.Finite }),
  Schema.Struct({ kind: Schema.Literal("interrupted") }),
  Schema.Struct({ kind: Schema.Literal("tooMuchOutput"), bytes: Schema.Finite }),
  Schema.Struct({ kind: Schema.Literal("couldNotStart"), reason: Schema.String })
])

const decodeStatus = Schema.decodeUnknownOption(Status)
const statusOf = (given: unknown): ShellStatus | undefined => Option.getOrUndefined(decodeStatus(given))

/** Lines of a search; undefined for none, `more` where a notice says that there are more. */
const resultLines = (
  whole: string
): { readonly count: number | undefined; readonly lines: ReadonlyArray<string>; readonly more: boolean } => {
  if (whole.startsWith("(no ")) return { count: 0, lines: [], more: false }
  if (whole === "") return { count: undefined, lines: [], more: false }
  const all = whole.split("\n").filter((line) => line !== "--" && line !== "")
  const lines = all.filter((line) => !/^\[.*\]$/.test(line))
  const hidden = Number(/^\[(\d+) more not shown/m.exec(whole)?.[1] ?? 0)
  return { count: lines.length + hidden, lines, more: hidden === 0 && lines.length < all.length }
}

const STATUSES: ReadonlySet<unknown> = new Set(["pending", "in_progress", "completed"])

/** The list in the `details` of TodoWrite, also of one read from a session file. */
export const todosOf = (details: unknown): ReadonlyArray<TodoItem> => {
  const { todos } = asRecord(details)
  if (!Array.isArray(todos)) return []
  return todos.flatMap((item: unknown): ReadonlyArray<TodoItem> => {
    const { activeForm, content, status } = asRecord(item)
    if (typeof content !== "string" || !STATUSES.has(status)) return []
    // Checked against the three statuses just now.
    const known = { content, status: status as TodoItem["status"] }
    return [typeof activeForm === "string" ? { ...known, activeForm } : known]
  })
}

const asRecord = (value: unknown): Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value) ? { ...value } : {}
