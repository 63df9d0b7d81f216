/**
 * An open session (spec 04): what the agent and the front ends hold while a conversation goes on. Views are live: they grow in
 * place and are replaced when the leaf moves; copy them to keep them.
 */
import type { Effect, Scope } from "effect"
import type { Entry, EntryBody, SessionHeader } from "../domain/entry.ts"
import type { Text } from "../domain/text.ts"
import type { AnyEntry } from "./checkEntry.ts"
import type { SessionError } from "./errors.ts"

export interface SessionHandle {
  /** Can still change until the file is made: an existing file is never overwritten, `_2` is added. */
  readonly name: Effect.Effect<string>
  readonly header: () => SessionHeader
  /** Path of the file; undefined as long as there is none (no content yet, not saved, not writable). */
  readonly file: () => string | undefined
  /** All entries, in file order. */
  readonly entries: () => ReadonlyArray<AnyEntry>
  /** From the first entry to the leaf. */
  readonly path: () => ReadonlyArray<AnyEntry>
  /** From the first entry to the given one. */
  readonly pathTo: (id: string) => ReadonlyArray<AnyEntry>
  readonly entry: (id: string) => AnyEntry | undefined
  /** `null` stands before the first entry. */
  readonly leaf: () => string | null
  readonly labels: () => ReadonlyMap<string, string>
  /** Model that the session was last used with. */
  readonly model: () => string | undefined
  /** What went wrong with the file, oldest first; each once. */
  readonly warnings: () => ReadonlyArray<Text>
  /**
   * Writes the entry to the file, then returns it. Never fails: what cannot be written is one warning, is kept in memory and
   * is tried again with the next entry. A session without content (messages, summaries) makes no file.
   */
  readonly append: (body: EntryBody) => Effect.Effect<Entry>
  /** Moves the leaf; fails with `not_found` for an entry that is not here. */
  readonly moveTo: (id: string | null) => Effect.Effect<void, SessionError>
  /** `null` takes the label away. */
  readonly label: (targetId: string, label: string | null) => Effect.Effect<void, SessionError>
  readonly setModel: (model: string) => Effect.Effect<void>
  /** Renames the session and its file; the name it got, with a suffix when the one asked for is another session's. */
  readonly rename: (name: string) => Effect.Effect<string, SessionError>
  /** Copies the path up to the entry (the leaf when none is given) to a new session, which is opened. */
  readonly fork: (options?: ForkOptions) => Effect.Effect<SessionHandle, SessionError, Scope.Scope>
  /** Writes what is still in memory only, and waits for the disk. */
  readonly sync: Effect.Effect<void>
}

export interface ForkOptions {
  /** Last entry of the copy; `null` copies none. */
  readonly at?: string | null
  readonly name?: string
}
