/**
 * Which paths a glob means (spec 02, Glob and Grep): as `.gitignore` reads it, without a slash it is a name at any depth. Both
 * engines filter with this, so they agree. Pure.
 */
import { Glob } from "effect"

/** Several patterns are separated by commas; those that begin with `!` take away. Paths are relative, with `/`. */
export const globFilter = (glob: string): ((path: string) => boolean) => {
  const patterns = alternatives(glob)
  const wanted = patterns.filter((pattern) => !pattern.startsWith("!")).map(compile)
  const unwanted = patterns.filter((pattern) => pattern.startsWith("!")).map((pattern) => compile(pattern.slice(1)))
  return (path) =>
    (wanted.length === 0 || wanted.some((one) => Glob.match(one, path))) &&
    !unwanted.some((one) => Glob.match(one, path))
}

const compile = (pattern: string): Glob.Glob => {
  const anchored = pattern.replace(/^(?:\.?\/)+/, "")
  const anywhere = anchored === pattern && !pattern.replace(/\/$/, "").includes("/")
  // A folder means all that is in it.
  const whole = anchored.endsWith("/") ? `${anchored}**` : anchored
  return Glob.make(anywhere ? `**/${whole}` : whole, { dot: true })
}

/** Split at commas outside braces and brackets. */
const alternatives = (glob: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  let depth = 0
  let start = 0
  for (let at = 0; at <= glob.length; at++) {
    const character = glob[at]
    if (character === "\\") at++
    else if (character === "{" || character === "[") depth++
    else if (character === "}" || character === "]") depth--
    else if (character === undefined || (character === "," && depth <= 0)) {
      found.push(glob.slice(start, at).trim())
      start = at + 1
    }
  }
  return found.filter((pattern) => pattern !== "")
}

/**
 * A pattern of file names that lets through at least what the glob does, for an engine that can only filter by name;
 * undefined where there is none.
 */
export const namePattern = (glob: string): string | undefined => {
  const name = glob.slice(glob.lastIndexOf("/") + 1)
  const isPlain =
    /^[\w.*?{},+@-]+$/.test(name) && !glob.trimStart().startsWith("!") && !name.includes("**") && name !== "*"
  return isPlain && alternatives(glob).length === 1 && isBalanced(name) ? name : undefined
}

const isBalanced = (name: string): boolean => {
  let depth = 0
  for (const character of name) {
    if (character === "{") depth++
    if (character === "}" && --depth < 0) return false
  }
  return depth === 0
}

/** The longest leading part of a glob that is a plain path, and the rest: `/a/b` and `*.ts` of `/a/b/*.ts`. */
export const splitGlob = (glob: string): { readonly folder: string; readonly rest: string } => {
  const special = glob.search(/[*?[\]{}\\]/)
  const end = glob.lastIndexOf("/", special === -1 ? glob.length : special) + 1
  return { folder: glob.slice(0, end), rest: glob.slice(end) }
}
