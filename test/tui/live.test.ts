/** The live frame: never as high as the terminal, never wider, at every size and with everything in it at once (G1, G5). */
import { assert, describe, it } from "@effect/vitest"
import { text } from "../../src/domain/text.ts"
import { alwaysOptions } from "../../src/tui/control/alwaysOptions.ts"
import { setInput } from "../../src/tui/input/inputMachine.ts"
import { rowsAboveCursor } from "../../src/tui/ink/screen.ts"
import { typedText } from "../../src/tui/store/sent.ts"
import type { Question, UiState } from "../../src/tui/store/state.ts"
import { applyEvent, startTurn } from "../../src/tui/store/turnEvents.ts"
import { makeTheme } from "../../src/tui/text/theme.ts"
import { cellWidth } from "../../src/tui/text/width.ts"
import { inputBox } from "../../src/tui/views/inputBox.ts"
import { liveFrame } from "../../src/tui/views/live.ts"
import { newState } from "./support.ts"

const theme = makeTheme({ depth: "none", background: "dark" })

/** Everything at once: an open answer, tools with output, tasks, a queue, a long draft. */
const busy = (size: UiState["size"]): UiState => {
  const started = startTurn(newState({ size }), 0)
  const events = [
    { type: "text", delta: "An open paragraph that goes on and on 你好，世界 👩‍👩‍👧 ".repeat(40) },
    ...Array.from({ length: 6 }, (_, at) => ({
      type: "tool-requested" as const,
      call: { id: `c${at}`, name: "Bash", arguments: "{}" },
      input: { command: `echo ${"long ".repeat(60)}` }
    })),
    ...Array.from({ length: 6 }, (_, at) => ({ type: "tool-started" as const, id: `c${at}`, name: "Bash" })),
    { type: "tool-progress", id: "c0", text: "line of output\n".repeat(100) },
    {
      type: "todo",
      items: Array.from({ length: 20 }, (_, at) => ({ content: `task ${at} ${"x".repeat(100)}`, status: "pending" }))
    },
    { type: "text", delta: "Another open paragraph. ".repeat(200) }
  ] as ReadonlyArray<Parameters<typeof applyEvent>[1]>
  const state = events.reduce((next, event) => applyEvent(next, event, 1_000), started)
  const queue = Array.from({ length: 5 }, (_, at) => typedText(`queued message ${at} ${"y".repeat(200)}`))
  const input = setInput(state.input, "a draft\nof several lines\n".repeat(20), {
    ...inputBox(size),
    now: 0,
    language: "en",
    busy: true,
    queued: 0
  }).state
  return { ...state, queue, input, status: { ...state.status, tokens: 50_000, window: 200_000 } }
}

const questions: ReadonlyArray<Question> = [
  {
    type: "permission",
    id: 1,
    askedAt: 0,
    tool: "Bash",
    question: {
      reason: text("No rule speaks of it. ".repeat(10), ""),
      subject: "for i in *; do\n  rm -r $i\ndone\n".repeat(30),
      suggestions: ["Bash(rm *)"]
    },
    diff: undefined,
    always: alwaysOptions(["Bash(rm *)", "Bash(for *)", "Bash(a *)", "Bash(b *)", "Bash(c *)"]),
    step: { at: "ask" }
  },
  {
    type: "choice",
    id: 2,
    askedAt: 0,
    title: "Which of these many ".repeat(8),
    choices: Array.from({ length: 100 }, (_, at) => ({ label: `choice ${at} ${"z".repeat(150)}`, hint: "hint" })),
    selected: 57
  },
  { type: "confirm", id: 3, askedAt: 0, title: "Go on?", detail: "rule\n".repeat(50) },
  {
    type: "line",
    id: 4,
    askedAt: 0,
    title: "URL",
    line: { text: "http://example.org/".repeat(20), cursor: 200 },
    secret: false
  }
]

