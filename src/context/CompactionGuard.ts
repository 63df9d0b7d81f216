/**
 * Keeps compaction from running in circles (field case D2): one round that did not help, or failed, is the last one until
 * something changes. Pure: a state and what changes it.
 */

/** What decides how small a context can get. */
export interface Circumstances {
  readonly model: string
  /** Tokens; undefined where unknown. */
  readonly window: number | undefined
  /** System prompt and tools. */
  readonly fixedTokens: number
}

export interface CompactionGuard {
  /** Circumstances of the round that did not help; undefined: nothing stands in the way. */
  readonly blocked: Circumstances | undefined
  /** The system prompt and the tools alone pass the threshold: no turn changes that. */
  readonly isHopeless: boolean
  /** An overflow was answered with a compaction since the last answer of the model (the last turn where hopeless). */
  readonly overflowUsed: boolean
  /** A round failed: one more is tried when the context has grown to this many tokens, as what failed may have passed. */
  readonly retryAt: number | undefined
}

export const openGuard: CompactionGuard = {
  blocked: undefined,
  isHopeless: false,
  overflowUsed: false,
  retryAt: undefined
}

export type CompactionReason = "threshold" | "overflow" | "manual"

const isSame = (left: Circumstances, right: Circumstances): boolean =>
  left.model === right.model && left.window === right.window && left.fixedTokens === right.fixedTokens

/** A person may always ask; an overflow is answered once until the model has answered. */
export const mayCompact = (
  guard: CompactionGuard,
  reason: CompactionReason,
  now: Circumstances,
  tokens = 0
): boolean => {
  if (reason === "manual") return true
  if (reason === "overflow") return !guard.overflowUsed
  if (guard.blocked === undefined || !isSame(guard.blocked, now)) return true
  return guard.retryAt !== undefined && tokens >= guard.retryAt
}

export interface Round {
  readonly reason: CompactionReason
  readonly circumstances: Circumstances
  /** Tokens; undefined where the window is unknown. */
  readonly threshold: number | undefined
  readonly tokensBefore: number
  /** Undefined: the round failed and nothing changed. */
  readonly tokensAfter: number | undefined
}

/** Less than this share saved is no help, even under the threshold. */
const LEAST_GAIN = 0.1

export const isEffective = ({ threshold, tokensBefore, tokensAfter }: Round): boolean =>
  tokensAfter !== undefined &&
  (threshold === undefined || tokensAfter <= threshold) &&
  tokensAfter <= tokensBefore * (1 - LEAST_GAIN)

/** Growth after which a failed round is worth another try: twice before a window is full, as the reserve is a quarter of it. */
const RETRY_GROWTH = 1.125

/** After a round, whether it ended well or not. Where it was no help: say so, once. */
export const afterRound = (guard: CompactionGuard, round: Round): CompactionGuard => {
  const overflowUsed = guard.overflowUsed || round.reason === "overflow"
  if (isEffective(round)) return { ...openGuard, overflowUsed }
  const { circumstances, threshold, tokensAfter, tokensBefore } = round
  const isHopeless = threshold !== undefined && circumstances.fixedTokens >= threshold
  const retryAt = tokensAfter === undefined && !isHopeless ? Math.ceil(tokensBefore * RETRY_GROWTH) : undefined
  return { blocked: circumstances, isHopeless, overflowUsed, retryAt }
}

/** After a whole turn that the model finished: the conversation has changed, so a new round may help. */
export const afterModelTurn = (guard: CompactionGuard): CompactionGuard =>
  guard.isHopeless ? { ...guard, overflowUsed: false } : openGuard

/** After any answer of the model inside a turn: the next overflow is a new one, unless it would come at every step. */
export const afterAnswer = (guard: CompactionGuard): CompactionGuard =>
  guard.overflowUsed && !guard.isHopeless ? { ...guard, overflowUsed: false } : guard
