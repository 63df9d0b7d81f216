/**
 * The file a command writes to: stdout and stderr share one open file in append mode, so their order is kept and nobody
 * who holds it can block maia (field case E1). Read back by position, at most a given number of bytes from each end.
 *
 * Raw `node:fs`: the descriptor is handed to the child, and synchronous calls on a file just written cost microseconds.
 * Touches `Config.outputDir` only.
 */
import * as fs from "node:fs"
import * as path from "node:path"

export interface OutputFile {
  readonly path: string
  readonly descriptor: number
}

export interface CapturedOutput {
  /** Bytes written in all. */
  readonly size: number
  /** The first bytes; all of them when `tail` is undefined. */
  readonly head: Uint8Array
  readonly tail: Uint8Array | undefined
  /** Holds everything; gone after `discard`. */
  readonly path: string
}

/** Throws what the file system says. The folder is made, for the user alone, when it is not there. */
export const createOutputFile = (folder: string, name: string): OutputFile => {
  const { O_APPEND, O_CREAT, O_EXCL, O_RDWR } = fs.constants
  const file = path.join(folder, name)
  const open = (): number => fs.openSync(file, O_RDWR | O_CREAT | O_EXCL | O_APPEND, 0o600)
  try {
    return { path: file, descriptor: open() }
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    return { path: file, descriptor: open() }
  }
}

/** A file with no name any more that gives `content` to whoever gets the descriptor as its standard input. */
export const inputFile = (folder: string, name: string, content: string): OutputFile => {
  const file = createOutputFile(folder, name)
  try {
    fs.writeFileSync(file.descriptor, content)
    const descriptor = fs.openSync(file.path, "r")
    return { path: file.path, descriptor }
  } finally {
    closeOutput(file)
    removeOutput(file.path)
  }
}

export const sizeOf = (descriptor: number): number => fs.fstatSync(descriptor).size

/** At most `perEnd` bytes from each end, all when they fit into both. */
export const capture = (file: OutputFile, perEnd: number): CapturedOutput => {
  const size = sizeOf(file.descriptor)
  if (size <= 2 * perEnd) return { size, head: readAt(file.descriptor, 0, size), tail: undefined, path: file.path }
  const head = readAt(file.descriptor, 0, perEnd)
  return { size, head, tail: readAt(file.descriptor, size - perEnd, perEnd), path: file.path }
}

export interface NewOutput {
  /** Bytes in the file. */
  readonly size: number
  /** Between `head` and `tail`. */
  readonly skippedBytes: number
  /** From the offset on; all that is new when `tail` is undefined. */
  readonly head: Uint8Array
  readonly tail: Uint8Array | undefined
}

/** What a file got after `offset`, at most `perEnd` bytes from each end of it. A file that is gone or empty has nothing. */
export const readNewOutput = (file: string, offset: number, perEnd: number): NewOutput => {
  let descriptor: number
  try {
    descriptor = fs.openSync(file, "r")
  } catch {
    return { size: offset, skippedBytes: 0, head: new Uint8Array(), tail: undefined }
  }
  try {
    const size = sizeOf(descriptor)
    // Emptied by the command: all of it is new.
    const from = size < offset ? 0 : offset
    const skippedBytes = Math.max(0, size - from - 2 * perEnd)
    if (skippedBytes === 0) return { size, skippedBytes, head: readAt(descriptor, from, size - from), tail: undefined }
    const head = readAt(descriptor, from, perEnd)
    return { size, skippedBytes, head, tail: readAt(descriptor, size - perEnd, perEnd) }
  } finally {
    fs.closeSync(descriptor)
  }
}

/** Up to `length` bytes from `position`; fewer where the file ends. */
export const readAt = (descriptor: number, position: number, length: number): Uint8Array => {
  const bytes = new Uint8Array(length)
  let filled = 0
  while (filled < length) {
    const count = fs.readSync(descriptor, bytes, filled, length - filled, position + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

export const closeOutput = (file: OutputFile): void => {
  try {
    fs.closeSync(file.descriptor)
  } catch {
    // Already closed.
  }
}

export const removeOutput = (file: string): void => {
  try {
    fs.unlinkSync(file)
  } catch {
    // Already gone.
  }
}

/** Removes outputs of commands that are older than `maxAgeMillis`, then the oldest beyond `maxBytes` in all. */
export const removeOldOutputs = (folder: string, now: number, maxAgeMillis: number, maxBytes: number): void => {
  let bytes = 0
  for (const { file, size, changed } of outputsIn(folder)) {
    bytes += size
    if (bytes > maxBytes || now - changed > maxAgeMillis) removeOutput(file)
  }
}

/** Newest first. */
const outputsIn = (folder: string) => {
  const outputs: Array<{ readonly file: string; readonly size: number; readonly changed: number }> = []
  try {
    for (const name of fs.readdirSync(folder)) {
      if (!/^bash-[\w-]+\.log$/.test(name)) continue
      const file = path.join(folder, name)
      const stats = fs.statSync(file, { throwIfNoEntry: false })
      if (stats !== undefined) outputs.push({ file, size: stats.size, changed: stats.mtimeMs })
    }
  } catch {
    // There is no such folder.
  }
  return outputs.sort((one, other) => other.changed - one.changed)
}

/** `folder`, or the nearest parent that still exists. */
export const nearestExistingFolder = (folder: string): string => {
  let current = folder
  for (;;) {
    if (isFolder(current)) return current
    const parent = path.dirname(current)
    if (parent === current) return current
    current = parent
  }
}

const isFolder = (folder: string): boolean => {
  try {
    return fs.statSync(folder).isDirectory()
  } catch {
    return false
  }
}
