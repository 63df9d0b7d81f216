/**
 * The sessions of a launch folder (spec 04, MAIA §12): opening, listing, finding, renaming, deleting, importing, exporting.
 * Knows files under `.maia/.sessions` and nothing of models, tools or the screen.
 */
import { Context, type Effect, type Scope } from "effect"
import type { SessionHeader } from "../domain/entry.ts"
import type { Text } from "../domain/text.ts"
import type { AnyEntry } from "./checkEntry.ts"
import type { SessionError } from "./errors.ts"
import type { SessionHandle } from "./SessionHandle.ts"
import type { SessionSummary } from "./summary.ts"

/**
 * Which session to open. `name`: that one, made when it is missing (MAIA's `.json` file of that name is imported).
 * `continueNewest` without a name: the newest of this folder, if any, that is no sub-agent's. Neither: a new one.
 */
export interface OpenOptions {
  readonly name?: string
  readonly continueNewest?: boolean
  /** Go on in a copy. */
  readonly fork?: boolean
  /** Entry to stand at; with `fork` the last one of the copy. */
  readonly at?: string
  /** `false` keeps all in memory and leaves files alone. */
  readonly save: boolean
  /** Model of a new session, and the one an old session goes on with. */
  readonly model?: string
  /** Always a new session: when the name is taken it gets the first free one (`_2` …). */
  readonly fresh?: boolean
  /** Summary that a new session starts from; such a session is saved at once (MAIA §14.4). */
  readonly startContext?: string
  /** Session that a new one follows. */
  readonly parentSession?: string
  /** A new one is the conversation of this sub-agent. */
  readonly agent?: string
}

/** What a session holds, read without locking it. */
export interface SessionView {
  readonly name: string
  readonly header: SessionHeader
  /** In file order. */
  readonly entries: ReadonlyArray<AnyEntry>
  /** From the first entry to the leaf. */
  readonly path: ReadonlyArray<AnyEntry>
  readonly warnings: ReadonlyArray<Text>
}

export type ExportFormat = "markdown" | "json" | "html"

export class Sessions extends Context.Service<
  Sessions,
  {
    /**
     * Opens a session until the scope closes, which waits for the disk and gives the lock back. A session that another
     * process has open, or that a newer maia wrote, goes on in a copy, with a warning.
     */
    readonly open: (options: OpenOptions) => Effect.Effect<SessionHandle, SessionError, Scope.Scope>
    /** Newest first. Reads the beginning and the end of each file only. */
    readonly list: Effect.Effect<ReadonlyArray<SessionSummary>>
    /** Name as the file has it; case does not matter. */
    readonly find: (name: string) => Effect.Effect<string | undefined>
    /** Names near a typed one, nearest first, at most five. */
    readonly suggest: (name: string) => Effect.Effect<ReadonlyArray<string>>
    readonly exists: (name: string) => Effect.Effect<boolean>
    /** Reads a session by name without opening it. */
    readonly read: (name: string) => Effect.Effect<SessionView, SessionError>
    /** Renames a session that is not open; the name it got. */
    readonly rename: (name: string, to: string) => Effect.Effect<string, SessionError>
    /** Fails with `in_use` when a running process has it open. */
    readonly delete: (name: string) => Effect.Effect<void, SessionError>
    /** Imports one of MAIA's `.json` files from anywhere, which stays as it is; the name of the new session. */
    readonly importLegacy: (file: string) => Effect.Effect<string, SessionError>
    /** The path of an open session, or of one by name, as text. */
    readonly export: (source: SessionHandle | string, format: ExportFormat) => Effect.Effect<string, SessionError>
    /** Where the files are; it may not exist yet. */
    readonly folder: string
  }
>()("maia/sessions/Sessions") {}
