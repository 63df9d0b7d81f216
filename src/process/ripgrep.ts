/**
 * Finds the ripgrep engine: the one shipped inside the executable, copied once to the user's cache, else the program on
 * PATH. Undefined where there is neither; the search tools then walk the folder themselves.
 */
import * as fs from "node:fs"
import * as path from "node:path"

export interface RipgrepPlaces {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cacheDir: string
  readonly version: string
  readonly platform: NodeJS.Platform
}

/** The shipped one first: its version is known, so answers are the same everywhere. */
export const findRipgrep = async (places: RipgrepPlaces): Promise<string | undefined> => {
  const name = places.platform === "win32" ? "rg.exe" : "rg"
  return (await shipped(places, name)) ?? onPath(places, name)
}

const onPath = (places: RipgrepPlaces, name: string): string | undefined =>
  (places.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find(isProgram)

const shipped = async (places: RipgrepPlaces, name: string): Promise<string | undefined> => {
  const embedded = await embeddedFile()
  if (embedded === undefined) return uncompiled()
  const size = embedded.size
  const target = path.join(places.cacheDir, `rg-${places.version}-${size}`, name)
  try {
    if (isProgram(target) && fs.statSync(target).size === size) return target
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    const temporary = `${target}.${process.pid}`
    fs.writeFileSync(temporary, new Uint8Array(await embedded.arrayBuffer()), { mode: 0o700 })
    fs.renameSync(temporary, target)
    // A cache on a file system from which nothing may be run.
    return isProgram(target) ? target : undefined
  } catch {
    return undefined
  }
}

/** Undefined when maia runs from its sources. */
const embeddedFile = async (): Promise<Blob | undefined> => {
  try {
    const { default: file } = await import("maia-asset:ripgrep")
    return file === undefined ? undefined : Bun.file(file)
  } catch {
    return undefined
  }
}

const uncompiled = async (): Promise<string | undefined> => {
  try {
    const { rgPath } = await import("@vscode/ripgrep")
    return isProgram(rgPath) ? rgPath : undefined
  } catch {
    return undefined
  }
}

const isProgram = (file: string): boolean => {
  try {
    fs.accessSync(file, fs.constants.X_OK)
    return fs.statSync(file).isFile()
  } catch {
    return false
  }
}
