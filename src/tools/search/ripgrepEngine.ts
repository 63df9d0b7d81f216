/** The ripgrep engine. Arguments go as a list, the pattern behind `--regexp=`: nothing of them is ever a flag or a command. */
import { Effect, Schema, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ToolFailure } from "../../domain/tool.ts"
import { globFilter, namePattern } from "./globFilter.ts"
import { anyLineEnd } from "./pattern.ts"
import { cutLine, wrongPattern } from "./wording.ts"
import {
  EXCLUDED,
  LONGEST_LINE,
  MOST_RESULTS,
  SEARCH_SECONDS,
  type Engine,
  type GrepQuery,
  type SearchResult
} from "./query.ts"

/** This ripgrep cannot be used: it does not start, or is too old to know a flag. */
export class RipgrepUnusable extends Schema.TaggedError<RipgrepUnusable>()("RipgrepUnusable", {
  message: Schema.String
}) {}

/** The user's own configuration must not change what a tool does; `--null` ends each path, whatever is in it. */
const COMMON = ["--no-config", "--color=never", "--no-messages", "--null"]

const WALK = [
  "--hidden",
  "--no-require-git",
  "--no-ignore-global",
  "--sort=path",
  ...EXCLUDED.map((name) => `--glob=!${name}`)
]

/**
 * A glob given as `--glob` would bring back ignored and secret files, so paths are filtered here. A pattern of names as a file
 * type only spares ripgrep work.
 */
const onlyNames = (glob: string | undefined): ReadonlyArray<string> => {
  const name = glob === undefined ? undefined : namePattern(glob)
  return name === undefined ? [] : [`--type-add=maia:${name}`, "--type=maia"]
}

export const ripgrepEngine = (program: string): Engine<ChildProcessSpawner.ChildProcessSpawner, RipgrepUnusable> => ({
  files: ({ hides = none, root }, glob, most = MOST_RESULTS) => {
    const wanted = globFilter(glob)
    return run(program, ["--files", ...COMMON, ...WALK, ...onlyNames(glob), "--", "./"], root, "\0", most, {
      take: (item) => {
        const path = withoutDot(item)
        return wanted(path) && !hides(path) ? [path] : []
      }
    })
  },
  grep: ({ file, hides = none, root }, query) => {
    const where = file === undefined ? [...WALK, ...onlyNames(query.glob), "--", "./"] : ["--", `./${file}`]
    const separator = query.mode === "files" ? "\0" : "\n"
    return run(
      program,
      [...COMMON, ...grepArguments(query), ...where],
      root,
      separator,
      query.limit,
      rows(query, hides)
    )
  }
})

const grepArguments = (query: GrepQuery): ReadonlyArray<string> => {
  const { pattern, spansLines } = anyLineEnd(query.pattern)
  const isWhole = query.multiline || spansLines
  return [
    "--crlf",
    "--no-heading",
    "--with-filename",
    // Bytes: more than what is shown, so that what ripgrep writes for the rest is always cut off.
    `--max-columns=${LONGEST_LINE * 8}`,
    "--max-columns-preview",
    ...(query.mode === "files" ? ["--files-with-matches"] : []),
    // Where matches span lines, ripgrep would count the one or the other.
    ...(query.mode === "count" ? [isWhole ? "--count-matches" : "--count"] : []),
    ...(query.mode === "content" ? ["--line-number"] : []),
    ...(query.mode === "content" && query.context > 0 ? [`--context=${query.context}`] : []),
    ...(query.ignoreCase ? ["--ignore-case"] : []),
    ...(isWhole ? ["--multiline"] : []),
    ...(query.multiline ? ["--multiline-dotall"] : []),
    `--regexp=${pattern}`
  ]
}

/** What comes out of ripgrep, one item after the other, as the lines it stands for. */
interface Rows {
  readonly take: (item: string) => ReadonlyArray<string>
}

const rows = (query: GrepQuery, hides: (path: string) => boolean): Rows => {
  const wanted = query.glob === undefined ? () => true : globFilter(query.glob)
  let begun = false
  let gap = false
  return {
    take: (given) => {
      // With `--crlf` ripgrep ends its own lines so, too.
      const item = query.mode === "files" ? given : given.replace(/\r+$/, "")
      if (item === "--") {
        gap = true
        return []
      }
      const end = query.mode === "files" ? item.length : item.indexOf("\0")
      // Without a path: ripgrep's own words on a binary file.
      if (end === -1) return []
      const path = withoutDot(item.slice(0, end))
      if (!wanted(path) || hides(path)) return []
      const line =
        query.mode === "files"
          ? path
          : query.mode === "count"
            ? `${path}:${item.slice(end + 1)}`
            : row(path, item.slice(end + 1))
      const before = gap && begun ? ["--"] : []
      begun = true
      gap = false
      return [...before, line]
    }
  }
}

/** `12:text` or `12-text`. */
const row = (path: string, item: string): string => {
  const [, number = "", separator = ":"] = /^(\d+)([:-])/.exec(item) ?? []
  return `${path}${separator}${number}${separator}${cutLine(item.slice(number.length + 1))}`
}

const run = Effect.fnUntraced(
  function* (program: string, args: ReadonlyArray<string>, root: string, separator: string, limit: number, rows: Rows) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const handle = yield* spawner.spawn(
      ChildProcess.make(program, args, { cwd: root, stdin: "ignore", extendEnv: true })
    )
    const lines: Array<string> = []
    let pending = ""
    const take = (text: string): boolean => {
      const items = (pending + text).split(separator)
      pending = items.pop() ?? ""
      for (const item of items) {
        for (const line of rows.take(item)) lines.push(line)
        if (lines.length > limit) return false
      }
      return true
    }
    const read = yield* handle.stdout.pipe(
      Stream.decodeText(),
      Stream.runForEachWhile((text) => Effect.sync(() => take(text))),
      Effect.timeoutOption(`${SEARCH_SECONDS} seconds`)
    )
    if (lines.length > limit) return { lines: lines.slice(0, limit), ended: "limit" } satisfies SearchResult
    if (read._tag === "None") return { lines, ended: "time" } satisfies SearchResult
    // Exit code 2 with results: some file could not be read.
    if (Number(yield* handle.exitCode) > 1 && lines.length === 0) {
      const errors = (yield* handle.stderr.pipe(Stream.decodeText(), Stream.mkString)).trim()
      if (/unrecognized flag|unexpected argument|invalid option/i.test(errors)) {
        return yield* new RipgrepUnusable({ message: errors })
      }
      if (errors !== "") return yield* new ToolFailure({ message: explain(errors) })
    }
    return { lines, ended: "all" } satisfies SearchResult
  },
  Effect.scoped,
  Effect.catchTag("PlatformError", (error) => Effect.fail(new RipgrepUnusable({ message: error.message })))
)

const none = () => false

const withoutDot = (path: string): string => (path.startsWith("./") ? path.slice(2) : path)

const explain = (errors: string): string => {
  const reason = errors
    .split("\n")
    .filter((line) => !/^Consider|^and look-around|^rg: regex parse error|^regex parse error/.test(line))
    .map((line) => line.trim())
    .join(" ")
  return wrongPattern(reason)
}
