/**
 * Write (spec 02): a new file, or a known one replaced whole. Permission: ask. Lock key: the real file.
 */
import { Effect, FileSystem, Path, Schema } from "effect"
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { diffOfTexts, formatDiff } from "./diff.ts"
import { editableFile, FILE_ALIASES } from "./editableFile.ts"
import { FileLedger, fingerprint } from "./FileLedger.ts"
import { FilePaths, moved } from "./filePath.ts"
import { replaceFile } from "./replaceFile.ts"
import { encodeTextFile, withLineEndsOf } from "./TextFile.ts"

const Input = Schema.Struct({ path: Schema.String, content: Schema.String })

export const makeWrite: Effect.Effect<Tool, never, FileSystem.FileSystem | Path.Path | FileLedger | FilePaths> =
  Effect.gen(function* () {
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const ledger = yield* FileLedger
    const paths = yield* FilePaths

    const run = Effect.fn("Write.run")(
      function* (input: typeof Input.Type, context: Pick<ToolContext, "judgedPath">) {
        const real = yield* paths.judged(input.path, context)
        const content = input.content.toWellFormed()
        const { diff, done, state } = (yield* fs.exists(real))
          ? yield* overwrite(input.path, real, content)
          : yield* create(real, content)
        yield* ledger.note(real, state)
        const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length
        const head = `${done} ${input.path} (${lines} line${lines === 1 ? "" : "s"})${literalNewlines(content)}`
        const shown = done === "Created" ? "" : formatDiff(diff)
        return {
          text: shown === "" ? head : `${head}\n${shown}`,
          details: { path: real, diff: diff.lines, added: diff.added, removed: diff.removed, state }
        } satisfies ToolOutput
      },
      Effect.provide(services),
      (effect, input) => Effect.catchTag(effect, "PathMoved", () => Effect.fail(moved(input.path))),
      Effect.catchTag("PlatformError", (error) =>
        Effect.fail(new ToolFailure({ message: `The file could not be written: ${error.message}` }))
      )
    )

    const create = Effect.fnUntraced(function* (real: string, content: string) {
      yield* fs.makeDirectory(path.dirname(real), { recursive: true })
      yield* ledger.before(real, "change")
      const state = yield* replaceFile(real, content, undefined)
      return { done: "Created", diff: diffOfTexts("", content), state }
    })

    const overwrite = Effect.fnUntraced(function* (given: string, real: string, content: string) {
      const { file, info } = yield* editableFile(given, real)
      const now = fingerprint(info)
      const freshness = yield* ledger.check(real, now)
      if (freshness === "unread" && now.size > 0) {
        return yield* new ToolFailure({
          message: `${given} exists and you have not read it in this session. Read it first, or change it with Edit. Nothing was written.`
        })
      }
      if (freshness === "changed") {
        return yield* new ToolFailure({
          message: `${given} changed since you read it. Read it again, then write. Nothing was written.`
        })
      }
      const next = withLineEndsOf(file, content)
      const diff = diffOfTexts(file.text, next.text)
      const bytes = encodeTextFile(next)
      if (bytes === encodeTextFile(file)) return { done: "Unchanged, it already has this content:", diff, state: now }
      yield* ledger.before(real, "change")
      return { done: "Replaced", diff, state: yield* replaceFile(real, bytes, info) }
    })

    return defineTool({
      name: "Write",
      description:
        "Create a file, or replace one you have read. Makes folders. For a change to an existing file use Edit. Write a long file in parts: the first part with Write, the rest with Edit.",
      parameters: {
        type: "object",
        properties: { path: { type: "string" }, content: { type: "string" } },
        required: ["path", "content"]
      },
      schema: Input,
      permission: "ask",
      hints: {
        aliases: { path: FILE_ALIASES, content: ["contents", "text", "file_text", "file_content", "data", "body"] },
        joinLines: ["content"]
      },
      lockKey: ({ path: given }) => paths.lockKey(given),
      run
    })
  })

/** Backslash-n without one real line end is usually a slip; it is written as it came, and said. */
const literalNewlines = (content: string): string =>
  !content.includes("\n") && /\\n[^]*\\n|\\n$/.test(content)
    ? '\n[note: the content has "\\n" as two characters and no real line end; if line ends were meant, write it again]'
    : ""
