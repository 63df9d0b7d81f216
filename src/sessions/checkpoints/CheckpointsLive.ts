/**
 * The `Checkpoints` service over the files of the launch folder.
 */
import { Effect, FileSystem, Layer, Path, Semaphore } from "effect"
import { Config } from "../../config/Config.ts"
import type { AnyEntry } from "../checkEntry.ts"
import type { SessionHandle } from "../SessionHandle.ts"
import { makeBlobStore, type BlobStore } from "./BlobStore.ts"
import {
  Checkpoints,
  type PlannedFile,
  type RestorePlan,
  type RestoreResult,
  type SessionCheckpoints
} from "./Checkpoints.ts"
import { diffText } from "./diffText.ts"
import { makeWatchedFiles, type FileContent, type WatchedFiles } from "./WatchedFiles.ts"
import {
  checkpointBody,
  lastStates,
  targetsOf,
  toCheckpoint,
  type FileState,
  type Noticed,
  type Target
} from "./timeline.ts"

/** Last known state of each file on the session's path, kept up to date with what was appended. */
class Known {
  private path: ReadonlyArray<AnyEntry> = []
  private seen = 0
  private states = new Map<string, FileState>()
  private readonly session: SessionHandle

  constructor(session: SessionHandle) {
    this.session = session
  }

  get files(): ReadonlyMap<string, FileState> {
    const path = this.session.path()
    // The path grows in place until the leaf moves; then it is another list.
    if (path !== this.path) {
      this.path = path
      this.seen = path.length
      this.states = lastStates(path)
    }
    for (; this.seen < path.length; this.seen++) {
      const entry = path[this.seen]
      for (const file of (entry === undefined ? undefined : toCheckpoint(entry))?.files ?? []) {
        this.states.set(file.path, file)
      }
    }
    return this.states
  }
}

const stateOf = (path: string, content: FileContent): FileState =>
  content.hash === null ? { path, hash: null } : { path, hash: content.hash, mode: content.mode }

const makeSessionCheckpoints = (
  session: SessionHandle,
  store: BlobStore,
  watched: WatchedFiles
): SessionCheckpoints => {
  const known = new Known(session)
  const oneAtATime = Semaphore.makeUnsafe(1)

  /** Keeps the bytes, then notes the states; a file whose bytes could not be kept is not noted. */
  const note = Effect.fnUntraced(function* (noticed: Noticed, contents: ReadonlyArray<readonly [string, FileContent]>) {
    const files: Array<FileState> = []
    for (const [path, content] of contents) {
      const isKept = content.hash === null || (yield* Effect.isSuccess(store.put(content.hash, content.bytes)))
      if (isKept) files.push(stateOf(path, content))
    }
    if (files.length > 0) yield* session.append(checkpointBody({ noticed, files }))
  })

  const capture = Effect.fn("SessionCheckpoints.capture")(function* (file: string, noticed: "read" | "change") {
    const place = yield* watched.place(file)
    if (place === undefined || (noticed === "read" && !place.isInside)) return
    const before = known.files.get(place.path)
    if (before !== undefined && (yield* watched.isUnchanged(place.file, before.hash))) return
    const content = yield* watched.read(place.file)
    if (content === undefined || (content.hash === null && noticed === "read" && before === undefined)) return
    if (before === undefined || before.hash !== content.hash) yield* note(noticed, [[place.path, content]])
  }, oneAtATime.withPermits(1))

  const scanNow = Effect.fnUntraced(function* (noticed: "turn" | "other") {
    const changed: Array<readonly [string, FileContent]> = []
    for (const [path, state] of known.files) {
      const file = watched.resolve(path)
      if (yield* watched.isUnchanged(file, state.hash)) continue
      const content = yield* watched.read(file)
      if (content !== undefined && content.hash !== state.hash) changed.push([path, content])
    }
    if (changed.length > 0) yield* note(noticed, changed)
    return changed.map(([path]) => watched.resolve(path))
  })

  const planFile = Effect.fnUntraced(function* (target: Target, last: FileState | undefined) {
    const file = watched.resolve(target.path)
    const now = yield* watched.read(file)
    // Too big or unreadable by now: whoever made it so is not us.
    if (now === undefined || now.hash === target.hash) return undefined
    const wanted = target.hash === null ? new Uint8Array(0) : yield* store.get(target.hash)
    const planned: PlannedFile = {
      path: target.path,
      file,
      action: now.hash === null ? "create" : target.hash === null ? "delete" : "change",
      from: now.hash,
      to: target.hash,
      mode: target.mode,
      // A session that came with a repository could name any file of this machine.
      conflict: target.disputed || watched.isOutside(file) || (last !== undefined && last.hash !== now.hash),
      lost: wanted === undefined,
      diff: wanted === undefined ? "" : diffText(target.path, now.bytes, wanted)
    }
    return planned
  })

  const planRestore = Effect.fn("SessionCheckpoints.planRestore")(function* (toEntry: string | null) {
    const files: Array<PlannedFile> = []
    const last = known.files
    for (const target of targetsOf(session.path(), toEntry === null ? [] : session.pathTo(toEntry))) {
      const planned = yield* planFile(target, last.get(target.path))
      if (planned !== undefined) files.push(planned)
    }
    const plan: RestorePlan = { files }
    return plan
  }, oneAtATime.withPermits(1))

  const restoreFile = Effect.fnUntraced(function* (planned: PlannedFile, force: boolean) {
    if (planned.lost) return "lost" as const
    if (planned.conflict && !force) return "conflict" as const
    const now = yield* watched.read(planned.file)
    if (now === undefined || now.hash !== planned.from) return "changed_meanwhile" as const
    const bytes = planned.to === null ? null : yield* store.get(planned.to)
    if (bytes === undefined) return "lost" as const
    const isWritten = yield* Effect.isSuccess(watched.write(planned.file, bytes, planned.mode))
    return isWritten ? ("restored" as const) : ("not_writable" as const)
  })

  const restore = Effect.fn("SessionCheckpoints.restore")(function* (
    plan: RestorePlan,
    options: { readonly force: boolean }
  ) {
    const restored: Array<string> = []
    const skipped: Array<RestoreResult["skipped"][number]> = []
    for (const planned of plan.files) {
      const outcome = yield* restoreFile(planned, options.force)
      if (outcome === "restored") restored.push(planned.path)
      else skipped.push({ path: planned.path, reason: outcome })
    }
    return { restored, skipped }
  }, oneAtATime.withPermits(1))

  return {
    capture,
    scan: Effect.fn("SessionCheckpoints.scan")(scanNow, oneAtATime.withPermits(1)),
    planRestore,
    restore
  }
}

const nothing: SessionCheckpoints = {
  capture: () => Effect.void,
  scan: () => Effect.succeed([]),
  planRestore: () => Effect.succeed({ files: [] }),
  restore: () => Effect.succeed({ restored: [], skipped: [] })
}

const make = Effect.gen(function* () {
  const config = yield* Config
  const watched = yield* makeWatchedFiles(config)
  const store = yield* makeBlobStore(config)
  return Checkpoints.of({
    forSession: (session, { save }) =>
      Effect.sync(() =>
        save && config.settings.checkpoints.enabled ? makeSessionCheckpoints(session, store, watched) : nothing
      )
  })
})

export const checkpointsLayer: Layer.Layer<Checkpoints, never, Config | FileSystem.FileSystem | Path.Path> =
  Layer.effect(Checkpoints, make)
