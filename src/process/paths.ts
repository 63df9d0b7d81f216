/**
 * What a path really is, asked synchronously: permission decisions take microseconds and must see one state of the disk.
 * Reads names and links only, never content.
 */
import * as fs from "node:fs"
import * as path from "node:path"

/** Links followed at most. */
const MOST_LINKS = 40

/** Real path; for what does not exist that of the deepest existing parent with the rest behind it, links to nowhere followed. */
export const realOrParent = (target: string): string => follow(path.resolve(target), MOST_LINKS)

const follow = (target: string, left: number): string => {
  try {
    return fs.realpathSync.native(target)
  } catch {
    const link = left > 0 ? readLink(target) : undefined
    if (link !== undefined) return follow(path.resolve(path.dirname(target), link), left - 1)
    const parent = path.dirname(target)
    return parent === target ? target : path.join(follow(parent, left), path.basename(target))
  }
}

const readLink = (target: string): string | undefined => {
  try {
    return fs.readlinkSync(target)
  } catch {
    return undefined
  }
}

/** Follows no link: a link to nowhere exists. */
export const pathExists = (target: string): boolean => {
  try {
    return fs.lstatSync(target, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}

/** What a folder holds, links not followed; nothing where it cannot be listed. */
export const namesIn = (
  folder: string
): ReadonlyArray<{ readonly name: string; readonly isLink: boolean; readonly isFolder: boolean }> => {
  try {
    return fs
      .readdirSync(folder === "" ? "/" : folder, { withFileTypes: true })
      .map((entry) => ({ name: entry.name, isLink: entry.isSymbolicLink(), isFolder: entry.isDirectory() }))
  } catch {
    return []
  }
}

/** The file system takes `a` and `A` for one name in this folder; asked of the folder itself, not guessed from the system. */
export const ignoresCase = (folder: string): boolean => {
  const name = path.basename(folder)
  const swapped = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase()
  // No letters to try: what the system usually does.
  if (swapped === name) return process.platform === "darwin" || process.platform === "win32"
  try {
    const here = fs.statSync(folder)
    const there = fs.statSync(path.join(path.dirname(folder), swapped), { throwIfNoEntry: false })
    return there !== undefined && there.ino === here.ino && there.dev === here.dev
  } catch {
    return false
  }
}

/** Where an open file really is, to compare with the path that was judged; undefined where the system does not say. */
export const openedPath = (descriptor: number): string | undefined => {
  if (process.platform !== "linux") return undefined
  try {
    return fs.readlinkSync(`/proc/self/fd/${descriptor}`)
  } catch {
    return undefined
  }
}
