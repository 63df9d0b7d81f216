/**
 * What makes two calls "the same" for the loop detector (spec 06): tool, input and output, as a hash. Blanks, the order of
 * keys and the file a long output was kept in do not tell two calls apart; what a refused edit quoted does not either. Pure.
 */
import { Predicate } from "effect"
import type { ToolCall, ToolMessage } from "../../domain/message.ts"
import { FILE_ALIASES } from "../../tools/files/editableFile.ts"

/** Equal for calls that are the same. The work is linear in input and output. */
export const callKey = (call: ToolCall, result: ToolMessage): string => {
  const refused = result.isError ? refusedEdit(call, result.text) : undefined
  return hash(refused ?? `${call.name}\n${canonical(call.arguments)}\n${result.isError}\n${withoutPlace(result.text)}`)
}

/** A poll of a job that still runs: between other calls it is a way to wait. */
export const isPoll = (result: ToolMessage): boolean =>
  result.toolName === "BashOutput" && result.details?.["running"] === true

/** Waits before it looks, as one does for a build or a server: `sleep 20 && gh run view 7`. */
export const isWait = (call: ToolCall): boolean => {
  if (call.name !== "Bash") return false
  const input = parse(call.arguments)
  const command = Predicate.isObject(input) && "command" in input ? input.command : undefined
  const [, seconds] = (Predicate.isString(command) && /^\s*sleep\s+(\d{1,4})s?\b/.exec(command)) || []
  return Number(seconds) >= LEAST_WAIT
}

/** Seconds; somebody who waits less spins. */
const LEAST_WAIT = 5

const EDITS = new Set(["Edit", "Write"])

/** Near duplicates: an edit refused for the same reason on the same file, whatever text it quoted this time. */
const refusedEdit = (call: ToolCall, error: string): string | undefined => {
  if (!EDITS.has(call.name)) return undefined
  const input = parse(call.arguments)
  if (!Predicate.isObject(input)) return undefined
  const fields: Record<string, unknown> = { ...input }
  const path = ["path", ...FILE_ALIASES].map((name) => fields[name]).find(Predicate.isString)
  if (path === undefined) return undefined
  return `refused ${call.name}\n${path.trim()}\n${reasonOf(error)}`
}

/** The first sentence of an error without its numbers: what follows quotes the file or the call. */
const reasonOf = (error: string): string => {
  const [line = ""] = error.split("\n", 1)
  const end = line.indexOf(". ")
  return (end === -1 ? line : line.slice(0, end)).replaceAll(/\d+(?:, \d+)*/g, "0")
}

/** Each cut output is kept in a file of its own. */
const withoutPlace = (text: string): string =>
  text.replaceAll(/The whole output is in .{1,1000}? — read a part/g, "The whole output is kept — read a part")

/** Characters of a text value up to which blanks are evened out. */
const SHORT = 2000

/** JSON with sorted keys and even blanks; text that is no JSON as it is. */
export const canonical = (json: string): string => {
  const value = parse(json)
  return value === undefined ? json.trim() : JSON.stringify(sorted(value))
}

const sorted = (value: unknown): unknown => {
  if (Predicate.isString(value)) return value.length > SHORT ? value : value.trim().replaceAll(/\s+/g, " ")
  if (Array.isArray(value)) return value.map(sorted)
  if (!Predicate.isObject(value)) return value
  return Object.entries(value)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([key, item]) => [key, sorted(item)])
}

const parse = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return undefined
  }
}

/** 53 bits (cyrb53, public domain): enough to tell the calls of a session apart, with nothing to load. */
const hash = (text: string): string => {
  let high = 0xdeadbeef
  let low = 0x41c6ce57
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    high = Math.imul(high ^ code, 2654435761)
    low = Math.imul(low ^ code, 1597334677)
  }
  high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909)
  low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909)
  return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36)
}
