/**
 * What each key does (spec 07), without React and without Effect: reads the store's state, changes it, and tells the
 * interface what was decided. Keys of a question go to the question; Ctrl+C and Ctrl+Z are always the same.
 */
import type { InputEvent, KeyEvent } from "../input/inputEvent.ts"
import type { UiStore } from "../store/UiStore.ts"
import type { InputView } from "../store/state.ts"
import type { Answers } from "../Ui.ts"
import { editLine } from "./editLine.ts"
import * as phrases from "./phrases.ts"
import { reactTo } from "./questionKeys.ts"

/** Milliseconds in which a second Ctrl+C leaves, or a second Esc goes back. */
const TWICE = 2_000

/** What the interface does about a key. */
export interface Decisions {
  readonly submit: (text: string) => void
  /** Something runs and shall stop. */
  readonly interrupt: () => void
  readonly leave: () => void
  readonly answer: (id: number, answer: Answers[keyof Answers]) => void
  /** Ctrl+Z. */
  readonly suspend: () => void
  /** Ctrl+G: the input in `$EDITOR`. */
  readonly editor: () => void
  /** Shift+Tab. */
  readonly cycleMode: () => void
  /** Ctrl+O: the last output whole. */
  readonly expand: () => void
  /** Esc Esc on an empty input: an earlier message is edited. */
  readonly editEarlier: () => void
}

export class Controller {
  private readonly store: UiStore
  private readonly decisions: Decisions
  private ctrlCUntil = 0
  private escapeUntil = 0

  constructor(store: UiStore, decisions: Decisions) {
    this.store = store
    this.decisions = decisions
  }

  take(event: InputEvent): void {
    if (event.type === "focus" || event.type === "report") return
    if (event.type === "key" && event.ctrl && event.name === "z") return this.decisions.suspend()
    if (event.type === "key" && event.ctrl && event.name === "c") return this.ctrlC()
    const { question } = this.store.current
    if (question === undefined) return this.input(event)
    const reaction = reactTo(question, event)
    if (reaction.type === "answered") this.decisions.answer(question.id, reaction.answer)
    else if (reaction.type === "changed") {
      this.store.update((state) => ({ ...state, question: reaction.question }))
    }
  }

  private isBusy(): boolean {
    const { turn, waiting } = this.store.current
    return turn !== undefined || waiting !== undefined
  }

  /** Clears, interrupts, or asks for a second one; that one leaves. */
  private ctrlC(): void {
    const { input, question } = this.store.current
    const now = this.store.now()
    if (now < this.ctrlCUntil) return this.decisions.leave()
    if (question === undefined && input.text !== "" && !this.isBusy()) return this.setInput({ text: "", cursor: 0 })
    this.ctrlCUntil = now + TWICE
    if (question !== undefined && question.type !== "permission") {
      this.decisions.answer(question.id, question.type === "confirm" ? false : undefined)
    }
    if (this.isBusy()) this.decisions.interrupt()
    this.hint(phrases.pressAgain[this.store.current.language])
  }

  private escape(): void {
    const { input } = this.store.current
    if (this.isBusy()) return this.decisions.interrupt()
    const now = this.store.now()
    if (input.text !== "") return
    if (now < this.escapeUntil) {
      this.escapeUntil = 0
      return this.decisions.editEarlier()
    }
    this.escapeUntil = now + TWICE
    this.hint(phrases.escapeAgain[this.store.current.language])
  }

  private input(event: InputEvent): void {
    if (event.type === "key" && this.shortcut(event)) return
    const { input } = this.store.current
    if (event.type === "paste") {
      return this.setInput({
        text: input.text.slice(0, input.cursor) + event.text + input.text.slice(input.cursor),
        cursor: input.cursor + event.text.length
      })
    }
    const next = editLine(input, event)
    if (next !== undefined) this.setInput(next)
  }

  /** True where the key is one of the interface, not of the text. */
  private shortcut(key: KeyEvent): boolean {
    const { input } = this.store.current
    const { decisions } = this
    switch (`${key.ctrl ? "ctrl+" : ""}${key.alt ? "alt+" : ""}${key.shift ? "shift+" : ""}${key.name}`) {
      case "enter":
        this.enter()
        return true
      case "alt+enter":
      case "shift+enter":
      case "ctrl+j":
        this.take({ type: "paste", text: "\n" })
        return true
      case "escape":
        this.escape()
        return true
      case "ctrl+d":
        if (input.text !== "") return false
        decisions.leave()
        return true
      case "ctrl+g":
        decisions.editor()
        return true
      case "ctrl+o":
        decisions.expand()
        return true
      case "shift+tab":
        decisions.cycleMode()
        return true
      default:
        return false
    }
  }

  private setInput(input: InputView): void {
    this.store.update((state) => ({ ...state, input, hint: undefined }))
  }

  private hint(text: string): void {
    this.store.update((state) => ({ ...state, hint: { text, until: this.store.now() + TWICE } }))
  }

  private enter(): void {
    const { text } = this.store.current.input
    if (text.trim() === "") return
    this.setInput({ text: "", cursor: 0 })
    this.decisions.submit(text)
  }
}
