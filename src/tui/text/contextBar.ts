/**
 * How full the context is (MAIA §13.3): one square for every 10 000 tokens, and `45.7k / 200k · 23%`. Pure.
 */
import { percent, shortNumber } from "./numbers.ts"
import type { Theme } from "./theme.ts"
import { cellWidth, truncate } from "./width.ts"

export interface ContextUse {
  /** Tokens of the conversation. */
  readonly tokens: number
  /** Tokens that fit; undefined: nobody knows, and there is no bar. */
  readonly window: number | undefined
}

/** Tokens of a square on a terminal that is wide enough; the scale grows by as much. */
const STEP = 10_000

const SQUARE = "■"
const EMPTY = "□"

/**
 * One line of at most `width` cells, for the right-hand end of a line. When the squares do not fit beside their label each
 * stands for more tokens, and that is said: `1■ = 20k`. Empty where the window is unknown. Green, yellow from 60 %, red from
 * 85 %.
 */
export const contextBar = ({ tokens, window }: ContextUse, width: number, theme: Theme): string => {
  if (window === undefined || !(window > 0) || width <= 0) return ""
  const share = percent(tokens, window)
  const label = `${shortNumber(tokens)} / ${shortNumber(window)} · ${share}%`
  const level = share >= 85 ? theme.bad : share >= 60 ? theme.caution : theme.good
  if (cellWidth(label) > width) return level(truncate(`${share}%`, width))
  const fit = !theme.frames ? undefined : fitSquares(window, label, width)
  if (fit === undefined) return level(label)
  const count = Math.ceil(window / fit.scale)
  const full = tokens <= 0 ? 0 : Math.min(count, Math.max(1, Math.round(tokens / fit.scale)))
  const empty = (theme.depth === "none" ? EMPTY : SQUARE).repeat(count - full)
  const scale = fit.note === "" ? "" : `${theme.muted(fit.note)}  `
  return `${scale}${level(SQUARE.repeat(full))}${theme.muted(empty)} ${level(label)}`
}

/** The smallest scale whose squares fit; undefined where fewer than three would be left. */
const fitSquares = (
  window: number,
  label: string,
  width: number
): { readonly scale: number; readonly note: string } | undefined => {
  const room = width - cellWidth(label) - 1
  if (Math.ceil(window / STEP) <= room) return { scale: STEP, note: "" }
  const first = Math.max(2, Math.ceil(window / STEP / Math.max(1, room)))
  for (let times = first; times <= first + 100; times++) {
    const note = `1${SQUARE} = ${shortNumber(times * STEP)}`
    const count = Math.ceil(window / (times * STEP))
    if (count < LEAST) return undefined
    if (count + cellWidth(note) + 2 <= room) return { scale: times * STEP, note }
  }
  return undefined
}

const LEAST = 3
