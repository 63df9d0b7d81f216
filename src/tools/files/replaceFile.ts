/**
 * Replaces a file's content in one step: a temporary file beside it, then a rename; mode and owner kept (spec 02, Write). A
 * link stays a link: callers give the real path.
 */
import { Effect, FileSystem, Option, Path } from "effect"
import { pinFile, pinFolder } from "../../process/pinnedFile.ts"
import { fingerprint } from "./FileLedger.ts"

/** Bits of the mode that `chmod` takes. */
const PERMISSIONS = 0o7777

let written = 0

/**
 * `replaced` is what stands there now; undefined for a new file. Gives the state of what was written, taken before others
 * can touch it. Fails with `PathMoved` where the folder is no longer what it was, or with what the platform says,
 * with the old content in its place.
 */
export const replaceFile = Effect.fn("replaceFile")(function* (
  real: string,
  content: string,
  replaced: FileSystem.File.Info | undefined
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const bytes = new TextEncoder().encode(content)
  const folder = yield* pinFolder(path.dirname(real))
  const target = path.join(folder, path.basename(real))
  const temporary = path.join(folder, `.maia-${process.pid}-${written++}.tmp`)
  const throughTemporary = Effect.gen(function* () {
    yield* fs.writeFile(temporary, bytes, { flag: "wx" })
    const own = yield* fs.stat(temporary)
    if (replaced !== undefined) {
      // The owner first: giving a file away clears bits of its mode.
      if (!sameOwner(own, replaced)) yield* giveTo(temporary, replaced)
      yield* fs.chmod(temporary, replaced.mode & PERMISSIONS)
    }
    yield* fs.rename(temporary, target)
    return fingerprint(own)
  })
  const inPlace = Effect.flatMap(pinFile(real), (file) =>
    Effect.andThen(fs.writeFile(file, bytes), Effect.map(fs.stat(file), fingerprint))
  )
  return yield* throughTemporary.pipe(
    Effect.tapError((error) =>
      error._tag === "PlatformError" && error.reason._tag === "AlreadyExists"
        ? Effect.void
        : Effect.ignore(fs.remove(temporary))
    ),
    // A folder may forbid new files, an owner may not be given, a mounted file cannot be renamed over; while the file itself
    // can be written.
    Effect.catchIf(
      (error) => error._tag === "PlatformError" && replaced !== undefined && IN_PLACE.has(error.reason._tag),
      () => inPlace
    ),
    Effect.uninterruptible
  )
}, Effect.scoped)

const IN_PLACE = new Set(["PermissionDenied", "Busy"])

const sameOwner = (a: FileSystem.File.Info, b: FileSystem.File.Info): boolean =>
  Option.getOrNull(a.uid) === Option.getOrNull(b.uid) && Option.getOrNull(a.gid) === Option.getOrNull(b.gid)

const giveTo = Effect.fnUntraced(function* (file: string, { gid, uid }: FileSystem.File.Info) {
  const fs = yield* FileSystem.FileSystem
  if (Option.isSome(uid) && Option.isSome(gid)) yield* fs.chown(file, uid.value, gid.value)
})
