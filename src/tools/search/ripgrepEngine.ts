/** The ripgrep engine. Arguments go as a list, the pattern behind `-e`: nothing of them is ever a flag or a command. */
import { Effect, Stream } from "effect"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { ToolFailure } from "../../domain/tool.ts"
import { EXCLUDED, MOST_RESULTS, SEARCH_SECONDS, type GrepQuery, type SearchResult } from "./query.ts"

/** The user's own configuration must not change what a tool does. */
const COMMON = [
  "--no-config",
  "--color=never",
  "--hidden",
  "--no-require-git",
  "--no-messages",
  "--sort=path",
  ...EXCLUDED.map((name) => `--glob=!${name}`)
]

export const ripgrepEngine = (program: string) => ({
  files: (root: string) => run(program, ["--files", ...COMMON, "--", "./"], root, MOST_RESULTS),
  grep: (root: string, query: GrepQuery) => run(program, [...grepArguments(query), "--", "./"], root, query.limit)
})

const grepArguments = (query: GrepQuery): ReadonlyArray<string> => [
  ...COMMON,
  "--no-heading",
  "--with-filename",
  "--max-columns=500",
  "--max-columns-preview",
  ...(query.mode === "files" ? ["--files-with-matches"] : []),
  ...(query.mode === "count" ? ["--count"] : []),
  ...(query.mode === "content" ? ["--line-number"] : []),
  ...(query.mode === "content" && query.context > 0 ? [`--context=${query.context}`] : []),
  ...(query.ignoreCase ? ["--ignore-case"] : []),
  ...(query.multiline ? ["--multiline", "--multiline-dotall"] : []),
  ...(query.glob === undefined ? [] : [`--glob=${query.glob}`]),
  `--regexp=${query.pattern}`
]

const run = Effect.fnUntraced(
  function* (program: string, args: ReadonlyArray<string>, root: string, limit: number) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const handle = yield* spawner.spawn(
      ChildProcess.make(program, args, { cwd: root, stdin: "ignore", env: {}, extendEnv: true })
    )
    let complete = false
    const lines = yield* handle.stdout.pipe(
      Stream.decodeText(),
      Stream.splitLines,
      Stream.take(limit + 1),
      Stream.runCollect,
      Effect.tap(() =>
        Effect.sync(() => {
          complete = true
        })
      ),
      Effect.timeoutOption(`${SEARCH_SECONDS} seconds`)
    )
    const found = lines._tag === "Some" ? lines.value : []
    if (found.length > limit)
      return { lines: found.slice(0, limit).map(withoutDot), complete: false } satisfies SearchResult
    if (!complete) return { lines: [], complete: false } satisfies SearchResult
    const code = Number(yield* handle.exitCode)
    if (code === 2 && found.length === 0) {
      const errors = yield* handle.stderr.pipe(Stream.decodeText(), Stream.mkString)
      if (errors.trim() !== "") return yield* new ToolFailure({ message: explain(errors) })
    }
    return { lines: found.map(withoutDot), complete: true } satisfies SearchResult
  },
  Effect.scoped,
  Effect.catchTag("PlatformError", (error) =>
    Effect.fail(new ToolFailure({ message: `The search could not run: ${error.message}` }))
  )
)

const withoutDot = (line: string): string => (line.startsWith("./") ? line.slice(2) : line)

const explain = (errors: string): string =>
  `The search failed: ${errors.trim().split("\n").slice(-4).join(" ").slice(0, 500)}. Correct the pattern (Rust regular expression syntax) or the glob.`
