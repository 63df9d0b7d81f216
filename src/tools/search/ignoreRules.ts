/**
 * Which paths `.gitignore` and its like leave out, for the engine of our own: the rules of a folder and of all above it, deeper
 * ones first, as git and ripgrep read them.
 */
import { Effect, FileSystem, Path } from "effect"
import type { Ignore } from "ignore"

/** Kinds of rule files; an earlier one wins over a later one, whatever their depth. */
const KINDS = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const

interface RuleSet {
  readonly kind: number
  /** Absolute path of the folder its patterns are relative to. */
  readonly base: string
  /** Texts of one or more lines, in order. */
  readonly patterns: ReadonlyArray<string>
  readonly rules: Ignore
}

/** Deepest folder first. */
export type IgnoreRules = ReadonlyArray<RuleSet>

/** The rules of one folder, whose entries are known, before those it inherits. */
export const withRulesOf = Effect.fnUntraced(function* (
  folder: string,
  names: ReadonlyArray<string>,
  inherited: IgnoreRules
) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const own: Array<RuleSet> = []
  for (const [kind, name] of KINDS.entries()) {
    if (!names.includes(name.split("/")[0] ?? name)) continue
    const source = yield* Effect.orElseSucceed(fs.readFileString(path.join(folder, name)), () => "")
    if (source.trim() !== "") own.push(yield* ruleSet(kind, folder, [source.replace(/^\uFEFF/, "")]))
  }
  const left: Array<RuleSet> = []
  for (const set of inherited) left.push(yield* reopened(set, relativeTo(set, folder)))
  return own.length === 0 ? left : [...own, ...left]
})

const ruleSet = Effect.fnUntraced(function* (kind: number, base: string, patterns: ReadonlyArray<string>) {
  const { default: ignore } = yield* Effect.promise(() => import("ignore"))
  const rules = ignore({ ignorecase: false })
  for (const some of patterns) rules.add(some)
  return { kind, base, patterns, rules } satisfies RuleSet
})

/** A folder that is searched although a rule ignores it is open: in it, the rules go on to say what they say of its entries. */
const reopened = Effect.fnUntraced(function* (set: RuleSet, folder: string) {
  if (folder === "" || !set.rules.test(`${folder}/`).ignored) return set
  let open = set
  for (let end = folder.indexOf("/"); ; end = folder.indexOf("/", end + 1)) {
    const part = end === -1 ? folder : folder.slice(0, end)
    if (open.rules.test(`${part}/`).ignored) {
      open = yield* ruleSet(set.kind, set.base, [...open.patterns, `!/${escapePattern(part)}/`])
    }
    if (end === -1) return open
  }
})

const escapePattern = (path: string): string => path.replaceAll(/[\\*?[\]!# ]/g, "\\$&")

/** Rules of the folders above; those of git end with the repository. */
export const rulesAbove = Effect.fnUntraced(function* (root: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const names = (folder: string) => Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
  let found: IgnoreRules = []
  let inside = !(yield* names(root)).includes(".git")
  for (let folder = root; folder !== path.dirname(folder);) {
    folder = path.dirname(folder)
    const here = yield* names(folder)
    const sets = yield* withRulesOf(folder, here, [])
    found = [...found, ...sets.filter(({ kind }) => inside || kind < 2)]
    inside &&= !here.includes(".git")
  }
  return found
})

/** `path` is absolute; a folder's ends with a slash. */
export const isIgnored = (rules: IgnoreRules, path: string): boolean => {
  for (const kind of KINDS.keys()) {
    for (const set of rules) {
      if (set.kind !== kind) continue
      const { ignored, unignored } = set.rules.test(relativeTo(set, path))
      if (ignored || unignored) return ignored
    }
  }
  return false
}

const relativeTo = ({ base }: RuleSet, path: string): string => path.slice(base === "/" ? 1 : base.length + 1)
