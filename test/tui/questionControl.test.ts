/** Keys of the program while a question is on the screen: Ctrl+C twice leaves, Ctrl+O shows all of what is asked. */
import { assert, describe, it } from "@effect/vitest"
import { text } from "../../src/domain/text.ts"
import { Controller, type Decisions } from "../../src/tui/control/Controller.ts"
import type { InputEvent } from "../../src/tui/input/inputEvent.ts"
import type { Question } from "../../src/tui/store/state.ts"
import { startTurn } from "../../src/tui/store/turnEvents.ts"
import { UiStore } from "../../src/tui/store/UiStore.ts"
import { keys, manualClock, newState } from "./support.ts"

const permission: Question = {
  type: "permission",
  id: 7,
  askedAt: 0,
  tool: "Bash",
  question: { reason: text("no rule", "aucune règle"), subject: "rm -r x\nls", suggestions: [] },
  diff: undefined,
  always: [],
  step: { at: "ask" }
}

const open = () => {
  const clock = manualClock()
  const store = new UiStore(startTurn(newState(), 0), clock)
  const told: Array<string> = []
  const tell = (name: string) => () => void told.push(name)
  const decisions: Decisions = {
    submit: ({ text: sent }) => void told.push(`submit ${sent}`),
    remember: () => {},
    interrupt: tell("interrupt"),
    leave: tell("leave"),
    answer: (id, answer) => {
      told.push(`answer ${id} ${JSON.stringify(answer)}`)
      store.update((state) => ({ ...state, question: undefined }))
    },
    suspend: tell("suspend"),
    editor: tell("editor"),
    cycleMode: tell("mode"),
    expand: tell("expand"),
    editEarlier: tell("edit"),
    complete: tell("complete"),
    checkImages: tell("images"),
    redraw: tell("redraw"),
    bell: tell("bell")
  }
  const controller = new Controller(store, decisions)
  const press = (events: ReadonlyArray<InputEvent>): void => {
    for (const event of events) controller.take(event)
  }
  const ask = (question: Question | undefined = permission): void => store.update((state) => ({ ...state, question }))
  return { ask, clock, press, store, told }
}

describe("Ctrl+C", () => {
  it("twice leaves, also where the first one has ended the question", () => {
    const { ask, clock, press, told } = open()
    ask()
    press(keys("ctrl+c"))
    ask(undefined)
    clock.advance(500)
    press(keys("ctrl+c"))
    assert.deepStrictEqual(told, ["interrupt", "leave"])
  })

  it("twice at a question leaves only where no other key came between", () => {
    const { ask, press, told } = open()
    ask()
    press(keys("ctrl+c", "down", "ctrl+c"))
    assert.deepStrictEqual(told, ["interrupt", "interrupt"])
    press(keys("ctrl+c"))
    assert.deepStrictEqual(told, ["interrupt", "interrupt", "leave"])
  })
})

describe("Ctrl+O at a permission question", () => {
  it("prints what is to be allowed and leaves the question open", () => {
    const { ask, press, store, told } = open()
    ask()
    press(keys("ctrl+o"))
    assert.deepStrictEqual(told, [])
    assert.strictEqual(store.current.question, permission)
    const [item] = store.current.items
    assert.strictEqual(item?.type === "proposal" && item.subject, "rm -r x\nls")
  })
})
