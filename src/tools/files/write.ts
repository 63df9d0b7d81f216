/**
 * Write (spec 02): a new file, or a known one replaced whole. Permission: ask. Lock key: the real file.
 */
import { Effect, FileSystem, Path, Schema } from "effect"
import { ToolFailure, type Tool, type ToolOutput } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { diffOfTexts, formatDiff } from "./diff.ts"
import { FileLedger } from "./FileLedger.ts"
import { FilePaths } from "./filePath.ts"
import { fingerprint } from "./read.ts"
import { replaceFile } from "./replaceFile.ts"
import { decodeTextFile, encodeTextFile, withLineEndsOf } from "./TextFile.ts"

/** Bytes of an old file that is compared with the new one. */
const COMPARED = 5_000_000

const Input = Schema.Struct({ path: Schema.String, content: Schema.String })

export const makeWrite: Effect.Effect<Tool, never, FileSystem.FileSystem | Path.Path | FileLedger | FilePaths> =
  Effect.gen(function* () {
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const ledger = yield* FileLedger
    const paths = yield* FilePaths

    const run = Effect.fn("Write.run")(
      function* (input: typeof Input.Type) {
        const real = yield* paths.real(input.path)
        const content = input.content.toWellFormed()
        const written = (yield* fs.exists(real))
          ? yield* overwrite(input.path, real, content)
          : yield* create(real, content)
        const state = fingerprint(yield* fs.stat(real))
        yield* ledger.note(real, state)
        const details = {
          path: real,
          diff: written.diff.lines,
          added: written.diff.added,
          removed: written.diff.removed
        }
        const lines = content === "" ? 0 : content.replace(/\n$/, "").split("\n").length
        const head = `${written.created ? "Created" : "Replaced"} ${input.path} (${lines} line${lines === 1 ? "" : "s"})${literalNewlines(content)}`
        const body = written.created ? "" : `\n${formatDiff(written.diff)}`
        return { text: `${head}${body}`, details } satisfies ToolOutput
      },
      Effect.provide(services),
      Effect.catchTag("PlatformError", (error) =>
        Effect.fail(new ToolFailure({ message: `The file could not be written: ${error.message}` }))
      )
    )

    const create = Effect.fnUntraced(function* (real: string, content: string) {
      yield* fs.makeDirectory(path.dirname(real), { recursive: true })
      yield* ledger.before(real, "change")
      yield* replaceFile(real, content, undefined)
      return { created: true, diff: diffOfTexts("", content) }
    })

    const overwrite = Effect.fnUntraced(function* (given: string, real: string, content: string) {
      const info = yield* fs.stat(real)
      if (info.type !== "File")
        return yield* new ToolFailure({ message: `${given} is a ${info.type.toLowerCase()}, not a file.` })
      const freshness = yield* ledger.check(real, fingerprint(info))
      if (freshness === "unread" && Number(info.size) > 0) {
        return yield* new ToolFailure({
          message: `${given} exists and you have not read it in this session. Read it first, or change it with Edit. Nothing was written.`
        })
      }
      if (freshness === "changed") {
        return yield* new ToolFailure({
          message: `${given} changed since you read it. Read it again, then write. Nothing was written.`
        })
      }
      const old = Number(info.size) <= COMPARED ? decodeTextFile(yield* fs.readFile(real)) : undefined
      yield* ledger.before(real, "change")
      if (old === undefined) {
        yield* replaceFile(real, content, info.mode)
        return { created: false, diff: diffOfTexts("", content) }
      }
      const next = withLineEndsOf(old, content)
      yield* replaceFile(real, encodeTextFile(next), info.mode)
      return { created: false, diff: diffOfTexts(old.text, next.text) }
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
        aliases: {
          path: ["file_path", "filepath", "file", "filename", "filePath"],
          content: ["contents", "text", "file_text", "file_content", "data", "body"]
        },
        joinLines: ["content"]
      },
      lockKey: ({ path: given }) => paths.lockKey(given),
      run
    })
  })

/** Backslash-n without one real line end is usually a slip; it is written as it came, and said. */
const literalNewlines = (content: string): string =>
  !content.includes("\n") && /\\n.*\\n/.test(content)
    ? '\n[note: the content has "\\n" as two characters and no real line end; if line ends were meant, write it again]'
    : ""
