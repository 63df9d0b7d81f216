/**
 * Where the output of commands and other things that may be lost are kept: the user's cache folder, or one of our own in the
 * temporary folder where home cannot be written (containers, services): no command could run otherwise.
 */
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"

/** Makes nothing where `wanted` will do. */
export const cacheFolder = (wanted: string, temporary: string = os.tmpdir()): string =>
  canBeMade(wanted) ? wanted : (ownFolder(temporary) ?? wanted)

/** The nearest folder that is there can be written. */
const canBeMade = (folder: string): boolean => {
  for (let at = folder; ; at = path.dirname(at)) {
    try {
      if (!fs.statSync(at).isDirectory()) return false
      fs.accessSync(at, fs.constants.W_OK)
      return true
    } catch (error) {
      if (!isMissing(error) || path.dirname(at) === at) return false
    }
  }
}

const isMissing = (error: unknown): boolean => error instanceof Error && "code" in error && error.code === "ENOENT"

/** Others can write into the temporary folder, too: a folder there that is not ours alone is none of ours. */
const ownFolder = (temporary: string): string | undefined => {
  const user = process.getuid?.()
  const folder = path.join(temporary, user === undefined ? "maia" : `maia-${user}`)
  try {
    fs.mkdirSync(folder, { recursive: true, mode: 0o700 })
    const found = fs.lstatSync(folder)
    const isOurs = user === undefined || (found.uid === user && (found.mode & 0o022) === 0)
    return found.isDirectory() && isOurs ? folder : undefined
  } catch {
    return undefined
  }
}
