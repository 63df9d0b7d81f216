/**
 * Whether a rule that forbids a use by its flags (`rm -rf *`, `git push --force *`) means a command that spells the same flags
 * otherwise: in another order or place, apart or together, short or long, abbreviated (spec 03, field case C10). Pure.
 */
import { commandPattern } from "../rules.ts"

interface Use {
  readonly flags: ReadonlySet<string>
  /** The other words, joined by blanks. */
  readonly rest: string
}

/** Long names of the flags that rules are written for; what forbids may take `-r` and `-R` for one. */
const SHORT: ReadonlyArray<readonly [long: string, short: string]> = [
  ["force", "f"],
  ["recursive", "r"],
  ["R", "r"],
  ["delete", "d"],
  ["all", "a"],
  ["interactive", "i"],
  ["quiet", "q"]
]

/** The wildcard of the pattern may stand for any words, not for a part of a flag. */
export const sameUse = (pattern: string, argv: ReadonlyArray<string>): boolean => {
  const [program, ...written] = pattern.trim().replace(/:\*$/, " *").split(/\s+/)
  if (program === undefined || program !== argv[0]) return false
  const wanted = readUse(written.filter((word) => word !== "--"))
  if (wanted.flags.size === 0 || [...wanted.flags].some((flag) => flag.includes("*"))) return false
  const given = readUse(argv.slice(1))
  return (
    [...wanted.flags].every((flag) => given.flags.has(flag) || isAbbreviated(flag, given)) &&
    commandPattern(`x ${wanted.rest}`)(`x ${given.rest}`.trimEnd())
  )
}

const readUse = (words: ReadonlyArray<string>): Use => {
  const flags = new Set<string>()
  const rest: Array<string> = []
  let isOver = false
  for (const word of words) {
    if (isOver || !/^-./.test(word)) rest.push(word)
    else if (word === "--") isOver = true
    else for (const flag of flagsOf(word)) flags.add(flag)
  }
  return { flags, rest: rest.join(" ") }
}

const flagsOf = (word: string): ReadonlyArray<string> => {
  if (!word.startsWith("--")) return Array.from(word.slice(1), short)
  return [short(word.slice(2).split("=", 1)[0] ?? "")]
}

const short = (name: string): string => SHORT.find(([long]) => long === name)?.[1] ?? name

/** `--recurs` is `--recursive` to most programs. */
const isAbbreviated = (flag: string, { flags }: Use): boolean => {
  const long = SHORT.find(([, letter]) => letter === flag)?.[0] ?? flag
  return [...flags].some((given) => given.length > 1 && long.startsWith(given))
}
