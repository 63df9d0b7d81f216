/** Grep (spec 02): lines, files or counts that match an expression. Permission: ask. */
import { Effect, FileSystem, Option, Path, Schema } from "effect"
import type { Tool, ToolContext, ToolOutput } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { FilePaths } from "../files/filePath.ts"
import { folderOf } from "./glob.ts"
import { SearchEngine } from "./SearchEngine.ts"

/** Lines where the call names no limit. */
const DEFAULT_LIMIT = 250

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

export const makeGrep: Effect.Effect<Tool, never, FileSystem.FileSystem | Path.Path | FilePaths | SearchEngine> =
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const paths = yield* FilePaths
    const engine = yield* SearchEngine

    /** A single file is searched through its folder, by its very name. */
    const place = Effect.fnUntraced(function* (input: typeof Input.Type) {
      const real = yield* paths.real(input.path ?? ".")
      const info = yield* Effect.option(fs.stat(real))
      if (Option.isSome(info) && info.value.type === "File") {
        return {
          root: path.dirname(real),
          glob: `/${escapeGlob(path.basename(real))}`,
          prefix: parentOf(input.path ?? "")
        }
      }
      const root = yield* folderOf(fs, paths, input.path)
      const prefix = input.path === undefined || input.path === "." ? "" : `${input.path.replace(/\/+$/, "")}/`
      return { root, glob: input.glob, prefix }
    })

    const run = Effect.fn("Grep.run")(function* (input: typeof Input.Type, context: ToolContext) {
      const { glob, prefix, root } = yield* place(input)
      const limit = Math.max(1, Math.floor(input.limit ?? DEFAULT_LIMIT))
      const found = yield* engine.grep(root, {
        pattern: input.pattern,
        mode: input.output_mode ?? "content",
        glob,
        ignoreCase: input.ignore_case ?? false,
        multiline: input.multiline ?? false,
        context: Math.min(20, Math.max(0, Math.floor(input.context ?? 0))),
        limit
      })
      const lines: Array<string> = []
      let used = 0
      for (const line of found.lines) {
        if (used + line.length > context.outputLimit * 0.9) break
        lines.push(line === "--" ? line : prefix + line)
        used += line.length + 1
      }
      const cut = lines.length < found.lines.length || !found.complete
      if (lines.length === 0 && !cut) {
        return { text: "(no match; ignored files, binaries and .git are not searched)" } satisfies ToolOutput
      }
      const notice = cut ? [`[more matches: narrow the pattern, path or glob, or raise limit (${limit})]`] : []
      return { text: [...lines, ...notice].join("\n"), limited: true } satisfies ToolOutput
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

const parentOf = (given: string): string => given.slice(0, given.lastIndexOf("/") + 1)

const escapeGlob = (name: string): string => name.replaceAll(/[\\*?[\]{}!]/g, "\\$&")
