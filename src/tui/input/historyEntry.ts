/**
 * One line of the file of history (spec 07 "Input"): the text as it was sent, and which parts of it were pastes and images,
 * so that they come back as tokens. Pure.
 */
import { Option, Schema } from "effect"
import { PLACEHOLDER, type Content, type Mark } from "./content.ts"
import { cleanPaste } from "./pasteReader.ts"

const Entry = Schema.Struct({
  /** Milliseconds since 1970. */
  at: Schema.Finite,
  /** Launch folder. */
  folder: Schema.String,
  text: Schema.String,
  tokens: Schema.optionalKey(
    Schema.Array(
      Schema.Struct({ kind: Schema.Literals(["paste", "image"]), start: Schema.Finite, length: Schema.Finite })
    )
  )
})

type Ranges = NonNullable<(typeof Entry.Type)["tokens"]>

const decode = Schema.decodeUnknownOption(Schema.fromJsonString(Entry))

/** Characters of an entry that is written to the file. */
export const LONGEST_ENTRY = 100_000

/** Without line end; undefined where the entry is too long to keep. */
export const encodeEntry = (content: Content, at: number, folder: string): string | undefined => {
  const { text, tokens } = flatten(content)
  if (text.length > LONGEST_ENTRY) return undefined
  return JSON.stringify({ at, folder, text, ...(tokens.length > 0 ? { tokens } : {}) } satisfies typeof Entry.Type)
}

/** Undefined for a line that is none. */
export const decodeEntry = (line: string): { readonly content: Content; readonly folder: string } | undefined => {
  const entry = Option.getOrUndefined(decode(line))
  if (entry === undefined || entry.text.trim() === "") return undefined
  const { folder, text, tokens = [] } = entry
  const clean = cleanPaste(text)
  return { content: clean === text ? withTokens(text, tokens) : { text: clean, marks: [] }, folder }
}

const flatten = ({ text, marks }: Content): { readonly text: string; readonly tokens: Ranges } => {
  const tokens: Array<Ranges[number]> = []
  let whole = ""
  let done = 0
  for (const { at, token } of marks) {
    whole += text.slice(done, at)
    tokens.push({ kind: token.kind, start: whole.length, length: token.text.length })
    whole += token.text
    done = at + 1
  }
  return { text: whole + text.slice(done), tokens }
}

/** Ranges that overlap or lie outside of the text are left as text. */
const withTokens = (text: string, ranges: Ranges): Content => {
  const marks: Array<Mark> = []
  let shown = ""
  let done = 0
  for (const { kind, length, start } of ranges) {
    if (!(Number.isSafeInteger(start) && Number.isSafeInteger(length))) continue
    if (start < done || length < 1 || start + length > text.length) continue
    const part = text.slice(start, start + length)
    shown += text.slice(done, start)
    const lines = part.trimEnd().split("\n").length
    marks.push({ at: shown.length, token: { kind, number: marks.length + 1, text: part, lines } })
    shown += PLACEHOLDER
    done = start + length
  }
  return { text: shown + text.slice(done), marks }
}
