/**
 * What a list shows of a session, read off the beginning and the end of its file. Pure: bytes in, summary out.
 */
import { Predicate } from "effect"
import { cut } from "../domain/text.ts"
import type { FileEnds } from "../process/fileEnds.ts"

export interface SessionSummary {
  readonly name: string
  /** Path of the file. */
  readonly file: string
  /** One of MAIA's `.json` files, imported when it is opened. */
  readonly legacy: boolean
  /** ISO 8601 time; empty when unknown. */
  readonly created: string
  /** Milliseconds since 1970. */
  readonly lastActivity: number
  /** Beginning of the first request, on one line; undefined when it is not near the beginning of the file. */
  readonly firstText: string | undefined
  /** Last model seen near the end of the file. */
  readonly model: string | undefined
  /** The sub-agent whose conversation it is. */
  readonly agent?: string
  readonly bytes: number
}

/** Bytes read at each end. */
export const HEAD_BYTES = 8_192
export const TAIL_BYTES = 4_096

/** UTF-16 units of `firstText`. */
const FIRST_TEXT = 200

type Fields = Readonly<Record<string, unknown>>

const parse = (line: string): Fields | undefined => {
  try {
    const value: unknown = JSON.parse(line)
    // JSON objects have string keys.
    return Predicate.isObject(value) ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

/** The string that starts at `from`, as far as it is there, without its escapes. */
const unescape = (text: string, from: number): string => {
  const end = /^(?:[^"\\]|\\(?:u[0-9a-fA-F]{4}|[^u]))*/.exec(text.slice(from, from + 4 * FIRST_TEXT))
  try {
    const value: unknown = JSON.parse(`"${end?.[0] ?? ""}"`)
    return Predicate.isString(value) ? value : ""
  } catch {
    return ""
  }
}

const onOneLine = (text: string): string => cut(text.replace(/\s+/g, " ").trim(), FIRST_TEXT).toWellFormed()

/** How our own lines with a typed request begin; long ones are cut by the end of the head. */
const TYPED = /^\{"id":"[^"]*","parentId":"[^"]*","time":"[^"]*","type":"message","message":\{"role":"user","text":"/

const firstTextOf = (lines: ReadonlyArray<string>): string | undefined => {
  for (const line of lines) {
    if (!line.includes('"role":"user"')) continue
    const start = TYPED.exec(line)
    const fields = parse(line)
    if (fields === undefined) {
      if (start !== null) return onOneLine(unescape(line, start[0].length))
      continue
    }
    const message = fields["message"]
    if (!Predicate.isObject(message) || !("text" in message) || !Predicate.isString(message.text)) continue
    if (!("role" in message) || message.role !== "user" || "origin" in message) continue
    return onOneLine(message.text)
  }
  return undefined
}

const TIME = /^\{"id":"[^"]*","parentId":"[^"]*","time":"([^"]+)"/

const lastTimeOf = (lines: ReadonlyArray<string>): number | undefined => {
  for (let index = lines.length - 1; index >= 0; index--) {
    const time = TIME.exec(lines[index] ?? "")?.[1]
    const millis = time === undefined ? Number.NaN : Date.parse(time)
    if (!Number.isNaN(millis)) return millis
  }
  return undefined
}

const lastModelOf = (text: string): string | undefined => {
  const found = text.lastIndexOf('"model":"')
  return found < 0 ? undefined : unescape(text, found + 9)
}

/** `undefined` for an empty file. */
export const summarise = (name: string, file: string, ends: FileEnds): SessionSummary | undefined => {
  if (ends.size === 0) return undefined
  const decoder = new TextDecoder()
  const head = decoder.decode(ends.head)
  const lines = head.split("\n")
  const tail = ends.tail.length === 0 ? head : decoder.decode(ends.tail)
  const header = parse(lines[0] ?? "")
  const created = header?.["time"]
  const agent = header?.["agent"]
  return {
    name,
    file,
    legacy: false,
    created: Predicate.isString(created) ? created : "",
    lastActivity: lastTimeOf(tail === head ? lines.slice(1) : tail.split("\n")) ?? ends.modified,
    firstText: firstTextOf(lines),
    model: lastModelOf(tail) ?? lastModelOf(lines[0] ?? ""),
    ...(Predicate.isString(agent) ? { agent } : {}),
    bytes: ends.size
  }
}
