/**
 * Holds on to what a path led to when it was checked (spec 03, "a symlink planted between check and use"): the file or folder
 * is opened, the system is asked what was opened, and everything after goes through that open descriptor. Where the system
 * offers no path through a descriptor, the path is looked at once more after the opening.
 */
import * as fs from "node:fs"
import { Effect, PlatformError, Schema, type Scope } from "effect"
import { openedPath } from "./paths.ts"

/** The path now leads elsewhere than when it was judged. */
export class PathMoved extends Schema.TaggedError<PathMoved>()("PathMoved", { path: Schema.String }) {}

const FILE = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK
/** On Linux a folder that may be entered but not listed can be held too (`O_PATH`). */
const FOLDER = fs.constants.O_DIRECTORY | (process.platform === "linux" ? 0o10000000 : fs.constants.O_RDONLY)

/**
 * A path that leads to the file `real` (a real path) until the scope closes, whatever happens to its name. Fails with
 * `PathMoved` where something else was opened, or with what the platform says.
 */
export const pinFile = (real: string): Effect.Effect<string, PathMoved | PlatformError.PlatformError, Scope.Scope> =>
  pin(real, FILE)

/** The same for a folder: `${pinned}/name` is a file in it. */
export const pinFolder = (real: string): Effect.Effect<string, PathMoved | PlatformError.PlatformError, Scope.Scope> =>
  pin(real, FOLDER)

const pin = Effect.fnUntraced(function* (real: string, flags: number) {
  const descriptor = yield* Effect.acquireRelease(
    Effect.try({ try: () => fs.openSync(real, flags), catch: (cause) => failure(real, cause) }),
    (open) => Effect.ignore(Effect.try(() => fs.closeSync(open)))
  )
  const opened = openedPath(descriptor)
  const now = opened ?? whereIs(real)
  if (now !== real) return yield* new PathMoved({ path: real })
  return opened === undefined ? real : `/proc/self/fd/${descriptor}`
})

const whereIs = (path: string): string | undefined => {
  try {
    return fs.realpathSync.native(path)
  } catch {
    return undefined
  }
}

/** A link that was planted in the place of a file is not followed (`ELOOP`). */
const failure = (path: string, cause: unknown): PathMoved | PlatformError.PlatformError => {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  if (code === "ELOOP") return new PathMoved({ path })
  return PlatformError.systemError({
    module: "FileSystem",
    method: "open",
    _tag: TAGS[code] ?? "Unknown",
    pathOrDescriptor: path,
    cause
  })
}

const TAGS: Readonly<Record<string, PlatformError.SystemErrorTag>> = {
  ENOENT: "NotFound",
  ENOTDIR: "NotFound",
  EACCES: "PermissionDenied",
  EPERM: "PermissionDenied",
  EBUSY: "Busy",
  EISDIR: "BadResource"
}
