/**
 * Paths as rules see them (spec 03, "Paths"): the path as given and the real one behind links, both judged. Pure but for the
 * `PathFacts` it is handed.
 */
import { Glob } from "effect"

/** What only the file system knows. Synchronous: a decision takes microseconds and must not be a race with itself. */
export interface PathFacts {
  /** Real path; for what does not exist that of the deepest existing parent, with the rest behind it. */
  readonly real: (path: string) => string
  readonly exists: (path: string) => boolean
  /** What a folder holds; nothing where it cannot be listed. */
  readonly names: (folder: string) => ReadonlyArray<FolderName>
}

export interface FolderName {
  readonly name: string
  readonly isLink: boolean
  /** The folder itself, not a link to one. */
  readonly isFolder: boolean
}

export interface PathPlaces {
  readonly launchFolder: string
  readonly home: string
  /** The file system takes `A` and `a` for one name. */
  readonly ignoreCase: boolean
}

/** `..` and `.` folded, no slash at the end; `~` is the home. Nothing else is decoded: `%2e` is a name. */
export const absolutePath = (given: string, places: PathPlaces, base: string = places.launchFolder): string => {
  const expanded = given === "~" ? places.home : given.startsWith("~/") ? `${places.home}/${given.slice(2)}` : given
  const whole = expanded.startsWith("/") ? expanded : `${base}/${expanded}`
  const kept: Array<string> = []
  for (const part of whole.split("/")) {
    if (part === "" || part === ".") continue
    if (part === "..") kept.pop()
    else kept.push(part)
  }
  return `/${kept.join("/")}`
}

/** With a separator, so that `/w/app-evil` is not inside `/w/app`. */
export const isInside = (path: string, folder: string): boolean =>
  folder === "/" || path === folder || path.startsWith(`${folder}/`)

const fold = (text: string, places: PathPlaces): string => {
  const normal = text.normalize("NFC")
  return places.ignoreCase ? normal.toLowerCase() : normal
}

/**
 * Matches absolute paths against a rule's pattern: `/abs`, `~/x`, or relative to the launch folder. A pattern that names a
 * folder covers what is in it. A bare name with `*` (and any bare name in a rule that forbids) counts at any depth.
 */
export const pathPattern = (pattern: string, places: PathPlaces, forbids: boolean): ((path: string) => boolean) => {
  const trimmed = pattern
    .trim()
    .replace(/^\.\//, "")
    .replace(/^\/{2,}/, "/")
    .replace(/(?<=.)\/+$/, "")
  const isRooted = trimmed.startsWith("/") || trimmed === "~" || trimmed.startsWith("~/")
  if (trimmed === "**" || trimmed === "**/*")
    return (path) => isInside(fold(path, places), fold(places.launchFolder, places))
  const hasGlob = /[*?[{]/.test(trimmed)
  const deep = !isRooted && !trimmed.includes("/") && trimmed !== "" && (forbids || hasGlob)
  const prefix = isRooted ? "" : places.launchFolder === "/" ? "/" : `${places.launchFolder}/`
  const rest = trimmed.startsWith("~") ? places.home + trimmed.slice(1) : trimmed
  const body = deep ? `**/${rest}` : rest
  if (!hasGlob && !deep) {
    const wanted = fold(isRooted ? rest : absolutePath(rest === "" ? "." : rest, places), places)
    return (path) => isInside(fold(path, places), wanted)
  }
  const relative = isRooted ? body.replace(/^\//, "") : body
  const compiled = Glob.make(fold(relative, places), { dot: true })
  const root = isRooted ? "/" : fold(prefix, places)
  // A wildcard at the end of a rule that allows stands for the names it matches, not for what is inside of them.
  const isOpen = !forbids && /[*?[{]/.test(trimmed.slice(trimmed.lastIndexOf("/") + 1)) && !deep
  return (path) => {
    const folded = fold(path, places)
    if (!folded.startsWith(root)) return false
    // The path itself, or a folder on the way to it: a rule on a folder covers what is inside.
    let part = folded.slice(root.length)
    for (;;) {
      if (Glob.match(compiled, part)) return true
      const slash = part.lastIndexOf("/")
      if (slash === -1 || isOpen) return false
      part = part.slice(0, slash)
    }
  }
}

/** Shown and suggested form: relative inside the launch folder, absolute elsewhere. */
export const displayPath = (path: string, places: PathPlaces): string => {
  if (path === places.launchFolder) return "."
  return isInside(path, places.launchFolder) && places.launchFolder !== "/"
    ? path.slice(places.launchFolder.length + 1)
    : path
}
