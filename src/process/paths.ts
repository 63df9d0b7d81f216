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
