/** A call found in text, and how its arguments become JSON (spec 06). Pure. */
import type { ToolCallProblem } from "../../domain/message.ts"
import { isFields, parseJson } from "../wire.ts"
import type { Read } from "./Cursor.ts"

export interface FoundCall {
  /** As declared. */
  readonly name: string
  /** Arguments as JSON text of an object; `{}` where there is a problem. */
  readonly arguments: string
  readonly problem?: ToolCallProblem
}

export const none = (name: string): FoundCall => ({ name, arguments: "{}" })

export const withArguments = (name: string, input: Readonly<Record<string, unknown>>): FoundCall => ({
  name,
  arguments: JSON.stringify(input)
})

/** The text ended inside the call. */
export const cutCall = (name: string, received: string): FoundCall => ({
  name,
  arguments: "{}",
  problem: {
    kind: "cut",
    detail: "The call ended before it was complete; nothing was run. Send less in one call.",
    received
  }
})

/** From JSON as written: an object, or a text that holds one; nothing at all means none. */
export const fromJson = (name: string, read: Read): FoundCall => {
  if (!read.isWhole) return cutCall(name, read.text)
  const text = read.text.trim()
  const value = text === "" ? null : readJson(text)
  if (value === null) return none(name)
  if (isFields(value)) return withArguments(name, value)
  return {
    name,
    arguments: "{}",
    problem: {
      kind: "malformed",
      detail: "The arguments are not a valid JSON object; nothing was run.",
      received: read.text
    }
  }
}

const readJson = (text: string): unknown => {
  const value = parseJson(text) ?? parseJson(escapeControls(text))
  return typeof value === "string" ? (value.trim() === "" ? null : readJson(value)) : value
}

/** Line ends and tabs that stand as they are inside a JSON text: what they mean is clear. */
const escapeControls = (json: string): string => {
  let inText = false
  let out = ""
  for (let i = 0; i < json.length; i++) {
    const char = json[i] ?? ""
    if (char === '"') inText = !inText
    if (inText && char === "\\") out += char + (json[++i] ?? "")
    else if (inText && char < " ") out += JSON.stringify(char).slice(1, -1)
    else out += char
  }
  return out
}
