/**
 * The live part of the screen as lines: what is still open, the question or the input, the status. Pure. It is always lower
 * than the terminal, so that drawing it again never clears the screen (field case G5).
 */
import type { UiState } from "../store/state.ts"
import { contextBar } from "../text/contextBar.ts"
import { safeLine } from "../text/safeText.ts"
import type { Theme } from "../text/theme.ts"
import { cellWidth, pad, truncate } from "../text/width.ts"
import { activityLines } from "./activity.ts"
import { inputPart } from "./inputBox.ts"
import * as phrases from "./phrases.ts"
import { questionPart } from "./question.ts"

export interface LiveFrame {
  readonly lines: ReadonlyArray<string>
  /** Where the terminal's own cursor stands, from the frame's first cell; undefined: hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | undefined
}

/** Some lines of the frame, and the caret where it stands in them. */
export type Part = LiveFrame

/**
 * Most lines of a frame. Two rows stay free: Ink ends a frame with a line end, and a frame that began in the first row would be
 * erased from the corner on, which tmux takes for a cleared screen and keeps all of it in the scrollback.
 */
export const liveRows = (rows: number): number => Math.max(2, rows - 2)

export const liveFrame = (state: UiState, theme: Theme): LiveFrame => {
  if (state.closed) return { lines: [], cursor: undefined }
  const { columns, rows } = state.size
  const room = liveRows(rows)
  const status = statusLine(state, columns, theme)
  const bottom = bottomPart(state, room - 1, theme)
  const above = activityLines(state, Math.max(0, room - 1 - bottom.lines.length), theme)
  // The log above ends with the line before the frame.
  const apart = above.length === 0 && bottom.lines[0] !== "" && bottom.lines.length + 1 < room ? [""] : above
  const lines = [...apart, ...bottom.lines, status]
  const lost = Math.max(0, lines.length - room)
  const y = bottom.cursor === undefined ? -1 : apart.length + bottom.cursor.y - lost
  return {
    lines: lines.slice(lost),
    cursor: bottom.cursor === undefined || y < 0 ? undefined : { x: bottom.cursor.x, y }
  }
}

const bottomPart = (state: UiState, room: number, theme: Theme): Part => {
  const { language, question, size } = state
  if (question === undefined) return inputPart(state, room, theme)
  const part = questionPart(question, { width: size.columns, room: Math.max(3, room - 1), theme, language })
  return {
    lines: ["", ...part.lines],
    cursor: part.cursor === undefined ? undefined : { x: part.cursor.x, y: part.cursor.y + 1 }
  }
}

/** Model, mode and hints on the left; how full the context is on the right (MAIA §13.3). */
const statusLine = ({ hint, language, status }: UiState, width: number, theme: Theme): string => {
  const mode = status.mode === "ask" ? "" : ` · ${phrases.modes[status.mode][language]}`
  const left = hint?.text ?? `${safeLine(status.model)}${mode}`
  const use = { tokens: status.tokens, window: status.window }
  const bar = contextBar(use, Math.max(0, width - cellWidth(left) - 2), theme)
  if (bar === "") return theme.dim(truncate(left, width))
  return theme.dim(pad(left, width - cellWidth(bar))) + bar
}