const sizes = [
  { columns: 40, rows: 10 },
  { columns: 40, rows: 24 },
  { columns: 20, rows: 6 },
  { columns: 80, rows: 24 },
  { columns: 120, rows: 50 },
  { columns: 300, rows: 15 }
]

const check = (state: UiState): void => {
  const { columns, rows } = state.size
  const frame = liveFrame(state, theme)
  assert.isBelow(frame.lines.length, rows)
  for (const line of frame.lines) {
    assert.notInclude(line, "\n")
    assert.isAtMost(cellWidth(line), columns, line)
  }
  if (frame.cursor === undefined) return
  assert.isBelow(frame.cursor.y, frame.lines.length)
  assert.isBelow(frame.cursor.x, columns)
}

describe("the live frame", () => {
  for (const size of sizes) {
    it(`fits ${size.columns}×${size.rows} whatever is in it`, () => {
      check(newState({ size }))
      check(busy(size))
      for (const question of questions) check({ ...busy(size), question })
    })
  }

  it("keeps the caret in sight in a draft that is longer than its box", () => {
    assert.notStrictEqual(liveFrame(busy({ columns: 80, rows: 24 }), theme).cursor, undefined)
  })

  it("shows the selected choice of a long list in a window of ten", () => {
    const question = questions[1]
    const { lines } = liveFrame({ ...newState(), question }, theme)
    assert.strictEqual(lines.filter((line) => /^[❯ ] choice \d+/.test(line)).length, 10)
    assert.isTrue(lines.some((line) => line.startsWith("❯ choice 57 ")))
  })

  it("counts parallel tools", () => {
    const calls = ["a", "b", "c"].map((id) => ({
      type: "tool-requested" as const,
      call: { id, name: "Grep", arguments: "{}" },
      input: {}
    }))
    const running = calls.reduce((state, event) => applyEvent(state, event, 0), startTurn(newState(), 0))
    const done = applyEvent(running, { type: "tool-done", id: "b" }, 0)
    const { lines } = liveFrame(done, theme)
    assert.isTrue(lines.some((line) => line.includes("Tools in parallel: 1/3 done (Grep, Grep)")))
  })

  it("holds no escape of a model, a tool, a task or a model's name (G6)", () => {
    const evil = "\u001b]0;x\u0007\u001b[2J\u009b5n\u001bc"
    const state = busy({ columns: 80, rows: 40 })
    const events: ReadonlyArray<Parameters<typeof applyEvent>[1]> = [
      { type: "text", delta: evil },
      { type: "tool-requested", call: { id: "e", name: `T${evil}`, arguments: "{}" }, input: { command: evil } },
      { type: "tool-started", id: "e", name: "T" },
      { type: "tool-progress", id: "e", text: evil },
      { type: "todo", items: [{ content: evil, status: "in_progress", activeForm: evil }] }
    ]
    const full = events.reduce((next, event) => applyEvent(next, event, 0), state)
    const { lines } = liveFrame({ ...full, status: { ...full.status, model: evil } }, theme)
    assert.notMatch(lines.join("\n"), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
  })

  it("is nothing once the program leaves", () => {
    assert.deepStrictEqual(liveFrame({ ...newState(), closed: true }, theme).lines, [])
  })
})

describe("erasing after a resize (G4)", () => {
  const frame = { lines: ["", "x".repeat(120), "input", "y".repeat(120), "status"], cursor: { x: 2, y: 2 } }

  it("counts the rows that the terminal has made of the lines at its new width", () => {
    assert.strictEqual(rowsAboveCursor(frame, 120), 2)
    assert.strictEqual(rowsAboveCursor(frame, 40), 4)
    assert.strictEqual(rowsAboveCursor(frame, 200), 2)
  })

  it("counts the whole frame where no cursor stands in it", () => {
    assert.strictEqual(rowsAboveCursor({ ...frame, cursor: undefined }, 40), 9)
  })
})
