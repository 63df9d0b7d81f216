/** What keys decide: interrupting, leaving, answering, and never answering by accident. */
import { assert, describe, it } from "@effect/vitest"
import { text } from "../../src/domain/text.ts"
import { Controller, type Decisions } from "../../src/tui/control/Controller.ts"
import type { InputEvent } from "../../src/tui/input/inputEvent.ts"
import { typedText } from "../../src/tui/store/sent.ts"
import type { Question, UiState } from "../../src/tui/store/state.ts"
import { startTurn } from "../../src/tui/store/turnEvents.ts"
import { UiStore } from "../../src/tui/store/UiStore.ts"
import { keys, manualClock, newState, write } from "./support.ts"

const permission = (askedAt: number): Question => ({
  type: "permission",
  id: 7,
  askedAt,
  tool: "Bash",
  question: { reason: text("", ""), subject: "rm -r x", suggestions: [] },
  diff: undefined,
  always: [],
  step: { at: "ask" }
})

const open = (state: UiState = newState()) => {
  const clock = manualClock()
  const store = new UiStore(state, clock)
  const told: Array<string> = []
  const note =
    (name: string) =>
    (...values: ReadonlyArray<unknown>): void => {
      told.push([name, ...values.map((value) => JSON.stringify(value))].join(" "))
    }
  const decisions: Decisions = {
    submit: ({ text: sent }) => note("submit")(sent),
    remember: () => {},
    interrupt: note("interrupt"),
    leave: note("leave"),
    answer: note("answer"),
    suspend: note("suspend"),
    editor: note("editor"),
    cycleMode: note("cycleMode"),
    expand: note("expand"),
    editEarlier: note("editEarlier"),
    complete: note("complete"),
    checkImages: note("checkImages"),
    redraw: note("redraw"),
    bell: note("bell")
  }
  const controller = new Controller(store, decisions)
  const press = (events: ReadonlyArray<InputEvent>): void => {
    for (const event of events) controller.take(event)
  }
  return { clock, controller, store, told, press }
}

describe("keys of the input", () => {
  it("Enter sends the text and empties the input", () => {
    const { press, store, told } = open()
    press([...write("hello"), ...keys("enter")])
    assert.deepStrictEqual(told, ['submit "hello"'])
    assert.strictEqual(store.current.input.buffer.content.text, "")
  })

  it("Ctrl+C clears a draft; on an empty input it hints, and a second one leaves", () => {
    const { clock, press, store, told } = open()
    press([...write("draft"), ...keys("ctrl+c")])
    assert.strictEqual(store.current.input.buffer.content.text, "")
    assert.deepStrictEqual(told, [])
    press(keys("ctrl+c"))
    assert.strictEqual(store.current.hint?.text, "Ctrl+C again to leave")
    clock.advance(1_000)
    press(keys("ctrl+c"))
    assert.deepStrictEqual(told, ["leave"])
  })

  it("a second Ctrl+C that comes late does not leave", () => {
    const { clock, press, told } = open()
    press(keys("ctrl+c"))
    clock.advance(2_500)
    press(keys("ctrl+c"))
    assert.deepStrictEqual(told, [])
  })

  it("while the agent works Esc and Ctrl+C stop it and keep the draft", () => {
    const { press, store, told } = open(startTurn(newState(), 0))
    press([...write("more"), ...keys("escape")])
    press(keys("ctrl+c"))
    assert.deepStrictEqual(told, ["interrupt", "interrupt"])
    assert.strictEqual(store.current.input.buffer.content.text, "more")
  })

  it("Esc twice on an empty input edits an earlier message", () => {
    const { press, told } = open()
    press(keys("escape", "escape"))
    assert.deepStrictEqual(told, ["editEarlier"])
  })

  it("↑ takes the newest waiting message back into the input", () => {
    const queue = [typedText("first"), typedText("second")]
    const { press, store } = open({ ...startTurn(newState(), 0), queue })
    press(keys("up"))
    assert.strictEqual(store.current.input.buffer.content.text, "second")
    assert.deepStrictEqual(
      store.current.queue.map((sent) => sent.text),
      ["first"]
    )
  })
})

describe("what was to join a stopped turn", () => {
  it("goes back into the input, before what is being written", () => {
    const { controller, press, store } = open({ ...newState(), queue: [typedText("first"), typedText("second")] })
    press(write("draft"))
    controller.recall()
    assert.strictEqual(store.current.input.buffer.content.text, "first\nsecond\ndraft")
    assert.deepStrictEqual(store.current.queue, [])
  })

  it("leaves the input alone where nothing waits", () => {
    const { controller, press, store } = open()
    press(write("draft"))
    controller.recall()
    assert.strictEqual(store.current.input.buffer.content.text, "draft")
  })
})

describe("keys of a question", () => {
  it("answer it at once where nothing is being written", () => {
    const { press, told } = open(newState({ question: permission(0) }))
    press(keys("o"))
    assert.deepStrictEqual(told, ['answer 7 {"answer":"yes"}'])
  })

  it("a question that comes up while a message is written takes none of its letters", () => {
    const { clock, press, store, told } = open(startTurn(newState(), 0))
    clock.advance(10_000)
    press(write("bonj"))
    store.update((state) => ({ ...state, question: permission(clock.now()) }))
    clock.advance(100)
    press(write("o"))
    clock.advance(100)
    press(write("ur"))
    assert.deepStrictEqual(told, [])
    assert.strictEqual(store.current.input.buffer.content.text, "bonjour")
    clock.advance(600)
    press(keys("o"))
    assert.deepStrictEqual(told, ['answer 7 {"answer":"yes"}'])
  })

  it("Enter of that message does not answer a choice either", () => {
    const choice: Question = { type: "choice", id: 3, askedAt: 0, title: "?", choices: [{ label: "a" }], selected: 0 }
    const { clock, press, store, told } = open()
    clock.advance(10_000)
    press(write("hi"))
    store.update((state) => ({ ...state, question: { ...choice, askedAt: clock.now() } }))
    clock.advance(50)
    press(keys("enter"))
    assert.deepStrictEqual(told, ['submit "hi"'])
  })

  it("Ctrl+C at a permission question stops the turn and answers nothing", () => {
    const { press, told } = open({ ...startTurn(newState(), 0), question: permission(0) })
    press(keys("ctrl+c"))
    assert.deepStrictEqual(told, ["interrupt"])
  })

  it("Ctrl+C at a list cancels it", () => {
    const choice: Question = { type: "choice", id: 3, askedAt: 0, title: "?", choices: [{ label: "a" }], selected: 0 }
    const { press, told } = open(newState({ question: choice }))
    press(keys("ctrl+c"))
    assert.deepStrictEqual(told, ["answer 3 "])
  })
})
