/**
 * The live part of the screen as lines: what is still open, the question or the input, the status. Pure. It is always lower
 * than the terminal, so that drawing it again never clears the screen (field case G5).
 */
import { safeLine, safeText } from "../text/safeText.ts"
import { contextBar } from "../text/contextBar.ts"
import { cellWidth, pad, truncate, wrapCells, wrapWords } from "../text/width.ts"
import * as phrases from "./phrases.ts"
import type { LiveTool, LiveTurn, UiState } from "../store/state.ts"
import type { Theme } from "../text/theme.ts"
import { questionPart } from "./question.ts"

export interface LiveFrame {
  readonly lines: ReadonlyArray<string>
  /** Where the terminal's own cursor stands, from the frame's first cell; undefined: hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | undefined
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const BORDER = "┈"

export const liveFrame = (state: UiState, theme: Theme): LiveFrame => {
  if (state.closed) return { lines: [], cursor: undefined }
  const { columns, rows } = state.size
  const width = Math.max(10, columns)
  const room = Math.max(5, rows - 1)
  const status = [statusLine(state, width, theme)]
  const bottom =
    state.question === undefined
      ? inputLines(state, width, room, theme)
      : questionPart(state.question, {
          width,
          room: Math.max(3, room - status.length),
          theme,
          language: state.language
        })
  const fixed = bottom.lines.length + status.length
  const above = activity(state, width, theme, Math.max(0, room - fixed))
  const lines = [...above, ...bottom.lines, ...status]
  const cut = lines.slice(Math.max(0, lines.length - room))
  const lost = lines.length - cut.length
  const cursor =
    bottom.cursor === undefined ? undefined : { x: bottom.cursor.x, y: above.length + bottom.cursor.y - lost }
  return { lines: cut, cursor: cursor !== undefined && cursor.y >= 0 ? cursor : undefined }
}

/** Some lines of the frame, and the caret where it stands in them. */
export interface Part {
  readonly lines: ReadonlyArray<string>
  readonly cursor: { readonly x: number; readonly y: number } | undefined
}

const inputLines = ({ input, language }: UiState, width: number, room: number, theme: Theme): Part => {
  const border = theme.accent(BORDER.repeat(width))
  const help =
    language === "fr"
      ? "Votre demande — /help : aide · § : skills · Ctrl+C : quitter"
      : "Your request — /help: help · §: skills · Ctrl+C: leave"
  const prompt = `${theme.accent("▸")} `
  if (input.text === "") {
    return { lines: [border, prompt + theme.dim(truncate(help, width - 2)), border], cursor: { x: 2, y: 1 } }
  }
  const inner = width - 3
  const before = wrapCells(safeText(input.text.slice(0, input.cursor)), inner)
  const all = wrapCells(safeText(input.text), inner)
  const row = before.length - 1
  const most = Math.max(1, Math.floor(room / 2) - 2)
  const from = Math.max(0, Math.min(row - most + 1, all.length - most))
  const shown = all.slice(from, from + most).map((line, at) => (at + from === 0 ? prompt : "  ") + line)
  return { lines: [border, ...shown, border], cursor: { x: 2 + cellWidth(before[row] ?? ""), y: 1 + row - from } }
}

const activity = (state: UiState, width: number, theme: Theme, room: number): ReadonlyArray<string> => {
  const { turn } = state
  const lines: Array<string> = []
  if (turn !== undefined) {
    if (turn.open !== "") lines.push("", ...tail(turn.open, width, room))
    for (const tool of turn.tools) lines.push(...toolLines(tool, state.now, width, theme))
    lines.push("", waitingLine(turn, state, width, theme))
  } else if (state.waiting !== undefined) {
    lines.push("", `${spinner(state.now, theme)} ${truncate(safeLine(state.waiting), width - 2)}`)
  }
  return lines.slice(Math.max(0, lines.length - room))
}

const spinner = (now: number, theme: Theme): string => theme.busy(SPINNER[Math.floor(now / 100) % SPINNER.length] ?? "")

const waitingLine = (turn: LiveTurn, state: UiState, width: number, theme: Theme): string => {
  const label = state.language === "fr" ? "En réflexion" : "Thinking"
  const seconds = Math.floor((state.now - turn.startedAt) / 1000)
  return truncate(`${spinner(state.now, theme)} ${theme.busy(label)} ${theme.dim(`${seconds} s`)}`, width)
}

const toolLines = (tool: LiveTool, now: number, width: number, theme: Theme): ReadonlyArray<string> => {
  const seconds = Math.floor(((tool.endedAt ?? now) - tool.startedAt) / 1000)
  return [
    truncate(`${theme.busy("•")} ${safeLine(tool.name)} ${safeLine(JSON.stringify(tool.input) ?? "")}`, width - 6) +
      theme.dim(` ${seconds} s`),
    ...tail(tool.tail.trimEnd(), width - 2, 4).map((line) => theme.dim(`  ${line}`))
  ]
}

/** The last lines of text that may be long. */
const tail = (text: string, width: number, most: number): ReadonlyArray<string> => {
  if (text === "" || most <= 0) return []
  const lines = wrapWords(safeText(text.slice(-width * most)), width)
  return lines.slice(Math.max(0, lines.length - most))
}

/** Model, mode and hints on the left; how full the context is on the right (MAIA §13.3). */
const statusLine = ({ hint, language, status }: UiState, width: number, theme: Theme): string => {
  const mode = status.mode === "ask" ? "" : ` · ${phrases.modes[status.mode][language]}`
  const left = hint?.text ?? `${safeLine(status.model)}${mode}`
  const bar = contextBar(
    { tokens: status.tokens, window: status.window },
    Math.max(0, width - cellWidth(left) - 2),
    theme
  )
  const room = width - cellWidth(bar)
  return bar === "" ? theme.dim(truncate(left, width)) : theme.dim(pad(left, room)) + bar
}
