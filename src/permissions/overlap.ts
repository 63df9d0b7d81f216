/**
 * Whether two sets of paths may have one in common: a word the shell expands (`sec*`, `$dir/x`, all below a folder) and the
 * pattern of a rule. Errs to "yes". Pure.
 */
import { absolutePath, type PathPlaces } from "./paths.ts"
import { ANYTHING, ONE, RUN } from "./shell/words.ts"

/** Longer ones are taken to overlap. */
const LONGEST = 600

/** The path patterns of a rule as shapes: absolute text with stand-ins. A folder covers what is in it. */
export const patternShapes = (pattern: string, places: PathPlaces): ReadonlyArray<string> => {
  const trimmed = pattern
    .trim()
    .replace(/^\.\//, "")
    .replace(/(?<=.)\/+$/, "")
  const shape = toShape(trimmed)
  const isRooted = /^(?:\/|~$|~\/)/.test(trimmed)
  const own = [absolutePath(shape === "" ? "." : shape, places)]
  // A bare name counts at any depth.
  if (!isRooted && !trimmed.includes("/") && trimmed !== "") {
    own.push(`${places.launchFolder === "/" ? "" : places.launchFolder}/${ANYTHING}/${shape}`)
  }
  return own.flatMap((one) => [one, `${one}/${ANYTHING}`]).map((one) => foldShape(one, places))
}

/** Glob syntax into stand-ins; alternatives in braces may be anything. */
const toShape = (glob: string): string => {
  let shape = ""
  for (let at = 0; at < glob.length; at++) {
    const character = glob[at] ?? ""
    if (character === "*") {
      const isDeep = glob[at + 1] === "*"
      if (isDeep) {
        while (glob[at + 1] === "*") at++
        // `a/**/b` matches `a/b` too.
        if (glob[at + 1] === "/") at++
      }
      shape += isDeep ? ANYTHING : RUN
    } else if (character === "?") shape += ONE
    else if (character === "[" || character === "{") {
      const end = glob.indexOf(character === "[" ? "]" : "}", at + 1)
      if (end === -1) shape += character
      else {
        shape += character === "[" ? ONE : ANYTHING
        at = end
      }
    } else if (character === "\\") shape += glob[++at] ?? ""
    else shape += character
  }
  return shape
}

export const foldShape = (shape: string, places: PathPlaces): string => {
  const normal = shape.normalize("NFC")
  return places.ignoreCase ? normal.toLowerCase() : normal
}

/** `typed` is what the shell expands: its stand-ins for one or a run match no dot at the start of a name. */
export const mayOverlap = (typed: string, pattern: string): boolean => {
  if (typed.length > LONGEST || pattern.length > LONGEST) return true
  // row[j]: the rest of `typed` behind `i` may equal the rest of `pattern` behind `j`.
  let row: Array<boolean> = []
  for (let i = typed.length; i >= 0; i--) {
    const next = row
    row = Array.from({ length: pattern.length + 1 }, () => false)
    for (let j = pattern.length; j >= 0; j--) row[j] = cell(typed, pattern, i, j, row, next)
  }
  return row[0] === true
}

const cell = (
  typed: string,
  pattern: string,
  i: number,
  j: number,
  row: ReadonlyArray<boolean>,
  next: ReadonlyArray<boolean>
): boolean => {
  if (i === typed.length && j === pattern.length) return true
  const a = typed[i]
  const b = pattern[j]
  const isRunA = a === RUN || a === ANYTHING
  const isRunB = b === RUN || b === ANYTHING
  // A run that is over, or takes one more from the other side.
  if (isRunA && next[j] === true) return true
  if (isRunB && row[j + 1] === true) return true
  if (a === undefined || b === undefined) return false
  const isStart = startsName(typed, i) && startsName(pattern, j)
  if (isRunA && !isRunB) return takes(a, b, isStart) && row[j + 1] === true
  if (isRunB && !isRunA) return takes(b, a, false) && next[j] === true
  if (isRunA && isRunB) return false
  if (a === ONE) return takes(ONE, b, isStart) && next[j + 1] === true
  if (b === ONE) return takes(ONE, a, false) && next[j + 1] === true
  return a === b && next[j + 1] === true
}

const takes = (standIn: string, character: string, isStartOfName: boolean): boolean => {
  if (standIn === ANYTHING) return true
  return character !== "/" && !(isStartOfName && character === ".")
}

const startsName = (shape: string, at: number): boolean => at === 0 || shape[at - 1] === "/"
