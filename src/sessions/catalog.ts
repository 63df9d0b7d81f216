/**
 * Which sessions a folder holds, and what a list shows of them.
 */
import { Effect, FileSystem, Path } from "effect"
import type { Config } from "../config/Config.ts"
import { readFileEnds, type FileEnds } from "../process/fileEnds.ts"
import { foldName, freeName, normaliseName } from "./names.ts"
import { checkOwnFolder } from "./ownFolder.ts"
import { FOLDER, sessionOf, takenNames } from "./sessionFiles.ts"
import { HEAD_BYTES, summarise, TAIL_BYTES, type SessionSummary } from "./summary.ts"

/** Which file a session is in. */
export interface Source {
  readonly name: string
  readonly file: string
  /** One of MAIA's `.json` files. */
  readonly legacy: boolean
}

/** Files summarised before other fibers get their turn. */
const BATCH = 100

/** All sessions; a `.json` file that was imported under its own name is no longer one. None where the folder is a foreign one. */
export const allSources = Effect.fnUntraced(function* (config: Config["Service"]) {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = yield* Effect.option(checkOwnFolder(config, FOLDER))
  if (folder._tag === "None") return []
  const files = yield* fs.readDirectory(folder.value).pipe(Effect.orElseSucceed((): Array<string> => []))
  const found: Array<Source> = []
  for (const file of files) {
    const session = sessionOf(file)
    if (session !== undefined) found.push({ ...session, file: path.join(folder.value, file) })
  }
  const current = new Set(found.filter(({ legacy }) => !legacy).map(({ name }) => foldName(name)))
  return found.filter(({ legacy, name }) => !legacy || !current.has(foldName(name)))
})

/** The session of that name; the exact one before one that differs in case. */
export const findSource = Effect.fnUntraced(function* (config: Config["Service"], typed: string) {
  const name = normaliseName(typed)
  const all = yield* allSources(config)
  const folded = foldName(name)
  return all.find((source) => source.name === name) ?? all.find((source) => foldName(source.name) === folded)
})

const summaryOf = (source: Source, ends: FileEnds): SessionSummary | undefined =>
  source.legacy
    ? {
        ...source,
        created: "",
        lastActivity: ends.modified,
        firstText: undefined,
        model: undefined,
        bytes: ends.size
      }
    : summarise(source.name, source.file, ends)

/** Newest first. */
export const listSessions = Effect.fnUntraced(function* (config: Config["Service"]) {
  const summaries: Array<SessionSummary> = []
  for (const [index, source] of (yield* allSources(config)).entries()) {
    if (index % BATCH === BATCH - 1) yield* Effect.yieldNow
    const ends = readFileEnds(source.file, HEAD_BYTES, TAIL_BYTES)
    const summary = ends === undefined ? undefined : summaryOf(source, ends)
    if (summary !== undefined) summaries.push(summary)
  }
  return summaries.sort((left, right) => right.lastActivity - left.lastActivity)
})

/** The name, with a suffix when a session has it already. */
export const freeSessionName = Effect.fnUntraced(function* (config: Config["Service"], wanted: string) {
  const path = yield* Path.Path
  const taken = yield* takenNames(path.join(config.projectDir, FOLDER))
  return freeName(wanted, (candidate) => taken.has(foldName(candidate)))
})
