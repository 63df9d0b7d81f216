/**
 * Replaces a file's content in one step: a temporary file beside it, then a rename, its mode kept (spec 02, Write). A link
 * stays a link: callers give the real path.
 */
import { Effect, FileSystem, Path } from "effect"

/** Bits of the mode that `chmod` takes. */
const PERMISSIONS = 0o7777

export const replaceFile = Effect.fn("replaceFile")(function* (
  real: string,
  content: string | Uint8Array,
  mode: number | undefined
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const bytes = typeof content === "string" ? new TextEncoder().encode(content) : content
  const name = `.${path.basename(real).slice(0, 100)}.maia-${process.pid}-${Math.trunc(performance.now() * 1000)}`
  const temporary = path.join(path.dirname(real), name)
  const write = Effect.gen(function* () {
    yield* fs.writeFile(temporary, bytes, { flag: "wx", ...(mode === undefined ? {} : { mode: mode & PERMISSIONS }) })
    if (mode !== undefined) yield* fs.chmod(temporary, mode & PERMISSIONS)
    yield* fs.rename(temporary, real)
  })
  yield* write.pipe(
    Effect.onError(() => Effect.ignore(fs.remove(temporary))),
    // A folder may forbid new files while the file itself can be written.
    Effect.catchIf(
      (error) => error.reason._tag === "PermissionDenied" && mode !== undefined,
      () => fs.writeFile(real, bytes)
    ),
    Effect.uninterruptible
  )
})
