/**
 * What each key does (spec 07), without React and without Effect: keys of a question go to the question, all others to the
 * input; what they decide is handed to the interface.
 */
import type { CompletionToken } from "../input/completion/completionToken.ts"
import type { Candidate } from "../input/completion/candidate.ts"
import { concat, plainContent, type Content, type Token } from "../input/content.ts"
import type { InputEvent } from "../input/inputEvent.ts"
import { completionsFound, historyLoaded, imageMissing, resized, setInput, stepInput } from "../input/inputMachine.ts"
import { TWICE, type InputContext, type InputEffect, type InputState, type Step } from "../input/inputState.ts"
import { expandQuestion } from "../store/expand.ts"
import type { Question, Sent, UiState } from "../store/state.ts"
import type { UiStore } from "../store/UiStore.ts"
import type { Answers } from "../Ui.ts"
import { inputBox } from "../views/inputBox.ts"
import * as phrases from "./phrases.ts"
import { reactTo } from "./questionKeys.ts"

const NEWLINE = plainContent("\n")

/** Milliseconds without a key after which a question has been seen. */
const PAUSE = 500

/** What the interface does about a key. */
export interface Decisions {
  readonly submit: (sent: Sent) => void
  /** For later sessions. */
  readonly remember: (content: Content) => void
  /** Something runs and shall stop. */
  readonly interrupt: () => void
  readonly leave: () => void
  readonly answer: (id: number, answer: Answers[keyof Answers]) => void
  /** Ctrl+Z. */
  readonly suspend: () => void
  /** Ctrl+G: the text in `$EDITOR`. */
  readonly editor: (text: string) => void
  /** Shift+Tab. */
  readonly cycleMode: () => void
  /** Ctrl+O: the last output whole. */
  readonly expand: () => void
  /** Esc Esc on an empty input: an earlier message is edited. */
  readonly editEarlier: () => void
  /** Answered with `candidates`. */
  readonly complete: (token: CompletionToken) => void
  /** Answered with `imageMissing` for each that is none. */
  readonly checkImages: (images: ReadonlyArray<Token>) => void
  readonly redraw: () => void
  readonly bell: () => void
}

export class Controller {
  private readonly store: UiStore
  private readonly decisions: Decisions
  /** Milliseconds since 1970 of the last key. */
  private lastKey = 0
  /** The question whose keys are its answers by now. */
  private noticed: number | undefined

  constructor(store: UiStore, decisions: Decisions) {
    this.store = store
    this.decisions = decisions
  }

  take(event: InputEvent): void {
    if (event.type === "report") return
    if (event.type === "focus") return this.store.update((state) => ({ ...state, focused: event.focused }))
    const { question } = this.store.current
    if (question === undefined || this.isStillTyping(question, event)) {
      this.lastKey = this.store.now()
      return this.step((input, context) => stepInput(input, event, context))
    }
    if (isCtrl(event, "z")) return this.decisions.suspend()
    if (isCtrl(event, "c")) return this.ctrlC()
    this.disarm()
    if (isCtrl(event, "o")) return this.store.update(expandQuestion)
    const reaction = reactTo(question, event)
    if (reaction.type === "answered") this.decisions.answer(question.id, reaction.answer)
    else if (reaction.type === "changed") {
      this.store.update((state) => ({ ...state, question: reaction.question }))
    }
  }

  /**
   * A question that comes up while a message is being written must not take its letters for answers: they go on into the
   * message until the user has stopped for a moment.
   */
  private isStillTyping(question: Question, event: InputEvent): boolean {
    const now = this.store.now()
    const quiet = now - Math.max(this.lastKey, question.askedAt)
    this.lastKey = now
    if (this.noticed === question.id) return false
    const { content } = this.store.current.input.buffer
    const isText = event.type === "paste" || (event.type === "key" && !event.ctrl && event.name !== "escape")
    if (isText && content.text !== "" && quiet < PAUSE) return true
    this.noticed = question.id
    return false
  }

  /** Sent without the input: by a line of the plain interface. */
  submit(sent: Sent): void {
    this.decisions.submit(sent)
  }

