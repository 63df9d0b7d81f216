/**
 * What is being completed at the cursor (spec 07 "Input"): a `/` command, the argument of one, a `§` skill, an `@` path. The
 * forms of `@` are those of `tools/mentionSyntax.ts`, and quotes that are still open. Pure; looks at one line.
 */
import { locateMentions } from "../../../tools/mentionSyntax.ts"
import { type Content } from "../content.ts"
import { lineEnd, lineStart } from "../motions.ts"

export interface CompletionToken {
  readonly kind: "command" | "argument" | "skill" | "path"
  /** What an accepted candidate replaces, by offsets in the content. */
  readonly start: number
  readonly end: number
  /** What was typed up to the cursor, without sigil and quotes. */
  readonly query: string
  /** For an argument: the command it belongs to, without `/`. */
  readonly command?: string
  /** `@ path`: could as well be a word of a sentence, so Enter does not accept. */
  readonly spaced?: boolean
}

/** Characters of a line that are looked at. */
const LONGEST_LINE = 20_000

export const completionToken = (content: Content, cursor: number): CompletionToken | undefined => {
  const token = sigilToken(content.text, cursor) ?? pathToken(content, cursor)
  if (token === undefined) return undefined
  return content.marks.some(({ at }) => at >= token.start && at < token.end) ? undefined : token
}

/** `/name`, `/name argument` and `§name`, at the beginning of the input only. */
const sigilToken = (text: string, cursor: number): CompletionToken | undefined => {
  const first = text.search(/\S/)
  const sigil = text[first]
  if ((sigil !== "/" && sigil !== "§") || cursor <= first) return undefined
  const wordEnd = endOfWord(text, first)
  if (cursor <= wordEnd) {
    const kind = sigil === "/" ? "command" : "skill"
    return { kind, start: first, end: wordEnd, query: text.slice(first + 1, cursor) }
  }
  if (sigil === "§" || text.lastIndexOf("\n", cursor - 1) > first) return undefined
  const start = wordEnd + 1
  const query = text.slice(start, cursor)
  // More than one word, or a reference, is no name.
  if (/^\s|@/.test(query) || query.length > 200) return undefined
  return {
    kind: "argument",
    start,
    end: lineEnd({ text, marks: [] }, cursor),
    query,
    command: text.slice(first + 1, wordEnd)
  }
}

const endOfWord = (text: string, from: number): number => {
  const length = text.slice(from).search(/\s/)
  return length === -1 ? text.length : from + length
}

const pathToken = (content: Content, cursor: number): CompletionToken | undefined => {
  const start = lineStart(content, cursor)
  const end = lineEnd(content, cursor)
  // Of a shell command, `@` is the shell's.
  if (end - start > LONGEST_LINE || /^\s*!/.test(content.text)) return undefined
  const line = content.text.slice(start, end)
  const found = finished(line, cursor - start) ?? unfinished(line.slice(0, cursor - start))
  return found === undefined
    ? undefined
    : { ...found, kind: "path", start: found.start + start, end: found.end + start }
}

type Found = Omit<CompletionToken, "kind">

/** The cursor is in a reference, or right behind one without quotes. */
const finished = (line: string, cursor: number): Found | undefined => {
  for (const { start, end, quoted } of locateMentions(line)) {
    if (start >= cursor || cursor > end || (quoted && cursor === end)) continue
    const typed = line.slice(start + 1, cursor)
    const spaced = typed.startsWith(" ")
    const inside = spaced ? typed.slice(1) : typed
    const query = quoted ? unquoted(inside) : inside
    return query === undefined ? undefined : { start, end, query, spaced }
  }
  return undefined
}

/** What was typed so far would be a reference if it were ended here: `@`, `@"my fi`, `@'it\'s`. */
const unfinished = (before: string): Found | undefined => {
  if (before.endsWith("@")) {
    const last = locateMentions(`${before}x`).at(-1)
    return last?.end === before.length + 1 && last.start === before.length - 1
      ? { start: last.start, end: before.length, query: "", spaced: false }
      : undefined
  }
  for (const quote of ['"', "'"]) {
    const last = locateMentions(before + quote).at(-1)
    if (last === undefined || !last.quoted || last.end !== before.length + 1) continue
    return { start: last.start, end: before.length, query: last.name, spaced: before[last.start + 1] === " " }
  }
  return undefined
}

/** Behind the opening quote; undefined before it. */
const unquoted = (typed: string): string | undefined => {
  if (typed === "") return undefined
  return typed.startsWith("'") ? typed.slice(1).replace(/\\'/g, "'") : typed.slice(1)
}
