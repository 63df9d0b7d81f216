/** Grep (spec 02): lines, files or counts that match an expression. Permission: ask. */
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import type { Tool, ToolContext, ToolOutput } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { FilePaths } from "../files/filePath.ts"
import { folderOf, prefixOf } from "./glob.ts"
import { HiddenFiles } from "./HiddenFiles.ts"
import { SearchEngine } from "./SearchEngine.ts"
import { searchNotice } from "./wording.ts"

/** Lines where the call names no limit. */
const DEFAULT_LIMIT = 250
/** Characters kept for the notice of a cut answer. */
const NOTICE = 100

const Input = Schema.Struct({
  pattern: Schema.String,
  path: Schema.optionalKey(Schema.String),
  glob: Schema.optionalKey(Schema.String),
  output_mode: Schema.optionalKey(Schema.Literals(["content", "files", "count"])),
  context: Schema.optionalKey(Schema.Finite),
  ignore_case: Schema.optionalKey(Schema.Boolean),
  multiline: Schema.optionalKey(Schema.Boolean),
  limit: Schema.optionalKey(Schema.Finite)
})

export const makeGrep: Effect.Effect<
  Tool,
  never,
  FileSystem.FileSystem | Path.Path | FilePaths | SearchEngine | HiddenFiles
> = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const paths = yield* FilePaths
  const engine = yield* SearchEngine
  const hidden = yield* HiddenFiles

  const placeOf = Effect.fnUntraced(function* (given: string | undefined, context: ToolContext) {
    const real = yield* paths.judged(given ?? ".", context)
    const info = yield* Effect.option(fs.stat(real))
    if (Option.isSome(info) && info.value.type === "File") {
      const file = path.basename(real)
      return { root: path.dirname(real), file, shown: given ?? file }
    }
    const root = yield* folderOf(fs, paths, given, context)
    const { hides } = yield* hidden.current
    return { root, hides: (name: string) => hides(path.join(root, name), root, "content"), shown: undefined }
  })

  const run = Effect.fn("Grep.run")(function* (input: typeof Input.Type, context: ToolContext) {
    const { shown, ...place } = yield* placeOf(input.path, context)
    const limit = Math.max(1, Math.floor(input.limit ?? DEFAULT_LIMIT))
    const found = yield* engine.grep(place, {
      pattern: input.pattern,
      mode: input.output_mode ?? "content",
      glob: place.file === undefined ? input.glob : undefined,
      ignoreCase: input.ignore_case ?? false,
      multiline: input.multiline ?? false,
      context: Math.min(20, Math.max(0, Math.floor(input.context ?? 0))),
      limit
    })
    if (found.lines.length === 0 && found.ended === "all") {
      return {
        text: "(no match; ignored and protected files, binaries and .git are not searched)"
      } satisfies ToolOutput
    }
    const prefix = prefixOf(input.path)
    const lines: Array<string> = []
    let used = NOTICE
    for (const line of found.lines) {
      // A single file is shown by the name it was asked for.
      const named =
        shown === undefined ? (line === "--" ? line : prefix + line) : renamed(line, place.file ?? "", shown)
      used += named.length + 1
      if (used > context.outputLimit) break
      lines.push(named)
    }
    const ended = lines.length < found.lines.length ? "limit" : found.ended
    const more =
      lines.length < limit
        ? "more matches: narrow the pattern, path or glob"
        : `more matches: narrow the pattern, path or glob, or raise limit (${limit})`
    return { text: [...lines, ...searchNotice(ended, more)].join("\n"), limited: true } satisfies ToolOutput
  })

  return defineTool({
    name: "Grep",
    description:
      "Search file contents by regular expression. Obeys .gitignore. output_mode: content (path:line:text), files, or count. glob limits the files.",
    parameters: {
      type: "object",
      properties: {
        pattern: { type: "string" },
        path: { type: "string" },
        glob: { type: "string" },
        output_mode: { type: "string", enum: ["content", "files", "count"] },
        context: { type: "integer" },
        ignore_case: { type: "boolean" },
        multiline: { type: "boolean" },
        limit: { type: "integer" }
      },
      required: ["pattern"]
    },
    schema: Input,
    permission: "ask",
    hints: {
      aliases: {
        pattern: ["query", "regex", "search", "text"],
        path: ["dir", "directory", "folder", "file", "file_path"],
        glob: ["include", "file_pattern"],
        output_mode: ["mode", "outputMode"],
        context: ["-C", "context_lines"],
        ignore_case: ["-i", "case_insensitive", "ignoreCase"],
        limit: ["head_limit", "max_results"]
      }
    },
    run
  })
})

const renamed = (line: string, file: string, shown: string): string =>
  line.startsWith(file) ? shown + line.slice(file.length) : line
