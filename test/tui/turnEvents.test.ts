/** From agent events to what the screen holds: finished things go to the log once and in order, the live part stays small. */
import { assert, describe, it } from "@effect/vitest"
import type { AgentEvent } from "../../src/domain/agent-event.ts"
import { text } from "../../src/domain/text.ts"
import type { UiState } from "../../src/tui/store/state.ts"
import { typedText } from "../../src/tui/store/sent.ts"
import { applyEvent, startTurn } from "../../src/tui/store/turnEvents.ts"
import { openText, startSplitting } from "../../src/tui/text/markdown/splitBlocks.ts"
import { newState } from "./support.ts"

const usage = { inputTokens: 1, outputTokens: 1 }

const run = (events: ReadonlyArray<AgentEvent>, from: UiState = startTurn(newState(), 0), at = 1000): UiState =>
  events.reduce((state, event) => applyEvent(state, event, at), from)

const request = (id: string, name = "Bash", input: unknown = { command: "ls" }): AgentEvent => ({
  type: "tool-requested",
  call: { id, name, arguments: JSON.stringify(input) },
  input
})

const result = (id: string, output: string): AgentEvent => ({
  type: "tool-finished",
  result: { role: "tool", toolCallId: id, toolName: "Bash", text: output, isError: false }
})

const finished = (reason: "done" | "interrupted" = "done"): AgentEvent => ({
  type: "finished",
  reason,
  text: "",
  iterations: 1,
  usage
})

const types = (state: UiState) => state.items.map(({ type }) => type)

describe("a turn's events", () => {
  it("prints a block once it is finished and keeps only the open one live", () => {
    const state = run([
      { type: "text", delta: "First para" },
      { type: "text", delta: "graph.\n\nSecond" }
    ])
    assert.deepStrictEqual(
      state.items.map((item) => item.type === "answer" && item.markdown.trim()),
      ["First paragraph."]
    )
    assert.strictEqual(state.turn === undefined ? "" : openText(state.turn.answer).trim(), "Second")
  })

  it("does not end a code block at its blank lines", () => {
    const state = run([{ type: "text", delta: "```js\na()\n\nb()\n```\n" }])
    assert.deepStrictEqual(
      state.items.map((item) => item.type === "answer" && item.markdown.trim()),
      ["```js\na()\n\nb()\n```"]
    )
  })

  it("prints what is still open when the turn ends, and nothing of it stays live", () => {
    const state = run([{ type: "text", delta: "an answer" }, finished()])
    assert.deepStrictEqual(types(state), ["answer"])
    assert.strictEqual(state.turn, undefined)
  })

  it("a message that the agent has taken stands behind the result it followed, also at the end of the turn", () => {
    const taken = { taken: [typedText("also this")] }
    const before = run([request("1")], startTurn(newState(taken), 0))
    assert.deepStrictEqual(types(before), [])
    const next = run([result("1", "out"), { type: "iteration", n: 2 }], before)
    assert.deepStrictEqual(types(next), ["tool", "user"])
    assert.deepStrictEqual(next.taken, [])
    assert.deepStrictEqual(types(run([result("1", "out"), finished()], before)), ["tool", "user"])
  })

  it("says why an answer was discarded, without the advice and without a code", () => {
    const told = (reason: string) =>
      run([{ type: "discard", reason }]).items.map((item) => item.type === "info" && item.text)
    assert.deepStrictEqual(told("The server broke off its answer before the end. Ask again."), [
      "Answer so far discarded: The server broke off its answer before the end."
    ])
    assert.deepStrictEqual(told("the model repeated itself 2.5 times"), [
      "Answer so far discarded: the model repeated itself 2.5 times."
    ])
    assert.notInclude(String(told("stream_rule")[0]), "_")
  })

  it("keeps the order: text, then the tool it came before", () => {
    const state = run([{ type: "text", delta: "I look." }, request("a"), result("a", "out")])
    assert.deepStrictEqual(types(state), ["answer", "tool"])
  })

  it("shows running tools with their time and the end of their output, and takes them away with the result", () => {
    const running = run([request("a"), request("b"), { type: "tool-started", id: "a", name: "Bash" }])
    const later = applyEvent(running, { type: "tool-progress", id: "a", text: "x".repeat(10_000) }, 2000)
    assert.strictEqual(later.turn?.tools[0]?.phase, "running")
    assert.strictEqual(later.turn?.tools[0]?.tail.length, 4000)
    const told = run([{ type: "tool-done", id: "a" }, result("a", "out")], later, 3500)
    assert.deepStrictEqual(
      told.turn?.tools.map(({ id }) => id),
      ["b"]
    )
    const tool = told.items.at(-1)
    assert.strictEqual(tool?.type === "tool" && tool.tool.seconds, 2.5)
  })

  it("time spent on a question is no time of the tool", () => {
    const question = { reason: text("", ""), subject: "ls", suggestions: [] }
    const asked = run([request("a"), { type: "permission-asked", id: "a", tool: "Bash", question }])
    const allowed = applyEvent(asked, { type: "permission", id: "a", decision: "allow" }, 60_000)
    const done = run([{ type: "tool-started", id: "a", name: "Bash" }, result("a", "")], allowed, 60_000)
    const tool = done.items.at(-1)
    assert.strictEqual(tool?.type === "tool" && tool.tool.seconds, 0)
  })

  it("folds thinking into one line when the answer begins", () => {
    const state = run([
      { type: "reasoning", delta: "Let me " },
      { type: "reasoning", delta: "see." },
      { type: "text", delta: "Yes." }
    ])
    const thinking = state.items[0]
    assert.strictEqual(thinking?.type === "thinking" && thinking.text, "Let me see.")
    assert.strictEqual(state.turn?.thinking, "")
  })

  it("says that an answer was discarded and drops what was open of it", () => {
    const state = run([
      { type: "text", delta: "bad" },
      { type: "discard", reason: "context_overflow" }
    ])
    assert.strictEqual(state.turn?.answer, startSplitting)
    assert.deepStrictEqual(types(state), ["info"])
  })

  it("says that it was interrupted", () => {
    const state = run([{ type: "text", delta: "half" }, finished("interrupted")])
    assert.deepStrictEqual(types(state), ["answer", "warn"])
  })

  it("keeps the task list, and errors in the language of the interface", () => {
    const french = startTurn(newState({ language: "fr" }), 0)
    const state = run(
      [
        { type: "todo", items: [{ content: "a", status: "pending" }] },
        { type: "error", code: "x", message: text("broken", "cassé") }
      ],
      french
    )
    assert.strictEqual(state.todos.length, 1)
    const error = state.items.at(-1)
    assert.strictEqual(error?.type === "fail" && error.text, "cassé")
  })

  it("changes nothing outside a turn", () => {
    const state = newState()
    assert.strictEqual(run([{ type: "text", delta: "late" }], state), state)
  })
})
