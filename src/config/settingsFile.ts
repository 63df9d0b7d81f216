/**
 * Reads one settings file into checked values with the line of each (spec 01). Comments and trailing commas are accepted.
 * Pure: it is given the text.
 */
import { parseTree, type Node, type ParseError, printParseErrorCode } from "jsonc-parser"
import { text, type Text } from "../domain/text.ts"
import type { ExtensionKey, ExtensionSettings, PermissionRuleSource } from "./Config.ts"
import { nearest } from "./nearest.ts"
import { isRule, meantTool } from "./ruleForm.ts"
import { modelKeys, settingsExample, settingsKeys, type KeySpec } from "./settingsKeys.ts"

export interface FileValue {
  readonly value: unknown
  readonly line: number
}

export interface SettingsFile {
  /** Checked values by dotted key; `models.<pattern>.<key>` keeps the pattern's own dots in `models`. */
  readonly values: ReadonlyMap<string, FileValue>
  readonly models: ReadonlyMap<string, ReadonlyMap<string, FileValue>>
  readonly rules: ReadonlyArray<PermissionRuleSource>
  readonly extensions: ReadonlyArray<ExtensionSettings>
  /** What stops the start: one line each. */
  readonly problems: ReadonlyArray<Text>
  readonly warnings: ReadonlyArray<Text>
}

/** Reads `source`, the text of `file`, for the user or for a project. */
export const readSettingsFile = (file: string, source: string, scope: "user" | "project"): SettingsFile => {
  const reader = new Reader(file, source, scope)
  reader.read()
  return reader
}

class Reader implements SettingsFile {
  readonly values = new Map<string, FileValue>()
  readonly models = new Map<string, Map<string, FileValue>>()
  readonly rules: Array<PermissionRuleSource> = []
  readonly extensions: Array<ExtensionSettings> = []
  readonly problems: Array<Text> = []
  readonly warnings: Array<Text> = []
  readonly file: string
  readonly source: string
  readonly scope: "user" | "project"

  constructor(file: string, source: string, scope: "user" | "project") {
    this.file = file
    this.source = source.startsWith("\uFEFF") ? source.slice(1) : source
    this.scope = scope
  }

  read(): void {
    const errors: Array<ParseError> = []
    const root = parseTree(this.source, errors, { allowTrailingComma: true })
    const [error] = errors
    if (error !== undefined && this.source.trim() !== "") {
      const at = this.line(error.offset)
      const code = printParseErrorCode(error.error)
      this.problems.push(
        text(
          `${this.file}:${at}: this is not valid JSON (${code}). Example: ${oneLine(settingsExample)}`,
          `${this.file}:${at} : ce n'est pas du JSON valide (${code}). Exemple : ${oneLine(settingsExample)}`
        )
      )
      return
    }
    if (root === undefined) return
    if (root.type !== "object") {
      this.problems.push(
        text(
          `${this.file}:1: expected a JSON object. Example: ${oneLine(settingsExample)}`,
          `${this.file}:1 : un objet JSON est attendu. Exemple : ${oneLine(settingsExample)}`
        )
      )
      return
    }
    this.section(root, "")
  }

  private section(node: Node, prefix: string): void {
    for (const [name, value, key] of members(node)) {
      const dotted = prefix === "" ? name : `${prefix}.${name}`
      const spec = settingsKeys[dotted]
      const extension = EXTENSION_KEYS.get(dotted)
      if (dotted === "models") this.modelSections(value)
      else if (extension !== undefined) this.extension(extension, value)
      else if (spec !== undefined) this.leaf(dotted, spec, value, this.values)
      else if (SECTIONS.has(dotted) && value.type === "object") this.section(value, dotted)
      else if (SECTIONS.has(dotted)) this.wrong(dotted, value, { en: "an object", fr: "un objet" }, "{ … }")
      else if (!LATER.has(dotted)) this.unknown(dotted, key, Object.keys(settingsKeys))
    }
  }

  private extension(key: ExtensionKey, node: Node): void {
    if (node.type !== "object") this.wrong(key, node, { en: "an object", fr: "un objet" }, "{ … }")
    else {
      const { scope, file } = this
      this.extensions.push({ key, scope, file, line: this.line(node.offset), value: toValue(node) })
    }
  }

  private modelSections(node: Node): void {
    if (node.type !== "object") {
      this.wrong("models", node, { en: "an object", fr: "un objet" }, '{ "qwen*": { "contextWindow": 32768 } }')
      return
    }
    for (const [pattern, value] of members(node)) {
      if (value.type !== "object") {
        this.wrong(`models."${pattern}"`, value, { en: "an object", fr: "un objet" }, '{ "contextWindow": 32768 }')
        continue
      }
      const found = new Map<string, FileValue>()
      for (const [name, child, key] of members(value)) {
        const spec = modelKeys[name]
        if (spec === undefined) this.unknown(`models."${pattern}".${name}`, key, Object.keys(modelKeys), name)
        else this.leaf(`models."${pattern}".${name}`, spec, child, found, name)
      }
      this.models.set(pattern, found)
    }
  }

