/**
 * What one compaction summarises and what it keeps (seed 001, "Logique de limite et de point de coupure", "Gestion des tours
 * fractionnés"). Pure.
 */
import type { Settings } from "../config/settings.ts"
import type { Message } from "../domain/message.ts"
import type { AnyEntry } from "../sessions/checkEntry.ts"
import { keepLimits, type CompactionStrategy, type KeepLimits } from "./budget.ts"
import type { CompactionReason } from "./CompactionGuard.ts"
import { findCutPoint, type Cut } from "./cutPoint.ts"
import { livePath, type CompactionEntry, type LiveItem } from "./livePath.ts"
import { FileOperations, type FileLists } from "./summary/fileOperations.ts"
import { headAndTail } from "./summary/serialize.ts"

export interface PrepareInput {
  readonly path: ReadonlyArray<AnyEntry>
  readonly settings: Settings["compaction"]
  readonly strategy: CompactionStrategy
  readonly reason: CompactionReason
  /** Tokens; undefined where unknown. */
  readonly window: number | undefined
  readonly fixedTokens: number
  readonly ratio: number
  readonly count: (message: Message) => number
}

export interface CompactionPlan {
  readonly previous: CompactionEntry | undefined
  /** Whole turns. */
  readonly history: ReadonlyArray<Message>
  /** The beginning of the turn whose end is kept. */
  readonly turnPrefix: ReadonlyArray<Message>
  /** Empty: nothing is kept. */
  readonly firstKeptEntryId: string
  readonly keptTokens: number
  /** Tokens of the conversation as it is, the previous summary apart. */
  readonly conversationTokens: number
  readonly files: FileLists
}

/** Undefined where there is nothing that could be summarised. */
export const prepareCompaction = (input: PrepareInput): CompactionPlan | undefined => {
  const { previous, items } = livePath(input.path)
  const messages = messagesOf(items)
  const conversationTokens = messages.reduce((sum, message) => sum + input.count(message), 0)
  const cut = input.strategy === "new-session" ? wholeConversation(items) : inPlace(input, items, conversationTokens)
  if (cut === undefined) return undefined
  const excerpt = prunedExcerpt(input.window, items.slice(0, cut.index))
  const history = forSummary(items.slice(0, cut.turnStart ?? cut.index), excerpt)
  const turnPrefix = cut.turnStart === undefined ? [] : forSummary(items.slice(cut.turnStart, cut.index), excerpt)
  const files = new FileOperations()
  files.addEntry(previous)
  for (const { entry } of items.slice(0, cut.index)) files.addEntry(entry)
  files.addMessages([...history, ...turnPrefix])
  return {
    previous,
    history,
    turnPrefix,
    firstKeptEntryId: items[cut.index]?.entry.id ?? "",
    keptTokens: cut.keptTokens,
    conversationTokens,
    files: files.lists
  }
}

const messagesOf = (items: ReadonlyArray<LiveItem>): ReadonlyArray<Message> =>
  items.flatMap(({ message }) => (message === undefined ? [] : [message]))

/** Shorter ends of a result say less than the line it was pruned to. */
const LEAST_EXCERPT = 40

/**
 * UTF-16 units of a pruned result's beginning, and of its end, that a summary is made from. All of them together take a quarter
 * of the window at most, or what was pruned to fit would have to be summarised in parts.
 */
const prunedExcerpt = (window: number | undefined, items: ReadonlyArray<LiveItem>): number => {
  if (window === undefined) return 400
  const pruned = items.filter(({ original }) => original !== undefined).length
  return Math.min(400, Math.floor((window * 0.375) / Math.max(1, pruned)))
}

/** The model has read what was pruned since: its summary should not miss what stood there. */
const forSummary = (items: ReadonlyArray<LiveItem>, excerpt: number): ReadonlyArray<Message> =>
  items.flatMap(({ message, original }) => {
    if (message === undefined) return []
    if (original === undefined || excerpt < LEAST_EXCERPT) return [message]
    return [{ ...message, text: headAndTail(original.text, excerpt) }]
  })

const wholeConversation = (items: ReadonlyArray<LiveItem>): Cut | undefined =>
  messagesOf(items).length === 0 ? undefined : { index: items.length, turnStart: undefined, keptTokens: 0 }

const inPlace = (input: PrepareInput, items: ReadonlyArray<LiveItem>, conversationTokens: number): Cut | undefined => {
  const { settings, window, fixedTokens, ratio, reason, count } = input
  const limits = keepLimits({ settings, window, fixedTokens, conversationTokens, ratio })
  const maxMessages = window === undefined ? Math.floor(settings.maxMessages / 2) : undefined
  const find = (wanted: KeepLimits) => findCutPoint({ items, limits: wanted, maxMessages, count })
  const found = find(limits)
  if (found !== undefined || reason === "threshold") return found
  // Someone asked for it, or the server refused the request: keep the newest message alone, at worst nothing.
  const newest = find({ recent: 0, most: limits.most })
  return newest ?? (reason === "overflow" ? wholeConversation(items) : undefined)
}
