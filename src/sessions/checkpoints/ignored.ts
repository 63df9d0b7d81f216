/**
 * Which files git ignores, read off the `.gitignore` files on the way to them and `.git/info/exclude`, as git does: the deepest
 * file that speaks decides, and nothing comes back inside an ignored folder.
 */
import { Effect, FileSystem, Option, Path } from "effect"
import type { Ignore } from "ignore"

interface Rules {
  /** Size and time of the file the rules were read from. */
  readonly stamp: string
  readonly ignore: Ignore
}

/** Rules and the number of names between the repository and the folder they are about. */
interface Source {
  readonly depth: number
  readonly rules: Ignore
}

/** What one file of rules says of a path itself, `end` being `/` for folders. */
const verdictOf = ({ depth, rules }: Source, names: ReadonlyArray<string>, end: "" | "/") => {
  const own = names.slice(depth)
  const verdict = rules.test(own.join("/") + end)
  if (!verdict.ignored || own.length === 1) return verdict
  // Ignored with its folder, which deeper rules have brought back: only what is said of its own name still counts.
  const isWithFolder = rules.test(`${own.slice(0, -1).join("/")}/`).ignored
  return isWithFolder ? rules.test(`${own.at(-1) ?? ""}${end}`) : verdict
}

export interface IgnoredFiles {
  /** Takes a real, absolute path inside the folder. */
  readonly isIgnored: (file: string) => Effect.Effect<boolean>
}

const NEVER_KEPT = new Set([".git"])

/** `folder`: real path of the launch folder. Rules of a repository around it count. */
export const makeIgnoredFiles = Effect.fnUntraced(function* (folder: string, ownFolder: string) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const known = new Map<string, Rules>()

  const rulesIn = Effect.fnUntraced(function* (file: string) {
    const info = yield* Effect.option(fs.stat(file))
    if (info._tag === "None" || info.value.type !== "File") return undefined
    const stamp = `${info.value.size} ${Option.getOrUndefined(info.value.mtime)?.getTime() ?? 0}`
    const cached = known.get(file)
    if (cached?.stamp === stamp) return cached.ignore
    const content = yield* Effect.option(fs.readFileString(file))
    if (content._tag === "None") return undefined
    const { default: ignore } = yield* Effect.promise(() => import("ignore"))
    const rules: Rules = { stamp, ignore: ignore().add(content.value) }
    known.set(file, rules)
    return rules.ignore
  })

  /** The folder that holds `.git`, or the launch folder. */
  const repository = yield* Effect.cached(
    Effect.gen(function* () {
      for (let at = folder; ; at = path.dirname(at)) {
        if (yield* fs.exists(path.join(at, ".git")).pipe(Effect.orElseSucceed(() => false))) return at
        if (path.dirname(at) === at) return folder
      }
    })
  )

  const isIgnored = Effect.fnUntraced(function* (file: string) {
    const root = yield* repository
    const names = path.relative(root, file).split(path.sep)
    if (names[0] === "..") return false
    if (file === ownFolder || file.startsWith(ownFolder + path.sep)) return true
    const sources: Array<Source> = []
    const exclude = yield* rulesIn(path.join(root, ".git", "info", "exclude"))
    if (exclude !== undefined) sources.push({ depth: 0, rules: exclude })
    let at = root
    for (let depth = 0; depth < names.length; depth++) {
      const name = names[depth] ?? ""
      if (NEVER_KEPT.has(name)) return true
      const rules = yield* rulesIn(path.join(at, ".gitignore"))
      if (rules !== undefined) sources.push({ depth, rules })
      const end = depth + 1 < names.length ? "/" : ""
      for (const source of sources.toReversed()) {
        const verdict = verdictOf(source, names.slice(0, depth + 1), end)
        if (verdict.unignored) break
        if (verdict.ignored) return true
      }
      at = path.join(at, name)
    }
    return false
  })

  const ignored: IgnoredFiles = { isIgnored }
  return ignored
})
