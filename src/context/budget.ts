/**
 * The numbers that decide when the context is shortened and how far (spec README, "compaction threshold"; spec 04). All are
 * tokens; settings win over what follows from the window. Pure.
 */
import type { Settings } from "../config/settings.ts"

export type CompactionStrategy = Settings["compaction"]["strategy"]

/** Room for a summary (MAIA §14.2). */
export const SUMMARY_TOKENS = 4_000
/** MAIA's margin of error (§14.3). */
const NEW_SESSION_MARGIN = 500

/** Left free for the answer. */
export const reserveTokens = (
  settings: Settings["compaction"],
  window: number,
  strategy: CompactionStrategy = settings.strategy
): number => {
  const most = strategy === "new-session" ? SUMMARY_TOKENS + NEW_SESSION_MARGIN : 16_384
  return settings.reserveTokens ?? Math.min(most, Math.floor(window * 0.25))
}

/** The context may grow to this; undefined where the window is unknown or the reserve takes all of it. */
export const compactionThreshold = (
  settings: Settings["compaction"],
  window: number | undefined,
  strategy: CompactionStrategy = settings.strategy
): number | undefined => {
  if (window === undefined) return undefined
  const threshold = window - reserveTokens(settings, window, strategy)
  return threshold > 0 ? threshold : undefined
}

/** A small window has no room for 4 000 tokens of summary. */
export const summaryTokens = (window: number | undefined): number =>
  window === undefined ? SUMMARY_TOKENS : Math.max(256, Math.min(SUMMARY_TOKENS, Math.floor(window * 0.2)))

export interface KeepInput {
  readonly settings: Settings["compaction"]
  readonly window: number | undefined
  /** System prompt and tools, which no compaction makes smaller. */
  readonly fixedTokens: number
  /** The conversation alone, counted locally. */
  readonly conversationTokens: number
  /** The server's count of the last request by the local one, where measured: how far the two vocabularies differ. */
  readonly ratio: number
}

export interface KeepLimits {
  /** Recent messages are kept up to this many tokens. */
  readonly recent: number
  /** The newest message is kept even beyond that, up to this many. */
  readonly most: number
}

/** Where the window is unknown: so much of the conversation is kept that compacting it is worth the call. */
const KEPT_SHARE_UNKNOWN = 0.3

/** What may be kept beside a summary, in tokens of the local count. */
export const keepLimits = (input: KeepInput): KeepLimits => {
  const { settings, window, fixedTokens, conversationTokens } = input
  if (window === undefined) {
    const share = Math.floor(conversationTokens * KEPT_SHARE_UNKNOWN)
    const recent = Math.min(settings.keepRecentTokens ?? 20_000, share)
    return { recent, most: share }
  }
  const ratio = clampRatio(input.ratio)
  const threshold = compactionThreshold(settings, window, "in-place") ?? Math.floor(window * 0.75)
  // The summary of a split turn has two parts; the rest is for the next steps, or the next compaction comes at once.
  const room = threshold - fixedTokens * ratio - summaryTokens(window) * 1.5
  const most = Math.max(0, Math.floor((room * 0.85) / ratio))
  const wanted = settings.keepRecentTokens ?? Math.min(20_000, Math.floor(window * 0.3))
  return { recent: Math.min(Math.floor(wanted / ratio), most), most }
}

/** Servers that count less than we do are not believed to take more. */
export const clampRatio = (ratio: number): number => (Number.isFinite(ratio) ? Math.min(3, Math.max(1, ratio)) : 1)

/** What the server said of an earlier request, and what our own count was for the same. */
export interface ServerCount {
  readonly promptTokens: number
  readonly localTokens: number
}

/** The larger of the local count and the server's last one plus what was added since (spec README, "token count"). */
export const contextTokens = (local: number, server: ServerCount | undefined): number =>
  server === undefined ? local : Math.max(local, server.promptTokens + Math.max(0, local - server.localTokens))

export interface Trigger {
  readonly settings: Settings["compaction"]
  readonly window: number | undefined
  readonly strategy?: CompactionStrategy
  /** Result of `contextTokens`. */
  readonly tokens: number
  /** Messages in the context. */
  readonly messages: number
}

/** Whether the context has passed its threshold: tokens, or messages where the window is unknown. Strictly more. */
export const shouldCompact = ({ settings, window, strategy, tokens, messages }: Trigger): boolean => {
  if (!settings.enabled) return false
  if (window === undefined) return messages > settings.maxMessages
  const threshold = compactionThreshold(settings, window, strategy)
  return threshold !== undefined && tokens > threshold
}

/** Numbers of pruning (spec 04, "Pruning"), scaled down with a known small window. */
export const pruningNumbers = (
  settings: Settings["pruning"],
  window: number | undefined
): { readonly protect: number; readonly minimum: number } => ({
  protect: settings.protectTokens ?? Math.min(40_000, Math.floor((window ?? Number.POSITIVE_INFINITY) * 0.3)),
  minimum: settings.minimumTokens ?? Math.min(20_000, Math.floor((window ?? Number.POSITIVE_INFINITY) * 0.125))
})