  private leaf(dotted: string, spec: KeySpec, node: Node, into: Map<string, FileValue>, key = dotted): void {
    const value = toValue(node)
    const line = this.line(node.offset)
    if (!spec.is(value)) {
      this.wrong(dotted, node, spec.expected, spec.example)
      return
    }
    if (spec.userOnly === true && this.scope === "project") {
      this.warnings.push(
        text(
          `${this.file}:${line}: "${dotted}" is ignored in a project's settings; set it in ~/.maia/settings.json.`,
          `${this.file}:${line} : « ${dotted} » est ignoré dans les réglages d'un projet ; réglez-le dans ~/.maia/settings.json.`
        )
      )
      return
    }
    const kind = RULE_LISTS.get(dotted)
    if (kind !== undefined) this.ruleList(kind, node)
    into.set(key, { value, line })
  }

  private ruleList(kind: PermissionRuleSource["kind"], node: Node): void {
    for (const child of node.children ?? []) {
      const rule = String(child.value).trim()
      const line = this.line(child.offset)
      if (isRule(rule)) {
        this.rules.push({ rule, kind, scope: this.scope, file: this.file, line })
        const meant = meantTool(rule)
        if (meant !== undefined) this.warnings.push(otherTool(`${this.file}:${line}`, rule, meant))
        continue
      }
      this.warnings.push(
        text(
          `${this.file}:${line}: the permission rule ${JSON.stringify(rule)} is ignored: expected Tool or Tool(pattern), for example "Bash(git status)".`,
          `${this.file}:${line} : la règle de permission ${JSON.stringify(rule)} est ignorée : la forme attendue est Outil ou Outil(motif), par exemple "Bash(git status)".`
        )
      )
    }
  }

  private wrong(
    key: string,
    node: Node,
    expected: { readonly en: string; readonly fr: string },
    example: string
  ): void {
    const at = this.line(node.offset)
    const last = key.slice(key.lastIndexOf(".") + 1)
    this.problems.push(
      text(
        `${this.file}:${at}: "${key}" must be ${expected.en}. Example: "${last}": ${example}`,
        `${this.file}:${at} : « ${key} » doit être ${expected.fr}. Exemple : "${last}": ${example}`
      )
    )
  }

  private unknown(key: string, node: Node, known: ReadonlyArray<string>, name = key): void {
    const at = this.line(node.offset)
    const [near] = nearest(name, known, 1)
    this.warnings.push(
      text(
        `${this.file}:${at}: unknown key "${key}"${near === undefined ? "" : `; did you mean "${near}"?`}`,
        `${this.file}:${at} : clé inconnue « ${key} »${near === undefined ? "" : ` ; vouliez-vous dire « ${near} » ?`}`
      )
    )
  }

  private line(offset: number): number {
    let line = 1
    for (let at = this.source.indexOf("\n"); at !== -1 && at < offset; at = this.source.indexOf("\n", at + 1)) line++
    return line
  }
}

const RULE_LISTS = new Map<string, PermissionRuleSource["kind"]>([
  ["permissions.allow", "allow"],
  ["permissions.ask", "ask"],
  ["permissions.deny", "deny"]
])

const EXTENSION_KEYS = new Map<string, ExtensionKey>([
  ["mcpServers", "mcpServers"],
  ["hooks", "hooks"],
  ["lsp", "lsp"]
])

const SECTIONS = new Set(
  Object.keys(settingsKeys).flatMap((key) => (key.includes(".") ? [key.slice(0, key.indexOf("."))] : []))
)

/** Keys that editors and other tools put into such files. */
const LATER = new Set(["$schema"])

const members = (node: Node): ReadonlyArray<readonly [name: string, value: Node, key: Node]> =>
  (node.children ?? []).flatMap((property) => {
    const [key, value] = property.children ?? []
    return key === undefined || value === undefined ? [] : [[String(key.value), value, key] as const]
  })

const toValue = (node: Node): unknown => {
  if (node.type === "array") return (node.children ?? []).map(toValue)
  if (node.type === "object") return Object.fromEntries(members(node).map(([name, value]) => [name, toValue(value)]))
  return node.value
}

const oneLine = (json: string): string => json.replaceAll(/\s+/g, " ")

const otherTool = (where: string, rule: string, meant: string): Text =>
  text(
    `${where}: the permission rule ${JSON.stringify(rule)} names no tool of maia; ${meant} is meant?`,
    `${where} : la règle de permission ${JSON.stringify(rule)} ne nomme aucun outil de maia ; est-ce ${meant} ?`
  )
