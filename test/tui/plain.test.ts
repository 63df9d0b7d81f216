/** The interface without redraws: typed lines as answers, plain lines that are only added, nothing twice. */
import { assert, describe, it } from "@effect/vitest"
import { text } from "../../src/domain/text.ts"
import { alwaysOptions } from "../../src/tui/control/alwaysOptions.ts"
import { answerLine } from "../../src/tui/plain/answerLine.ts"
import { Printer } from "../../src/tui/plain/Printer.ts"
import { append } from "../../src/tui/store/log.ts"
import type { Question } from "../../src/tui/store/state.ts"
import { applyEvent, startTurn } from "../../src/tui/store/turnEvents.ts"
import { UiStore } from "../../src/tui/store/UiStore.ts"
import { makeTheme } from "../../src/tui/text/theme.ts"
import { manualClock, newState } from "./support.ts"

const permission: Question = {
  type: "permission",
  id: 1,
  askedAt: 0,
  tool: "Bash",
  question: { reason: text("no rule", "aucune règle"), subject: "rm -r x", suggestions: ["Bash(rm -r x)"] },
  diff: undefined,
  always: alwaysOptions(["Bash(rm -r x)"]),
  step: { at: "ask" }
}

const choice: Question = {
  type: "choice",
  id: 1,
  askedAt: 0,
  title: "Which?",
  choices: [{ label: "a" }, { label: "b" }],
  selected: 0
}

describe("answers by line", () => {
  it("yes in both languages, whole words too", () => {
    for (const line of ["y", "yes", "o", "Oui "]) {
      assert.deepStrictEqual(answerLine(permission, line), { type: "answered", answer: { answer: "yes" } })
    }
  })

  it("an empty line, a number or another word allows nothing", () => {
    for (const line of ["", "  ", "1", "maybe", "ls"]) {
      assert.deepStrictEqual(answerLine(permission, line), { type: "ignored" })
    }
  })

  it("no with its reason as typed", () => {
    assert.deepStrictEqual(answerLine(permission, "n Not Now"), {
      type: "answered",
      answer: { answer: "no", reason: "Not Now" }
    })
  })

  it("always asks which rule, by number", () => {
    const next = answerLine(permission, "always")
    assert.strictEqual(next.type, "changed")
    if (next.type !== "changed") return
    assert.deepStrictEqual(answerLine(next.question, "2"), {
      type: "answered",
      answer: { answer: "always", rule: "Bash(rm -r x)", scope: "project" }
    })
    assert.deepStrictEqual(answerLine(next.question, "9"), { type: "ignored" })
  })

  it("chooses by number only", () => {
    assert.deepStrictEqual(answerLine(choice, "2"), { type: "answered", answer: 1 })
    assert.deepStrictEqual(answerLine(choice, "3"), { type: "ignored" })
    assert.deepStrictEqual(answerLine(choice, ""), { type: "answered", answer: undefined })
  })
})

describe("plain lines", () => {
  const start = () => {
    const clock = manualClock()
    const store = new UiStore(newState(), clock)
    let written = ""
    const looks = { theme: makeTheme({ depth: "none", background: "dark" }), markdown: undefined }
    const printer = new Printer(store, looks, (more) => {
      written += more
    })
    return { clock, store, printer, written: () => written }
  }

  it("prints each item once, and no escape sequence", () => {
    const { clock, store, written } = start()
    for (let n = 0; n < 3; n++) {
      store.update((state) => append(state, { type: "info", text: `message ${n} \u001b[2J` }))
      clock.advance(100)
    }
    assert.notInclude(written(), "\u001b")
    for (let n = 0; n < 3; n++) assert.strictEqual(written().split(`message ${n}`).length, 2)
  })

  it("says once that a tool runs, whatever it prints meanwhile", () => {
    const { clock, store, written } = start()
    store.update((state) => startTurn(state, 1))
    const tell = (event: Parameters<typeof applyEvent>[1]) => {
      store.update((state) => applyEvent(state, event, clock.now()))
      clock.advance(100)
    }
    tell({
      type: "tool-requested",
      call: { id: "a", name: "Bash", arguments: "{}" },
      input: { command: "npm test" }
    })
    tell({ type: "tool-started", id: "a", name: "Bash" })
    for (let n = 0; n < 5; n++) tell({ type: "tool-progress", id: "a", text: `line ${n}\n` })
    assert.strictEqual(written().split("Bash npm test").length, 2)
    assert.notInclude(written(), "line 3")
  })

  it("prompts where something is waited for, and asks a question once", () => {
    const { clock, store, written } = start()
    assert.strictEqual(written(), "")
    store.update((state) => ({ ...state, listening: true }))
    clock.advance(100)
    assert.strictEqual(written(), "> ")
    store.update((state) => ({ ...state, question: permission }))
    clock.advance(100)
    store.update((state) => ({ ...state, now: 5 }))
    clock.advance(100)
    assert.strictEqual(written().split("rm -r x").length, 2)
    assert.match(written(), /a: always\n> $/)
  })

  it("says which sub-agent asks", () => {
    const { clock, store, written } = start()
    const question = { ...permission.question, asker: text("sub-agent reviewer", "sous-agent reviewer") }
    store.update((state) => ({ ...state, question: { ...permission, question } }))
    clock.advance(100)
    assert.include(written(), "[sub-agent reviewer] Allow Bash?\n")
  })
})
