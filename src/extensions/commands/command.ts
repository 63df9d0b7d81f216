/**
 * A slash command of the user (spec 08): a Markdown file whose body is a request. Reading it and putting the arguments in.
 * Pure, but for loading the YAML library.
 */
import { Effect } from "effect"
import { modelName } from "../../config/modelSettings.ts"
import { nearest } from "../../config/nearest.ts"
import { isRule } from "../../config/ruleForm.ts"
import { text, type Text } from "../../domain/text.ts"
import { type FrontMatter, oneLine, readFrontMatter } from "../frontMatter.ts"

export interface UserCommand {
  /** The file's name without `.md`. */
  readonly name: string
  /** One line; the first line of the body where the front matter has none. */
  readonly description: string
  /** What is to be written behind the name, as a hint: `FILE [LEVEL]`. */
  readonly hint: string | undefined
  /** Model of this request. */
  readonly model: string | undefined
  /** Rules that allow while this request runs; deny and ask rules hold all the same. */
  readonly allow: ReadonlyArray<string>
  readonly body: string
  readonly file: string
  readonly level: "project" | "user"
}

export interface CommandFile {
  readonly name: string
  readonly file: string
  readonly level: UserCommand["level"]
  readonly content: string
}

export interface ParsedCommand {
  readonly command: UserCommand | undefined
  readonly warnings: ReadonlyArray<Text>
}

const KEYS = ["description", "arguments", "argument-hint", "model", "allowed-tools", "allowedtools", "name"]
/** Characters of a description in a list. */
const MAX_DESCRIPTION = 200

export const isCommandName = (name: string): boolean =>
  name.length <= 64 && /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name)

export const parseCommand = Effect.fnUntraced(function* ({
  content,
  file,
  level,
  name
}: CommandFile): Effect.fn.Return<ParsedCommand> {
  const warnings: Array<Text> = []
  const warn = (line: number, en: string, fr: string): void => {
    warnings.push(text(`${file}:${line}: ${en}.`, `${file}:${line} : ${fr}.`))
  }
  const read = yield* readFrontMatter(content)
  if (read !== undefined && "problem" in read) {
    warn(read.line, read.problem.en, read.problem.fr)
    return { command: undefined, warnings }
  }
  const { body, fields }: FrontMatter = read ?? { fields: new Map(), body: content.trim() }
  if (body === "") {
    warn(
      1,
      "the request is missing: write below the front matter what to do",
      "la demande manque : écrivez sous l'en-tête ce qu'il faut faire"
    )
    return { command: undefined, warnings }
  }
  for (const [key, { line }] of fields) {
    const [near] = KEYS.includes(key) ? [] : nearest(key, KEYS, 1)
    if (near !== undefined) {
      warn(line, `unknown key ${key} (is ${near} meant?)`, `clé inconnue ${key} (est-ce ${near} ?)`)
    }
  }
  const word = (key: string): string | undefined => {
    const field = fields.get(key)
    if (field === undefined || field.value === null) return undefined
    if (typeof field.value === "string" || typeof field.value === "number")
      return oneLine(String(field.value)) || undefined
    // `[file]` is a list to YAML and means a hint.
    if (Array.isArray(field.value) && key !== "model") return `[${field.value.map(String).join(", ")}]`
    warn(field.line, `${key}: expected one line of text`, `${key} : une ligne de texte est attendue`)
    return undefined
  }
  const tools = fields.get("allowed-tools") ?? fields.get("allowedtools")
  const given = rulesOf(tools?.value)
  const allow = given.filter(isRule)
  for (const rule of given.filter((one) => !isRule(one))) {
    warn(
      tools?.line ?? 1,
      `allowed-tools: ${JSON.stringify(rule)} is ignored: expected Tool or Tool(pattern), for example "Bash(git diff *)"`,
      `allowed-tools : ${JSON.stringify(rule)} est ignoré : Outil ou Outil(motif) attendu, par exemple "Bash(git diff *)"`
    )
  }
  const description = (word("description") ?? oneLine(body.split("\n", 1)[0] ?? "")).slice(0, MAX_DESCRIPTION)
  const hint = word("arguments") ?? word("argument-hint")
  const model = word("model")
  return {
    command: {
      name,
      description,
      hint,
      model: model === undefined ? undefined : modelName(model),
      allow,
      body,
      file,
      level
    },
    warnings
  }
})

/** A list, or a text with commas; those inside parentheses belong to a pattern. */
const rulesOf = (value: unknown): ReadonlyArray<string> => {
  const items: ReadonlyArray<unknown> =
    typeof value === "string" ? value.split(/,(?![^(]*\))/) : Array.isArray(value) ? value : []
  return items.map((item) => String(item).trim()).filter((item) => item !== "")
}

/** `/name arguments` as typed. */
export interface CommandInvocation {
  readonly name: string
  readonly args: string
}

export const parseSlash = (typed: string): CommandInvocation | undefined => {
  const parts = /^\/([\p{L}\p{N}_][\p{L}\p{N}_.:-]*)(?:\s+([\s\S]*))?$/u.exec(typed.trim())
  const name = parts?.[1]
  return name === undefined ? undefined : { name, args: parts?.[2] ?? "" }
}
