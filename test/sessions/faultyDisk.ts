/**
 * A `FileSystem` whose writes into session files fail as told: the fault is injected at one point, the rest is real.
 */
import { Effect, FileSystem, PlatformError } from "effect"

export interface Faults {
  /** Writes still allowed; then they fail. Undefined: all. */
  writesLeft?: number | undefined
  /** Bytes of a failing write that still reach the file, as on a disk that fills up. */
  partial?: number
  /** Cutting a broken piece off fails too. */
  noTruncate?: boolean
  /** Opening for writing fails (read-only disk). */
  noOpen?: boolean
  noSync?: boolean
  /** Syncs that were asked for. */
  syncs?: number
  /** Runs with each sync. */
  onSync?: Effect.Effect<unknown>
  /** Write calls so far. */
  writes?: number
}

const fail = (description: string) =>
  Effect.fail(
    PlatformError.systemError({ _tag: "Unknown", module: "FileSystem", method: "write", description, syscall: "write" })
  )

export const faultyDisk = (real: FileSystem.FileSystem, faults: Faults): FileSystem.FileSystem => {
  const wrap = (file: FileSystem.File): FileSystem.File => {
    const write = (buffer: Uint8Array) =>
      Effect.suspend(() => {
        faults.writes = (faults.writes ?? 0) + 1
        if (faults.writesLeft === undefined) return file.write(buffer)
        if (faults.writesLeft-- > 0) return file.write(buffer)
        faults.writesLeft = 0
        const partial = buffer.subarray(0, faults.partial ?? 0)
        return Effect.andThen(partial.length > 0 ? file.write(partial) : Effect.void, fail("ENOSPC"))
      })
    return {
      ...file,
      [FileSystem.FileTypeId]: FileSystem.FileTypeId,
      stat: file.stat,
      seek: (offset, from) => file.seek(offset, from),
      read: (buffer, options) => file.read(buffer, options),
      readAlloc: (size, options) => file.readAlloc(size, options),
      sync: Effect.suspend(() => {
        if (faults.noSync === true) return fail("EIO")
        faults.syncs = (faults.syncs ?? 0) + 1
        return Effect.andThen(faults.onSync ?? Effect.void, file.sync)
      }),
      truncate: (length) => (faults.noTruncate === true ? fail("EIO") : file.truncate(length)),
      write,
      writeAll: (buffer) => Effect.asVoid(write(buffer))
    }
  }
  return {
    ...real,
    open: (path, options) => {
      if (!path.endsWith(".jsonl")) return real.open(path, options)
      return faults.noOpen === true ? fail("EROFS") : Effect.map(real.open(path, options), wrap)
    }
  }
}
