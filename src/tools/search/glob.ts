/** Glob (spec 02): paths that match a pattern. Permission: ask. */
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { ToolFailure, type Tool, type ToolOutput } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { FilePaths } from "../files/filePath.ts"
import { SearchEngine } from "./SearchEngine.ts"
import { globFilter } from "./walkEngine.ts"

/** Paths shown. */
const SHOWN = 500

const Input = Schema.Struct({
  pattern: Schema.String,
  path: Schema.optionalKey(Schema.String),
  newest_first: Schema.optionalKey(Schema.Boolean)
})

export const makeGlob: Effect.Effect<Tool, never, FileSystem.FileSystem | Path.Path | FilePaths | SearchEngine> =
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const paths = yield* FilePaths
    const engine = yield* SearchEngine

    const modified = (root: string) => (file: string) =>
      fs.stat(path.join(root, file)).pipe(
        Effect.map(({ mtime }) => ({
          file,
          time: Option.match(mtime, { onNone: () => 0, onSome: (at) => at.getTime() })
        })),
        Effect.orElseSucceed(() => ({ file, time: 0 }))
      )

    const run = Effect.fn("Glob.run")(function* (input: typeof Input.Type) {
      const root = yield* folderOf(fs, paths, input.path)
      const found = yield* engine.files(root)
      const matches = found.lines.filter(globFilter(input.pattern))
      const ordered =
        input.newest_first === true
          ? (yield* Effect.forEach(matches, modified(root), { concurrency: 16 }))
              .sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1))
              .map(({ file }) => file)
          : matches
      const prefix = input.path === undefined || input.path === "." ? "" : `${input.path.replace(/\/+$/, "")}/`
      const shown = ordered.slice(0, SHOWN).map((file) => prefix + file)
      const notices = [
        ...(ordered.length > shown.length
          ? [`${ordered.length - shown.length} more not shown; use a narrower pattern`]
          : []),
        ...(found.complete ? [] : ["the search was stopped early; use a narrower path"])
      ]
      if (shown.length === 0 && notices.length === 0) {
        return { text: "(no file matches; ignored files and .git are not searched)" } satisfies ToolOutput
      }
      return { text: [...shown, ...notices.map((notice) => `[${notice}]`)].join("\n") } satisfies ToolOutput
    })

    return defineTool({
      name: "Glob",
      description:
        "Find files by pattern, for example **/*.ts or src/*.json. Obeys .gitignore. Sorted by path, or newest_first.",
      parameters: {
        type: "object",
        properties: { pattern: { type: "string" }, path: { type: "string" }, newest_first: { type: "boolean" } },
        required: ["pattern"]
      },
      schema: Input,
      permission: "ask",
      hints: { aliases: { pattern: ["glob", "query", "file_pattern"], path: ["dir", "directory", "folder", "root"] } },
      run
    })
  })

/** The folder to search; a near miss gets near names. */
export const folderOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  paths: FilePaths["Service"],
  given: string | undefined
) {
  const root = yield* paths.real(given ?? ".")
  const info = yield* Effect.option(fs.stat(root))
  if (Option.isNone(info)) return yield* Effect.flatMap(paths.notFound(given ?? "."), Effect.fail)
  if (info.value.type !== "Directory") return yield* new ToolFailure({ message: `${given} is a file, not a folder.` })
  return root
})
