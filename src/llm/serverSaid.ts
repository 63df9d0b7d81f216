/** What an error body says, in every shape servers use (spec 01). Pure. Its texts are data: made safe for display. */
import { cut } from "../domain/text.ts"
import { plainWords } from "./proxyWords.ts"
import { arrayOf, fieldsOf, isFields, parseJson, stringOf, type Fields } from "./wire.ts"

export interface ServerSaid {
  /** For people: one line, at most 500 characters, without control characters. */
  readonly message: string
  /** Everything that may hold a telling word: message, code, type, and what was nested inside. */
  readonly all: string
  /** A number given inside the body, such as 429 in `{"error":{"code":429}}`. */
  readonly status: number | undefined
  readonly isHtml: boolean
}

const MOST = 500
/** Characters of an error body that are looked at. */
const LOOKED_AT = 20_000

export const serverSaid = (body: unknown): ServerSaid => {
  const text = typeof body === "string" ? body.slice(0, LOOKED_AT) : ""
  const value = typeof body === "string" ? parseJson(body) : body
  const isHtml = /^\s*<(?:!doctype|html|head|\?xml)/i.test(text)
  if (isHtml) {
    const title = /<title[^>]*>([^<]{0,200})<\/title>/i.exec(text)?.[1] ?? ""
    return { message: oneLine(title), all: title, status: undefined, isHtml }
  }
  const fields = Array.isArray(value) ? fieldsOf(value[0]) : fieldsOf(value)
  const message = plainWords(messageOf(fields) || (typeof value === "string" ? value : text))
  const all = value === undefined || typeof value === "string" ? text : JSON.stringify(value).slice(0, LOOKED_AT)
  return { message: oneLine(message), all: unescape(`${message}\n${all}`), status: statusOf(fields), isHtml }
}

const messageOf = (fields: Fields): string => {
  for (const key of ["error", "detail", "errors", "message", "msg", "error_message"]) {
    const value = fields[key]
    if (typeof value === "string" && value !== "") return value
    if (isFields(value)) {
      const inner = messageOf(value)
      if (inner !== "") return withDetail(inner, value)
    }
    const first = arrayOf(value)[0]
    if (typeof first === "string" && first !== "") return first
    if (isFields(first)) {
      const inner = messageOf(first)
      if (inner !== "") return inner
    }
  }
  return stringOf(fields["type"]) || stringOf(fields["code"])
}

/** OpenRouter hides the provider's own words in `metadata.raw`. */
const withDetail = (message: string, error: Fields): string => {
  const raw = stringOf(fieldsOf(error["metadata"])["raw"])
  return raw === "" ? message : `${message}: ${raw}`
}

const statusOf = (fields: Fields): number | undefined => {
  const error = fieldsOf(fields["error"])
  for (const value of [error["code"], error["status"], error["status_code"], fields["code"], fields["status"]]) {
    const status = typeof value === "string" && /^\d{3}$/.test(value) ? Number(value) : value
    if (typeof status === "number" && status >= 400 && status < 600) return status
  }
  return undefined
}

/** Nested JSON keeps its quotes escaped; patterns must see through it. */
const unescape = (text: string): string => text.replaceAll(/\\+(["'`])/g, "$1")

/** One line without control characters (an error text must not move the cursor or set colours). */
export const oneLine = (text: string): string =>
  cut(
    text
      // Whole escape sequences first, then what is left of control and direction characters.
      .replaceAll(/\u001b\[[0-9;?]*[ -/]*[@-~]/g, "")
      .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069]+/g, " ")
      .trim(),
    MOST
  )
