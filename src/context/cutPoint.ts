/**
 * Where a compaction cuts (seed 001, "Logique de limite et de point de coupure"): what lies before is summarised, the rest is
 * kept. Never between a call and its result. Pure.
 */
import type { Message } from "../domain/message.ts"
import type { KeepLimits } from "./budget.ts"
import type { LiveItem } from "./livePath.ts"

export interface CutInput {
  readonly items: ReadonlyArray<LiveItem>
  readonly limits: KeepLimits
  /** Messages that may be kept, where their number is the trigger. */
  readonly maxMessages?: number | undefined
  readonly count: (message: Message) => number
}

export interface Cut {
  /** First kept item; the number of items where nothing is kept. */
  readonly index: number
  /** Where the turn begins whose beginning is cut off; undefined where the cut is between turns. */
  readonly turnStart: number | undefined
  /** Tokens of the kept messages. */
  readonly keptTokens: number
}

/**
 * The newest groups of messages that fit, a group being a message and the results that belong to it. The newest group alone may
 * take more than `limits.recent`, up to `limits.most`; where even that is too little, nothing is kept. Undefined where nothing
 * would be summarised.
 */
export const findCutPoint = (input: CutInput): Cut | undefined => {
  const { items, limits, count } = input
  const valid = validCuts(items)
  const maxMessages = input.maxMessages ?? Number.POSITIVE_INFINITY
  let cut = items.length
  let keptTokens = 0
  let tokens = 0
  let messages = 0
  for (let index = items.length - 1; index >= 0; index--) {
    const message = items[index]?.message
    if (message === undefined) continue
    tokens += count(message)
    messages++
    if (tokens > limits.most || messages > maxMessages) break
    if (tokens > limits.recent && cut < items.length) break
    if (valid[index] !== true) continue
    cut = index
    keptTokens = tokens
    if (tokens > limits.recent) break
  }
  if (items.slice(0, cut).every(({ message }) => message === undefined)) return undefined
  // Before what precedes the cut without being a message (a change of model, a label): it belongs to what is kept.
  const index = cut === items.length ? cut : withMetadata(items, cut)
  return { index, turnStart: splitTurnStart(items, index), keptTokens }
}

/** An item may be first in the kept part when it is a message, no tool result, and no earlier call's result is still to come. */
const validCuts = (items: ReadonlyArray<LiveItem>): ReadonlyArray<boolean> => {
  const valid = items.map(({ message }) => message !== undefined && message.role !== "tool")
  let open = new Set<string>()
  let opened = 0
  for (const [index, { message }] of items.entries()) {
    if (message?.role === "assistant") {
      open = new Set(message.toolCalls.map(({ id }) => id))
      opened = index
    } else if (message?.role === "tool" && open.delete(message.toolCallId)) {
      // What came in between, for example a steering message, stands behind the result in the context.
      for (let between = opened + 1; between <= index; between++) valid[between] = false
      opened = index
    }
  }
  return valid
}

const withMetadata = (items: ReadonlyArray<LiveItem>, cut: number): number => {
  let index = cut
  while (index > 0 && items[index - 1]?.message === undefined) index--
  return index
}

/** A request of the user, in whatever form, begins a turn. */
export const isTurnStart = ({ message }: LiveItem): boolean => message?.role === "user"

const splitTurnStart = (items: ReadonlyArray<LiveItem>, cut: number): number | undefined => {
  if (cut === items.length) return undefined
  const first = items.slice(cut).find(({ message }) => message !== undefined)
  if (first !== undefined && isTurnStart(first)) return undefined
  for (let index = cut - 1; index >= 0; index--) {
    const item = items[index]
    if (item !== undefined && isTurnStart(item)) return index
  }
  return undefined
}
