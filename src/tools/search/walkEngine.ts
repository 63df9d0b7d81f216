/**
 * The engine of our own, for machines without ripgrep: a sorted walk that obeys `.gitignore` and an expression engine that is
 * linear in the text. Slower, same answers.
 */
import { Clock, Effect, FileSystem, Glob, Path } from "effect"
import { ToolFailure } from "../../domain/tool.ts"
import { EXCLUDED, MOST_RESULTS, SEARCH_SECONDS, type GrepQuery, type SearchResult } from "./query.ts"

/** Bytes of a file that is searched. */
const LARGEST = 20_000_000

export const walkEngine = {
  files: Effect.fnUntraced(function* (root: string) {
    const lines: Array<string> = []
    const complete = yield* walk(root, (path) =>
      Effect.sync(() => {
        lines.push(path)
        return lines.length < MOST_RESULTS
      })
    )
    return { lines, complete } satisfies SearchResult
  }),

  grep: Effect.fnUntraced(function* (root: string, query: GrepQuery) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const matcher = yield* compile(query)
    const wanted = query.glob === undefined ? () => true : globFilter(query.glob)
    const lines: Array<string> = []
    const complete = yield* walk(root, (file) =>
      Effect.gen(function* () {
        if (!wanted(file)) return true
        const full = path.join(root, file)
        const source = yield* fs.stat(full).pipe(
          Effect.flatMap(({ size }) => (Number(size) > LARGEST ? Effect.succeed("\0") : fs.readFileString(full))),
          Effect.orElseSucceed(() => "\0")
        )
        if (source.includes("\0")) return true
        const found = searchText(file, source, matcher, query)
        if (query.mode === "content" && query.context > 0 && lines.length > 0 && found.length > 0) lines.push("--")
        for (const line of found) lines.push(line)
        return lines.length <= query.limit
      })
    )
    const enough = lines.length > query.limit
    return { lines: enough ? lines.slice(0, query.limit) : lines, complete: complete && !enough } satisfies SearchResult
  })
}

interface Rules {
  readonly base: string
  readonly ignores: (path: string) => boolean
}

/** Visits files in path order until `visit` says no or time is up; `true` when all were visited. */
const walk = <R>(root: string, visit: (path: string) => Effect.Effect<boolean, never, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { default: ignore } = yield* Effect.promise(() => import("ignore"))
    const deadline = (yield* Clock.currentTimeMillis) + SEARCH_SECONDS * 1000
    const excluded = ignore().add([...EXCLUDED])

    const rulesOf = Effect.fnUntraced(function* (folder: string, base: string) {
      const found: Array<Rules> = []
      for (const name of [".gitignore", ".ignore", ".rgignore"]) {
        const source = yield* Effect.orElseSucceed(fs.readFileString(path.join(folder, name)), () => undefined)
        if (source === undefined) continue
        const rules = ignore().add(source)
        found.push({ base, ignores: (relative) => relative !== "" && rules.ignores(relative) })
      }
      return found
    })

    const visitFolder = (base: string, inherited: ReadonlyArray<Rules>): Effect.Effect<boolean, never, R> =>
      Effect.gen(function* () {
        const folder = path.join(root, base)
        const rules = [...inherited, ...(yield* rulesOf(folder, base))]
        const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => [])
        for (const name of names.sort((a, b) => (a < b ? -1 : 1))) {
          if ((yield* Clock.currentTimeMillis) > deadline) return false
          const relative = base === "" ? name : `${base}/${name}`
          const full = path.join(root, relative)
          const link = yield* Effect.option(fs.readLink(full))
          if (link._tag === "Some") continue
          const info = yield* Effect.option(fs.stat(full))
          if (info._tag === "None") continue
          const isFolder = info.value.type === "Directory"
          const asked = isFolder ? "/" : ""
          if (excluded.ignores(name + asked)) continue
          const inside = (rule: Rules) => (rule.base === "" ? relative : relative.slice(rule.base.length + 1)) + asked
          if (rules.some((rule) => rule.ignores(inside(rule)))) continue
          if (isFolder) {
            if (!(yield* visitFolder(relative, rules))) return false
          } else if (info.value.type === "File" && !(yield* visit(relative))) return false
        }
        return true
      })

    return yield* visitFolder("", [])
  })

/** As `.gitignore` reads a pattern: without a slash it means a name at any depth. */
export const globFilter = (pattern: string): ((path: string) => boolean) => {
  const anchored = pattern.replace(/^\.?\//, "")
  const compiled = Glob.make(anchored.includes("/") ? anchored : `**/${anchored}`, { dot: true })
  return (path) => Glob.match(compiled, path)
}

interface Matcher {
  /** Start and end of the first match at or after `from`. */
  readonly find: (text: string, from: number) => readonly [start: number, end: number] | undefined
}

const compile = Effect.fnUntraced(function* (query: GrepQuery) {
  const { RE2JS } = yield* Effect.promise(() => import("re2js"))
  return yield* Effect.try({
    try: (): Matcher => {
      const flags =
        (query.ignoreCase ? RE2JS.CASE_INSENSITIVE : 0) | RE2JS.MULTILINE | (query.multiline ? RE2JS.DOTALL : 0)
      const expression = RE2JS.compile(query.pattern, flags)
      return {
        find: (text, from) => {
          const matcher = expression.matcher(text)
          return matcher.find(from) ? [matcher.start(), matcher.end()] : undefined
        }
      }
    },
    catch: (error) =>
      new ToolFailure({
        message: `The search failed: ${error instanceof Error ? error.message : String(error)}. Correct the pattern (regular expression without look-around and back-references).`
      })
  })
})

const searchText = (file: string, source: string, matcher: Matcher, query: GrepQuery): ReadonlyArray<string> => {
  const rows = source.replace(/\n$/, "").split("\n")
  const hits = query.multiline ? hitsInWhole(source, matcher) : hitsByLine(rows, matcher)
  if (hits.size === 0) return []
  if (query.mode === "files") return [file]
  if (query.mode === "count") return [`${file}:${hits.size}`]
  const shown = new Set<number>()
  for (const hit of hits) {
    for (let at = hit - query.context; at <= hit + query.context; at++) if (at >= 0 && at < rows.length) shown.add(at)
  }
  const lines: Array<string> = []
  let before: number | undefined
  for (const row of [...shown].sort((a, b) => a - b)) {
    if (query.context > 0 && before !== undefined && row > before + 1) lines.push("--")
    const text = (rows[row] ?? "").replace(/\r$/, "")
    const separator = hits.has(row) ? ":" : "-"
    lines.push(
      `${file}${separator}${row + 1}${separator}${text.length > 500 ? text.slice(0, 500).toWellFormed() : text}`
    )
    before = row
  }
  return lines
}

const hitsByLine = (rows: ReadonlyArray<string>, matcher: Matcher): ReadonlySet<number> =>
  new Set(rows.flatMap((row, index) => (matcher.find(row, 0) === undefined ? [] : [index])))

const hitsInWhole = (source: string, matcher: Matcher): ReadonlySet<number> => {
  const hits = new Set<number>()
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
    const first = rowOf(start)
    const last = rowOf(Math.max(start, end - 1))
    for (let at = first; at <= last; at++) hits.add(at)
    from = Math.max(end, start + 1)
  }
  return hits
}
