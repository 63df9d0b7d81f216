/**
 * The `lsp` objects of both settings files as a list of servers (spec 08): `true` stands for what maia knows of a name, `"*"`
 * for all names. What is wrong with one server is a warning with its place. Pure.
 */
import { Predicate } from "effect"
import type { Config, ExtensionSettings } from "../../config/Config.ts"
import { nearest } from "../../config/nearest.ts"
import { text, type Text } from "../../domain/text.ts"
import { splitWords } from "../commandWords.ts"
import { placedCommand } from "../programPath.ts"
import { KNOWN_SERVERS } from "./servers.ts"

export interface ServerDefinition {
  readonly name: string
  readonly argv: ReadonlyArray<string>
  /** Language id by file name ending, `.ts`. */
  readonly files: Readonly<Record<string, string>>
  readonly env: Readonly<Record<string, string>>
  readonly initializationOptions: unknown
  /** What the server is told of the settings it asks for. */
  readonly settings: unknown
}

export interface ServerSettings {
  /** The project's before the user's before what `"*"` stands for; each name once. */
  readonly servers: ReadonlyArray<ServerDefinition>
  readonly warnings: ReadonlyArray<Text>
}

const KEYS = ["command", "files", "env", "initializationOptions", "settings"]

/** `settings` are those that count: the project's only while its folder is trusted. */
export const readServerSettings = (
  settings: ReadonlyArray<ExtensionSettings>,
  places: Pick<Config["Service"], "home" | "launchFolder">
): ServerSettings => {
  const servers = new Map<string, ServerDefinition>()
  /** Names that a more specific file switches off. */
  const off = new Set<string>()
  const warnings: Array<Text> = []
  let all = false
  for (const { file, key, line, scope, value } of settings.toReversed()) {
    if (key !== "lsp" || !Predicate.isObject(value)) continue
    for (const [name, given] of Object.entries(value)) {
      if (name === "*") {
        all ||= given === true
        continue
      }
      if (servers.has(name) || off.has(name)) continue
      if (given === false) {
        off.add(name)
        continue
      }
      const read = readServer(name, given)
      if ("problem" in read) {
        const { en, fr } = read.problem
        warnings.push(text(`${file}:${line}: lsp.${name}: ${en}.`, `${file}:${line} : lsp.${name} : ${fr}.`))
      } else servers.set(name, { ...read.server, argv: placedCommand(read.server.argv, scope, places) })
    }
  }
  for (const name of all ? Object.keys(KNOWN_SERVERS) : []) {
    const read = readServer(name, true)
    if (!servers.has(name) && !off.has(name) && "server" in read) servers.set(name, read.server)
  }
  return { servers: [...servers.values()], warnings }
}

type Read = { readonly server: ServerDefinition } | { readonly problem: Text }

const readServer = (name: string, given: unknown): Read => {
  const known = KNOWN_SERVERS[name]
  const fields = given === true ? {} : Predicate.isObject(given) && !Array.isArray(given) ? { ...given } : undefined
  if (fields === undefined) {
    return problem(
      'expected true, false or an object, for example { "command": "zls", "files": { ".zig": "zig" } }',
      'true, false ou un objet est attendu, par exemple { "command": "zls", "files": { ".zig": "zig" } }'
    )
  }
  const unknown = Object.keys(fields).find((key) => !KEYS.includes(key))
  if (unknown !== undefined) {
    return problem(
      `unknown key ${unknown}; known: ${KEYS.join(", ")}`,
      `clé inconnue ${unknown} ; connues : ${KEYS.join(", ")}`
    )
  }
  const values: Readonly<Record<string, unknown>> = fields
  const argv = values["command"] === undefined ? known?.argv : readCommand(values["command"])
  const files = values["files"] === undefined ? known?.files : readFiles(values["files"])
  if (argv === undefined) {
    const names = Object.keys(KNOWN_SERVERS)
    const [near] = nearest(name, names, 1)
    return problem(
      `expected a command; without one the name must be ${near ?? `one of ${names.join(", ")}`}`,
      `une commande est attendue ; sans elle le nom doit être ${near ?? `parmi ${names.join(", ")}`}`
    )
  }
  if (files === undefined) {
    return problem(
      'files: expected language ids by ending, for example { ".zig": "zig" }',
      'files : les langages par extension sont attendus, par exemple { ".zig": "zig" }'
    )
  }
  const env = values["env"] === undefined ? {} : textsOf(values["env"])
  if (env === undefined) return problem("env: expected texts by name", "env : des textes par nom sont attendus")
  const { settings } = values
  const initializationOptions = merged(known?.initializationOptions, values["initializationOptions"])
  return { server: { name, argv, files, env, initializationOptions, settings } }
}

/** Objects key by key; else what the user says. */
const merged = (known: unknown, given: unknown): unknown => {
  if (given === undefined) return known
  if (!isRecord(known) || !isRecord(given)) return given
  const keys = new Set([...Object.keys(known), ...Object.keys(given)])
  return Object.fromEntries([...keys].map((key) => [key, merged(known[key], given[key])]))
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  Predicate.isObject(value) && !Array.isArray(value)

const problem = (en: string, fr: string): Read => ({ problem: text(en, fr) })

const readCommand = (value: unknown): ReadonlyArray<string> | undefined => {
  const words = typeof value === "string" ? splitWords(value)?.map((word) => word.text) : value
  const isCommand = Array.isArray(words) && words.every(Predicate.isString) && words[0] !== undefined && words[0] !== ""
  return isCommand ? words : undefined
}

/** `{ ".zig": "zig" }`, or `[".zig"]`, whose language is the ending. */
const readFiles = (value: unknown): Readonly<Record<string, string>> | undefined => {
  const given =
    Array.isArray(value) && value.every(Predicate.isString)
      ? Object.fromEntries(value.map((ending) => [ending, ending.replace(/^\./, "")]))
      : textsOf(value)
  if (given === undefined || Object.keys(given).length === 0) return undefined
  return Object.fromEntries(
    Object.entries(given).map(([ending, id]) => [ending.startsWith(".") ? ending : `.${ending}`, id])
  )
}

const textsOf = (value: unknown): Readonly<Record<string, string>> | undefined => {
  if (!Predicate.isObject(value) || Array.isArray(value)) return undefined
  const entries = Object.entries(value)
  const texts = entries.filter((entry): entry is [string, string] => Predicate.isString(entry[1]))
  return texts.length === entries.length ? Object.fromEntries(texts) : undefined
}

/** The language of a file for this server; undefined: not its file. The longest ending counts (`.d.ts`). */
export const languageOf = (server: ServerDefinition, path: string): string | undefined => {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase()
  const endings = Object.keys(server.files).filter((ending) => name.endsWith(ending.toLowerCase()))
  const longest = endings.toSorted((a, b) => b.length - a.length)[0]
  return longest === undefined ? undefined : server.files[longest]
}
