/**
 * Finds the ripgrep engine: the program on PATH, else the one shipped inside the executable, copied once to the user's
 * cache. Undefined where there is neither; the search tools then walk the folder themselves.
 */
import * as fs from "node:fs"
import * as path from "node:path"

export interface RipgrepPlaces {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly cacheDir: string
  readonly version: string
  readonly platform: NodeJS.Platform
}

export const findRipgrep = async (places: RipgrepPlaces): Promise<string | undefined> => {
  const name = places.platform === "win32" ? "rg.exe" : "rg"
  const onPath = (places.env["PATH"] ?? "")
    .split(path.delimiter)
    .filter((folder) => path.isAbsolute(folder))
    .map((folder) => path.join(folder, name))
    .find(isProgram)
  return onPath ?? (await shipped(places, name))
}

const shipped = async (places: RipgrepPlaces, name: string): Promise<string | undefined> => {
  const embedded = await embeddedFile()
  if (embedded === undefined) return uncompiled()
  const size = embedded.size
  const target = path.join(places.cacheDir, `rg-${places.version}-${size}`, name)
  if (isProgram(target) && fs.statSync(target).size === size) return target
  try {
    fs.mkdirSync(path.dirname(target), { recursive: true, mode: 0o700 })
    const temporary = `${target}.${process.pid}`
    fs.writeFileSync(temporary, new Uint8Array(await embedded.arrayBuffer()), { mode: 0o700 })
    fs.renameSync(temporary, target)
    return target
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
