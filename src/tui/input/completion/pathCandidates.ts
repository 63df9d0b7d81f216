/**
 * Candidates for `@` (spec 07 "Input"): the project's files and folders, `.gitignore` honoured, from an index that is made
 * when it is first needed and again in the background when it is old; other places from the disk. Never fails.
 */
import { Clock, Deferred, Effect, FileSystem, Path, type Scope } from "effect"
import { Config } from "../../../config/Config.ts"
import { SearchEngine } from "../../../tools/search/SearchEngine.ts"
import type { Candidate } from "./candidate.ts"
import { FileIndex } from "./FileIndex.ts"
import { makeFolderCandidates } from "./folderCandidates.ts"
import { MOST_CANDIDATES } from "./nameCandidates.ts"
import { pathCandidate } from "./pathCandidate.ts"

/** Files of a project that are looked at. */
const MOST_FILES = 100_000
/** Paths that enter the index before keys get their turn. */
const AT_ONCE = 2_000
/** Milliseconds after which the index is made anew. */
const FRESH_FOR = 10_000
/** Milliseconds a key waits for the first index; then the folder alone answers. */
const PATIENCE = 300

export type PathCandidates = (query: string) => Effect.Effect<ReadonlyArray<Candidate>>

export const makePathCandidates: Effect.Effect<
  PathCandidates,
  never,
  Config | FileSystem.FileSystem | Path.Path | Scope.Scope | SearchEngine
> = Effect.gen(function* () {
  const { launchFolder } = yield* Config
  const engine = yield* SearchEngine
  const scope = yield* Effect.scope
  const inFolder = yield* makeFolderCandidates
  let current: { readonly index: FileIndex; readonly at: number } | undefined
  let loading = false
  const first = yield* Deferred.make<void>()

  const load = Effect.gen(function* () {
    const { lines } = yield* Effect.orElseSucceed(engine.files({ root: launchFolder }, "**", MOST_FILES), () => ({
      lines: Array.of<string>()
    }))
    const index = new FileIndex()
    for (let at = 0; at < lines.length; at += AT_ONCE) {
      index.add(lines.slice(at, at + AT_ONCE))
      yield* Effect.yieldNow
    }
    current = { index, at: yield* Clock.currentTimeMillis }
    yield* Deferred.succeed(first, undefined)
  })

  /** One at a time, and not as part of a key's work, which the next key ends. */
  const refresh = Effect.suspend(() => {
    if (loading) return Effect.void
    loading = true
    const done = Effect.sync(() => {
      loading = false
    })
    return Effect.asVoid(Effect.forkIn(Effect.ensuring(load, done), scope))
  })

  const currentIndex = Effect.gen(function* () {
    const now = yield* Clock.currentTimeMillis
    if (current === undefined || now - current.at > FRESH_FOR) yield* refresh
    yield* Effect.timeoutOption(Deferred.await(first), PATIENCE)
    return current?.index
  })

  return Effect.fn("Tui.pathCandidates")(function* (query: string) {
    if (/^(?:~|\/|\.{1,2}\/|\.\.$)/.test(query)) return yield* inFolder(query)
    const index = yield* currentIndex
    const folder = query.slice(0, query.lastIndexOf("/") + 1)
    if (index === undefined) return yield* inFolder(query)
    const found = (yield* searchIndex(index, query)).flatMap((target) => pathCandidate(target, query) ?? [])
    return found.length === 0 && folder !== "" && !index.hasFolder(folder) ? yield* inFolder(query) : found
  })
})

/** Other keys get their turn between the steps. */
const searchIndex = Effect.fnUntraced(function* (index: FileIndex, query: string) {
  const steps = index.searching(query, MOST_CANDIDATES)
  for (;;) {
    const step = steps.next()
    if (step.done === true) return step.value
    yield* Effect.yieldNow
  }
})
