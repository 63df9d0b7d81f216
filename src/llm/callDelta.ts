/** One piece of a tool call as servers send it, made uniform (spec 01, field cases A1 to A12 and A30). Pure. */
import { isFields, numberOf, stringOf, type Fields } from "./wire.ts"

export interface CallDelta {
  /** The server's own number, which may be missing, always 0 or start again. */
  readonly index: number | undefined
  /** `""` when missing. */
  readonly id: string
  /** `""` when missing. */
  readonly name: string
  /** JSON text; an object is written out, `null` is `""`. */
  readonly args: string
  /** The arguments came as an object, so they are whole. */
  readonly whole: boolean
  readonly extra: Fields | undefined
  readonly functionExtra: Fields | undefined
}

const callKeys: ReadonlySet<string> = new Set(["index", "id", "type", "function"])
const functionKeys: ReadonlySet<string> = new Set(["name", "arguments"])

/** Reads one entry of `tool_calls`; undefined for what is no object. */
export const callDeltaOf = (value: unknown): CallDelta | undefined => {
  if (!isFields(value)) return undefined
  const fn = isFields(value["function"]) ? value["function"] : {}
  const args = fn["arguments"]
  const id = value["id"]
  return {
    index: numberOf(value["index"]),
    id: typeof id === "number" ? String(id) : stringOf(id),
    name: stringOf(fn["name"]),
    args: typeof args === "string" ? args : typeof args === "object" && args !== null ? JSON.stringify(args) : "",
    whole: typeof args === "object" && args !== null,
    extra: unknownOf(value, callKeys),
    functionExtra: unknownOf(fn, functionKeys)
  }
}

/** The older `function_call`: at most one in an answer, without index or id. */
export const legacyCallOf = (value: unknown): CallDelta | undefined =>
  isFields(value) ? callDeltaOf({ index: 0, function: value }) : undefined

const unknownOf = (fields: Fields, known: ReadonlySet<string>): Fields | undefined => {
  let unknown: Record<string, unknown> | undefined
  for (const key in fields) {
    if (known.has(key) || fields[key] === undefined || fields[key] === null) continue
    unknown ??= {}
    unknown[key] = fields[key]
  }
  return unknown
}
