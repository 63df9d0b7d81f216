/**
 * The typed answer of an agent (spec 08): a JSON schema in its header, which its answer must satisfy. Pure, but for loading
 * the validator.
 */
import { Predicate } from "effect"
import { text, type Text } from "../../domain/text.ts"

export type JsonSchema = Readonly<Record<string, unknown>>

/** Characters of a schema as JSON: it stands in the prompt. */
const MAX_SCHEMA = 20_000
const MAX_DEPTH = 40

/** A schema as written in a header: an object, or its JSON as text. Says what cannot work, so that it is seen at the start. */
export const checkSchema = (written: unknown): { readonly schema: JsonSchema } | { readonly problem: Text } => {
  const schema = typeof written === "string" ? parsed(written) : written
  if (!isRecord(schema)) return { problem: text("expected an object", "un objet est attendu") }
  const size = JSON.stringify(schema).length
  if (size > MAX_SCHEMA) {
    return {
      problem: text(
        `it has ${size} characters, at most ${MAX_SCHEMA}`,
        `il a ${size} caractères, ${MAX_SCHEMA} au plus`
      )
    }
  }
  const problem = faultOf(schema, schema, "#", 0)
  return problem === undefined ? { schema } : { problem }
}

const isRecord = (value: unknown): value is JsonSchema => Predicate.isObject(value) && !Array.isArray(value)

const TYPES = new Set(["array", "boolean", "integer", "null", "number", "object", "string"])
/** Keywords whose values are no schemas, whatever they look like. */
const VALUES = new Set(["const", "enum", "default", "examples", "required"])

const faultOf = (root: JsonSchema, value: unknown, at: string, depth: number): Text | undefined => {
  if (depth > MAX_DEPTH) return text(`${at} is nested too deeply`, `${at} est imbriqué trop profondément`)
  if (Array.isArray(value))
    return firstOf(value.entries(), (item, key) => faultOf(root, item, `${at}/${key}`, depth + 1))
  if (!isRecord(value)) return undefined
  const own = keywordFault(root, value, at)
  if (own !== undefined) return own
  return firstOf(Object.entries(value), (item, key) =>
    VALUES.has(String(key)) ? undefined : faultOf(root, item, `${at}/${key}`, depth + 1)
  )
}

/** A property may be called `type` or `pattern`: only values of the kind that the keyword takes are looked at. */
const keywordFault = (root: JsonSchema, schema: JsonSchema, at: string): Text | undefined => {
  const types = typeof schema["type"] === "string" ? [schema["type"]] : schema["type"]
  const wrong = Array.isArray(types) ? types.find((type) => !TYPES.has(String(type))) : undefined
  if (wrong !== undefined) {
    const shown = JSON.stringify(wrong)
    return text(`${at}/type: ${shown} is no type`, `${at}/type : ${shown} n'est pas un type`)
  }
  if (typeof schema["pattern"] === "string" && !isExpression(schema["pattern"])) {
    return text(`${at}/pattern is no regular expression`, `${at}/pattern n'est pas une expression régulière`)
  }
  const reference = schema["$ref"]
  if (typeof reference === "string" && !isThere(root, reference)) {
    const shown = JSON.stringify(reference)
    return text(
      `${at}/$ref: ${shown} leads nowhere in this schema`,
      `${at}/$ref : ${shown} ne mène nulle part dans ce schéma`
    )
  }
  return undefined
}

const firstOf = (
  entries: Iterable<readonly [key: string | number, value: unknown]>,
  look: (value: unknown, key: string | number) => Text | undefined
): Text | undefined => {
  for (const [key, value] of entries) {
    const found = look(value, key)
    if (found !== undefined) return found
  }
  return undefined
}

const isExpression = (pattern: string): boolean => {
  try {
    return RegExp(pattern, "u").unicode
  } catch {
    return false
  }
}

/** Local pointers only; names of anchors and embedded ids are left to the validator. */
const isThere = (root: JsonSchema, reference: string): boolean => {
  if (!reference.startsWith("#")) return false
  if (reference.length > 1 && !reference.startsWith("#/")) return true
  let at: unknown = root
  for (const part of reference
    .slice(2)
    .split("/")
    .filter((step) => step !== "")) {
    const key = part.replaceAll("%25", "%").replaceAll("~1", "/").replaceAll("~0", "~")
    at =
      Predicate.isObject(at) && Object.hasOwn(at, key)
        ? Object.entries(at).find(([name]) => name === key)?.[1]
        : undefined
  }
  return at !== undefined
}

const parsed = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

export type CheckedAnswer =
  /** The answer as JSON, and nothing else. */
  | { readonly json: string }
  /** For the model: what is wrong, one line each. */
  | { readonly problems: ReadonlyArray<string> }

const MAX_PROBLEMS = 10

/** Finds the JSON of an answer and holds it against the schema. */
export const checkAnswer = async (schema: JsonSchema, answer: string): Promise<CheckedAnswer> => {
  const found = findJson(answer)
  if ("problem" in found) return { problems: [found.problem] }
  const { Validator } = await import("@cfworker/json-schema")
  const draft = String(schema["$schema"] ?? "").includes("draft-07") ? "7" : "2020-12"
  try {
    const { errors, valid } = new Validator({ ...schema }, draft, false).validate(found.value)
    if (valid) return { json: JSON.stringify(found.value) }
    const problems = errors.map(({ error, instanceLocation }) => `${instanceLocation}: ${error}`)
    // The last ones are the closest to the fault; those before say that something within is wrong.
    return { problems: [...new Set(problems)].slice(-MAX_PROBLEMS) }
  } catch (cause) {
    return { problems: [`The schema cannot be applied: ${cause instanceof Error ? cause.message : String(cause)}`] }
  }
}

/** The whole answer, a code block in it (the last one first), or what stands between the outermost brackets. */
const findJson = (answer: string): { readonly value: unknown } | { readonly problem: string } => {
  const blocks = [...answer.matchAll(/```[^\n]*\n([\s\S]*?)```/g)].map(([, inside]) => inside ?? "").toReversed()
  const [from, to] = [answer.search(/[[{]/), Math.max(answer.lastIndexOf("]"), answer.lastIndexOf("}"))]
  const brackets = from === -1 || to < from ? undefined : answer.slice(from, to + 1)
  let problem = "there is no JSON value in it"
  for (const [index, candidate] of [answer, ...blocks, ...(brackets === undefined ? [] : [brackets])].entries()) {
    try {
      return { value: JSON.parse(candidate.trim()) }
    } catch (cause) {
      if (index > 0) problem = cause instanceof Error ? cause.message : String(cause)
    }
  }
  return { problem: `The answer is not JSON: ${problem}` }
}
