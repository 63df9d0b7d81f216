/** What a `TOOL.json` says (MAIA §10, spec 08), checked: the first fault is told with its place. Pure. */
import { Predicate, Result } from "effect"
import { parse as parseJson, printParseErrorCode, type ParseError } from "jsonc-parser"
import { nearest } from "../../config/nearest.ts"
import { text, type Text } from "../../domain/text.ts"
import { parseCommandLine, type CommandLine } from "./commandLine.ts"

export type ParameterType = "string" | "number" | "boolean"

export interface Parameter {
  readonly name: string
  readonly type: ParameterType
  readonly description: string | undefined
  /** Used where the model gives none; without it the parameter is required. */
  readonly default: string | number | boolean | undefined
  /** The only values there are. */
  readonly choices: ReadonlyArray<string | number> | undefined
}

export interface ToolDefinition {
  readonly name: string
  readonly description: string
  readonly parameters: ReadonlyArray<Parameter>
  readonly run: CommandLine
  /** Seconds. */
  readonly timeout: number
  /** The parameters also come as one JSON object on standard input. */
  readonly stdin: boolean
  /** Absolute; also where it runs. */
  readonly folder: string
  readonly file: string
}

export const DEFAULT_TIMEOUT = 120
export const MAX_TIMEOUT = 600

const KEYS = ["name", "description", "parameters", "run", "timeout", "stdin"]
const PARAMETER_KEYS = ["name", "type", "description", "default", "enum"]

export interface DefinitionFile {
  readonly file: string
  readonly folder: string
  /** The folder's name. */
  readonly folderName: string
  readonly content: string
}

export interface ParsedDefinition {
  readonly definition: ToolDefinition
  /** Clauses about what is odd but does no harm. */
  readonly notes: ReadonlyArray<Text>
}

type Read<A> = Result.Result<A, Text>

const wrong = (en: string, fr: string): Read<never> => Result.fail(text(en, fr))

/** Fails with a clause. */
export const parseDefinition = ({ content, file, folder, folderName }: DefinitionFile): Read<ParsedDefinition> =>
  Result.gen(function* () {
    const fields = yield* readJson(content)
    const name = fields["name"] ?? folderName
    if (typeof name !== "string" || !/^[A-Za-z0-9_-]{1,64}$/.test(name)) {
      return yield* wrong(
        `name ${JSON.stringify(name)}: expected 1 to 64 letters, digits, _ and -`,
        `name ${JSON.stringify(name)} : 1 à 64 lettres, chiffres, _ et - sont attendus`
      )
    }
    const description = textOf(fields["description"])
    if (description === undefined) return yield* wrong("description is missing", "description manque")
    const parameters = yield* readParameters(fields["parameters"] ?? [])
    const run = yield* readRun(fields["run"], parameters)
    const stdin = yield* readStdin(fields["stdin"])
    const timeout = yield* readTimeout(fields["timeout"])
    const lost = stdin ? [] : parameters.filter((parameter) => !run.parameters.has(parameter.name))
    const notes = [
      ...unknownKeys(fields, KEYS, ""),
      ...parameters.flatMap(({ name: parameter, keys }) => unknownKeys(keys, PARAMETER_KEYS, `${parameter}: `)),
      ...lost.map((parameter) =>
        text(
          `the parameter ${parameter.name} reaches nothing: use {{${parameter.name}}} in run, or "stdin": "json"`,
          `le paramètre ${parameter.name} n'arrive nulle part : utilisez {{${parameter.name}}} dans run, ou "stdin": "json"`
        )
      )
    ]
    return { definition: { name, description, parameters, run, timeout, stdin, folder, file }, notes }
  })

const readJson = (content: string): Read<Fields> => {
  const errors: Array<ParseError> = []
  const json: unknown = parseJson(content, errors, { allowTrailingComma: true })
  const [error] = errors
  if (error !== undefined) {
    const line = content.slice(0, error.offset).split("\n").length
    const code = printParseErrorCode(error.error)
    return wrong(`line ${line} is not valid JSON (${code})`, `la ligne ${line} n'est pas du JSON valide (${code})`)
  }
  return isFields(json) ? Result.succeed(json) : wrong("expected a JSON object", "un objet JSON est attendu")
}

const readRun = (value: unknown, parameters: ReadonlyArray<Parameter>): Read<CommandLine> => {
  const line = textOf(value)
  if (line === undefined) return wrong("run is missing: the command line", "run manque : la ligne de commande")
  const run = parseCommandLine(line)
  if ("problem" in run) return Result.fail(run.problem)
  const names = parameters.map(({ name }) => name)
  const unknown = [...run.parameters].find((used) => !names.includes(used))
  if (unknown === undefined) return Result.succeed(run)
  const [near] = nearest(unknown, names, 1)
  return wrong(
    `run uses {{${unknown}}}, which is not in parameters${near === undefined ? "" : `; did you mean {{${near}}}?`}`,
    `run utilise {{${unknown}}}, absent de parameters${near === undefined ? "" : ` ; vouliez-vous dire {{${near}}} ?`}`
  )
}

const readStdin = (value: unknown): Read<boolean> =>
  value === undefined || value === "none" || value === "json"
    ? Result.succeed(value === "json")
    : wrong(
        `stdin ${JSON.stringify(value)}: expected "json" or "none"`,
        `stdin ${JSON.stringify(value)} : "json" ou "none" attendu`
      )

