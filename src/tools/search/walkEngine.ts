/**
 * The engine of our own, for machines without ripgrep: a sorted walk that obeys `.gitignore` and an expression engine that is
 * linear in the text. Slower, same answers, but that `\b` knows ASCII letters only.
 */
import { Clock, Effect, FileSystem, Path } from "effect"
import { fileKind } from "../files/describeFile.ts"
import { globFilter } from "./globFilter.ts"
import { isIgnored, rulesAbove, withRulesOf, type IgnoreRules } from "./ignoreRules.ts"
import { EXCLUDED, MOST_RESULTS, SEARCH_SECONDS, type Engine, type SearchResult } from "./query.ts"
import { compileSearch } from "./textSearch.ts"

/** Bytes of a file that is searched. */
const LARGEST = 100_000_000

export const walkEngine: Engine<FileSystem.FileSystem | Path.Path> = {
  files: Effect.fnUntraced(function* ({ hides = none, root }, glob, most = MOST_RESULTS) {
    const wanted = globFilter(glob)
    const lines: Array<string> = []
    const all = yield* walk(root, (path) =>
      Effect.sync(() => {
        if (wanted(path) && !hides(path)) lines.push(path)
        return lines.length <= most
      })
    )
    return resultOf(lines, most, all)
  }),

  grep: Effect.fnUntraced(function* (place, query) {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const search = yield* compileSearch(query)
    const wanted = query.glob === undefined ? () => true : globFilter(query.glob)
    const { hides = none } = place
    const lines: Array<string> = []
    const visit = Effect.fnUntraced(function* (file: string) {
      if (!wanted(file) || hides(file)) return true
      const source = yield* readText(fs, path.join(place.root, file))
      if (source === undefined) return true
      const found = search(file, source)
      if (query.mode === "content" && query.context > 0 && lines.length > 0 && found.length > 0) lines.push("--")
      for (const line of found) lines.push(line)
      return lines.length <= query.limit
    })
    const all = place.file === undefined ? yield* walk(place.root, visit) : yield* Effect.as(visit(place.file), true)
    return resultOf(lines, query.limit, all)
  })
}

const none = () => false

const resultOf = (lines: ReadonlyArray<string>, limit: number, all: boolean): SearchResult =>
  lines.length > limit ? { lines: lines.slice(0, limit), ended: "limit" } : { lines, ended: all ? "all" : "time" }

/** Undefined for what is no text. */
const readText = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, file: string) {
  const bytes = yield* Effect.option(
    Effect.flatMap(fs.stat(file), ({ size }) => (Number(size) > LARGEST ? Effect.fail(undefined) : fs.readFile(file)))
  )
  if (bytes._tag === "None") return undefined
  const kind = fileKind(bytes.value.subarray(0, 8_192))
  if (kind.kind === "utf-16") return new TextDecoder(kind.encoding).decode(bytes.value)
  return bytes.value.includes(0) ? undefined : new TextDecoder().decode(bytes.value)
})

/** Visits files in path order until `visit` says no or time is up; `false` when time ended it. */
const walk = <E, R>(root: string, visit: (path: string) => Effect.Effect<boolean, E, R>) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const deadline = (yield* Clock.currentTimeMillis) + SEARCH_SECONDS * 1000
    const isExcluded = globFilter(EXCLUDED.join(","))

    /** `stop` ends the walk. */
    const visitFolder = (
      base: string,
      inherited: IgnoreRules
    ): Effect.Effect<"go on" | "enough" | "time", E, R | FileSystem.FileSystem | Path.Path> =>
      Effect.gen(function* () {
        const folder = path.join(root, base)
        const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), (): Array<string> => [])
        const rules = yield* withRulesOf(folder, names, inherited)
        for (const name of names.sort(byBytes)) {
          if ((yield* Clock.currentTimeMillis) > deadline) return "time"
          if (isExcluded(name)) continue
          const full = path.join(folder, name)
          const type = yield* typeOf(fs, full)
          if (type === undefined || isIgnored(rules, type === "Directory" ? `${full}/` : full)) continue
          const relative = base === "" ? name : `${base}/${name}`
          if (type === "Directory") {
            const inside = yield* visitFolder(relative, rules)
            if (inside !== "go on") return inside
          } else if (!(yield* visit(relative))) return "enough"
        }
        return "go on"
      })

    return (yield* visitFolder("", yield* rulesAbove(root))) !== "time"
  })

/** Links are not followed: what they lead to is searched where it is. */
const typeOf = Effect.fnUntraced(function* (fs: FileSystem.FileSystem, path: string) {
  if (yield* Effect.isSuccess(fs.readLink(path))) return undefined
  const info = yield* Effect.option(fs.stat(path))
  if (info._tag === "None") return undefined
  const { type } = info.value
  return type === "File" || type === "Directory" ? type : undefined
})

/** The order of the names' UTF-8 bytes, which is that of their code points. */
const byBytes = (a: string, b: string): number => {
  const length = Math.min(a.length, b.length)
  for (let at = 0; at < length; at++) {
    const left = a.charCodeAt(at)
    const right = b.charCodeAt(at)
    if (left === right) continue
    const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdfff
    if (isHigh(left) !== isHigh(right)) return isHigh(left) ? 1 : -1
    return left - right
  }
  return a.length - b.length
}
