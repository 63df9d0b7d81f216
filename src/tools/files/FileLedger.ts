/**
 * Which files this session has seen, and in what state (spec 02, fixed point 11): the stale-read check of Write and Edit
 * counts the session's Reads and maia's own writes. Keyed by real path; knows nothing of tools.
 */
import { Context, Effect, Layer, Option, type FileSystem } from "effect"

/** What tells two states of a file apart. */
export interface Fingerprint {
  /** Milliseconds since the epoch. */
  readonly mtime: number
  /** Bytes. */
  readonly size: number
}

export const fingerprint = (info: FileSystem.File.Info): Fingerprint => ({
  mtime: Option.match(info.mtime, { onNone: () => 0, onSome: (time) => time.getTime() }),
  size: Number(info.size)
})

export const sameState = (a: Fingerprint, b: Fingerprint): boolean => a.mtime === b.mtime && a.size === b.size

export type Freshness = "fresh" | "changed" | "unread"

export class FileLedger extends Context.Service<
  FileLedger,
  {
    readonly note: (path: string, state: Fingerprint) => Effect.Effect<void>
    readonly check: (path: string, state: Fingerprint) => Effect.Effect<Freshness>
    /**
     * Told of a file before it is first read (`read`) and before each change (`change`), by its real path: checkpoints keep
     * its bytes then (spec 04).
     */
    readonly before: (path: string, noticed: "read" | "change") => Effect.Effect<void>
    /** Who is told; nobody until it is set. The session that is open sets it. */
    readonly onBefore: (hook: (path: string, noticed: "read" | "change") => Effect.Effect<void>) => Effect.Effect<void>
    /** For `/new` and `/clear`: a new conversation has read nothing. */
    readonly clear: Effect.Effect<void>
  }
>()("maia/tools/files/FileLedger") {
  static readonly layer = Layer.sync(FileLedger, () => {
    const seen = new Map<string, Fingerprint>()
    let hook: (path: string, noticed: "read" | "change") => Effect.Effect<void> = () => Effect.void
    return FileLedger.of({
      note: (path, state) => Effect.sync(() => void seen.set(path, state)),
      check: (path, state) =>
        Effect.sync(() => {
          const known = seen.get(path)
          if (known === undefined) return "unread"
          return sameState(known, state) ? "fresh" : "changed"
        }),
      before: (path, noticed) => Effect.suspend(() => hook(path, noticed)),
      onBefore: (next) =>
        Effect.sync(() => {
          hook = next
        }),
      clear: Effect.sync(() => seen.clear())
    })
  })
}
