/** Keys of questions: letters of both languages, Enter alone allows nothing, lists of choices. */
import { assert, describe, it } from "@effect/vitest"
import { text } from "../../src/domain/text.ts"
import { alwaysOptions } from "../../src/tui/control/alwaysOptions.ts"
import { reactTo } from "../../src/tui/control/questionKeys.ts"
import type { InputEvent } from "../../src/tui/input/inputEvent.ts"
import type { Question } from "../../src/tui/store/state.ts"
import { keys, write } from "./support.ts"

const permission = (suggestions: ReadonlyArray<string> = ["Bash(npm test)", "Bash(npm *)"]): Question => ({
  type: "permission",
  id: 1,
  askedAt: 0,
  tool: "Bash",
  question: { reason: text("no rule", "aucune règle"), subject: "npm test", suggestions },
  diff: undefined,
  always: alwaysOptions(suggestions),
  step: { at: "ask" }
})

const choice = (count: number): Question => ({
  type: "choice",
  id: 1,
  askedAt: 0,
  title: "Which?",
  choices: Array.from({ length: count }, (_, at) => ({ label: `choice ${at}` })),
  selected: 0
})

/** The answer to the events, or the question as they leave it. */
const press = (question: Question, events: ReadonlyArray<InputEvent>) => {
  let current = question
  for (const event of events) {
    const reaction = reactTo(current, event)
    if (reaction.type === "answered") return { answer: reaction.answer }
    if (reaction.type === "changed") current = reaction.question
  }
  return { question: current }
}

describe("permission keys", () => {
  for (const letter of ["o", "y", "O", "Y"]) {
    it(`${letter} allows`, () => {
      assert.deepStrictEqual(press(permission(), keys(letter)), { answer: { answer: "yes" } })
    })
  }

  it("Enter alone, blanks and other letters are ignored", () => {
    const question = permission()
    assert.deepStrictEqual(press(question, keys("enter", "enter", "space", "x", "j", "tab")), { question })
  })

  it("a pasted yes allows nothing", () => {
    const question = permission()
    assert.deepStrictEqual(press(question, [{ type: "paste", text: "y\n" }]), { question })
  })

  it("Ctrl+Y and Alt+O are no yes", () => {
    const question = permission()
    assert.deepStrictEqual(press(question, keys("ctrl+y", "alt+o")), { question })
  })

  it("n asks for a reason, which may stay empty", () => {
    assert.deepStrictEqual(press(permission(), [...keys("n"), ...write("not now"), ...keys("enter")]), {
      answer: { answer: "no", reason: "not now" }
    })
    assert.deepStrictEqual(press(permission(), keys("n", "enter")), { answer: { answer: "no" } })
  })

  it("Esc goes back from the reason, and refuses at the question", () => {
    assert.deepStrictEqual(press(permission(), keys("n", "escape", "y")), { answer: { answer: "yes" } })
    assert.deepStrictEqual(press(permission(), keys("escape")), { answer: { answer: "no" } })
  })

  for (const letter of ["t", "a"]) {
    it(`${letter} offers each rule and place, and writes exactly the chosen one`, () => {
      assert.deepStrictEqual(press(permission(), keys(letter, "down", "enter")), {
        answer: { answer: "always", rule: "Bash(npm test)", scope: "project" }
      })
      assert.deepStrictEqual(press(permission(), keys(letter, "up", "enter")), {
        answer: { answer: "always", rule: "Bash(npm *)", scope: "user" }
      })
    })
  }

  it("always is not offered where no rule would do", () => {
    const question = permission([])
    assert.deepStrictEqual(press(question, keys("t", "a")), { question })
  })
})

describe("list keys", () => {
  it("moves with arrows and j/k, around the ends", () => {
    assert.deepStrictEqual(press(choice(3), keys("down", "j", "j", "k", "enter")), { answer: 2 })
    assert.deepStrictEqual(press(choice(3), keys("up", "enter")), { answer: 2 })
    assert.deepStrictEqual(press(choice(30), keys("pagedown", "pagedown", "pageup", "end", "home", "down", "enter")), {
      answer: 1
    })
  })

  it("Esc chooses nothing", () => {
    assert.deepStrictEqual(press(choice(3), keys("down", "escape")), { answer: undefined })
  })
})

describe("confirmation keys", () => {
  const question: Question = { type: "confirm", id: 1, askedAt: 0, title: "Go on?", detail: "" }
  it("o and y say yes, n and Esc no, Enter nothing", () => {
    assert.deepStrictEqual(press(question, keys("enter", "o")), { answer: true })
    assert.deepStrictEqual(press(question, keys("y")), { answer: true })
    assert.deepStrictEqual(press(question, keys("n")), { answer: false })
    assert.deepStrictEqual(press(question, keys("escape")), { answer: false })
    assert.deepStrictEqual(press(question, keys("enter")), { question })
  })
})

describe("line keys", () => {
  const question: Question = {
    type: "line",
    id: 1,
    askedAt: 0,
    title: "Name",
    line: { text: "", cursor: 0 },
    secret: false
  }
  it("edits by grapheme, in the middle too", () => {
    assert.deepStrictEqual(
      press(question, [...write("ab👩‍👩‍👧"), ...keys("backspace", "left"), ...write("X"), ...keys("enter")]),
      { answer: "aXb" }
    )
  })

  it("a paste of several lines becomes one", () => {
    assert.deepStrictEqual(press(question, [{ type: "paste", text: "a\n  b" }, ...keys("enter")]), { answer: "a b" })
  })

  it("Esc gives no answer", () => {
    assert.deepStrictEqual(press(question, [...write("x"), ...keys("escape")]), { answer: undefined })
  })
})
