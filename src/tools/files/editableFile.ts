/** What Write and Edit ask of a file before they change it: a regular, writable file of UTF-8 text. */
import { Effect, FileSystem } from "effect"
import { ToolFailure } from "../../domain/tool.ts"
import { pinFile } from "../../process/pinnedFile.ts"
import { byteSize } from "./describeFile.ts"
import { decodeTextFile } from "./TextFile.ts"

/** Bytes of a file that can be edited. */
const LARGEST = 50_000_000

/** Near names of the parameter `path`. */
export const FILE_ALIASES = ["file_path", "filepath", "file", "filename", "filePath", "file_name", "absolute_path"]

/** Its content and state; fails with what stands in the way. `given` is the path as the model wrote it. */
export const editableFile = Effect.fn("editableFile")(function* (given: string, real: string) {
  const fs = yield* FileSystem.FileSystem
  const info = yield* fs.stat(real)
  const refuse = (why: string) => Effect.fail(new ToolFailure({ message: `${given} ${why} Nothing was changed.` }))
  if (info.type === "Directory") return yield* refuse("is a folder, not a file.")
  if (info.type !== "File") return yield* refuse(`is no regular file (${info.type}).`)
  if (Number(info.size) > LARGEST) return yield* refuse(`is too large to edit (${byteSize(Number(info.size))}).`)
  const writable = yield* Effect.isSuccess(fs.access(real, { writable: true }))
  if (!writable) return yield* refuse("is read-only for this user. Ask the user before you change its mode.")
  const file = decodeTextFile(yield* Effect.scoped(Effect.flatMap(pinFile(real), fs.readFile)))
  if (file === undefined) {
    return yield* refuse("is not UTF-8 text; maia would damage it. Use Bash with a program that keeps its bytes.")
  }
  return { file, info }
})
