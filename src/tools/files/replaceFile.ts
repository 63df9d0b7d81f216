/**
 * Replaces a file's content in one step: a temporary file beside it, then a rename; mode and owner kept (spec 02, Write). A
 * link stays a link: callers give the real path.
 */
import { Effect, FileSystem, Option, Path, type PlatformError } from "effect"
import { fingerprint, type Fingerprint } from "./FileLedger.ts"

/** Bits of the mode that `chmod` takes. */
const PERMISSIONS = 0o7777

let written = 0

/**
 * `replaced` is what stands there now; undefined for a new file. Gives the state of what was written, taken before others
 * can touch it. Fails with what the platform says, with the old content in its place.
 */
export const replaceFile = Effect.fn("replaceFile")(function* (
  real: string,
  content: string,
  replaced: FileSystem.File.Info | undefined
): Effect.fn.Return<Fingerprint, PlatformError.PlatformError, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const bytes = new TextEncoder().encode(content)
  const temporary = path.join(path.dirname(real), `.maia-${process.pid}-${written++}.tmp`)
  const throughTemporary = Effect.gen(function* () {
    yield* fs.writeFile(temporary, bytes, { flag: "wx" })
    const own = yield* fs.stat(temporary)
    if (replaced !== undefined) {
      // The owner first: giving a file away clears bits of its mode.
      if (!sameOwner(own, replaced)) yield* giveTo(temporary, replaced)
      yield* fs.chmod(temporary, replaced.mode & PERMISSIONS)
    }
    yield* fs.rename(temporary, real)
    return fingerprint(own)
  })
  const inPlace = Effect.andThen(
    fs.writeFile(real, bytes),
    Effect.suspend(() => Effect.map(fs.stat(real), fingerprint))
  )
  return yield* throughTemporary.pipe(
    Effect.tapError((error) =>
      error.reason._tag === "AlreadyExists" ? Effect.void : Effect.ignore(fs.remove(temporary))
    ),
    // A folder may forbid new files, an owner may not be given, a mounted file cannot be renamed over; while the file itself
    // can be written.
    Effect.catchIf(
      ({ reason }) => replaced !== undefined && (reason._tag === "PermissionDenied" || reason._tag === "Busy"),
      () => inPlace
    ),
    Effect.uninterruptible
  )
})

const sameOwner = (a: FileSystem.File.Info, b: FileSystem.File.Info): boolean =>
  Option.getOrNull(a.uid) === Option.getOrNull(b.uid) && Option.getOrNull(a.gid) === Option.getOrNull(b.gid)

const giveTo = Effect.fnUntraced(function* (file: string, { gid, uid }: FileSystem.File.Info) {
  const fs = yield* FileSystem.FileSystem
  if (Option.isSome(uid) && Option.isSome(gid)) yield* fs.chown(file, uid.value, gid.value)
})
