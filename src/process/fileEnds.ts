/**
 * Reads the first and the last bytes of a file in one go, with synchronous calls, which `FileSystem` does not have. Measured on
 * 1 000 files: 10 ms so, 28 to 70 ms through `FileSystem` with 16 at a time, 160 to 330 ms one after the other; a list of
 * sessions is asked for while someone waits.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs"

export interface FileEnds {
  /** Bytes. */
  readonly size: number
  /** Milliseconds since 1970. */
  readonly modified: number
  /** At most the bytes asked for; the whole file when it is not longer. */
  readonly head: Uint8Array
  /** Empty when `head` holds the whole file. */
  readonly tail: Uint8Array
}

/** Links are not followed and pipes not waited for. */
const FLAGS = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const readAt = (descriptor: number, position: number, length: number): Uint8Array => {
  const buffer = new Uint8Array(length)
  return buffer.subarray(0, readSync(descriptor, buffer, 0, length, position))
}

/** Undefined when it is no regular file or cannot be read. */
export const readFileEnds = (path: string, headBytes: number, tailBytes: number): FileEnds | undefined => {
  try {
    const descriptor = openSync(path, FLAGS)
    try {
      const stat = fstatSync(descriptor)
      if (!stat.isFile()) return undefined
      const head = readAt(descriptor, 0, Math.min(stat.size, headBytes))
      const from = Math.max(headBytes, stat.size - tailBytes)
      const tail = stat.size > headBytes ? readAt(descriptor, from, stat.size - from) : new Uint8Array(0)
      return { size: stat.size, modified: stat.mtimeMs, head, tail }
    } finally {
      closeSync(descriptor)
    }
  } catch {
    return undefined
  }
}
