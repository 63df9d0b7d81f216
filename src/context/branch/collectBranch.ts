/**
 * What a move in the tree leaves behind, and how much of it is summarised (seed 001, "Pipeline de résumé de branche"). Pure.
 */
import type { Message } from "../../domain/message.ts"
import { compactionSummaryText, entryMessage } from "../../sessions/buildContext.ts"
import { isKnownEntry, type AnyEntry } from "../../sessions/checkEntry.ts"
import { FileOperations, type FileLists } from "../summary/fileOperations.ts"

/**
 * The entries from the old leaf up to, and without, the common ancestor with the target; oldest first. `null` stands before the
 * first entry.
 */
export const collectAbandoned = (
  get: (id: string) => AnyEntry | undefined,
  oldLeafId: string | null,
  targetId: string | null
): ReadonlyArray<AnyEntry> => {
  const onTarget = new Set<string>()
  for (let entry = targetId === null ? undefined : get(targetId); entry !== undefined; entry = get(entry.parentId)) {
    onTarget.add(entry.id)
  }
  const abandoned: Array<AnyEntry> = []
  let entry = oldLeafId === null ? undefined : get(oldLeafId)
  while (entry !== undefined && !onTarget.has(entry.id)) {
    abandoned.push(entry)
    entry = get(entry.parentId)
  }
  return abandoned.reverse()
}

export interface BranchSelection {
  /** Oldest first. */
  readonly messages: ReadonlyArray<Message>
  readonly files: FileLists
}

/** A summary this near to the budget still comes in: it stands for much. */
const SUMMARY_SHARE = 0.9

/** First the files of all entries, then messages from the newest on until `budget` tokens are reached. */
export const selectBranch = (
  entries: ReadonlyArray<AnyEntry>,
  budget: number,
  count: (message: Message) => number
): BranchSelection => {
  const all = entries.map(branchMessage)
  const files = new FileOperations()
  for (const entry of entries) files.addEntry(entry)
  files.addMessages(all.filter((message) => message !== undefined))
  const messages: Array<Message> = []
  let tokens = 0
  for (let index = entries.length - 1; index >= 0; index--) {
    const message = all[index]
    if (message === undefined) continue
    const cost = count(message)
    const fits = tokens + cost <= budget
    const isSummary = entries[index]?.type === "compaction" || entries[index]?.type === "branch_summary"
    if (fits || messages.length === 0 || (isSummary && tokens < budget * SUMMARY_SHARE)) messages.push(message)
    if (!fits) break
    tokens += cost
  }
  return { messages: messages.reverse(), files: files.lists }
}

/** A compaction stands for what it summarised. */
const branchMessage = (entry: AnyEntry): Message | undefined =>
  isKnownEntry(entry) && entry.type === "compaction"
    ? { role: "user", text: compactionSummaryText(entry.summary), origin: "compaction_summary" }
    : entryMessage(entry)
