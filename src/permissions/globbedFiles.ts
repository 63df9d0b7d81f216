/**
 * What a glob of the shell stands for on the disk, as far as it matters (spec 03, "Paths"): links, which lead elsewhere than
 * their names say, and names that a program would read as flags. Pure but for the facts it is handed.
 */
import { mayOverlap } from "./overlap.ts"
import type { PathFacts } from "./paths.ts"
import { ANYTHING } from "./shell/words.ts"

export interface Globbed {
  /** Absolute paths that go through a link. */
  readonly linked: ReadonlyArray<string>
  /** There is more than can be looked at. */
  readonly isCut: boolean
}

/** Folders listed for one word. */
const MOST_FOLDERS = 300

const STAND_IN = /[\uE000-\uE002]/

/** `shape` is an absolute path with stand-ins; one that may be anything is not looked at. */
export const globbedFiles = (shape: string, facts: PathFacts): Globbed => {
  if (shape.includes(ANYTHING)) return { linked: [], isCut: false }
  const linked: Array<string> = []
  let left = MOST_FOLDERS
  let isCut = false
  const walk = (folder: string, parts: ReadonlyArray<string>, throughLink: boolean): void => {
    const at = parts.findIndex((part) => STAND_IN.test(part))
    if (at === -1) {
      if (throughLink) linked.push(join(folder, parts))
      return
    }
    if (left-- <= 0) {
      isCut = true
      return
    }
    const base = join(folder, parts.slice(0, at))
    const rest = parts.slice(at + 1)
    for (const { isFolder, isLink, name } of facts.names(base)) {
      const matters = isLink || (isFolder && rest.length > 0) || throughLink
      if (matters && mayOverlap(parts[at] ?? "", name)) walk(`${base}/${name}`, rest, throughLink || isLink)
    }
  }
  walk("", shape.split("/").slice(1), false)
  return { linked, isCut }
}

/** A name in the folder that a glob at the start of a word can turn into, and that begins like a flag. */
export const globbedFlag = (shape: string, folder: string, facts: PathFacts): string | undefined => {
  const [first = ""] = shape.split("/")
  if (!/^[\uE000\uE001]/.test(first)) return undefined
  return facts.names(folder).find(({ name }) => name.startsWith("-") && mayOverlap(first, name))?.name
}

const join = (folder: string, parts: ReadonlyArray<string>): string => [folder, ...parts].join("/")
