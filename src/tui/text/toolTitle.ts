/**
 * What a call is about, in a few words for its title (spec 07): `Bash npm test`, `Grep "x" in src`. Pure; knows the built-in
 * tools by their parameters and shows any other call by its first arguments. Nothing here is styled, all of it is safe.
 */
import { Predicate } from "effect"
import { text } from "../../domain/text.ts"
import { safeLine } from "./safeText.ts"
import type { View } from "./view.ts"

export interface ToolSubject {
  /** The tool's name as it is shown: `Bash`, `github · search` for `mcp__github__search`. */
  readonly name: string
  /** What the call is about, on one line; may be empty, and longer than the screen. */
  readonly subject: string
  /** Where it is cut when it is too long: a path loses its middle, a command its end. */
  readonly cut: "middle" | "end"
}

/** `input` is the decoded arguments, or anything else where they could not be understood. */
export const toolSubject = (name: string, input: unknown, language: View["language"]): ToolSubject => {
  const given: Readonly<Record<string, unknown>> =
    Predicate.isObject(input) && !Array.isArray(input) ? { ...input } : {}
  const say = SUBJECTS[name]
  if (say === undefined) return { name: shownName(name), subject: argumentList(input, given), cut: "end" }
  return { name: shownName(name), subject: say(given, language), cut: PATHS.has(name) ? "middle" : "end" }
}

type Say = (input: Readonly<Record<string, unknown>>, language: View["language"]) => string

const PATHS = new Set(["Read", "Write", "Edit"])

const IN = text("in", "dans")
const BEHIND = text("in the background: ", "en arrière-plan : ")

const SUBJECTS: Readonly<Record<string, Say>> = {
  Bash: (input, language) =>
    (input["run_in_background"] === true ? BEHIND[language] : "") + safeLine(word(input["command"])),
  BashOutput: ({ id }) => safeLine(word(id)),
  KillBash: ({ id }) => safeLine(word(id)),
  Read: ({ limit, offset, path }) => safeLine(word(path)) + lineRange(offset, limit),
  Write: ({ path }) => safeLine(word(path)),
  Edit: ({ path }) => safeLine(word(path)),
  Glob: ({ path, pattern }, language) => safeLine(word(pattern)) + place(path, language),
  Grep: ({ glob, path, pattern }, language) =>
    `"${safeLine(word(pattern))}"${place(path, language)}${typeof glob === "string" ? ` (${safeLine(glob)})` : ""}`,
  WebFetch: ({ output, url }) =>
    safeLine(word(url)) + (typeof output === "string" && output !== "" ? ` → ${safeLine(output)}` : ""),
  TodoWrite: () => "",
  CurrentModel: () => "",
  Skill: ({ arguments: given, name }) => `${safeLine(word(name))} ${safeLine(word(given))}`.trim(),
  Agent: ({ agent, task }) => [safeLine(word(agent)), safeLine(word(task))].filter((part) => part !== "").join(": ")
}

const word = (value: unknown): string => (typeof value === "string" ? value : "")

const lineRange = (offset: unknown, limit: unknown): string => {
  const first = typeof offset === "number" && offset > 1 ? Math.floor(offset) : 1
  if (typeof limit === "number") return `:${first}–${first + Math.max(1, Math.floor(limit)) - 1}`
  return first > 1 ? `:${first}–` : ""
}

const place = (path: unknown, language: View["language"]): string => {
  const shown = safeLine(word(path))
  return shown === "" || shown === "." ? "" : ` ${IN[language]} ${shown}`
}

/** Server and tool of an MCP tool; a name is a model's or a server's word. */
const shownName = (name: string): string => {
  const [, server, tool] = /^mcp__(.+?)__(.+)$/s.exec(name) ?? []
  return server === undefined || tool === undefined ? safeLine(name) : `${safeLine(server)} · ${safeLine(tool)}`
}

/** Characters of one value in a title. */
const VALUE = 80

const argumentList = (input: unknown, given: Readonly<Record<string, unknown>>): string => {
  const entries = Object.entries(given)
  if (entries.length === 0) return typeof input === "string" ? safeLine(input.slice(0, 4 * VALUE)) : ""
  const [only] = entries
  if (entries.length === 1 && only !== undefined) return value(only[1])
  return entries
    .slice(0, 8)
    .map(([key, item]) => `${safeLine(key)}: ${value(item)}`)
    .join(", ")
}

const value = (item: unknown): string => {
  const whole = typeof item === "string" ? item : (JSON.stringify(item) ?? "")
  const shown = safeLine(whole.slice(0, VALUE + 1))
  return whole.length > VALUE ? `${safeLine(whole.slice(0, VALUE).toWellFormed())}…` : shown
}
