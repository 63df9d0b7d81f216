/**
 * From the entries on the path to the messages that a model sees (seed 001, "Modèle d'entrée de session"; spec 04). Pure, and
 * incremental: an appended message costs what it adds; a compaction, a pruning or a clear builds the list again.
 */
import type { Message, ToolMessage } from "../domain/message.ts"
import { isKnownEntry, type AnyEntry } from "./checkEntry.ts"
import { MessageLog, type ContextMessage } from "./protocol.ts"

/** What the summary of a compaction is wrapped in. */
export const COMPACTION_SUMMARY_CONTEXT = {
  before:
    "The conversation before this point was compacted into the following summary. Take it as what happened so far; " +
    "read a file again before you rely on its exact content.\n\n<summary>\n",
  after: "\n</summary>"
} as const

/** What the summary of an abandoned branch is wrapped in. */
export const BRANCH_SUMMARY_CONTEXT = {
  before:
    "The following is a summary of a branch of this conversation that was tried and left. " +
    "What it did to files may still be there.\n\n<summary>\n",
  after: "\n</summary>"
} as const

export const compactionSummaryText = (summary: string): string =>
  COMPACTION_SUMMARY_CONTEXT.before + summary + COMPACTION_SUMMARY_CONTEXT.after

export const branchSummaryText = (summary: string): string =>
  BRANCH_SUMMARY_CONTEXT.before + summary + BRANCH_SUMMARY_CONTEXT.after

/**
 * The message an entry stands for by itself; undefined for those that are no message (a compaction's summary included, as it
 * stands in front of what was kept). A pending context is a user message from its entry on, so it needs no joining later.
 */
export const entryMessage = (entry: AnyEntry): Message | undefined => {
  if (!isKnownEntry(entry)) return undefined
  switch (entry.type) {
    case "message":
      return entry.message
    case "branch_summary":
      return { role: "user", text: branchSummaryText(entry.summary), origin: "branch_summary" }
    case "custom_message":
      return { role: "user", text: entry.text, origin: "custom" }
    case "pending_context":
      return {
        role: "user",
        text: entry.text,
        origin: "context",
        ...(entry.attachments === undefined ? {} : { attachments: entry.attachments })
      }
    default:
      return undefined
  }
}

const shorten = (message: ToolMessage, text: string): ToolMessage => {
  const { attachments: _attachments, ...rest } = message
  return { ...rest, text }
}

/** The path's end that counts: what a clear, then the last compaction, leave. */
interface Window {
  readonly compaction: (AnyEntry & { readonly type: "compaction"; readonly summary: string }) | undefined
  readonly kept: ReadonlyArray<AnyEntry>
}

const windowOf = (path: ReadonlyArray<AnyEntry>): Window => {
  for (let index = path.length - 1; index >= 0; index--) {
    const entry = path[index]
    if (entry === undefined || !isKnownEntry(entry)) continue
    if (entry.type === "clear") return { compaction: undefined, kept: path.slice(index + 1) }
    if (entry.type !== "compaction") continue
    const kept: Array<AnyEntry> = []
    for (let at = index - 1; at >= 0; at--) {
      const earlier = path[at]
      // A clear in between: nothing before it comes back.
      if (earlier === undefined || earlier.type === "clear") break
      if (earlier.id !== entry.firstKeptEntryId) continue
      kept.push(...path.slice(at, index))
      break
    }
    return { compaction: entry, kept: [...kept, ...path.slice(index + 1)] }
  }
  return { compaction: undefined, kept: path }
}

/**
 * The context of a session, kept up to date entry by entry. `items` and `messages` are valid for a server at any time and are
 * live views; `revision` changes whenever something else than an append happened to them.
 */
export class ContextLog {
  private path: Array<AnyEntry> = []
  private log = new MessageLog()
  private shortened = new Map<string, string>()
  private rebuilds = 0

  constructor(path: ReadonlyArray<AnyEntry>) {
    this.reset(path)
  }

  get items(): ReadonlyArray<ContextMessage> {
    return this.log.items
  }

  get messages(): ReadonlyArray<Message> {
    return this.log.messages
  }

  get revision(): number {
    return this.rebuilds
  }

  /** Takes another path, after a move in the tree. */
  reset(path: ReadonlyArray<AnyEntry>): void {
    this.path = [...path]
    this.shortened = new Map()
    for (const entry of path) this.notePruning(entry)
    this.rebuild()
  }

  /** Takes the entry that follows the last one of the path. */
  append(entry: AnyEntry): void {
    this.path.push(entry)
    if (entry.type === "compaction" || entry.type === "clear" || entry.type === "prune") {
      this.notePruning(entry)
      this.rebuild()
    } else this.add(entry)
  }

  private notePruning(entry: AnyEntry): void {
    if (!isKnownEntry(entry) || entry.type !== "prune") return
    for (const { entryId, text } of entry.results) this.shortened.set(entryId, text)
  }

  private add(entry: AnyEntry): void {
    const message = entryMessage(entry)
    if (message === undefined) return
    const short = message.role === "tool" ? this.shortened.get(entry.id) : undefined
    this.log.append({
      entryId: entry.id,
      message: short !== undefined && message.role === "tool" ? shorten(message, short) : message
    })
  }

  private rebuild(): void {
    this.log = new MessageLog()
    this.rebuilds++
    const { compaction, kept } = windowOf(this.path)
    if (compaction !== undefined) {
      this.log.append({
        entryId: compaction.id,
        message: { role: "user", text: compactionSummaryText(compaction.summary), origin: "compaction_summary" }
      })
    }
    for (const entry of kept) this.add(entry)
  }
}

/** The messages for the model, each with its entry; `path` runs from the first entry to the leaf. */
export const buildContext = (path: ReadonlyArray<AnyEntry>): ReadonlyArray<ContextMessage> => new ContextLog(path).items

/** Whether the entry begins a turn of the user (spec 04, seed 001 "Gestion des tours fractionnés"). */
const isTypedByUser = (entry: AnyEntry): boolean =>
  isKnownEntry(entry) && entry.type === "message" && entry.message.role === "user" && entry.message.origin === undefined

/**
 * Where `/undo` moves the leaf: the entry before the last request of the user and the context that was added for it; `null`
 * stands before the first entry. `undefined` when there is no turn to undo.
 */
export const undoTarget = (
  path: ReadonlyArray<AnyEntry>
): { readonly target: string | null; readonly request: AnyEntry } | undefined => {
  for (let index = path.length - 1; index >= 0; index--) {
    const request = path[index]
    if (request === undefined || !isTypedByUser(request)) continue
    let before = index - 1
    while (before >= 0 && path[before]?.type === "pending_context") before--
    return { target: path[before]?.id ?? null, request }
  }
  return undefined
}
