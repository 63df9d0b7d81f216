/** Follows `cd` (field case C20): in which folder the next command runs. Pure. */
import type { ShellWord } from "./words.ts"

/** A path as written, relative to the launch folder, absolute, or from the home (`~/…`). */
export interface Folder {
  readonly path: string
  /** Where the command runs if the folder does not exist and the `cd` failed. */
  readonly otherwise: Folder | undefined
}

export const START: Folder = { path: ".", otherwise: undefined }

/** Undefined where it cannot be known. */
export const foldFolder = (from: Folder | undefined, words: ReadonlyArray<ShellWord>): Folder | undefined => {
  if (from === undefined) return undefined
  const options = words.slice(1)
  while (options[0] !== undefined && /^-[LPe@]+$|^--$/.test(options[0].value)) options.shift()
  const [target, more] = options
  if (more !== undefined) return undefined
  if (target === undefined) return words[0]?.value === "cd" ? { path: "~", otherwise: undefined } : undefined
  const path = target.isLiteral ? target.value : target.shape.replace(/^\$\{HOME\}/, "~").replace(/^\$\{PWD\}/, ".")
  // `~user`, `+1`, `-` and what is expanded lead somewhere unknown.
  if (path === "" || /^[-+]|^~[^/]|[\uE000-\uE002]|\$\{/.test(path)) return undefined
  const isRooted = path.startsWith("/") || path === "~" || path.startsWith("~/")
  return { path: isRooted ? path : `${from.path}/${path}`, otherwise: from }
}