  answer(id: number, answer: Answers[keyof Answers]): void {
    this.decisions.answer(id, answer)
  }

  candidates(token: CompletionToken, found: ReadonlyArray<Candidate>): void {
    this.step((input, context) => completionsFound(input, token, found, context))
  }

  imageMissing(number: number): void {
    this.step((input, context) => imageMissing(input, number, context))
  }

  /** Another text in the input. */
  draft(given: string | Content): void {
    this.step((input, context) => setInput(input, given, context))
  }

  historyLoaded(entries: ReadonlyArray<Content>): void {
    this.store.update((state) => ({ ...state, input: historyLoaded(state.input, entries) }))
  }

  resized(): void {
    this.store.update((state) => ({ ...state, input: resized(state.input, this.context(state)) }))
  }

  private context(state: UiState): InputContext {
    return {
      ...inputBox(state.size),
      now: this.store.now(),
      language: state.language,
      busy: isBusy(state),
      queued: state.queue.length
    }
  }

  private step(make: (input: InputState, context: InputContext) => Step): void {
    const state = this.store.current
    const { effects, state: input } = make(state.input, this.context(state))
    if (input !== state.input) this.store.update((now) => ({ ...now, input, hint: undefined }))
    for (const effect of effects) this.carryOut(effect)
  }

  private carryOut(effect: InputEffect): void {
    const { decisions, store } = this
    switch (effect.type) {
      case "submit":
        return decisions.submit({ text: effect.text, content: effect.content })
      case "remember":
        return decisions.remember(effect.content)
      case "complete":
        return decisions.complete(effect.token)
      case "checkImages":
        return decisions.checkImages(effect.images)
      case "leaveHint":
        return this.hint(phrases.pressAgain[store.current.language])
      case "escapeHint":
        return this.hint(phrases.escapeAgain[store.current.language])
      case "takeBack":
        return this.takeBack()
      case "editor":
        return decisions.editor(effect.text)
      default:
        return decisions[effect.type]()
    }
  }

  /** The newest message of the queue goes back into the input. */
  private takeBack(): void {
    const last = this.store.current.queue.at(-1)
    if (last === undefined) return
    this.store.update((state) => ({ ...state, queue: state.queue.slice(0, -1) }))
    this.draft(last.content)
  }

  /** Everything of the queue goes back into the input, in front of what is being written. */
  recall(): void {
    const { input, queue } = this.store.current
    if (queue.length === 0) return
    this.store.update((state) => ({ ...state, queue: [] }))
    const pieces = [...queue.map(({ content }) => content), input.buffer.content]
    this.draft(
      pieces.filter(({ text }) => text.trim() !== "").reduce((all, piece) => concat(concat(all, NEWLINE), piece))
    )
  }

  /** At a question: cancels it, interrupts what asked; a second one leaves. */
  private ctrlC(): void {
    const state = this.store.current
    const now = this.store.now()
    const { leaveAt } = state.input
    if (leaveAt !== undefined && now - leaveAt <= TWICE) return this.decisions.leave()
    // The second one may come when the question is gone: the input must know of this one.
    this.store.update((current) => ({ ...current, input: { ...current.input, leaveAt: now } }))
    const { question } = state
    if (question !== undefined && question.type !== "permission") {
      this.decisions.answer(question.id, question.type === "confirm" ? false : undefined)
    }
    if (isBusy(state)) this.decisions.interrupt()
    this.hint(phrases.pressAgain[state.language])
  }

  /** Another key came between two Ctrl+C. */
  private disarm(): void {
    this.store.update((state) =>
      state.input.leaveAt === undefined ? state : { ...state, input: { ...state.input, leaveAt: undefined } }
    )
  }

  private hint(text: string): void {
    this.store.update((state) => ({ ...state, hint: { text, until: this.store.now() + TWICE } }))
  }
}

const isCtrl = (event: InputEvent, name: string): boolean => event.type === "key" && event.ctrl && event.name === name

const isBusy = ({ turn, waiting }: UiState): boolean => turn !== undefined || waiting !== undefined
