/**
 * The `hooks` objects of both settings files, as a list (spec 08). What is wrong with one hook is a warning with its place and
 * leaves the others. Pure.
 */
import { Predicate } from "effect"
import type { Config, ExtensionSettings } from "../../config/Config.ts"
import { nearest } from "../../config/nearest.ts"
import { text, type Text } from "../../domain/text.ts"
import { wildcard } from "../../permissions/rules.ts"
import { shellOperator, splitWords } from "../commandWords.ts"
import { placedCommand } from "../programPath.ts"
import { HOOK_EVENTS, MATCHED, type HookEvent } from "./events.ts"

export interface Hook {
  readonly event: HookEvent
  /** Program and arguments; no shell reads them. */
  readonly argv: ReadonlyArray<string>
  /** Whether it is for this tool (or stream rule). */
  readonly matches: (name: string) => boolean
  /** Seconds. */
  readonly timeout: number
  readonly scope: "user" | "project"
  /** `FILE:LINE` of the settings that name it. */
  readonly place: string
}

export interface HookSettings {
  /** The user's first. */
  readonly hooks: ReadonlyArray<Hook>
  readonly warnings: ReadonlyArray<{ readonly scope: Hook["scope"]; readonly text: Text }>
}

export const DEFAULT_TIMEOUT = 60
export const MAX_TIMEOUT = 600

const KEYS = ["command", "matcher", "timeout"]

type Places = Pick<Config["Service"], "home" | "launchFolder">

export const readHookSettings = (settings: ReadonlyArray<ExtensionSettings>, places: Places): HookSettings => {
  const hooks: Array<Hook> = []
  const warnings: Array<{ scope: Hook["scope"]; text: Text }> = []
  for (const { file, key, line, scope, value } of settings) {
    if (key !== "hooks" || !Predicate.isObject(value)) continue
    const warn = (where: string, en: string, fr: string): void => {
      warnings.push({
        scope,
        text: text(`${file}:${line}: hooks.${where}: ${en}.`, `${file}:${line} : hooks.${where} : ${fr}.`)
      })
    }
    for (const [name, list] of Object.entries(value)) {
      const event = HOOK_EVENTS.find((known) => known === name)
      if (event === undefined) {
        const [near] = nearest(name, HOOK_EVENTS, 1)
        const known = near === undefined ? HOOK_EVENTS.join(", ") : near
        warn(name, `unknown event; expected ${known}`, `événement inconnu ; attendu : ${known}`)
        continue
      }
      const items: ReadonlyArray<unknown> = Array.isArray(list) ? list : [list]
      for (const [at, item] of items.entries()) {
        const read = readHook(item, event)
        const where = Array.isArray(list) ? `${name}[${at}]` : name
        if ("problem" in read) warn(where, read.problem.en, read.problem.fr)
        else {
          hooks.push({
            ...read.hook,
            argv: placedCommand(read.hook.argv, scope, places),
            event,
            scope,
            place: `${file}:${line}`
          })
          for (const note of read.notes) warn(where, note.en, note.fr)
        }
      }
    }
  }
  return { hooks, warnings }
}

type Read =
  | { readonly problem: Text }
  | { readonly hook: Pick<Hook, "argv" | "matches" | "timeout">; readonly notes: ReadonlyArray<Text> }

/** `"command line"`, or `{ "command": "…" or [program, …], "matcher": "Bash|Edit", "timeout": 10 }`. */
const readHook = (item: unknown, event: HookEvent): Read => {
  const fields: Readonly<Record<string, unknown>> =
    Predicate.isObject(item) && !Array.isArray(item) ? item : { command: item }
  const argv = readCommand(fields["command"])
  if ("problem" in argv) return argv
  const { matcher, timeout = DEFAULT_TIMEOUT } = fields
  if (typeof timeout !== "number" || !(timeout > 0 && timeout <= MAX_TIMEOUT)) {
    return problem(
      `timeout: expected seconds, more than 0 and at most ${MAX_TIMEOUT}`,
      `timeout : des secondes sont attendues, plus de 0 et ${MAX_TIMEOUT} au plus`
    )
  }
  if (matcher !== undefined && typeof matcher !== "string") {
    return problem(
      'matcher: expected tool names such as "Bash|Edit"',
      'matcher : des noms d\'outils sont attendus, comme "Bash|Edit"'
    )
  }
  const notes = Object.keys(fields)
    .filter((key) => !KEYS.includes(key))
    .map((key) =>
      text(`unknown key ${key}; known: ${KEYS.join(", ")}`, `clé inconnue ${key} ; connues : ${KEYS.join(", ")}`)
    )
  if (matcher !== undefined && !MATCHED.has(event)) {
    notes.push(text("matcher means nothing for this event", "matcher n'a pas de sens pour cet événement"))
  }
  return { hook: { argv: argv.argv, matches: matching(MATCHED.has(event) ? matcher : undefined), timeout }, notes }
}

const readCommand = (value: unknown): { readonly argv: ReadonlyArray<string> } | { readonly problem: Text } => {
  if (Array.isArray(value)) {
    const argv = value.filter(Predicate.isString)
    if (argv.length === value.length && argv[0] !== undefined && argv[0] !== "") return { argv }
  }
  const words = typeof value === "string" ? splitWords(value) : undefined
  if (words === undefined || words.length === 0) {
    return problem(
      'expected a command, for example { "command": "./.maia/hooks/check.sh", "matcher": "Bash" }',
      'une commande est attendue, par exemple { "command": "./.maia/hooks/check.sh", "matcher": "Bash" }'
    )
  }
  const operator = shellOperator(words)
  if (operator === undefined) return { argv: words.map((word) => word.text) }
  return problem(
    `no shell reads the command, so ${operator} does nothing there: put it into a script, or use ["sh", "-c", "…"]`,
    `aucun shell ne lit la commande, donc ${operator} n'y fait rien : mettez-le dans un script, ou utilisez ["sh", "-c", "…"]`
  )
}

const problem = (en: string, fr: string) => ({ problem: text(en, fr) })

const matching = (matcher: string | undefined): Hook["matches"] => {
  if (matcher === undefined || matcher.trim() === "") return () => true
  const patterns = matcher.split("|").map((pattern) => wildcard(pattern.trim()))
  return (name) => patterns.some((matches) => matches(name))
}