const readTimeout = (value: unknown): Read<number> => {
  if (value === undefined) return Result.succeed(DEFAULT_TIMEOUT)
  if (typeof value === "number" && value > 0 && value <= MAX_TIMEOUT) return Result.succeed(value)
  return wrong(
    `timeout ${JSON.stringify(value)}: expected seconds, more than 0 and at most ${MAX_TIMEOUT}`,
    `timeout ${JSON.stringify(value)} : des secondes sont attendues, plus de 0 et ${MAX_TIMEOUT} au plus`
  )
}

const readParameters = (value: unknown): Read<ReadonlyArray<Parameter & { readonly keys: Fields }>> =>
  Result.gen(function* () {
    if (!Array.isArray(value)) {
      return yield* wrong("parameters: expected a list of objects", "parameters : une liste d'objets est attendue")
    }
    const items: ReadonlyArray<unknown> = value
    const parameters: Array<Parameter & { readonly keys: Fields }> = []
    for (const [at, item] of items.entries()) {
      const parameter = yield* readParameter(item, at + 1)
      if (parameters.some(({ name }) => name === parameter.name)) {
        return yield* wrong(`parameter ${parameter.name} comes twice`, `le paramètre ${parameter.name} est en double`)
      }
      parameters.push(parameter)
    }
    return parameters
  })

const readParameter = (value: unknown, position: number): Read<Parameter & { readonly keys: Fields }> =>
  Result.gen(function* () {
    if (!isFields(value)) {
      return yield* wrong(`parameter ${position}: expected an object`, `paramètre ${position} : un objet est attendu`)
    }
    const name = value["name"]
    if (typeof name !== "string" || !/^[A-Za-z][A-Za-z0-9_-]{0,63}$/.test(name)) {
      return yield* wrong(
        `parameter ${position}: name ${JSON.stringify(name)}: expected letters, digits, _ and -, a letter first`,
        `paramètre ${position} : name ${JSON.stringify(name)} : lettres, chiffres, _ et - sont attendus, une lettre d'abord`
      )
    }
    const choices = yield* readChoices(value["enum"], name)
    const type = yield* readType(value["type"], choices, name)
    const odd = choices?.find((choice) => typeof choice !== type)
    if (odd !== undefined) {
      return yield* wrong(
        `parameter ${name}: enum: ${JSON.stringify(odd)} is no ${type}`,
        `paramètre ${name} : enum : ${JSON.stringify(odd)} n'est pas de type ${type}`
      )
    }
    const standard = yield* readDefault(value["default"], { name, type, choices })
    return { name, type, description: textOf(value["description"]), default: standard, choices, keys: value }
  })

const readDefault = (
  value: unknown,
  { choices, name, type }: Pick<Parameter, "choices" | "name" | "type">
): Read<Parameter["default"]> => {
  if (value === undefined) return Result.succeed(undefined)
  const isValue = typeof value === "string" || typeof value === "number" || typeof value === "boolean"
  if (isValue && typeof value === type && (choices === undefined || choices.some((choice) => choice === value))) {
    return Result.succeed(value)
  }
  return wrong(
    `parameter ${name}: default ${JSON.stringify(value)} is no ${choices === undefined ? type : "value of enum"}`,
    `paramètre ${name} : default ${JSON.stringify(value)} n'est pas ${choices === undefined ? `de type ${type}` : "une valeur de enum"}`
  )
}

/** `"type": "enum"` is a text with choices. */
const readType = (value: unknown, choices: Parameter["choices"], name: string): Read<ParameterType> => {
  if (value === "string" || value === "number" || value === "boolean") return Result.succeed(value)
  if (choices !== undefined && (value === "enum" || value === undefined)) {
    return Result.succeed(typeof choices[0] === "number" ? "number" : "string")
  }
  return wrong(
    `parameter ${name}: type ${JSON.stringify(value)}: expected "string", "number" or "boolean" (with "enum": [...] for a choice)`,
    `paramètre ${name} : type ${JSON.stringify(value)} : "string", "number" ou "boolean" attendu (avec "enum": [...] pour un choix)`
  )
}

const readChoices = (value: unknown, name: string): Read<Parameter["choices"]> => {
  if (value === undefined) return Result.succeed(undefined)
  const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : []
  const choices = items.filter((item) => typeof item === "string" || typeof item === "number")
  if (choices.length > 0 && choices.length === items.length) return Result.succeed(choices)
  return wrong(
    `parameter ${name}: enum: expected a list of texts or numbers`,
    `paramètre ${name} : enum : une liste de textes ou de nombres est attendue`
  )
}

const unknownKeys = (fields: Fields, known: ReadonlyArray<string>, where: string): ReadonlyArray<Text> =>
  Object.keys(fields)
    .filter((key) => !known.includes(key) && key !== "$schema")
    .map((key) => {
      const [near] = nearest(key, known, 1)
      return text(
        `${where}unknown key ${JSON.stringify(key)}${near === undefined ? "" : `; did you mean ${near}?`}`,
        `${where}clé inconnue ${JSON.stringify(key)}${near === undefined ? "" : ` ; vouliez-vous dire ${near} ?`}`
      )
    })

type Fields = Readonly<Record<string, unknown>>

const isFields = (value: unknown): value is Fields => Predicate.isObject(value) && !Array.isArray(value)

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value.trim() !== "" ? value.trim() : undefined
