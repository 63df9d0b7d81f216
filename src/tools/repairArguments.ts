/**
 * Accepts the near misses of a model's arguments (spec 02): near names, numbers and booleans as strings, JSON text where
 * a list or an object is meant. Pure; each repair is told to the model.
 */
import { Context, Predicate } from "effect"

export interface RepairHints {
  /** Near names of a parameter, in order of preference. */
  readonly aliases?: Readonly<Record<string, ReadonlyArray<string>>>
  /** Joins a list of strings with line ends where one text is meant. */
  readonly joinLines?: ReadonlyArray<string>
}

/** Which repairs are made (`rails` in the settings); all of them unless something says otherwise. */
export const ArgumentRails = Context.Reference<{
  readonly aliases: boolean
  readonly types: boolean
  readonly looseEdits: boolean
}>("maia/tools/ArgumentRails", { defaultValue: () => ALL_REPAIRS })

const ALL_REPAIRS = { aliases: true, types: true, looseEdits: true }

export interface RepairedArguments {
  readonly input: unknown
  readonly notes: ReadonlyArray<string>
}

/** Repairs `raw` for a JSON Schema of type object; what cannot be repaired is left for the decoder to refuse. */
export const repairArguments = (
  raw: unknown,
  parameters: Readonly<Record<string, unknown>>,
  hints: RepairHints,
  rails: { readonly aliases: boolean; readonly types: boolean } = ALL_REPAIRS
): RepairedArguments => {
  const notes: Array<string> = []
  if (!rails.types) return renamed(isNone(raw) ? {} : raw, hints, rails.aliases)
  const unwrapped = unwrap(raw, notes)
  if (!isRecord(unwrapped)) return { input: unwrapped, notes }
  const input: Record<string, unknown> = { ...unwrapped }
  if (rails.aliases) renameAliases(input, hints.aliases ?? {}, notes)
  const properties = isRecord(parameters["properties"]) ? parameters["properties"] : {}
  const required = Array.isArray(parameters["required"]) ? parameters["required"] : []
  for (const [key, schema] of Object.entries(properties)) {
    if (!(key in input)) continue
    const value = input[key]
    if (value === null && !required.includes(key)) {
      delete input[key]
      continue
    }
    if (hints.joinLines?.includes(key) === true && isStringArray(value)) {
      input[key] = value.join("\n")
      notes.push(`"${key}" was a list of strings; its items were joined with line ends.`)
      continue
    }
    const type = isRecord(schema) ? schema["type"] : undefined
    const repaired = coerce(value, type)
    if (repaired !== value) {
      input[key] = repaired
      notes.push(`"${key}" was given as ${describe(value)}; it was read as ${describe(repaired)}.`)
    }
  }
  return { input, notes }
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  Predicate.isObject(value) && !Array.isArray(value)

const isStringArray = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every(Predicate.isString)

/** Near names alone. */
const renamed = (raw: unknown, hints: RepairHints, aliases: boolean): RepairedArguments => {
  if (!aliases || !isRecord(raw)) return { input: raw, notes: [] }
  const notes: Array<string> = []
  const input = { ...raw }
  renameAliases(input, hints.aliases ?? {}, notes)
  return { input, notes }
}

const isNone = (raw: unknown): boolean => raw === null || raw === undefined || raw === ""

/** `null` and absent arguments mean none; a JSON text that holds an object is that object. */
const unwrap = (raw: unknown, notes: Array<string>): unknown => {
  if (isNone(raw)) return {}
  if (typeof raw !== "string") return raw
  const parsed = parseJson(raw)
  if (isRecord(parsed)) {
    notes.push("The arguments were given as JSON text; they were read as an object.")
    return parsed
  }
  return raw
}

const renameAliases = (
  input: Record<string, unknown>,
  aliases: Readonly<Record<string, ReadonlyArray<string>>>,
  notes: Array<string>
): void => {
  for (const [name, others] of Object.entries(aliases)) {
    if (input[name] !== undefined && input[name] !== null) continue
    const found = others.find((other) => input[other] !== undefined && input[other] !== null)
    if (found === undefined) continue
    input[name] = input[found]
    delete input[found]
    notes.push(`The parameter is called "${name}", not "${found}".`)
  }
}

const coerce = (value: unknown, type: unknown): unknown => {
  if (typeof value !== "string") {
    return type === "array" && isRecord(value) ? [value] : value
  }
  const trimmed = value.trim()
  if ((type === "integer" || type === "number") && /^[+-]?\d+(\.\d+)?$/.test(trimmed)) return Number(trimmed)
  if (type === "boolean" && /^(true|false)$/i.test(trimmed)) return trimmed.toLowerCase() === "true"
  if (type === "array" || type === "object") {
    const parsed = parseJson(trimmed)
    if (type === "array" && Array.isArray(parsed)) return parsed
    if (type === "array" && isRecord(parsed)) return [parsed]
    if (type === "object" && isRecord(parsed)) return parsed
  }
  return value
}

const parseJson = (source: string): unknown => {
  try {
    return JSON.parse(source)
  } catch {
    return undefined
  }
}

const describe = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "a list" : typeof value === "string" ? "text" : `a ${typeof value}`
