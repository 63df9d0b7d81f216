/**
 * The live part of the screen as lines: what is still open, the question or the input, the status. Pure. It is always lower
 * than the terminal, so that drawing it again never clears the screen (field case G5).
 */
import { safeLine, safeText } from "../text/safeText.ts"
import { cellWidth, truncate, wrapCells, wrapWords } from "../text/width.ts"
import type { LiveTool, LiveTurn, UiState } from "../store/state.ts"
import type { Paint } from "./paint.ts"
import { questionPart } from "./question.ts"

export interface LiveFrame {
  readonly lines: ReadonlyArray<string>
  /** Where the terminal's own cursor stands, from the frame's first cell; undefined: hidden. */
  readonly cursor: { readonly x: number; readonly y: number } | undefined
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]
const BORDER = "┈"

export const liveFrame = (state: UiState, paint: Paint): LiveFrame => {
  if (state.closed) return { lines: [], cursor: undefined }
  const { columns, rows } = state.size
  const width = Math.max(10, columns)
  const room = Math.max(5, rows - 1)
  const status = [statusLine(state, width, paint)]
  const bottom =
    state.question === undefined
      ? inputLines(state, width, room, paint)
      : questionPart(state.question, {
          width,
          room: Math.max(3, room - status.length),
          paint,
          language: state.language
        })
  const fixed = bottom.lines.length + status.length
  const above = activity(state, width, paint, Math.max(0, room - fixed))
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

const inputLines = ({ input, language }: UiState, width: number, room: number, paint: Paint): Part => {
  const border = paint.accent(BORDER.repeat(width))
  const help =
    language === "fr"
      ? "Votre demande — /help : aide · § : skills · Ctrl+C : quitter"
      : "Your request — /help: help · §: skills · Ctrl+C: leave"
  const prompt = `${paint.accent("▸")} `
  if (input.text === "") {
    return { lines: [border, prompt + paint.dim(truncate(help, width - 2)), border], cursor: { x: 2, y: 1 } }
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

const activity = (state: UiState, width: number, paint: Paint, room: number): ReadonlyArray<string> => {
  const { turn } = state
  const lines: Array<string> = []
  if (turn !== undefined) {
    if (turn.open !== "") lines.push("", ...tail(turn.open, width, room))
    for (const tool of turn.tools) lines.push(...toolLines(tool, state.now, width, paint))
    lines.push("", waitingLine(turn, state, width, paint))
  } else if (state.waiting !== undefined) {
    lines.push("", `${spinner(state.now, paint)} ${truncate(safeLine(state.waiting), width - 2)}`)
  }
  return lines.slice(Math.max(0, lines.length - room))
}

const spinner = (now: number, paint: Paint): string => paint.busy(SPINNER[Math.floor(now / 100) % SPINNER.length] ?? "")

const waitingLine = (turn: LiveTurn, state: UiState, width: number, paint: Paint): string => {
  const label = state.language === "fr" ? "En réflexion" : "Thinking"
  const seconds = Math.floor((state.now - turn.startedAt) / 1000)
  return truncate(`${spinner(state.now, paint)} ${paint.busy(label)} ${paint.dim(`${seconds} s`)}`, width)
}

const toolLines = (tool: LiveTool, now: number, width: number, paint: Paint): ReadonlyArray<string> => {
  const seconds = Math.floor(((tool.endedAt ?? now) - tool.startedAt) / 1000)
  return [
    truncate(`${paint.busy("•")} ${safeLine(tool.name)} ${safeLine(JSON.stringify(tool.input) ?? "")}`, width - 6) +
      paint.dim(` ${seconds} s`),
    ...tail(tool.tail.trimEnd(), width - 2, 4).map((line) => paint.dim(`  ${line}`))
  ]
}

/** The last lines of text that may be long. */
const tail = (text: string, width: number, most: number): ReadonlyArray<string> => {
  if (text === "" || most <= 0) return []
  const lines = wrapWords(safeText(text.slice(-width * most)), width)
  return lines.slice(Math.max(0, lines.length - most))
}

const statusLine = ({ hint, status }: UiState, width: number, paint: Paint): string =>
  paint.dim(truncate(hint?.text ?? `${safeLine(status.model)} · ${status.mode}`, width))
