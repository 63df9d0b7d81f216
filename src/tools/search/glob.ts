/** Glob (spec 02): paths that match a pattern. Permission: ask. */
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { FilePaths } from "../files/filePath.ts"
import { splitGlob } from "./globFilter.ts"
import { HiddenFiles } from "./HiddenFiles.ts"
import { SearchEngine } from "./SearchEngine.ts"
import { searchNotice } from "./wording.ts"

/** Paths shown. */
const SHOWN = 500

const Input = Schema.Struct({
  pattern: Schema.String,
  path: Schema.optionalKey(Schema.String),
  newest_first: Schema.optionalKey(Schema.Boolean)
})

export const makeGlob: Effect.Effect<
  Tool,
  never,
  FileSystem.FileSystem | Path.Path | FilePaths | SearchEngine | HiddenFiles
> = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const paths = yield* FilePaths
  const engine = yield* SearchEngine
  const hidden = yield* HiddenFiles

  const modified = (root: string) => (file: string) =>
    fs.stat(path.join(root, file)).pipe(
      Effect.map(({ mtime }) => ({
        file,
        time: Option.match(mtime, { onNone: () => 0, onSome: (at) => at.getTime() })
      })),
      Effect.orElseSucceed(() => ({ file, time: 0 }))
    )

  const run = Effect.fn("Glob.run")(function* (input: typeof Input.Type, context: Pick<ToolContext, "judgedPath">) {
    const root = yield* folderOf(fs, paths, input.path, context)
    const { hides } = yield* hidden.current
    const place = { root, hides: (name: string) => hides(path.join(root, name), root, "name") }
    const found = yield* engine.files(place, input.pattern)
    const ordered =
      input.newest_first === true
        ? (yield* Effect.forEach(found.lines, modified(root), { concurrency: 16 }))
            .sort((a, b) => b.time - a.time || (a.file < b.file ? -1 : 1))
            .map(({ file }) => file)
        : found.lines
    const prefix = prefixOf(input.path)
    const shown = ordered.slice(0, SHOWN).map((file) => prefix + file)
    const left = ordered.length - shown.length
    const notices = [
      ...(left > 0 ? [`[${left} more not shown: use a narrower pattern]`] : []),
      ...searchNotice(found.ended, "there are more: use a narrower pattern")
    ]
    if (shown.length === 0 && notices.length === 0) {
      return { text: "(no file matches; ignored and protected files and .git are not searched)" } satisfies ToolOutput
    }
    return { text: [...shown, ...notices].join("\n") } satisfies ToolOutput
  })

  /** A pattern that leads elsewhere is given as folder and pattern, so that rules judge the folder. */
  const placed = (input: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> | undefined => {
    const { path: base, pattern } = input
    if (typeof pattern !== "string" || !/^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(pattern)) return undefined
    if (/^\/[^/]*$/.test(pattern)) return undefined
    const { folder, rest } = splitGlob(pattern)
    const from = /^[/~]/.test(pattern)
      ? folder
      : path.join(paths.absolute(typeof base === "string" ? base : "."), folder)
    const launch = paths.absolute(".")
    const target = paths.absolute(from)
    const inside = path.relative(launch, target)
    const isInside = inside !== ".." && !inside.startsWith("../") && !path.isAbsolute(inside)
    const name = rest === "" ? "**" : rest
    const { path: _, ...others } = input
    return isInside
      ? { ...others, pattern: `/${inside === "" ? "" : `${inside}/`}${name}` }
      : { ...others, path: target, pattern: `/${name}` }
  }

  const tool = defineTool({
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
  return {
    ...tool,
    prepare: (raw: unknown) =>
      Effect.flatMap(tool.prepare(raw), (prepared) => {
        const elsewhere = placed(prepared.input)
        return elsewhere === undefined
          ? Effect.succeed(prepared)
          : Effect.map(tool.prepare(elsewhere), (again) => ({ ...again, notes: prepared.notes }))
      })
  }
})

/** What stands before each path of an answer, so that it can be read as it is. */
export const prefixOf = (given: string | undefined): string => {
  const folder = (given ?? ".").replace(/\/+$/, "").replace(/^(?:\.\/)+/, "")
  return folder === "." ? "" : `${folder}/`
}

/** The folder to search; a near miss gets near names. */
export const folderOf = Effect.fnUntraced(function* (
  fs: FileSystem.FileSystem,
  paths: FilePaths["Service"],
  given: string | undefined,
  context: Pick<ToolContext, "judgedPath">
) {
  const root = yield* paths.judged(given ?? ".", context)
  const info = yield* Effect.option(fs.stat(root))
  if (Option.isNone(info)) return yield* Effect.flatMap(paths.notFound(given ?? "."), Effect.fail)
  if (info.value.type !== "Directory") return yield* new ToolFailure({ message: `${given} is a file, not a folder.` })
  return root
})
