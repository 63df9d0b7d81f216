/**
 * What the entries of a session say about files, and what a file was at a given entry (spec 04, "Checkpoints"). Pure: it knows
 * hashes, not bytes.
 *
 * A checkpoint is a `custom` entry of type `checkpoint`. It says what files held at that point of the conversation, and how it
 * was noticed: `read` and `change` before a tool read or changes a file, `turn` after the tools of a turn have run (so a difference
 * is theirs), `other` before a turn begins (so a difference is somebody else's).
 */
import { Predicate } from "effect"
import type { EntryBody } from "../../domain/entry.ts"
import type { AnyEntry } from "../checkEntry.ts"

export const CHECKPOINT = "checkpoint"

export type Noticed = "read" | "change" | "turn" | "other"

/** What a file held. `hash` is null where there was no file. */
export interface FileState {
  /** Relative to the launch folder when inside it, else absolute; `/` between names. */
  readonly path: string
  readonly hash: string | null
  /** Permission bits, where the file existed. */
  readonly mode?: number
}

export interface Checkpoint {
  readonly noticed: Noticed
  readonly files: ReadonlyArray<FileState>
}

export const checkpointBody = (checkpoint: Checkpoint): EntryBody => ({
  type: "custom",
  customType: CHECKPOINT,
  data: checkpoint
})

const NOTICED: ReadonlySet<unknown> = new Set<Noticed>(["read", "change", "turn", "other"])

const isNoticed = (value: unknown): value is Noticed => NOTICED.has(value)

const HASH = /^[0-9a-f]{64}$/

const toFileState = (value: unknown): FileState | undefined => {
  if (!Predicate.isObject(value) || !("path" in value) || !("hash" in value)) return undefined
  const { path, hash } = value
  if (!Predicate.isString(path) || path === "") return undefined
  // The hash becomes a file name: anything else in it would be a path.
  if (hash !== null && !(Predicate.isString(hash) && HASH.test(hash))) return undefined
  const mode = "mode" in value && Predicate.isNumber(value.mode) ? { mode: value.mode & 0o777 } : {}
  return { path, hash, ...mode }
}

/** The checkpoint an entry holds, if it is one; files that are not understood are left out. */
export const toCheckpoint = (entry: AnyEntry): Checkpoint | undefined => {
  if (entry.type !== "custom" || !("customType" in entry) || entry["customType"] !== CHECKPOINT) return undefined
  const data = "data" in entry ? entry["data"] : undefined
  if (!Predicate.isObject(data) || !("noticed" in data) || !("files" in data)) return undefined
  const { noticed, files } = data
  if (!isNoticed(noticed) || !Array.isArray(files)) return undefined
  return { noticed, files: files.map(toFileState).filter((file) => file !== undefined) }
}

/** Last known state of each file along a path. */
export const lastStates = (path: ReadonlyArray<AnyEntry>): Map<string, FileState> => {
  const states = new Map<string, FileState>()
  for (const entry of path) for (const file of toCheckpoint(entry)?.files ?? []) states.set(file.path, file)
  return states
}

/** What a file should hold again. */
export interface Target extends FileState {
  /** Somebody else changed it after maia did: putting it back would undo that too. */
  readonly disputed: boolean
}

/** A file on the way back: what it was, until the first change that maia made to it. */
interface Trace {
  readonly base: FileState
  readonly last: string | null
  readonly changed: boolean
  readonly disputed: boolean
}

const follow = (trace: Trace | undefined, file: FileState, noticed: Noticed): Trace => {
  if (trace === undefined) return { base: file, last: file.hash, changed: false, disputed: false }
  if (file.hash === trace.last) return trace
  if (noticed !== "other") return { ...trace, last: file.hash, changed: true }
  // Somebody's own change, made before maia touched the file, is part of what must come back.
  return trace.changed
    ? { ...trace, last: file.hash, disputed: true }
    : { base: file, last: file.hash, changed: false, disputed: false }
}

/**
 * What files held at the end of `to`, seen from the end of `from`; both are paths of one session. Only files that something
 * is known of after the paths part are named.
 */
export const targetsOf = (from: ReadonlyArray<AnyEntry>, to: ReadonlyArray<AnyEntry>): ReadonlyArray<Target> => {
  let common = 0
  while (common < from.length && common < to.length && from[common]?.id === to[common]?.id) common++
  const traces = new Map<string, Trace>()
  for (const [path, file] of lastStates(from.slice(0, common))) traces.set(path, follow(undefined, file, "read"))
  const left = new Set<string>()
  for (const entry of from.slice(common)) {
    const checkpoint = toCheckpoint(entry)
    for (const file of checkpoint?.files ?? []) {
      left.add(file.path)
      traces.set(file.path, follow(traces.get(file.path), file, checkpoint?.noticed ?? "read"))
    }
  }
  const ahead = lastStates(to.slice(common))
  return [...new Set([...left, ...ahead.keys()])].sort().flatMap((path) => {
    const trace = traces.get(path)
    const state = ahead.get(path) ?? trace?.base
    return state === undefined ? [] : [{ ...state, disputed: trace?.disputed ?? false }]
  })
}
