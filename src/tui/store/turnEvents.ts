/**
 * From what a turn tells to what is shown (spec 07). Pure: each event makes the next state; nothing in here grows with the
 * conversation.
 */
import type { AgentEvent } from "../../domain/agent-event.ts"
import type { ToolMessage } from "../../domain/message.ts"
import {
  feed,
  finish as finishBlocks,
  openText as openSource,
  startSplitting,
  type Block
} from "../text/markdown/splitBlocks.ts"
import { append } from "./log.ts"
import * as phrases from "./phrases.ts"
import { shownText } from "./sent.ts"
import type { LiveTool, LiveTurn, LogBody, UiState } from "./state.ts"

/** UTF-16 units of a running tool's output that are kept for the screen. */
const TAIL = 4_000
/** UTF-16 units of thinking that are kept for the screen. */
const THINKING = 100_000

export const startTurn = (state: UiState, at: number): UiState => ({
  ...state,
  now: at,
  turn: {
    startedAt: at,
    phase: "waiting",
    answer: startSplitting,
    thinking: "",
    thinkingSince: undefined,
    composing: undefined,
    prompt: undefined,
    tools: [],
    told: 0
  }
})

/** `at` is milliseconds since 1970. Events outside a turn change nothing. */
export const applyEvent = (state: UiState, event: AgentEvent, at: number): UiState => {
  const { turn } = state
  if (turn === undefined) return state
  const set = (change: Partial<LiveTurn>): UiState => ({ ...state, turn: { ...turn, ...change } })
  switch (event.type) {
    case "started":
      return { ...state, status: { ...state.status, session: event.session, model: event.model } }
    case "iteration":
      return {
        ...sayTaken(closeOpen(state, at)),
        turn: { ...emptied(turn), phase: "waiting", tools: [], told: 0 }
      }
    case "reasoning":
      return set({
        phase: "thinking",
        thinking: (turn.thinking + event.delta).slice(-THINKING),
        thinkingSince: turn.thinkingSince ?? at,
        prompt: undefined
      })
    case "text": {
      const thought = closeThinking(state, at)
      return addText(thought, event.delta)
    }
    case "prompt-progress":
      return set({ prompt: { processed: event.processed, total: event.total } })
    case "tool-composing":
      return {
        ...closeThinking(state, at),
        turn: {
          ...turn,
          thinking: "",
          thinkingSince: undefined,
          phase: "composing",
          composing: { name: event.name, received: event.received }
        }
      }
    case "discard":
      return append(
        { ...state, turn: { ...emptied(turn), phase: "waiting" } },
        { type: "info", text: phrases.discarded(event.reason)[state.language] }
      )
    case "tool-requested": {
      const closed = closeOpen(state, at)
      const tool: LiveTool = {
        id: event.call.id,
        name: event.call.name,
        input: event.input,
        phase: "requested",
        startedAt: at,
        endedAt: undefined,
        tail: ""
      }
      return {
        ...closed,
        turn: { ...emptied(turn), phase: "tools", tools: [...turn.tools, tool] }
      }
    }
    case "permission-asked":
      return setTool(state, turn, event.id, () => ({ phase: "asked" }))
    case "permission":
      return setTool(state, turn, event.id, () => ({ phase: "requested", startedAt: at }))
    case "tool-started":
      return setTool(state, turn, event.id, () => ({ phase: "running", startedAt: at }))
    case "tool-progress":
      return setTool(state, turn, event.id, ({ tail }) => ({ tail: (tail + event.text).slice(-TAIL) }))
    case "tool-done":
      return setTool(state, turn, event.id, () => ({ phase: "done", endedAt: at }))
    case "tool-finished":
      return finishTool(state, turn, event.result, at)
    case "todo":
      return { ...state, todos: event.items }
    case "notice":
      return append(state, { type: "info", text: event.message[state.language] })
    case "warning":
      return append(state, { type: "warn", text: event.message[state.language] })
    case "error":
      return append(closeOpen(state, at), { type: "fail", text: event.message[state.language] })
    case "stream-rule":
      return append(state, { type: "warn", text: phrases.streamRule(event.rules, event.mode)[state.language] })
    case "compaction":
      return compaction(state, turn, event)
    case "usage":
      return state
    case "finished":
      return finish(state, event, at)
  }
}

