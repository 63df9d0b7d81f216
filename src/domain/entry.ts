/**
 * One line of a session file (spec 04). Entries form a tree: `parentId` names the entry they follow, the header for the
 * first one. Unknown types and fields survive a round trip.
 */
import type { TodoItem } from "./agent-event.ts"
import type { AssistantMessage, Attachment, ToolMessage, UserMessage } from "./message.ts"

/** Version of the session format, in the header. */
export const SESSION_VERSION = 1

export interface SessionHeader {
  readonly type: "header"
  readonly version: number
  readonly id: string
  /** ISO 8601 time. */
  readonly time: string
  readonly cwd: string
  readonly model?: string
  /** Session file it was forked from, and the entry. */
  readonly parentSession?: string
  readonly parentEntry?: string
  /** Name of the sub-agent whose conversation it is; `parentSession` is the session that started it. */
  readonly agent?: string
  readonly startContext?: string
}

interface Base {
  readonly id: string
  readonly parentId: string
  /** ISO 8601 time. */
  readonly time: string
}

export type EntryBody =
  | { readonly type: "message"; readonly message: UserMessage | AssistantMessage | ToolMessage }
  | { readonly type: "model_change"; readonly model: string }
  | {
      readonly type: "compaction"
      readonly summary: string
      readonly shortSummary?: string
      readonly firstKeptEntryId: string
      readonly tokensBefore: number
      readonly tokensAfter?: number
      readonly details?: { readonly readFiles: ReadonlyArray<string>; readonly modifiedFiles: ReadonlyArray<string> }
      readonly preserveData?: unknown
      readonly fromExtension?: boolean
    }
  | {
      readonly type: "branch_summary"
      readonly fromId: string
      readonly summary: string
      readonly details?: { readonly readFiles: ReadonlyArray<string>; readonly modifiedFiles: ReadonlyArray<string> }
      readonly fromExtension?: boolean
    }
  | { readonly type: "stream_rule_injection"; readonly rules: ReadonlyArray<string>; readonly turn: number }
  | { readonly type: "custom"; readonly customType: string; readonly data: unknown }
  | { readonly type: "custom_message"; readonly customType: string; readonly text: string; readonly display?: boolean }
  | { readonly type: "label"; readonly targetId: string; readonly label: string | null }
  | { readonly type: "session_info"; readonly name: string }
  | { readonly type: "pending_context"; readonly text: string; readonly attachments?: ReadonlyArray<Attachment> }
  | { readonly type: "todo"; readonly items: ReadonlyArray<TodoItem> }
  /** Moves the leaf; the last one in the file wins. `null` stands before the first entry. */
  | { readonly type: "leaf"; readonly targetId: string | null }
  /** The results named here are shortened from then on. */
  | { readonly type: "prune"; readonly results: ReadonlyArray<{ readonly entryId: string; readonly text: string }> }
  /** The context starts anew after this entry. */
  | { readonly type: "clear" }

export type Entry = Base & EntryBody

/** An entry whose type this version does not know; kept as it is. */
export interface UnknownEntry extends Base {
  readonly type: string
  readonly [key: string]: unknown
}
