/**
 * Read (spec 02): lines with numbers, images, notebooks; never more of a file than it shows. Permission: ask. Lock key: the
 * real file.
 */
import { Effect, FileSystem, Option, Schema } from "effect"
import { Base64 } from "effect/encoding"
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from "../../domain/tool.ts"
import { pinFile } from "../../process/pinnedFile.ts"
import { defineTool } from "../defineTool.ts"
import { byteSize, fileKind, notebookText } from "./describeFile.ts"
import { FILE_ALIASES } from "./editableFile.ts"
import { FileLedger, fingerprint } from "./FileLedger.ts"
import { FilePaths, moved } from "./filePath.ts"
import { NUMBER_WIDTH, type LineRange } from "./LineCollector.ts"
import { linesOf, readLines, type FileLines } from "./readLines.ts"

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
      context: Pick<ToolContext, "outputLimit" | "model" | "judgedPath">
    ): Effect.fn.Return<ToolOutput, ToolFailure> {
      const real = yield* paths.judged(input.path, context)
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
      const output = yield* Effect.flatMap(pinFile(real), (at) =>
        content(input, { at, real, size: Number(info.size) }, context)
      ).pipe(
        Effect.provide(services),
        Effect.scoped,
        Effect.catchTags({
          PathMoved: () => Effect.fail(moved(input.path)),
          PlatformError: (error) =>
            Effect.fail(new ToolFailure({ message: `${input.path} cannot be read: ${error.reason._tag}.` }))
        })
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
      { at, real, size }: { readonly at: string; readonly real: string; readonly size: number },
      context: { readonly outputLimit: number; readonly model: { readonly images: boolean } }
    ) {
      const range = rangeOf(input, context.outputLimit)
      const kind = fileKind(yield* head(at))
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
          const data = Base64.encode(yield* fs.readFile(at))
          const attachment = { type: "image" as const, mediaType: kind.mediaType, data }
          return {
            text: `[image ${kind.mediaType}, ${byteSize(size)}]`,
            attachments: [attachment]
          } satisfies ToolOutput
        }
        case "utf-16": {
          if (size > WHOLE_FILE) return yield* tooLarge(input.path, size)
          const text = new TextDecoder(kind.encoding).decode(yield* fs.readFile(at))
          return shown(linesOf(text, range), range, ["decoded from UTF-16: Write and Edit will refuse this file"])
        }
        case "text": {
          const cells =
            real.endsWith(".ipynb") && size <= WHOLE_FILE ? notebookText(yield* fs.readFileString(at)) : undefined
          return cells === undefined
            ? shown(yield* readLines(at, range), range, [])
            : shown(linesOf(cells, range), range, ["cells of a notebook; its file is JSON, which Grep shows as it is"])
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
          path: FILE_ALIASES,
          offset: ["start", "start_line", "line"],
          limit: ["lines", "count", "num_lines"]
        }
      },
      lockKey: ({ path }) => paths.lockKey(path),
      run
    })
  }
)

const tooLarge = (path: string, size: number) =>
  Effect.fail(
    new ToolFailure({
      message: `${path} is too large to decode (${byteSize(size)}). Use Bash to convert a part of it.`
    })
  )

/** Characters of notices are few; they are left room. */
const NOTICES = 400

const rangeOf = (input: typeof Input.Type, outputLimit: number): LineRange => ({
  first: Math.max(1, Math.floor(input.offset ?? 1)),
  count: Math.max(1, Math.floor(input.limit ?? DEFAULT_LIMIT)),
  characters: Math.max(outputLimit / 2, outputLimit - NOTICES)
})

/** Numbered, and with what there is to know: `form` says how the text came from the file. */
const shown = (found: FileLines, { first }: LineRange, form: ReadonlyArray<string>): ToolOutput => {
  const { cutLines, damaged, endless, lines, longest, total } = found
  if (lines.length === 0 && total !== undefined) {
    const count = `${total} line${total === 1 ? "" : "s"}`
    const text = total === 0 ? "(the file is empty)" : `(nothing there: the file has ${count}, offset was ${first})`
    return { text, limited: true }
  }
  const body = lines.map((line, index) => `${String(first + index).padStart(NUMBER_WIDTH - 1)}\t${line}`).join("\n")
  const notices = [
    ...form,
    ...(total === undefined && !endless ? [`more lines follow: go on with offset ${first + lines.length}`] : []),
    ...(endless
      ? ["the last line has no end within reach; nothing behind it was read. Use Bash to take it apart"]
      : []),
    ...(cutLines > 0 ? [`${cutLines} long line${cutLines === 1 ? "" : "s"} cut at ${longest} characters`] : []),
    ...(damaged ? ["some bytes are not UTF-8: Write and Edit will refuse this file"] : [])
  ]
  return { text: notices.length === 0 ? body : `${body}\n[${notices.join("; ")}]`, limited: true }
}
