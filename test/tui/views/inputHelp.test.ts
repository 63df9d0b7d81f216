/** The empty input says what the keys do now. */
import { assert, describe, it } from "@effect/vitest"
import { typedText } from "../../../src/tui/store/sent.ts"
import { expandLast } from "../../../src/tui/store/expand.ts"
import { append } from "../../../src/tui/store/log.ts"
import { startTurn } from "../../../src/tui/store/turnEvents.ts"
import { makeTheme } from "../../../src/tui/text/theme.ts"
import { liveFrame } from "../../../src/tui/views/live.ts"
import { logLines } from "../../../src/tui/views/logItem.ts"
import { newState } from "../support.ts"

const theme = makeTheme({ depth: "none", background: "dark" })
const shown = (state: ReturnType<typeof newState>): string => liveFrame(state, theme).lines.join("\n")

describe("the empty input", () => {
  it("names Esc while anything is waited for, and ↑ once a message is queued", () => {
    const queue = [typedText("later")]
    assert.include(shown(newState()), "Ctrl+C: leave")
    assert.include(shown(startTurn(newState(), 0)), "next step · Esc: stop")
    assert.include(shown(newState({ waiting: "! sleep 50" })), "Esc: stop")
    assert.include(shown(startTurn(newState({ queue }), 0)), "↑ takes the last message back")
  })

  it("a running tool is named, not called thinking", () => {
    const turn = startTurn(newState(), 0).turn
    const tool = {
      id: "1",
      name: "Bash",
      input: { command: "make" },
      phase: "running" as const,
      startedAt: 0,
      endedAt: undefined,
      tail: ""
    }
    const state = turn === undefined ? newState() : newState({ turn: { ...turn, phase: "tools", tools: [tool] } })
    assert.include(shown(state), "Running Bash")
    assert.notInclude(shown(state), "Thinking")
  })
})

describe("thinking that is looked at whole", () => {
  it("is broken between words", () => {
    const text = "what the user wants ".repeat(20)
    const state = expandLast(append(newState(), { type: "thinking", text, seconds: 2 }))
    const item = state.items.at(-1)
    const lines = item === undefined ? [] : logLines(item, { width: 33, language: "en", theme, markdown: undefined })
    assert.isAbove(lines.length, 10)
    for (const word of lines.join(" ").split(/\s+/)) assert.include(["∴", "what", "the", "user", "wants"], word)
  })
})
