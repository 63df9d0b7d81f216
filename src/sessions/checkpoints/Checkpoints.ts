/**
 * Keeps the bytes of files that the model reads and that tools change, so that `/undo` and `/tree` can put them back (spec 04,
 * "Checkpoints"). Knows sessions and files; asks no one: whoever calls shows the plan and gets the yes.
 */
import { Context, type Effect } from "effect"
import { text } from "../../domain/text.ts"
import type { SessionHandle } from "../SessionHandle.ts"

/** Bytes above which a file is not kept. */
export const MAX_FILE_BYTES = 10_000_000

/** To be said with every plan. */
export const CHECKPOINT_LIMIT = text(
  "Files that commands changed without maia having read or written them, ignored files and files over 10 MB are not put back.",
  "Les fichiers modifiés par des commandes sans que maia les ait lus ou écrits, les fichiers ignorés et ceux de plus de 10 Mo " +
    "ne sont pas remis en état."
)

export interface PlannedFile {
  /** As shown: relative to the launch folder when inside it. */
  readonly path: string
  /** Absolute path. */
  readonly file: string
  readonly action: "change" | "create" | "delete"
  /** SHA-256 of what is there now; null when there is no file. */
  readonly from: string | null
  /** SHA-256 of what would be there; null for no file. */
  readonly to: string | null
  readonly mode: number | undefined
  /** Someone else changed the file since maia last did, or it lies outside the folder: it is put back with `force` only. */
  readonly conflict: boolean
  /** The bytes are no longer kept: it cannot be put back. */
  readonly lost: boolean
  /** Unified diff from what is there to what would be; empty for binary or huge files. */
  readonly diff: string
}

export interface RestorePlan {
  /** Sorted by path; files that are as they were are not in it. */
  readonly files: ReadonlyArray<PlannedFile>
}

export interface RestoreResult {
  /** Paths as shown. */
  readonly restored: ReadonlyArray<string>
  readonly skipped: ReadonlyArray<{
    readonly path: string
    readonly reason: "conflict" | "lost" | "changed_meanwhile" | "not_writable"
  }>
}

export interface SessionCheckpoints {
  /**
   * Keeps what the file holds: before the model reads it (`read`) or a tool changes it (`change`), existing or not. Takes an
   * absolute path. Never fails and does nothing for ignored files, files over 10 MB and, on a read, files outside the folder.
   */
  readonly capture: (file: string, noticed: "read" | "change") => Effect.Effect<void>
  /**
   * Compares the files read or written so far with what is known of them. Call it with `other` before a turn begins and with
   * `turn` after its tools have run. The changed files, absolute.
   */
  readonly scan: (noticed: "turn" | "other") => Effect.Effect<ReadonlyArray<string>>
  /** What putting the files back as they were at that entry would do (`null`: before the first one). Ask before the leaf is moved. */
  readonly planRestore: (toEntry: string | null) => Effect.Effect<RestorePlan>
  /** Carries the plan out. Files in conflict are left alone without `force`; files changed since the plan are always left alone. */
  readonly restore: (plan: RestorePlan, options: { readonly force: boolean }) => Effect.Effect<RestoreResult>
}

export class Checkpoints extends Context.Service<
  Checkpoints,
  {
    /** Checkpoints of one open session. Nothing is kept where the settings say so, or the session is not saved. */
    readonly forSession: (
      session: SessionHandle,
      options: { readonly save: boolean }
    ) => Effect.Effect<SessionCheckpoints>
  }
>()("maia/sessions/Checkpoints") {}
