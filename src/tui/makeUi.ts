/** `Ui` on a store: what is sent is taken in order, questions come one at a time, keys that stop something are signals. */
import { Deferred, Effect } from "effect"
import { Controller, type Decisions } from "./control/Controller.ts"
import { Questions } from "./questions.ts"
import { Signal } from "./Signal.ts"
import { append } from "./store/log.ts"
import { expandLast } from "./store/expand.ts"
import type { LogBody } from "./store/state.ts"
import type { UiStore } from "./store/UiStore.ts"
import { Ui } from "./Ui.ts"

export interface UiParts {
  readonly ui: Ui["Service"]
  readonly leave: () => void
  readonly controller: Controller
}

/** What the terminal itself must do. */
export type TerminalDecisions = Pick<Decisions, "suspend" | "editor">

export const makeUi = (store: UiStore, terminal: TerminalDecisions): UiParts => {
  const sent = new Signal<void>()
  const interrupts = new Signal<void>()
  const modes = new Signal<void>()
  const leaving = Deferred.makeUnsafe<void>()
  const questions = new Questions(store)
  const leave = (): void => {
    Deferred.doneUnsafe(leaving, Effect.void)
  }

  const submit = (text: string): void => {
    store.update((state) => ({ ...state, queue: [...state.queue, text] }))
    sent.fire()
  }

  const controller = new Controller(store, {
    ...terminal,
    leave,
    submit,
    interrupt: () => interrupts.fire(),
    answer: (id, answer) => questions.answer(id, answer),
    cycleMode: () => modes.fire(),
    editEarlier: () => submit("/edit"),
    expand: () => store.update(expandLast)
  })

  const print = (...bodies: ReadonlyArray<LogBody>): Effect.Effect<void> =>
    Effect.sync(() => store.update((state) => append(state, ...bodies)))

  const next: Effect.Effect<string> = Effect.suspend(() => {
    const [first] = store.current.queue
    if (first === undefined) return Effect.flatMap(sent.wait, () => next)
    store.update((state) => ({ ...state, queue: state.queue.slice(1) }))
    return Effect.succeed(first)
  })

  const takeSteering = Effect.sync(() => {
    const { queue } = store.current
    const firstCommand = queue.findIndex(isCommand)
    const taken = firstCommand === -1 ? queue : queue.slice(0, firstCommand)
    if (taken.length === 0) return []
    store.update((state) =>
      append(
        { ...state, queue: state.queue.slice(taken.length) },
        ...taken.map((text): LogBody => ({ type: "user", text, steering: true }))
      )
    )
    return taken
  })

  const ui = Ui.of({
    store,
    print,
    info: (text) => print({ type: "info", text: text[store.current.language] }),
    warn: (text) => print({ type: "warn", text: text[store.current.language] }),
    fail: (text) => print({ type: "fail", text: text[store.current.language] }),
    next,
    send: (text) => Effect.sync(() => submit(text)),
    draft: (text) => Effect.sync(() => store.update((state) => ({ ...state, input: { text, cursor: text.length } }))),
    takeSteering,
    interrupted: interrupts.wait,
    modeCycled: modes.wait,
    left: Deferred.await(leaving),
    leave: Effect.sync(leave),
    askPermission: (tool, question, diff) => questions.permission(tool, question, diff),
    choose: (title, choices, selected) => questions.choose(title, choices, selected),
    confirm: (title, detail) => questions.confirm(title, detail),
    askLine: (title, options) => questions.line(title, options),
    waiting: (label, work) =>
      Effect.acquireUseRelease(
        Effect.sync(() =>
          store.update((state) => ({ ...state, waiting: label[state.language], waitingSince: store.now() }))
        ),
        () => work,
        () => Effect.sync(() => store.update((state) => ({ ...state, waiting: undefined })))
      )
  })
  return { ui, leave, controller }
}

const isCommand = (text: string): boolean => /^\s*[/!§]/.test(text)
