/**
 * Bytes of files by their SHA-256, each kept once, under `.maia/.checkpoints`. Bounded by age and by size: the oldest go first.
 */
import { Clock, Effect, FileSystem, Option, Path, Random } from "effect"
import type { Config } from "../../config/Config.ts"
import { fileServices } from "../fileServices.ts"
import { makeOwnFolder } from "../ownFolder.ts"

const FOLDER = ".checkpoints"

const DAY = 24 * 3_600_000
const MEGABYTE = 1_000_000

export interface BlobStore {
  /** Keeps the bytes; fails when they cannot be written. */
  readonly put: (hash: string, bytes: Uint8Array) => Effect.Effect<void, { readonly message: string }>
  /** The bytes; undefined when they are gone or no longer what they were. */
  readonly get: (hash: string) => Effect.Effect<Uint8Array | undefined>
  /** Removes what is too old, then the oldest until the rest fits. */
  readonly sweep: Effect.Effect<void>
}

/** SHA-256 in hexadecimal. */
export const hashOf = (bytes: Uint8Array): Effect.Effect<string> =>
  Effect.promise(async () => {
    // A copy: the digest takes no view on shared memory, and the types know that.
    const digest = await crypto.subtle.digest("SHA-256", new Uint8Array(bytes))
    return Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, "0")).join("")
  })

interface Stored {
  readonly file: string
  readonly size: number
  readonly modified: number
}

export const makeBlobStore = Effect.fnUntraced(function* (config: Config["Service"]) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const context = yield* fileServices
  const { maxDays, maxMegabytes } = config.settings.checkpoints
  const root = path.join(config.projectDir, FOLDER)
  const fileOf = (hash: string): string => path.join(root, hash.slice(0, 2), hash)
  let isReady = false
  let added = 0

  const stored = Effect.gen(function* () {
    const found: Array<Stored> = []
    for (const name of yield* fs.readDirectory(root, { recursive: true })) {
      const file = path.join(root, name)
      const info = yield* Effect.option(fs.lstat(file))
      if (info._tag === "None" || info.value.type !== "File") continue
      const modified = Option.getOrElse(info.value.mtime, () => new Date(0)).getTime()
      found.push({ file, size: Number(info.value.size), modified })
    }
    return found.sort((left, right) => right.modified - left.modified)
  })

  const sweep = Effect.gen(function* () {
    const oldest = (yield* Clock.currentTimeMillis) - maxDays * DAY
    let total = 0
    for (const { file, size, modified } of yield* stored) {
      total += size
      if (modified < oldest || total > maxMegabytes * MEGABYTE) yield* Effect.ignore(fs.remove(file))
    }
    added = 0
  }).pipe(Effect.ignore)

  const put = Effect.fnUntraced(function* (hash: string, bytes: Uint8Array) {
    if (!isReady) {
      yield* makeOwnFolder(config, FOLDER)
      isReady = true
      yield* sweep
    }
    const target = fileOf(hash)
    const now = yield* Clock.currentTimeMillis
    // Kept already: it counts as new again, so that what is in use is the last to go.
    const isKept = yield* Effect.isSuccess(fs.utimes(target, new Date(now), new Date(now)))
    if (isKept) return
    yield* fs.makeDirectory(path.dirname(target), { recursive: true, mode: 0o700 })
    const draft = `${target}.${(yield* Random.nextIntBetween(0, 0xffff_ffff)).toString(36)}`
    yield* fs.writeFile(draft, bytes, { flag: "wx", mode: 0o600 }).pipe(
      Effect.andThen(fs.rename(draft, target)),
      Effect.onError(() => Effect.ignore(fs.remove(draft, { force: true })))
    )
    added += bytes.length
    if (added > (maxMegabytes * MEGABYTE) / 10) yield* sweep
  }, Effect.provideContext(context))

  const get = Effect.fnUntraced(function* (hash: string) {
    const bytes = yield* Effect.option(fs.readFile(fileOf(hash)))
    if (bytes._tag === "None" || (yield* hashOf(bytes.value)) !== hash) return undefined
    return bytes.value
  })

  const store: BlobStore = { put, get, sweep }
  return store
})
