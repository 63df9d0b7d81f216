/**
 * Where extensions take part in compaction and branch summaries (spec 04, "Hooks"; seed 001, "Points de contact"). By default
 * they do nothing.
 */
import { Context, Effect } from "effect"
import type { EntryBody } from "../domain/entry.ts"
import type { Message } from "../domain/message.ts"
import type { AnyEntry } from "../sessions/checkEntry.ts"
import type { CompactionReason } from "./CompactionGuard.ts"
import type { CompactionStrategy } from "./budget.ts"
import type { FileLists } from "./summary/fileOperations.ts"

/** What is about to be compacted. */
export interface CompactionPreparation {
  readonly reason: CompactionReason
  readonly strategy: CompactionStrategy
  readonly model: string
  readonly instructions: string | undefined
  readonly previousSummary: string | undefined
  readonly preserveData: unknown
  readonly messagesToSummarize: ReadonlyArray<Message>
  readonly turnPrefixMessages: ReadonlyArray<Message>
  /** Empty: nothing is kept. */
  readonly firstKeptEntryId: string
  readonly tokensBefore: number
  readonly files: FileLists
}

/** A summary of an extension's own. */
export interface GivenCompaction {
  readonly summary: string
  readonly shortSummary?: string
  readonly firstKeptEntryId?: string
  readonly details?: FileLists
  readonly preserveData?: unknown
}

export interface CompactionHooks {
  /** `session_before_compact`. */
  readonly before: (
    preparation: CompactionPreparation
  ) => Effect.Effect<{ readonly cancel: true } | { readonly compaction: GivenCompaction } | undefined>
  /** `session_compacting`: `prompt` replaces the base prompt, `context` lines go into `<additional-context>`. */
  readonly compacting: (
    preparation: CompactionPreparation
  ) => Effect.Effect<
    { readonly prompt?: string; readonly context?: ReadonlyArray<string>; readonly preserveData?: unknown } | undefined
  >
  /** `session_compact`: to be called by whoever has written the entry. */
  readonly after: (
    body: Extract<EntryBody, { readonly type: "compaction" }>,
    fromExtension: boolean
  ) => Effect.Effect<void>
}

export const CompactionHooks = Context.Reference<CompactionHooks>("maia/context/CompactionHooks", {
  defaultValue: () => ({ before: () => Effect.undefined, compacting: () => Effect.undefined, after: () => Effect.void })
})

export interface TreeMove {
  readonly oldLeafId: string | null
  readonly newLeafId: string | null
  /** What the move leaves behind, oldest first. */
  readonly entries: ReadonlyArray<AnyEntry>
  /** The user asked for a summary. */
  readonly summarize: boolean
}

export interface TreeHooks {
  /** `session_before_tree`: a given summary is used where one was asked for. */
  readonly before: (
    move: TreeMove
  ) => Effect.Effect<
    | { readonly cancel: true }
    | { readonly summary: { readonly summary: string; readonly details?: FileLists } }
    | undefined
  >
  /** `session_tree`: to be called by whoever has moved the leaf. */
  readonly after: (move: TreeMove, summaryEntry: AnyEntry | undefined) => Effect.Effect<void>
}

export const TreeHooks = Context.Reference<TreeHooks>("maia/context/TreeHooks", {
  defaultValue: () => ({ before: () => Effect.undefined, after: () => Effect.void })
})
