/**
 * What is going on, above the input: the open block of the answer, thinking, running tools, the task list, what waits to be sent
 * (spec 07). Pure; never more lines than there is room for: what matters least goes first.
 */
import { shownText } from "../store/sent.ts"
import type { LiveTool, LiveTurn, UiState } from "../store/state.ts"
import { elapsed } from "../text/duration.ts"
import { openText } from "../text/markdown/splitBlocks.ts"
import { safeLine, safeText } from "../text/safeText.ts"
import type { Theme } from "../text/theme.ts"
import { cellWidth, truncate, wrapWords } from "../text/width.ts"
import * as phrases from "./phrases.ts"
import { spinner } from "./spinner.ts"

/** Lines of a running tool's output. */
const TOOL_TAIL = 4
/** Tasks shown at once. */
const MOST_TASKS = 8

export const activityLines = (state: UiState, room: number, theme: Theme): ReadonlyArray<string> => {
  const width = state.size.columns
  const queue = queueLines(state, width, theme)
  const waiting = waitingLines(state, width, theme)
  const todos = todoLines(state, width, theme)
  const tools = state.turn === undefined ? [] : toolsLines(state.turn, state.now, width, theme)
  const fixed = [...queue, ...waiting]
  const kept = takeLast([...todos, ...fixed], room)
  const running = takeLast(tools, room - kept.length)
  const open = state.turn === undefined ? [] : openLines(state.turn, width, room - kept.length - running.length, theme)
  return [...open, ...running, ...kept]
}

const takeLast = (lines: ReadonlyArray<string>, most: number): ReadonlyArray<string> =>
  most <= 0 ? [] : lines.slice(-most)

/** The end of the open block as it came, or of the thinking. */
const openLines = (turn: LiveTurn, width: number, room: number, theme: Theme): ReadonlyArray<string> => {
  const most = room - 1
  const open = openText(turn.answer).trim()
  if (open !== "") return ["", ...tail(open, width, most)].slice(0, Math.max(0, room))
  if (turn.thinking.trim() === "") return []
  return ["", ...tail(turn.thinking.trim(), width - 2, Math.min(most, 2)).map((line) => theme.dim(`∴ ${line}`))].slice(
    0,
    Math.max(0, room)
  )
}

const toolsLines = (turn: LiveTurn, now: number, width: number, theme: Theme): ReadonlyArray<string> =>
  turn.tools.length === 0 ? [] : ["", ...turn.tools.flatMap((tool) => toolLines(tool, now, width, theme))]

const toolLines = (tool: LiveTool, now: number, width: number, theme: Theme): ReadonlyArray<string> => {
  const time = tool.phase === "running" ? ` ${elapsed(now - tool.startedAt)}` : tool.phase === "done" ? " ✓" : ""
  const head = truncate(
    `${theme.busy("•")} ${theme.strong(safeLine(tool.name))} ${safeLine(JSON.stringify(tool.input) ?? "")}`,
    width - cellWidth(time)
  )
  return [
    head + theme.dim(time),
    ...tail(tool.tail.trimEnd(), width - 2, TOOL_TAIL).map((line) => theme.dim(`  ${line}`))
  ]
}

/** The last lines of a text that may be long: only its end is looked at. */
const tail = (text: string, width: number, most: number): ReadonlyArray<string> => {
  if (text === "" || most <= 0) return []
  const end = text.slice(-width * most * 2).toWellFormed()
  const lines = wrapWords(safeText(end), width)
  return lines.slice(-most)
}

const waitingLines = (state: UiState, width: number, theme: Theme): ReadonlyArray<string> => {
  const { language, now, turn, waiting } = state
  if (turn === undefined) {
    if (waiting === undefined) return []
    return [
      "",
      truncate(
        `${spinner(now, theme)} ${theme.busy(safeLine(waiting))} ${theme.dim(elapsed(now - state.waitingSince))}`,
        width
      )
    ]
  }
  const asked = turn.tools.some(({ phase }) => phase === "asked")
  if (asked || state.question !== undefined) return []
  const label = phaseText(turn)[language]
  return [
    "",
    truncate(`${spinner(now, theme)} ${theme.busy(safeLine(label))} ${theme.dim(elapsed(now - turn.startedAt))}`, width)
  ]
}

const phaseText = (turn: LiveTurn) => {
  if (turn.phase === "compacting") return phrases.compacting
  const started = turn.tools.length + turn.told
  if (turn.phase === "tools" && started > 1) {
    const done = turn.told + turn.tools.filter(({ phase }) => phase === "done").length
    const names = turn.tools.filter(({ phase }) => phase !== "done").map(({ name }) => name)
    return phrases.parallel(done, started, names.join(", "))
  }
  if (turn.composing !== undefined) return phrases.composing(turn.composing.name, turn.composing.received)
  if (turn.prompt !== undefined) return phrases.reading(turn.prompt.processed, turn.prompt.total)
  return phrases.thinking
}

/** The task list, pinned while something of it is open. */
const todoLines = ({ todos }: UiState, width: number, theme: Theme): ReadonlyArray<string> => {
  if (!todos.some(({ status }) => status !== "completed")) return []
  const current = Math.max(
    0,
    todos.findIndex(({ status }) => status !== "completed")
  )
  const from = Math.max(0, Math.min(current - 2, todos.length - MOST_TASKS))
  return [
    "",
    ...todos.slice(from, from + MOST_TASKS).map(({ activeForm, content, status }) => {
      switch (status) {
        case "completed":
          return truncate(theme.dim(`☑ ${safeLine(content)}`), width)
        case "in_progress":
          return truncate(theme.busy(`▶ ${safeLine(activeForm ?? content)}`), width)
        case "pending":
          return truncate(`☐ ${safeLine(content)}`, width)
      }
    })
  ]
}

/** Messages that wait for the next step; ↑ takes the newest back. */
const queueLines = (
  { language, queue, turn, waiting }: UiState,
  width: number,
  theme: Theme
): ReadonlyArray<string> => {
  if (queue.length === 0 || (turn === undefined && waiting === undefined)) return []
  return [
    "",
    ...queue.map(({ content }) => {
      const shown = safeLine(shownText(content, language))
      return truncate(theme.dim(`↳ ${shown}`), width)
    })
  ]
}
