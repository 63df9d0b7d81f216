/**
 * History across sessions (spec 07 "Input"): one line of JSON for each message sent, in `history.jsonl` of the user's folder,
 * readable by the user only. Several processes append to it, each entry in one write. A file that has grown too large becomes
 * `history.old.jsonl`, in the place of the one before; both are read. Never fails: without a file there is only this
 * session's history.
 */
import { Clock, Effect, FileSystem, Path } from "effect"
import { Config } from "../../config/Config.ts"
import { type Content } from "./content.ts"
import { isRemembered } from "./history.ts"
import { decodeEntry, encodeEntry } from "./historyEntry.ts"

/** Bytes from which on a new file is begun. */
export const LARGEST_FILE = 1_000_000
/** Bytes of the end of a file that are read, whatever its size. */
const READ_AT_MOST = 2 * LARGEST_FILE

export interface InputHistory {
  /** Oldest first; entries of the launch folder behind all others, so that ↑ finds them first. */
  readonly load: Effect.Effect<ReadonlyArray<Content>>
  /** Keeps what was sent, but not what begins with a space or is very long. */
  readonly add: (content: Content) => Effect.Effect<void>
}

export const makeInputHistory: Effect.Effect<InputHistory, never, Config | FileSystem.FileSystem | Path.Path> =
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { launchFolder, userDir } = yield* Config
    const file = path.join(userDir, "history.jsonl")
    const old = path.join(userDir, "history.old.jsonl")

    const load = Effect.gen(function* () {
      yield* rotate(fs, file, old)
      const lines = (yield* readLines(fs, old)).concat(yield* readLines(fs, file))
      const entries = lines.flatMap((line) => decodeEntry(line) ?? [])
      const isOurs = (entry: (typeof entries)[number]): boolean => entry.folder === launchFolder
      return [...entries.filter((entry) => !isOurs(entry)), ...entries.filter(isOurs)].map(({ content }) => content)
    })

    const add = (content: Content): Effect.Effect<void> =>
      Effect.gen(function* () {
        if (!isRemembered(content.text)) return
        const line = encodeEntry(content, yield* Clock.currentTimeMillis, launchFolder)
        if (line === undefined) return
        yield* fs.makeDirectory(userDir, { recursive: true, mode: 0o700 })
        const open = yield* fs.open(file, { flag: "a+", mode: 0o600 })
        // What a crash or a full disk has cut must not take the new entry with it.
        const before = (yield* endsWhole(open)) ? "" : "\n"
        yield* open.writeAll(new TextEncoder().encode(`${before}${line}\n`))
      }).pipe(Effect.scoped, Effect.ignore)

    return { load, add }
  })

/** Two processes at once may both find it large: the second then finds a small one, and leaves it. */
const rotate = (fs: FileSystem.FileSystem, file: string, old: string): Effect.Effect<void> =>
  Effect.ignore(
    Effect.flatMap(fs.stat(file), ({ size, type }) =>
      type === "File" && Number(size) > LARGEST_FILE ? fs.rename(file, old) : Effect.void
    )
  )

const endsWhole = Effect.fnUntraced(function* (open: FileSystem.File) {
  const { size } = yield* open.stat
  if (Number(size) === 0) return true
  const last = new Uint8Array(1)
  yield* open.seek(BigInt(size) - 1n, "start")
  yield* open.read(last)
  return last[0] === 0x0a
})

/** Whole lines of the end of a file; none where it cannot be read. */
const readLines = (fs: FileSystem.FileSystem, file: string): Effect.Effect<ReadonlyArray<string>> =>
  Effect.gen(function* () {
    const { size, type } = yield* fs.stat(file)
    // A pipe would be waited for.
    if (type !== "File") return []
    const open = yield* fs.open(file)
    const from = Math.max(0, Number(size) - READ_AT_MOST)
    yield* open.seek(BigInt(from), "start")
    const bytes = yield* open.readAlloc(Math.min(READ_AT_MOST, Number(size)))
    const lines = bytes._tag === "None" ? [] : new TextDecoder().decode(bytes.value).split("\n")
    return from === 0 ? lines : lines.slice(1)
  }).pipe(
    Effect.scoped,
    Effect.orElseSucceed((): ReadonlyArray<string> => [])
  )
