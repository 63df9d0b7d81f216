/**
 * Candidates from one folder of the disk, for `@` paths that the project's index does not hold: `~/`, `/`, `../`, ignored
 * folders (spec 07 "Input"). Never fails and never waits long.
 */
import { Clock, Effect, FileSystem, Path } from "effect"
import { Config } from "../../../config/Config.ts"
import type { Candidate } from "./candidate.ts"
import { Best, LONGEST_QUERY, lowerCase, score, targetOf, type Target } from "./fuzzy.ts"
import { MOST_CANDIDATES } from "./nameCandidates.ts"
import { pathCandidate } from "./pathCandidate.ts"

/** Entries of a folder that are looked at. */
const MOST_ENTRIES = 20_000
/** Folders whose entries are kept, and for how many milliseconds. */
const MOST_FOLDERS = 20
const KEPT_FOR = 3_000

type Entries = ReadonlyArray<FileSystem.DirectoryEntry>

/** Candidates for what is typed behind `@`: what is in the folder up to its last `/`. */
export type FolderCandidates = (query: string) => Effect.Effect<ReadonlyArray<Candidate>>

export const makeFolderCandidates: Effect.Effect<FolderCandidates, never, Config | FileSystem.FileSystem | Path.Path> =
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const path = yield* Path.Path
    const { home, launchFolder } = yield* Config
    const kept = new Map<string, { readonly at: number; readonly entries: Entries }>()

    const entriesOf = Effect.fnUntraced(function* (folder: string) {
      const now = yield* Clock.currentTimeMillis
      const known = kept.get(folder)
      if (known !== undefined && now - known.at < KEPT_FOR) return known.entries
      const entries = yield* fs.readDirectoryEntries(folder).pipe(
        Effect.timeout("1 second"),
        Effect.map((all) => all.slice(0, MOST_ENTRIES)),
        Effect.orElseSucceed((): Entries => [])
      )
      if (kept.size >= MOST_FOLDERS) kept.clear()
      kept.set(folder, { at: now, entries })
      return entries
    })

    /** Of a link: what it leads to. */
    const isFolder = ({ name, type }: FileSystem.DirectoryEntry, folder: string): Effect.Effect<boolean> =>
      type === "File" || type === "Directory"
        ? Effect.succeed(type === "Directory")
        : fs.stat(path.join(folder, name)).pipe(
            Effect.map((info) => info.type === "Directory"),
            Effect.orElseSucceed(() => false)
          )

    return Effect.fn("Tui.folderCandidates")(function* (query: string) {
      if (query === "~") return [pathCandidate(targetOf("~/"), query)].filter((found) => found !== undefined)
      const cut = query.lastIndexOf("/") + 1
      const [typed, partial] = [query.slice(0, cut), query.slice(cut, cut + LONGEST_QUERY)]
      if (typed.includes("\0")) return []
      const folder = typed.startsWith("~/") ? path.join(home, typed.slice(2)) : path.resolve(launchFolder, typed)
      const found = ranked(yield* entriesOf(folder), partial)
      const candidates = yield* Effect.forEach(found, (entry) =>
        Effect.map(isFolder(entry, folder), (inside) =>
          pathCandidate(targetOf(`${typed}${entry.name}${inside ? "/" : ""}`), query)
        )
      )
      return candidates.filter((candidate) => candidate !== undefined)
    })
  })

/** Hidden names only where a point is typed; by name, folders first, where nothing is. */
const ranked = (entries: Entries, partial: string): Entries => {
  const visible = entries.filter(({ name }) => partial.startsWith(".") || !name.startsWith("."))
  if (partial === "") {
    const order = (entry: FileSystem.DirectoryEntry): number => (entry.type === "Directory" ? 0 : 1)
    return [...visible].sort((a, b) => order(a) - order(b) || (a.name < b.name ? -1 : 1)).slice(0, MOST_CANDIDATES)
  }
  const best = new Best<FileSystem.DirectoryEntry>(MOST_CANDIDATES)
  for (const entry of visible) {
    const target: Target = targetOf(entry.name)
    const points = score(target, partial, lowerCase(partial))
    if (points !== Number.NEGATIVE_INFINITY) best.add(entry, points)
  }
  return best.items
}
