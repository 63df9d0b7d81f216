/**
 * What Edit and Write would change, for the permission question (spec 07). Reads the file as it is now and changes nothing;
 * where that cannot be told, the question goes without.
 */
import { Effect, FileSystem, Path, Schema } from "effect"
import { Config } from "../config/Config.ts"
import { applyEdits } from "../tools/files/applyEdits.ts"
import { diffOfHunks, diffOfTexts, type Diff, type DiffLimits } from "../tools/files/diff.ts"
import { decodeTextFile } from "../tools/files/TextFile.ts"

/** Bytes of a file that is compared while a person waits. */
const LARGEST = 2_000_000

/** A person who is asked can look at all of it (Ctrl+O); what even that leaves out is counted. */
const SHOWN: DiffLimits = { lines: 10_000, longest: 10_000 }

const EditInput = Schema.Struct({
  path: Schema.String,
  edits: Schema.Array(
    Schema.Struct({ old: Schema.String, new: Schema.String, replace_all: Schema.optionalKey(Schema.Boolean) })
  ),
  replace_all: Schema.optionalKey(Schema.Boolean)
})
const WriteInput = Schema.Struct({ path: Schema.String, content: Schema.String })

const asEdit = Schema.decodeUnknownOption(EditInput)
const asWrite = Schema.decodeUnknownOption(WriteInput)

export const changePreview = Effect.fn("Tui.changePreview")(function* (tool: string, input: unknown) {
  if (tool === "Write") {
    const write = asWrite(input)
    if (write._tag === "None") return undefined
    const before = yield* readNow(write.value.path)
    return before === "unreadable" ? undefined : diffOfTexts(before?.text ?? "", write.value.content, SHOWN)
  }
  if (tool !== "Edit") return undefined
  const edit = asEdit(input)
  if (edit._tag === "None") return undefined
  const { edits, path, replace_all: all = false } = edit.value
  const before = yield* readNow(path)
  if (before === "unreadable" || before === undefined) return undefined
  const result = applyEdits(
    before,
    edits.map((one) => ({ ...one, all: one.replace_all ?? all }))
  )
  const diff: Diff | undefined = "problem" in result ? undefined : diffOfHunks(result.file.text, result.hunks, SHOWN)
  return diff
})

/** Undefined: there is no such file. */
const readNow = Effect.fnUntraced(
  function* (given: string) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { launchFolder } = yield* Config
    const file = path.resolve(launchFolder, given)
    if (!(yield* fs.exists(file))) return undefined
    const info = yield* fs.stat(file)
    if (info.type !== "File" || Number(info.size) > LARGEST) return "unreadable" as const
    return decodeTextFile(yield* fs.readFile(file)) ?? ("unreadable" as const)
  },
  Effect.orElseSucceed(() => "unreadable" as const)
)
