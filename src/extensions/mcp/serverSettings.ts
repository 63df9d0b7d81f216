/**
 * The `mcpServers` of the settings (spec 08), checked and merged: the project's (of a trusted folder) win over the user's. A
 * wrong entry is a warning with its file; the others stay. Pure.
 */
import { Predicate } from "effect"
import type { ExtensionSettings } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"

interface Common {
  readonly name: string
  /** Seconds for the start and for lists. */
  readonly startTimeout: number
  /** Seconds for one call. */
  readonly timeout: number
  /** Tools that are declared; all when absent. */
  readonly tools?: ReadonlyArray<string>
}

export type ServerSettings = Common &
  (
    | {
        readonly type: "stdio"
        readonly command: string
        readonly args: ReadonlyArray<string>
        readonly env: Readonly<Record<string, string>>
        readonly cwd?: string
      }
    | { readonly type: "http"; readonly url: string; readonly headers: Readonly<Record<string, string>> }
  )

export interface ReadServers {
  /** By name, in order of names. */
  readonly servers: ReadonlyArray<ServerSettings>
  readonly warnings: ReadonlyArray<Text>
}

const START_SECONDS = 30
const CALL_SECONDS = 300

/** No `__` and no `_` at its ends: `mcp__server__tool` must say where the name ends. */
const NAME = /^(?!.*__)[A-Za-z0-9](?:[A-Za-z0-9_-]{0,38}[A-Za-z0-9])?$/
const KEYS = new Set([
  "type",
  "command",
  "args",
  "env",
  "cwd",
  "url",
  "headers",
  "disabled",
  "startTimeout",
  "timeout",
  "tools"
])

/** `env`: the environment, for `${NAME}` and `${NAME:-default}` in commands, arguments, variables, URLs and headers. */
export const readServers = (
  sources: ReadonlyArray<ExtensionSettings>,
  env: Readonly<Record<string, string | undefined>>
): ReadServers => {
  const warnings: Array<Text> = []
  const servers = new Map<string, ServerSettings | undefined>()
  for (const { file, line, value } of sources) {
    if (!Predicate.isObject(value)) continue
    for (const [name, entry] of Object.entries(value)) {
      const found = readServer(name, entry, env)
      if ("problem" in found) {
        const { en, fr } = found.problem
        const shown = JSON.stringify(name)
        warnings.push(
          text(
            `${file}:${line}: the MCP server ${shown} is left out: ${en}.`,
            `${file}:${line} : le serveur MCP ${shown} est écarté : ${fr}.`
          )
        )
      } else servers.set(name, found.server)
    }
  }
  const kept = [...servers.values()].filter((server) => server !== undefined)
  return { servers: kept.sort((left, right) => (left.name < right.name ? -1 : 1)), warnings }
}

/** `server` is undefined for one that is disabled. */
type Found = { readonly server: ServerSettings | undefined } | { readonly problem: Text }

const readServer = (name: string, entry: unknown, env: Readonly<Record<string, string | undefined>>): Found => {
  const wrong = (en: string, fr: string): Found => ({ problem: text(en, fr) })
  if (!NAME.test(name)) {
    return wrong(
      "a name has letters, digits, - and single _, at most 40, and begins and ends with a letter or digit",
      "un nom a des lettres, des chiffres, - et des _ isolés, au plus 40, et commence et finit par une lettre ou un chiffre"
    )
  }
  if (!Predicate.isObject(entry)) return wrong("expected an object", "un objet est attendu")
  const fields = new Map(Object.entries(entry))
  if (fields.get("disabled") === true) return { server: undefined }
  const unknown = [...fields.keys()].find((key) => !KEYS.has(key))
  if (unknown !== undefined) return wrong(`unknown key "${unknown}"`, `clé inconnue « ${unknown} »`)
  const startTimeout = fields.get("startTimeout") ?? START_SECONDS
  const timeout = fields.get("timeout") ?? CALL_SECONDS
  if (!isSeconds(startTimeout) || !isSeconds(timeout)) {
    return wrong("a timeout is a positive number of seconds", "un délai est un nombre positif de secondes")
  }
  const tools = fields.get("tools")
  if (tools !== undefined && !isTexts(tools))
    return wrong('"tools" is a list of texts', "« tools » est une liste de textes")
  const missing = new Set<string>()
  const fill = (value: string) => filled(value, env, missing)
  const common = { name, startTimeout, timeout, ...(tools === undefined ? {} : { tools }) }
  const url = fields.get("url")
  const command = fields.get("command")
  const found = url === undefined ? stdio(common, fields, command, fill) : http(common, fields, url, fill)
  if (missing.size > 0) {
    const names = [...missing].join(", ")
    return wrong(`it needs the environment variable ${names}`, `il lui faut la variable d'environnement ${names}`)
  }
  return found
}

type Fields = ReadonlyMap<string, unknown>

const stdio = (common: Common, fields: Fields, command: unknown, fill: (value: string) => string): Found => {
  const args = fields.get("args") ?? []
  const env = fields.get("env") ?? {}
  const cwd = fields.get("cwd")
  if (!Predicate.isString(command) || command.trim() === "") {
    return { problem: text('it needs "command" or "url"', "il lui faut « command » ou « url »") }
  }
  if (!isTexts(args)) return { problem: text('"args" is a list of texts', "« args » est une liste de textes") }
  if (!isTextRecord(env)) return { problem: text('"env" holds texts by name', "« env » contient des textes par nom") }
  if (cwd !== undefined && !Predicate.isString(cwd)) {
    return { problem: text('"cwd" is a text', "« cwd » est un texte") }
  }
  return {
    server: {
      ...common,
      type: "stdio",
      command: fill(command),
      args: args.map(fill),
      env: filledRecord(env, fill),
      ...(cwd === undefined ? {} : { cwd: fill(cwd) })
    }
  }
}

const http = (common: Common, fields: Fields, url: unknown, fill: (value: string) => string): Found => {
  const headers = fields.get("headers") ?? {}
  const address = Predicate.isString(url) ? fill(url) : ""
  if (!["http:", "https:"].includes(URL.parse(address)?.protocol ?? "")) {
    return {
      problem: text('"url" starts with http:// or https://', "« url » commence par http:// ou https://")
    }
  }
  if (!isTextRecord(headers)) {
    return { problem: text('"headers" holds texts by name', "« headers » contient des textes par nom") }
  }
  return { server: { ...common, type: "http", url: address, headers: filledRecord(headers, fill) } }
}

const isSeconds = (value: unknown): value is number => Predicate.isNumber(value) && Number.isFinite(value) && value > 0
const isTexts = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every(Predicate.isString)
const isTextRecord = (value: unknown): value is Record<string, string> =>
  Predicate.isObject(value) && !Array.isArray(value) && Object.values(value).every(Predicate.isString)

const filled = (value: string, env: Readonly<Record<string, string | undefined>>, missing: Set<string>): string =>
  value.replaceAll(/\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g, (_whole, name: string, otherwise: string | undefined) => {
    const found = env[name] ?? otherwise
    if (found === undefined) missing.add(name)
    return found ?? ""
  })

const filledRecord = (record: Record<string, string>, fill: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(record).map(([key, value]) => [key, fill(value)]))
