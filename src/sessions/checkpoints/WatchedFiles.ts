/**
 * The files that checkpoints look at: where they really are, what they hold, and writing them back. Reading one that has not
 * changed since costs one `stat`.
 */
import { Clock, Effect, FileSystem, Option, Path, Random } from "effect"
import type { Config } from "../../config/Config.ts"
import { isInside } from "../ownFolder.ts"
import { hashOf } from "./BlobStore.ts"
import { MAX_FILE_BYTES } from "./Checkpoints.ts"
import { makeIgnoredFiles } from "./ignored.ts"

/** What a file holds; `hash` is null where there is none. */
export interface FileContent {
  readonly hash: string | null
  readonly bytes: Uint8Array
  readonly mode: number
}

export interface WatchedFile {
  /** Real path. */
  readonly file: string
  /** As sessions name it. */
  readonly path: string
  readonly isInside: boolean
}

const ABSENT: FileContent = { hash: null, bytes: new Uint8Array(0), mode: 0 }

/** Milliseconds that must lie between a file's last change and its reading: two changes can have the same time. */
const SETTLED = 100

const modifiedAt = (info: FileSystem.File.Info): number => Option.getOrUndefined(info.mtime)?.getTime() ?? Infinity

/** What tells one version of a file from another without reading it. */
const stampOf = (info: FileSystem.File.Info): string =>
  `${Option.getOrUndefined(info.ino) ?? 0} ${modifiedAt(info)} ${info.size} ${info.mode}`

export const makeWatchedFiles = Effect.fnUntraced(function* (config: Config["Service"]) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = config.launchFolder
  const ignored = yield* makeIgnoredFiles(folder, config.projectDir)
  /** By real path: the stamp and hash last read. */
  const read = new Map<string, { readonly stamp: string; readonly hash: string }>()

  const info = (file: string) =>
    fs.lstat(file).pipe(
      Effect.catchReason("PlatformError", "NotFound", () => Effect.undefined),
      Effect.option
    )

  /** Where a file that may not exist yet would really be. */
  const realPath: (file: string) => Effect.Effect<string | undefined> = Effect.fnUntraced(function* (file: string) {
    const real = yield* Effect.option(fs.realPath(file))
    if (real._tag === "Some") return real.value
    const parent = path.dirname(file)
    if (parent === file) return undefined
    const realParent = yield* realPath(parent)
    return realParent === undefined ? undefined : path.join(realParent, path.basename(file))
  })

  const resolve = (named: string): string => path.resolve(folder, named)

  const nameOf = (file: string): string =>
    isInside(path, folder, file) ? path.relative(folder, file).split(path.sep).join("/") : file

  /** Undefined for files that are never kept. */
  const place = Effect.fnUntraced(function* (asked: string) {
    const file = yield* realPath(resolve(asked))
    if (file === undefined || file === folder || (yield* ignored.isIgnored(file))) return undefined
    const found: WatchedFile = { file, path: nameOf(file), isInside: isInside(path, folder, file) }
    return found
  })

  /** `true` when a look at the file is enough to know that it still holds this. */
  const isUnchanged = Effect.fnUntraced(function* (file: string, hash: string | null) {
    const now = yield* info(file)
    if (now._tag === "None") return false
    if (now.value === undefined) return hash === null
    const last = read.get(file)
    return last !== undefined && last.hash === hash && last.stamp === stampOf(now.value)
  })

  /** Undefined for what is no regular file, cannot be read or is over 10 MB. */
  const content = Effect.fnUntraced(function* (file: string) {
    const now = yield* info(file)
    if (now._tag === "None") return undefined
    if (now.value === undefined) return ABSENT
    if (now.value.type !== "File" || Number(now.value.size) > MAX_FILE_BYTES) return undefined
    const bytes = yield* Effect.option(fs.readFile(file))
    if (bytes._tag === "None") return undefined
    const hash = yield* hashOf(bytes.value)
    if (modifiedAt(now.value) + SETTLED < (yield* Clock.currentTimeMillis)) {
      read.set(file, { stamp: stampOf(now.value), hash })
    } else read.delete(file)
    const found: FileContent = { hash, bytes: bytes.value, mode: now.value.mode & 0o777 }
    return found
  })

  /** Replaces, makes or (`null`) removes a file. Fails when its folder is no longer where it was (a link took its place). */
  const write = Effect.fnUntraced(function* (file: string, bytes: Uint8Array | null, mode: number | undefined) {
    const parent = path.dirname(file)
    if ((yield* realPath(parent)) !== parent) return yield* Effect.fail("moved" as const)
    read.delete(file)
    if (bytes === null) return yield* fs.remove(file)
    yield* fs.makeDirectory(parent, { recursive: true })
    const draft = `${file}.${(yield* Random.nextIntBetween(0, 0xffff_ffff)).toString(36)}.maia`
    yield* fs.writeFile(draft, bytes, { flag: "wx" }).pipe(
      Effect.andThen(fs.chmod(draft, mode ?? 0o644)),
      Effect.andThen(fs.rename(draft, file)),
      Effect.onError(() => Effect.ignore(fs.remove(draft, { force: true })))
    )
  })

  const isOutside = (file: string): boolean => !isInside(path, folder, file)

  return { place, resolve, isOutside, isUnchanged, read: content, write }
})

export type WatchedFiles = Effect.Success<ReturnType<typeof makeWatchedFiles>>
