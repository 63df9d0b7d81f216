/** `Ui` on a store: what is sent is taken in order, questions come one at a time, keys that stop something are signals. */
import { Deferred, Effect } from "effect"
import { Controller, type Decisions } from "./control/Controller.ts"
import type { Content } from "./input/content.ts"
import { Presses } from "./Presses.ts"
import { Questions } from "./questions.ts"
import { Signal } from "./Signal.ts"
import { append } from "./store/log.ts"
import { expandLast } from "./store/expand.ts"
import { isCommand, typedText } from "./store/sent.ts"
import type { LogBody, Sent } from "./store/state.ts"
import type { UiStore } from "./store/UiStore.ts"
import { Ui, type InputHelp } from "./Ui.ts"

/** UTF-16 units of a command's output that are kept for the screen while it runs. */
const TAIL = 4_000

export interface UiParts {
  readonly ui: Ui["Service"]
  readonly leave: () => void
  readonly controller: Controller
}

/** What the terminal itself must do, and how effects are run from a key. */
export interface TerminalDecisions extends Pick<Decisions, "suspend" | "editor" | "redraw" | "bell"> {
  /** Returns how to end it. */
  readonly run: (effect: Effect.Effect<void>) => () => void
  readonly copy: (text: string) => void
}

export const makeUi = (store: UiStore, terminal: TerminalDecisions): UiParts => {
  const sent = new Signal<void>()
  const interrupts = new Signal<void>()
  const modes = new Presses()
  const leaving = Deferred.makeUnsafe<void>()
  const questions = new Questions(store)
  const firstHelp = Deferred.makeUnsafe<InputHelp>()
  /** A key may come before the conversation that helps is open: it is answered then. */
  let helper: Effect.Effect<InputHelp> = Deferred.await(firstHelp)
  let stopFinding = (): void => {}
  let add: (content: Content) => Effect.Effect<void> = () => Effect.void
  const leave = (): void => {
    Deferred.doneUnsafe(leaving, Effect.void)
  }

  const submit = (message: Sent): void => {
    store.update((state) => ({ ...state, queue: [...state.queue, message] }))
    sent.fire()
  }

  const controller: Controller = new Controller(store, {
    ...terminal,
    leave,
    submit,
    remember: (content) => terminal.run(add(content)),
    interrupt: () => interrupts.fire(),
    answer: (id, answer) => questions.answer(id, answer),
    cycleMode: () => modes.press(),
    editEarlier: () => submit(typedText("/edit")),
    expand: () => store.update(expandLast),
    complete: (token) => {
      stopFinding()
      stopFinding = terminal.run(
        Effect.map(
          Effect.flatMap(helper, ({ complete }) => complete(token)),
          (candidates) => controller.candidates(token, candidates)
        )
      )
    },
    checkImages: (images) => {
      for (const image of images) {
        terminal.run(
          Effect.map(
            Effect.flatMap(helper, ({ hasImage }) => hasImage(image)),
            (found) => {
              if (!found) controller.imageMissing(image.number)
            }
          )
        )
      }
    }
  })

  const print = (...bodies: ReadonlyArray<LogBody>): Effect.Effect<void> =>
    Effect.sync(() => store.update((state) => append(state, ...bodies)))

  const next: Effect.Effect<Sent> = Effect.suspend(() => {
    const [first] = store.current.queue
    if (first === undefined) {
      store.update((state) => (state.listening ? state : { ...state, listening: true }))
      return Effect.flatMap(sent.wait, () => next)
    }
    store.update((state) => ({ ...state, listening: false, queue: state.queue.slice(1) }))
    return Effect.succeed(first)
  })

  const takeSteering = Effect.sync(() => {
    const { queue } = store.current
    const firstCommand = queue.findIndex(isCommand)
    const taken = firstCommand === -1 ? queue : queue.slice(0, firstCommand)
    if (taken.length === 0) return []
    store.update((state) => ({
      ...state,
      queue: state.queue.slice(taken.length),
      taken: [...state.taken, ...taken]
    }))
    return taken.map(({ text }) => text)
  })

  const ui = Ui.of({
    store,
    ready: Effect.void,
    print,
    info: (text) => print({ type: "info", text: text[store.current.language] }),
    warn: (text) => print({ type: "warn", text: text[store.current.language] }),
    fail: (text) => print({ type: "fail", text: text[store.current.language] }),
    next,
    send: (text) => Effect.sync(() => submit(typedText(text))),
    draft: (text) => Effect.sync(() => controller.draft(text)),
    helpInput: (given) =>
      Effect.sync(() => {
        helper = Effect.succeed(given)
        Deferred.doneUnsafe(firstHelp, helper)
      }),
    remember: (entries, keep) =>
      Effect.sync(() => {
        add = keep
        controller.historyLoaded(entries)
      }),
    takeSteering,
    recall: Effect.sync(() => controller.recall()),
    interrupted: interrupts.wait,
    modeCycled: modes.next,
    left: Deferred.await(leaving),
    leave: Effect.sync(leave),
    askPermission: (tool, question, diff) => questions.permission(tool, question, diff),
    choose: (title, choices, selected) => questions.choose(title, choices, selected),
    confirm: (title, detail) => questions.confirm(title, detail),
    askLine: (title, options) => questions.line(title, options),
    copy: (text) => Effect.sync(() => terminal.copy(text)),
    waiting: (label, work) =>
      Effect.acquireUseRelease(
        Effect.sync(() =>
          store.update((state) => ({
            ...state,
            waiting: label[state.language],
            waitingSince: store.now(),
            waitingTail: "",
            now: store.now()
          }))
        ),
        () => work,
        () => Effect.sync(() => store.update((state) => ({ ...state, waiting: undefined })))
      ),
    progress: (text) =>
      Effect.sync(() =>
        store.update((state) => ({ ...state, waitingTail: (state.waitingTail + text).slice(-TAIL) }), "stream")
      )
  })
  return { ui, leave, controller }
}
