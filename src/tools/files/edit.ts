/**
 * Edit (spec 02): several replacements at once, all resolved against the original. Permission: ask. Lock key: the real file.
 */
import { Effect, FileSystem, Path, Predicate, Schema } from "effect"
import { ToolFailure, type Tool, type ToolContext, type ToolOutput } from "../../domain/tool.ts"
import { defineTool } from "../defineTool.ts"
import { ArgumentRails } from "../repairArguments.ts"
import { applyEdits } from "./applyEdits.ts"
import { diffOfHunks, formatDiff } from "./diff.ts"
import { editableFile, FILE_ALIASES } from "./editableFile.ts"
import { FileLedger, fingerprint, sameState } from "./FileLedger.ts"
import { FilePaths, moved } from "./filePath.ts"
import { replaceFile } from "./replaceFile.ts"
import { encodeTextFile } from "./TextFile.ts"

const Input = Schema.Struct({
  path: Schema.String,
  edits: Schema.Array(
    Schema.Struct({ old: Schema.String, new: Schema.String, replace_all: Schema.optionalKey(Schema.Boolean) })
  ),
  replace_all: Schema.optionalKey(Schema.Boolean),
  dry_run: Schema.optionalKey(Schema.Boolean)
})

export const makeEdit: Effect.Effect<Tool, never, FileSystem.FileSystem | Path.Path | FileLedger | FilePaths> =
  Effect.gen(function* () {
    const services = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
    const fs = yield* FileSystem.FileSystem
    const ledger = yield* FileLedger
    const paths = yield* FilePaths

    const run = Effect.fn("Edit.run")(
      function* (input: typeof Input.Type, context: Pick<ToolContext, "judgedPath">) {
        if (input.edits.length === 0) {
          return yield* new ToolFailure({ message: '"edits" is empty. Expected: [{old, new}, …].' })
        }
        const real = yield* paths.judged(input.path, context)
        const exists = yield* fs.exists(real)
        if (!exists) {
          if (input.edits.length === 1 && input.edits[0]?.old === "") {
            return yield* new ToolFailure({ message: `${input.path} does not exist. Create it with Write.` })
          }
          return yield* Effect.flatMap(paths.notFound(input.path), Effect.fail)
        }
        const { file, info } = yield* editableFile(input.path, real)
        const edits = input.edits.map((edit) => ({ ...edit, all: edit.replace_all ?? input.replace_all ?? false }))
        const { looseEdits } = yield* ArgumentRails
        const result = applyEdits(file, edits, { loose: looseEdits })
        if ("problem" in result) return yield* new ToolFailure({ message: result.problem })
        const freshness = yield* ledger.check(real, fingerprint(info))
        if (freshness === "changed" && result.notes.length > 0) {
          return yield* new ToolFailure({
            message: `${input.path} changed since you read it, and "old" does not match it exactly. Read it again first. Nothing was changed.`
          })
        }
        const diff = diffOfHunks(result.file.text, result.hunks)
        const summary = `${result.count} replacement${result.count === 1 ? "" : "s"} in ${input.path}${result.notes.map((note) => `; ${note}`).join("")}`
        const details = { path: real, diff: diff.lines, added: diff.added, removed: diff.removed }
        if (input.dry_run === true) {
          return { text: `[dry run, nothing written] ${summary}\n${formatDiff(diff)}`, details } satisfies ToolOutput
        }
        yield* ledger.before(real, "change")
        if (!sameState(fingerprint(info), fingerprint(yield* fs.stat(real)))) {
          return yield* new ToolFailure({
            message: `${input.path} was changed by someone else at this very moment. Nothing was written: read it again, then edit.`
          })
        }
        const state = yield* replaceFile(real, encodeTextFile(result.file), info)
        const text = `${summary}\n${formatDiff(diff)}`
        if (freshness === "changed") {
          // What others changed has still not been seen: Write must go on refusing.
          return { text: `${text}\n[note: the file had changed since you read it]`, details } satisfies ToolOutput
        }
        yield* ledger.note(real, state)
        return { text, details: { ...details, state } } satisfies ToolOutput
      },
      Effect.provide(services),
      (effect, input) => Effect.catchTag(effect, "PathMoved", () => Effect.fail(moved(input.path))),
      Effect.catchTag("PlatformError", (error) =>
        Effect.fail(new ToolFailure({ message: `The file could not be edited: ${error.message}` }))
      )
    )

    const tool = defineTool({
      name: "Edit",
      description:
        'Change a file. Each edit replaces "old" (exact text from Read, unique in the file, without line numbers) by "new". All edits refer to the file as it is now. Make "old" unique by adding lines around it, or set replace_all. Do not use Write to force a change through.',
      parameters: {
        type: "object",
        properties: {
          path: { type: "string" },
          edits: {
            type: "array",
            items: {
              type: "object",
              properties: { old: { type: "string" }, new: { type: "string" } },
              required: ["old", "new"]
            }
          },
          replace_all: { type: "boolean" },
          dry_run: { type: "boolean" }
        },
        required: ["path", "edits"]
      },
      schema: Input,
      permission: "ask",
      hints: {
        aliases: {
          path: FILE_ALIASES,
          replace_all: ["replaceAll", "all"],
          dry_run: ["dryRun"]
        }
      },
      lockKey: ({ path }) => paths.lockKey(path),
      run
    })
    return {
      ...tool,
      prepare: (raw: unknown) =>
        Effect.flatMap(ArgumentRails, ({ aliases }) => tool.prepare(aliases ? withEdits(raw) : raw))
    }
  })

const OLD = ["old", "old_string", "oldString", "old_str", "oldText", "old_text", "search", "find"]
const NEW = ["new", "new_string", "newString", "new_str", "newText", "new_text", "replace", "replacement"]

/** A single edit at top level, and the near names inside each edit. */
const withEdits = (raw: unknown): unknown => {
  if (!Predicate.isObject(raw) || Array.isArray(raw)) return raw
  const fields: Record<string, unknown> = { ...raw }
  const edits = fields["edits"] ?? fields["changes"]
  if (edits === undefined) {
    const single = editOf(fields)
    return single === undefined ? raw : { ...without(fields, [...OLD, ...NEW]), edits: [single] }
  }
  const list: unknown = typeof edits === "string" ? parseJson(edits) : edits
  const items = Array.isArray(list) ? list : [list]
  return {
    ...without(fields, ["changes"]),
    edits: items.map((item: unknown) => (Predicate.isObject(item) ? (editOf({ ...item }) ?? item) : item))
  }
}

const editOf = (fields: Record<string, unknown>): Record<string, unknown> | undefined => {
  const old = OLD.find((name) => fields[name] !== undefined)
  const replacement = NEW.find((name) => fields[name] !== undefined)
  if (old === undefined || replacement === undefined) return undefined
  const all = fields["replace_all"] ?? fields["replaceAll"]
  return { old: fields[old], new: fields[replacement], ...(typeof all === "boolean" ? { replace_all: all } : {}) }
}

const without = (fields: Record<string, unknown>, names: ReadonlyArray<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))

const parseJson = (source: string): unknown => {
  try {
    return JSON.parse(source)
  } catch {
    return source
  }
}
