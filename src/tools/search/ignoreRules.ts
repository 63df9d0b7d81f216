/**
 * Which paths `.gitignore` and its like leave out, for the engine of our own: the rules of a folder and of all above it, deeper
 * ones first, as git and ripgrep read them.
 */
import { Effect, FileSystem, Path } from "effect"

/** Kinds of rule files; an earlier one wins over a later one, whatever their depth. */
const KINDS = [".rgignore", ".ignore", ".gitignore", ".git/info/exclude"] as const

interface RuleSet {
  readonly kind: number
  /** Absolute path of the folder its patterns are relative to. */
  readonly base: string
  readonly test: (relative: string) => { readonly ignored: boolean; readonly unignored: boolean }
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
    if (source.trim() === "") continue
    const { default: ignore } = yield* Effect.promise(() => import("ignore"))
    const rules = ignore({ ignorecase: false }).add(source.replace(/^\uFEFF/, ""))
    own.push({ kind, base: folder, test: (relative) => rules.test(relative) })
  }
  // A folder that is searched although a rule ignores it: that rule would go on ignoring all that is in it.
  const left = inherited.filter((set) => !set.test(`${relativeTo(set, folder)}/`).ignored)
  return own.length === 0 ? left : [...own, ...left]
})

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
      const { ignored, unignored } = set.test(relativeTo(set, path))
      if (ignored || unignored) {
        if (ignored) return true
        return false
      }
    }
  }
  return false
}

const relativeTo = ({ base }: RuleSet, path: string): string => path.slice(base === "/" ? 1 : base.length + 1)
