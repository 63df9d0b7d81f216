/**
 * What each key does (spec 07), without React and without Effect: reads the store's state, changes it, and tells the
 * interface what was decided. Keys of a question go to the question first.
 */
import type { UiStore } from "../store/UiStore.ts"
import type { InputView, Question } from "../store/state.ts"
import type { Answers } from "../Ui.ts"
import type { Key } from "./keys.ts"
import * as phrases from "./phrases.ts"

/** Milliseconds in which a second Ctrl+C leaves. */
const TWICE = 2_000

export interface Decisions {
  readonly submitted: () => void
  /** Something runs and shall stop. */
  readonly interrupt: () => void
  readonly leave: () => void
  readonly answer: (id: number, answer: Answers[keyof Answers]) => void
  readonly suspend: () => void
}

export class Controller {
  private readonly store: UiStore
  private readonly decisions: Decisions
  private armedUntil = 0

  constructor(store: UiStore, decisions: Decisions) {
    this.store = store
    this.decisions = decisions
  }

  press(key: Key): void {
    const { question } = this.store.current
    if (key.type === "key" && key.name === "ctrl+z") return this.decisions.suspend()
    if (key.type === "key" && key.name === "ctrl+c") return this.controlC()
    if (question !== undefined) return this.answerWith(question, key)
    this.edit(key)
  }

  private isBusy(): boolean {
    const { turn, waiting } = this.store.current
    return turn !== undefined || waiting !== undefined
  }

  private controlC(): void {
    const { input, language, question } = this.store.current
    const now = this.store.now()
    if (now < this.armedUntil) return this.decisions.leave()
    if (question === undefined && input.text !== "" && !this.isBusy()) return this.setInput({ text: "", cursor: 0 })
    this.armedUntil = now + TWICE
    if (question !== undefined && question.type !== "permission") this.decisions.answer(question.id, undefined)
    if (this.isBusy()) this.decisions.interrupt()
    this.store.update((state) => ({ ...state, hint: phrases.pressAgain[language] }))
  }

  private edit(key: Key): void {
    const { input } = this.store.current
    if (key.type === "text") return this.insert(key.text)
    switch (key.name) {
      case "newline":
        return this.insert("\n")
      case "enter":
        return this.enter()
      case "escape":
        return this.isBusy() ? this.decisions.interrupt() : undefined
      case "ctrl+d":
        return input.text === "" ? this.decisions.leave() : undefined
      case "ctrl+u":
        return this.setInput({ text: "", cursor: 0 })
      case "backspace": {
        const before = Array.from(input.text.slice(0, input.cursor))
        const kept = before.slice(0, -1).join("")
        return this.setInput({ text: kept + input.text.slice(input.cursor), cursor: kept.length })
      }
      case "left":
        return this.setInput({ ...input, cursor: Math.max(0, input.cursor - 1) })
      case "right":
        return this.setInput({ ...input, cursor: Math.min(input.text.length, input.cursor + 1) })
    }
  }

  private insert(text: string): void {
    const { input } = this.store.current
    this.setInput({
      text: input.text.slice(0, input.cursor) + text + input.text.slice(input.cursor),
      cursor: input.cursor + text.length
    })
  }

  private setInput(input: InputView): void {
    this.store.update((state) => ({ ...state, input, hint: undefined }))
  }

  private enter(): void {
    const text = this.store.current.input.text
    if (text.trim() === "") return
    this.store.update((state) => ({
      ...state,
      input: { text: "", cursor: 0 },
      hint: undefined,
      queue: [...state.queue, text]
    }))
    this.decisions.submitted()
  }

  private answerWith(question: Question, key: Key): void {
    if (question.type === "permission" && key.type === "text") {
      const letter = key.text.toLowerCase()
      if (letter === "o" || letter === "y") this.decisions.answer(question.id, { answer: "yes" })
      else if (letter === "n") this.decisions.answer(question.id, { answer: "no" })
    }
    if (question.type === "permission" && key.type === "key" && key.name === "escape") {
      this.decisions.answer(question.id, { answer: "no" })
    }
  }
}
