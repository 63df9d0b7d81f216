/** Searches one text with an expression, linear in the text: the part of the own engine that needs no files. */
import { Effect } from "effect"
import { ToolFailure } from "../../domain/tool.ts"
import { anyLineEnd, unicodeClasses } from "./pattern.ts"
import type { GrepQuery } from "./query.ts"
import { cutLine, wrongPattern } from "./wording.ts"

interface Matcher {
  /** Start and end of the first match at or after `from`. */
  readonly find: (text: string, from: number) => readonly [start: number, end: number] | undefined
}

/** The lines of the answer for one file. Fails with what is wrong with the expression. */
export const compileSearch = Effect.fnUntraced(function* (query: GrepQuery) {
  const { pattern, spansLines } = anyLineEnd(query.pattern)
  const matcher = yield* compile(unicodeClasses(pattern), query)
  const isWhole = query.multiline || spansLines
  // What matches a line matches the whole text, unless it asks for the ends of the text or switches flags off.
  const isQuick = !isWhole && !/\\[Az]|\(\?[a-zA-Z]*-/.test(pattern)
  return (file: string, source: string): ReadonlyArray<string> => {
    const text = pattern.includes("\\r") ? source : source.replaceAll("\r\n", "\n")
    if (isQuick && matcher.find(text, 0) === undefined) return []
    return searchText(file, text, matcher, { ...query, multiline: isWhole })
  }
})

const compile = Effect.fnUntraced(function* (pattern: string, query: GrepQuery) {
  const { RE2JS } = yield* Effect.promise(() => import("re2js"))
  return yield* Effect.try({
    try: (): Matcher => {
      const flags =
        (query.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | RE2JS.MULTILINE | (query.multiline ? RE2JS.DOTALL : 0)
      const expression = RE2JS.compile(pattern, flags)
      return {
        find: (text, from) => {
          const matcher = expression.matcher(text)
          return matcher.find(from) ? [matcher.start(), matcher.end()] : undefined
        }
      }
    },
    catch: (error) => new ToolFailure({ message: wrongPattern(error instanceof Error ? error.message : String(error)) })
  })
})

const searchText = (file: string, source: string, matcher: Matcher, query: GrepQuery): ReadonlyArray<string> => {
  const rows = source.replace(/\n$/, "").split("\n")
  const { count, hits } = query.multiline ? hitsInWhole(source, matcher) : hitsByLine(rows, matcher)
  if (hits.size === 0) return []
  if (query.mode === "files") return [file]
  if (query.mode === "count") return [`${file}:${count}`]
  const shown = new Set<number>()
  for (const hit of hits) {
    for (let at = hit - query.context; at <= hit + query.context; at++) if (at >= 0 && at < rows.length) shown.add(at)
  }
  const lines: Array<string> = []
  let before: number | undefined
  for (const row of [...shown].sort((a, b) => a - b)) {
    if (query.context > 0 && before !== undefined && row > before + 1) lines.push("--")
    const separator = hits.has(row) ? ":" : "-"
    lines.push(`${file}${separator}${row + 1}${separator}${cutLine((rows[row] ?? "").replace(/\r$/, ""))}`)
    before = row
  }
  return lines
}

interface Hits {
  /** Indices of the lines that match, or that a match touches. */
  readonly hits: ReadonlySet<number>
  /** Lines, or matches that span lines. */
  readonly count: number
}

const hitsByLine = (rows: ReadonlyArray<string>, matcher: Matcher): Hits => {
  const hits = new Set(rows.flatMap((row, index) => (matcher.find(row, 0) === undefined ? [] : [index])))
  return { hits, count: hits.size }
}

const hitsInWhole = (source: string, matcher: Matcher): Hits => {
  const hits = new Set<number>()
  let count = 0
  let row = 0
  let counted = 0
  const rowOf = (offset: number): number => {
    for (let at = source.indexOf("\n", counted); at !== -1 && at < offset; at = source.indexOf("\n", counted)) {
      row++
      counted = at + 1
    }
    return row
  }
  for (let from = 0; from <= source.length;) {
    const match = matcher.find(source, from)
    if (match === undefined) break
    const [start, end] = match
    count++
    const first = rowOf(start)
    const last = rowOf(Math.max(start, end - 1))
    for (let at = first; at <= last; at++) hits.add(at)
    from = Math.max(end, start + 1)
  }
  return { hits, count }
}
