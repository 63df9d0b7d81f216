/** Reads a dotenv file (`.maia/env`, spec 08): `NAME=value` lines. Nothing in a value is replaced or run. Pure. */
import { text, type Text } from "../../domain/text.ts"

export interface EnvironmentFile {
  readonly variables: ReadonlyMap<string, { readonly value: string; readonly line: number }>
  /** Lines that are no variable, each with its place. */
  readonly problems: ReadonlyArray<{ readonly line: number; readonly text: Text }>
}

/**
 * Blank lines and lines that begin with `#` say nothing; `export` may stand in front. `'…'` is taken as it is, in `"…"` the
 * escapes `\n \r \t \" \\` count; both may span lines. Without quotes ` #` begins a comment. The last of a name counts.
 */
export const parseDotenv = (content: string): EnvironmentFile => {
  const variables = new Map<string, { value: string; line: number }>()
  const problems: Array<{ line: number; text: Text }> = []
  let at = 0
  let line = 1
  while (at < content.length) {
    const end = endOfLine(content, at)
    const parts = LINE.exec(content.slice(at, end))
    const name = parts?.[1]
    if (name === undefined) {
      const written = content.slice(at, end).trim()
      if (written !== "" && !written.startsWith("#")) problems.push({ line, text: NO_VARIABLE })
      at = end + 1
      line++
      continue
    }
    const start = at + (parts?.[0].length ?? 0)
    const read = readValue(content, start, end)
    if (read === undefined) {
      problems.push({ line, text: OPEN_QUOTE })
      at = end + 1
      line++
      continue
    }
    variables.set(name, { value: read.value, line })
    const next = endOfLine(content, read.end)
    line += content.slice(at, next).split("\n").length
    at = next + 1
  }
  return { variables, problems }
}

const LINE = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)[ \t]*=[ \t]*/

const NO_VARIABLE = text("expected NAME=value", "NOM=valeur attendu")
const OPEN_QUOTE = text("a quote is never closed", "un guillemet n'est pas fermé")

const endOfLine = (content: string, from: number): number => {
  const end = content.indexOf("\n", from)
  return end === -1 ? content.length : end
}

/** Undefined where a quote is never closed. */
const readValue = (
  content: string,
  start: number,
  lineEnd: number
): { readonly value: string; readonly end: number } | undefined => {
  const quote = content[start]
  if (quote === "'") {
    const close = content.indexOf("'", start + 1)
    return close === -1 ? undefined : { value: content.slice(start + 1, close), end: close + 1 }
  }
  if (quote === '"') {
    const inside = /(?:[^"\\]|\\[\s\S])*/y
    inside.lastIndex = start + 1
    const raw = inside.exec(content)?.[0] ?? ""
    const close = start + 1 + raw.length
    if (content[close] !== '"') return undefined
    return {
      value: raw.replaceAll(/\\([\s\S])/g, (whole, character: string) => ESCAPES[character] ?? whole),
      end: close + 1
    }
  }
  const written = content.slice(start, lineEnd).replace(/(?:^|[ \t])#.*$/, "")
  return { value: written.trim(), end: lineEnd }
}

const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", '"': '"', "\\": "\\", $: "$" }
