/**
 * The part of a path that is still in the context, entry by entry (seed 001, "Logique de limite et de point de coupure"): what
 * compaction and pruning choose from. Pure.
 */
import type { Entry } from "../domain/entry.ts"
import type { Message, ToolMessage } from "../domain/message.ts"
import { entryMessage } from "../sessions/buildContext.ts"
import { isKnownEntry, type AnyEntry } from "../sessions/checkEntry.ts"

export interface LiveItem {
  readonly entry: AnyEntry
  /** As the model sees it, pruned or not; undefined for entries that are no message. */
  readonly message: Message | undefined
  /** The result as it was, where a pruning has shortened it. */
  readonly original: ToolMessage | undefined
}

export type CompactionEntry = Extract<Entry, { readonly type: "compaction" }>

export interface LivePath {
  /** The compaction whose summary stands before the items. */
  readonly previous: CompactionEntry | undefined
  readonly items: ReadonlyArray<LiveItem>
}

/** `path` runs from the first entry to the leaf. Messages kept by the last compaction are part of it: no summary has them. */
export const livePath = (path: ReadonlyArray<AnyEntry>): LivePath => {
  const shortened = prunedTexts(path)
  let start = 0
  let previous: CompactionEntry | undefined
  for (let index = path.length - 1; index >= 0; index--) {
    const entry = path[index]
    if (entry === undefined || !isKnownEntry(entry)) continue
    if (entry.type === "clear") {
      start = index + 1
      break
    }
    if (entry.type !== "compaction") continue
    previous = entry
    start = firstKept(path, index, entry.firstKeptEntryId)
    break
  }
  const items = path
    .slice(start)
    .filter((entry) => entry.type !== "compaction")
    .map((entry) => toItem(entry, shortened))
  return { previous, items }
}

const firstKept = (path: ReadonlyArray<AnyEntry>, compaction: number, id: string): number => {
  for (let index = compaction - 1; index >= 0 && path[index]?.type !== "clear"; index--) {
    if (path[index]?.id === id) return index
  }
  return compaction + 1
}

const prunedTexts = (path: ReadonlyArray<AnyEntry>): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  for (const entry of path) {
    if (!isKnownEntry(entry) || entry.type !== "prune") continue
    for (const { entryId, text } of entry.results) texts.set(entryId, text)
  }
  return texts
}

const toItem = (entry: AnyEntry, shortened: ReadonlyMap<string, string>): LiveItem => {
  const message = entryMessage(entry)
  const text = shortened.get(entry.id)
  if (message?.role !== "tool" || text === undefined) return { entry, message, original: undefined }
  return { entry, message: withText(message, text), original: message }
}

const withText = ({ attachments: _attachments, ...rest }: ToolMessage, text: string): ToolMessage => ({ ...rest, text })
