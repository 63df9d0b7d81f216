/**
 * Notices that a model goes round in circles (spec 06): the same call with the same result three times in a row, or a
 * cycle of two or three calls three times over. It belongs to the conversation: compaction forgets nothing here, a new or
 * cleared conversation does. Pure state; constant work per call.
 */
import type { ToolCall, ToolMessage } from "../../domain/message.ts"
import { callKey, isPoll, isWait } from "./callKey.ts"

/** Times round the circle until the model is told. */
export const WARN_AFTER = 3
/** Further times, once it has been told, until the turn ends. */
export const STOP_AFTER = 3
/** Calls in a circle. */
const LONGEST_PERIOD = 3
/** Requests after a detection that use a higher temperature. */
const HOT_REQUESTS = 2

export interface Loop {
  /** Calls in the circle. */
  readonly period: number
  /** Times round it so far. */
  readonly times: number
  /** Tools of the circle, in call order. */
  readonly tools: ReadonlyArray<string>
  /** It goes on although the model has been told often enough. */
  readonly isStuck: boolean
  /** Found with this call. */
  readonly isNew: boolean
}

interface Seen {
  readonly key: string
  readonly tool: string
  readonly isPoll: boolean
  readonly isWait: boolean
}

export class LoopDetector {
  /** The last calls, newest last. */
  private recent: Array<Seen> = []
  /** By period: how many calls in a row equal the one that many places before. */
  private runs: Array<number> = []
  /** Those of them that equal one of the same turn: nobody had spoken between. */
  private unasked: Array<number> = []
  /** Calls since a person spoke last. */
  private inTurn = 0
  /** Period of the circle the model is in. */
  private period: number | undefined
  /** Times round it when the model read of it. */
  private told: number | undefined
  private hot = 0

  /** Takes a call with its result, in call order. */
  observe(call: ToolCall, result: ToolMessage): Loop | undefined {
    const seen = { key: callKey(call, result), tool: call.name, isPoll: isPoll(result), isWait: isWait(call) }
    this.inTurn++
    for (let period = 1; period <= LONGEST_PERIOD; period++) {
      const same = this.recent.at(-period)?.key === seen.key
      this.runs[period] = same ? (this.runs[period] ?? 0) + 1 : 0
      this.unasked[period] = same ? (this.unasked[period] ?? 0) + (this.inTurn > period ? 1 : 0) : 0
    }
    this.recent = [...this.recent.slice(1 - LONGEST_PERIOD), seen]
    return this.judge()
  }

  /** The model reads the results before its next answer. */
  answered(): void {
    if (this.period !== undefined) this.told ??= this.timesOf(this.period)
  }

  /** A person has spoken: what the model was told before does not count against it. */
  beginTurn(): void {
    this.told = undefined
    this.period = undefined
    this.inTurn = 0
  }

  /** A new conversation, or a cleared one. */
  reset(): void {
    this.recent = []
    this.runs = []
    this.unasked = []
    this.beginTurn()
    this.hot = 0
  }

  /** The next requests are to use a higher temperature. */
  heat(): void {
    this.hot = HOT_REQUESTS
  }

  /** Whether this request is one of those that follow a detection; counts it. */
  takeHeat(): boolean {
    if (this.hot === 0) return false
    this.hot--
    return true
  }

  private judge(): Loop | undefined {
    const period = this.shortest()
    if (period !== this.period) this.told = undefined
    const isNew = period !== undefined && period !== this.period
    this.period = period
    if (period === undefined) return undefined
    this.heat()
    const times = this.timesOf(period)
    return {
      period,
      times,
      tools: this.recent.slice(-period).map(({ tool }) => tool),
      isStuck: this.told !== undefined && times - this.told >= STOP_AFTER,
      isNew
    }
  }

  private shortest(): number | undefined {
    for (let period = 1; period <= LONGEST_PERIOD; period++) {
      if (this.timesOf(period) < WARN_AFTER) continue
      const circle = this.recent.slice(-period)
      // What a person has asked for each time is no circle.
      if ((this.unasked[period] ?? 0) === 0) continue
      // To wait and look again is no circle.
      if (circle.some((seen) => seen.isWait || (period > 1 && seen.isPoll))) continue
      return period
    }
    return undefined
  }

  private timesOf(period: number): number {
    return Math.floor((this.runs[period] ?? 0) / period) + 1
  }
}
