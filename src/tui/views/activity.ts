/**
 * What is going on, above the input: the open block of the answer, thinking, running tools, the task list, what waits to be sent
 * (spec 07). Pure; never more lines than there is room for: what matters least goes first.
 */
import { reduceTerminalText } from "../../process/terminalText.ts"
import { shownText } from "../store/sent.ts"
import type { LiveTurn, UiState } from "../store/state.ts"
import { elapsed } from "../text/duration.ts"
import { openText } from "../text/markdown/splitBlocks.ts"
import { safeLine, safeText } from "../text/safeText.ts"
import type { Theme } from "../text/theme.ts"
import { pinnedTodos } from "../text/todoView.ts"
import { runningCall } from "../text/toolView.ts"
import type { View } from "../text/view.ts"
import { truncate, wrapWords } from "../text/width.ts"
import * as phrases from "./phrases.ts"
import { spinner } from "./spinner.ts"

/** Lines of a running tool's output. */
const TOOL_TAIL = 4
/** Lines of the task list. */
const MOST_TASKS = 8

export const activityLines = (state: UiState, room: number, theme: Theme): ReadonlyArray<string> => {
  const width = state.size.columns
  const queue = queueLines(state, width, theme)
  const waiting = waitingLines(state, width, theme)
  const view = { width, theme, language: state.language }
  const pinned = pinnedTodos(state.todos, Math.min(MOST_TASKS, Math.floor(state.size.rows / 3)), view)
  const todos = pinned.length === 0 ? [] : ["", ...pinned]
  const tools = state.turn === undefined ? [] : toolsLines(state.turn, state.now, view)
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

const toolsLines = (turn: LiveTurn, now: number, view: View): ReadonlyArray<string> => {
  if (turn.tools.length === 0) return []
  const mark = spinner(now, view.theme)
  // With many at once each says less.
  const rows = turn.tools.length > 3 ? 1 : TOOL_TAIL
  return [
    "",
    ...turn.tools.flatMap(({ endedAt, startedAt, ...tool }) =>
      runningCall({ ...tool, elapsed: (endedAt ?? now) - startedAt }, { mark, rows }, view)
    )
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
  const { language, now, question, turn, waiting, waitingSince, waitingTail } = state
  const line = (label: string, since: number): string =>
    truncate(`${spinner(now, theme)} ${theme.busy(safeLine(label))} ${theme.dim(elapsed(now - since))}`, width)
  if (turn === undefined) {
    if (waiting === undefined) return []
    const printed = lastLines(waitingTail, width - 2, TOOL_TAIL).map((output) => theme.dim(`  ${output}`))
    return ["", line(waiting, waitingSince), ...printed]
  }
  const asked = turn.tools.some(({ phase }) => phase === "asked")
  return asked || question !== undefined ? [] : ["", line(phaseText(turn)[language], turn.startedAt)]
}

/** The end of what a command prints, as a terminal would show it. */
const lastLines = (printed: string, width: number, most: number): ReadonlyArray<string> =>
  printed === ""
    ? []
    : safeText(reduceTerminalText(printed))
        .trimEnd()
        .split("\n")
        .slice(-most)
        .map((output) => truncate(output, width))

const phaseText = (turn: LiveTurn) => {
  if (turn.phase === "compacting") return phrases.compacting
  const started = turn.tools.length + turn.told
  if (turn.phase === "tools" && started > 1) {
    const done = turn.told + turn.tools.filter(({ phase }) => phase === "done").length
    const names = turn.tools.filter(({ phase }) => phase !== "done").map(({ name }) => name)
    return phrases.parallel(done, started, names.join(", "))
  }
  if (turn.composing !== undefined) return phrases.composing(turn.composing.name, turn.composing.received)
  const [only] = turn.tools
  if (turn.phase === "tools" && only?.phase === "running") return phrases.running(only.name)
  if (turn.prompt !== undefined) return phrases.reading(turn.prompt.processed, turn.prompt.total)
  return phrases.thinking
}

/** Messages that wait for the next step; ↑ takes the newest back. */
const queueLines = (
  { language, queue, taken, turn, waiting }: UiState,
  width: number,
  theme: Theme
): ReadonlyArray<string> => {
  const all = [...taken, ...queue]
  if (all.length === 0 || (turn === undefined && waiting === undefined)) return []
  return [
    "",
    ...all.map(({ content }) => {
      const shown = safeLine(shownText(content, language))
      return truncate(theme.dim(`↳ ${shown}`), width)
    })
  ]
}