const emptied = (turn: LiveTurn): LiveTurn => ({
  ...turn,
  answer: startSplitting,
  thinking: "",
  thinkingSince: undefined,
  composing: undefined,
  prompt: undefined
})

/** Adds streamed text; blocks that are finished by it go to the log. */
const addText = (state: UiState, delta: string): UiState => {
  const { turn } = state
  if (turn === undefined) return state
  const { blocks, state: answer } = feed(turn.answer, delta)
  return append({ ...state, turn: { ...turn, phase: "answering", answer, prompt: undefined } }, ...answerItems(blocks))
}

const answerItems = (blocks: ReadonlyArray<Block>): ReadonlyArray<LogBody> =>
  blocks.flatMap(({ kind, source }) => (kind === "blank" ? [] : [{ type: "answer", markdown: source }]))

/** What is still open goes to the log as it is. */
const closeOpen = (state: UiState, at: number): UiState => {
  const thought = closeThinking(state, at)
  const { turn } = thought
  if (turn === undefined || openSource(turn.answer) === "") return thought
  const blocks = finishBlocks(turn.answer)
  return append({ ...thought, turn: { ...turn, answer: startSplitting } }, ...answerItems(blocks))
}

/** What the step that begins has been told along the way, behind the results it followed. */
const sayTaken = (state: UiState): UiState =>
  append(
    { ...state, taken: [] },
    ...state.taken.map(({ content }): LogBody => ({
      type: "user",
      text: shownText(content, state.language),
      steering: true
    }))
  )

const closeThinking = (state: UiState, at: number): UiState => {
  const { turn } = state
  if (turn === undefined || turn.thinkingSince === undefined) return state
  const seconds = (at - turn.thinkingSince) / 1000
  const closed: UiState = { ...state, turn: { ...turn, thinking: "", thinkingSince: undefined } }
  return turn.thinking.trim() === "" ? closed : append(closed, { type: "thinking", text: turn.thinking, seconds })
}

const setTool = (
  state: UiState,
  turn: LiveTurn,
  id: string,
  change: (tool: LiveTool) => Partial<LiveTool>
): UiState => ({
  ...state,
  turn: { ...turn, tools: turn.tools.map((tool) => (tool.id === id ? { ...tool, ...change(tool) } : tool)) }
})

const finishTool = (state: UiState, turn: LiveTurn, result: ToolMessage, at: number): UiState => {
  const live = turn.tools.find(({ id }) => id === result.toolCallId)
  const seconds = live === undefined ? 0 : ((live.endedAt ?? at) - live.startedAt) / 1000
  const next: UiState = {
    ...state,
    turn: { ...turn, tools: turn.tools.filter((tool) => tool !== live), told: turn.told + 1 }
  }
  return append(next, {
    type: "tool",
    tool: { name: result.toolName, input: live?.input, result, seconds }
  })
}

const compaction = (state: UiState, turn: LiveTurn, event: Extract<AgentEvent, { type: "compaction" }>): UiState => {
  if (event.phase === "started") return { ...state, turn: { ...turn, phase: "compacting" } }
  const next: UiState = { ...state, turn: { ...turn, phase: "waiting" } }
  if (event.phase === "failed") return next
  return append(next, { type: "info", text: phrases.compacted(event)[state.language] })
}

const finish = (state: UiState, event: Extract<AgentEvent, { type: "finished" }>, at: number): UiState => {
  const closed = sayTaken(closeOpen(state, at))
  const ended: UiState = { ...closed, turn: undefined, now: at }
  return event.reason === "interrupted"
    ? append(ended, { type: "warn", text: phrases.interrupted[state.language] })
    : ended
}
