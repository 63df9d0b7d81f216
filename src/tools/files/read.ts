/**
 * Read (spec 02): lines with numbers, images, notebooks; never more of a file than it shows. Permission: ask. Lock key: the
 * real file.
 */
import { Effect, FileSystem, Option, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { ToolFailure, type Tool, type ToolOutput } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { byteSize, fileKind, notebookText } from "./describeFile.ts"
import { FileLedger } from "./FileLedger.ts"
import { FilePaths } from "./filePath.ts"
import { readLines } from "./readLines.ts"

/** Lines where the call names no limit. */
const DEFAULT_LIMIT = 2_000
/** Bytes of a file that is decoded as a whole (notebook, UTF-16). */
const WHOLE_FILE = 20_000_000
const IMAGE_BYTES = 5_000_000
const HEAD = 8_192

const Input = Schema.Struct({
  path: Schema.String,
  offset: Schema.optionalKey(Schema.Finite),
  limit: Schema.optionalKey(Schema.Finite)
})

export const makeRead: Effect.Effect<Tool, never, FileSystem.FileSystem | FileLedger | FilePaths> = Effect.gen(
  function* () {
    const fs = yield* FileSystem.FileSystem
    const services = yield* Effect.context<FileSystem.FileSystem>()
    const ledger = yield* FileLedger
    const paths = yield* FilePaths

    const run = Effect.fn("Read.run")(function* (
      input: typeof Input.Type,
      context: { readonly outputLimit: number; readonly model: { readonly images: boolean } }
    ): Effect.fn.Return<ToolOutput, ToolFailure> {
      const real = yield* paths.real(input.path)
      const info = yield* fs
        .stat(real)
        .pipe(
          Effect.catch((error) =>
            error.reason._tag === "NotFound"
              ? Effect.flatMap(paths.notFound(input.path), Effect.fail)
              : Effect.fail(new ToolFailure({ message: `${input.path} cannot be read: ${error.reason._tag}.` }))
          )
        )
      if (info.type === "Directory") return yield* directory(input.path, real)
      if (info.type !== "File") {
        return yield* new ToolFailure({
          message: `${input.path} is no regular file (${info.type}); it cannot be read.`
        })
      }
      yield* ledger.before(real, "read")
      const output = yield* content(input, real, Number(info.size), context).pipe(
        Effect.provide(services),
        Effect.catchTag("PlatformError", (error) =>
          Effect.fail(new ToolFailure({ message: `${input.path} cannot be read: ${error.reason._tag}.` }))
        )
      )
      const state = fingerprint(info)
      yield* ledger.note(real, state)
      return { ...output, details: { path: real, state } }
    })

    const directory = Effect.fnUntraced(function* (given: string, real: string) {
      const names = yield* Effect.orElseSucceed(fs.readDirectory(real), () => [])
      const shown = names.sort().slice(0, 100)
      const more = names.length > shown.length ? `\n… ${names.length - shown.length} more` : ""
      return yield* new ToolFailure({
        message: `${given} is a folder. Use Glob to list it, then Read a file in it. It holds:\n${shown.join("\n")}${more}`
      })
    })

    const content = Effect.fnUntraced(function* (
      input: typeof Input.Type,
      real: string,
      size: number,
      context: { readonly outputLimit: number; readonly model: { readonly images: boolean } }
    ) {
      const kind = fileKind(yield* head(real))
      switch (kind.kind) {
        case "binary":
          return yield* new ToolFailure({
            message: `${input.path} is ${kind.what} (${byteSize(size)}), no text. Use Bash with a program that understands it.`
          })
        case "image": {
          if (!context.model.images || size > IMAGE_BYTES) {
            const why = context.model.images ? "too large to send" : "the model takes no images"
            return { text: `[image ${kind.mediaType}, ${byteSize(size)}; ${why}]` } satisfies ToolOutput
          }
          const data = Base64.encode(yield* fs.readFile(real))
          const attachment = { type: "image" as const, mediaType: kind.mediaType, data }
          return {
            text: `[image ${kind.mediaType}, ${byteSize(size)}]`,
            attachments: [attachment]
          } satisfies ToolOutput
        }
        case "utf-16": {
          if (size > WHOLE_FILE) return yield* tooLarge(input.path, size)
          const text = new TextDecoder(kind.encoding).decode(yield* fs.readFile(real))
          return {
            text: numbered(sliceOf(text, input, context.outputLimit), "UTF-16"),
            limited: true
          } satisfies ToolOutput
        }
        case "text": {
          const cells =
            real.endsWith(".ipynb") && size <= WHOLE_FILE ? notebookText(yield* fs.readFileString(real)) : undefined
          if (cells !== undefined) {
            return {
              text: numbered(sliceOf(cells, input, context.outputLimit), "notebook"),
              limited: true
            } satisfies ToolOutput
          }
          const range = rangeOf(input, context.outputLimit)
          const found = yield* readLines(real, range)
          return { text: numbered({ ...found, first: range.first }, undefined), limited: true } satisfies ToolOutput
        }
      }
    })

    const head = Effect.fnUntraced(function* (real: string) {
      const file = yield* fs.open(real, { flag: "r" })
      return Option.getOrElse(yield* file.readAlloc(HEAD), () => new Uint8Array())
    }, Effect.scoped)

    return defineTool({
      name: "Read",
      description:
        "Read a file. Lines come with numbers. Read before you edit: Edit needs the exact text. For long files use offset (first line, from 1) and limit. Shows images too.",
      parameters: {
        type: "object",
        properties: {
          path: { type: "string" },
          offset: { type: "integer" },
          limit: { type: "integer" }
        },
        required: ["path"]
      },
      schema: Input,
      permission: "ask",
      hints: {
        aliases: {
          path: ["file_path", "filepath", "file", "filename", "filePath"],
          offset: ["start", "start_line", "line"],
          limit: ["lines", "count", "num_lines"]
        }
      },
      lockKey: ({ path }) => paths.lockKey(path),
      run
    })
  }
)

export const fingerprint = (info: FileSystem.File.Info) => ({
  mtime: Option.match(info.mtime, { onNone: () => 0, onSome: (time) => time.getTime() }),
  size: Number(info.size)
})

const tooLarge = (path: string, size: number) =>
  Effect.fail(
    new ToolFailure({
      message: `${path} is too large to decode (${byteSize(size)}). Use Bash to convert a part of it.`
    })
  )

interface Slice {
  readonly lines: ReadonlyArray<string>
  readonly first: number
  readonly total: number | undefined
  readonly cutLines: number
  readonly damaged: boolean
}

const rangeOf = (input: typeof Input.Type, outputLimit: number) => ({
  first: Math.max(1, Math.floor(input.offset ?? 1)),
  count: Math.max(1, Math.floor(input.limit ?? DEFAULT_LIMIT)),
  // Numbers and notice take their share.
  characters: Math.floor(outputLimit * 0.8)
})

const sliceOf = (text: string, input: typeof Input.Type, outputLimit: number): Slice => {
  const { characters, count, first } = rangeOf(input, outputLimit)
  const all = text.replace(/\n$/, "").split(/\r?\n/)
  const lines: Array<string> = []
  let used = 0
  for (const line of all.slice(first - 1, first - 1 + count)) {
    if (used >= characters) break
    lines.push(line)
    used += line.length
  }
  const ended = first - 1 + lines.length >= all.length
  return { lines, first, total: ended ? all.length : undefined, cutLines: 0, damaged: false }
}

const numbered = (slice: Slice, form: string | undefined): string => {
  const { cutLines, damaged, first, lines, total } = slice
  if (lines.length === 0) {
    return total === 0 || total === undefined
      ? "(the file is empty)"
      : `(nothing there: the file has ${total} line${total === 1 ? "" : "s"})`
  }
  const body = lines.map((line, index) => `${String(first + index).padStart(6)}\t${line}`).join("\n")
  const next = first + lines.length
  const notices = [
    ...(form === undefined ? [] : [`shown from ${form}`]),
    ...(total === undefined ? [`more lines follow: go on with offset ${next}`] : []),
    ...(cutLines === 0 ? [] : [`${cutLines} long line${cutLines === 1 ? "" : "s"} cut at 2000 characters`]),
    ...(damaged ? ["some bytes are not UTF-8: Edit will refuse this file"] : [])
  ]
  return notices.length === 0 ? body : `${body}\n[${notices.join("; ")}]`
}
