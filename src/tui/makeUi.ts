/** `Ui` on a store: questions one at a time, what is sent in order, one signal per key that stops something. */
import { Deferred, Effect, Semaphore } from "effect"
import { Controller } from "./control/Controller.ts"
import { append } from "./store/log.ts"
import type { LogBody, Question, UiState } from "./store/state.ts"
import type { UiStore } from "./store/UiStore.ts"
import { Ui, type Answers } from "./Ui.ts"

/** Callbacks waiting for something to happen once. */
class Signal {
  private readonly waiting = new Set<() => void>()

  readonly wait: Effect.Effect<void> = Effect.callback((resume) => {
    const done = (): void => {
      this.waiting.delete(done)
      resume(Effect.void)
    }
    this.waiting.add(done)
    return Effect.sync(() => this.waiting.delete(done))
  })

  fire(): void {
    for (const done of this.waiting) done()
  }
}

export interface UiParts {
  readonly ui: Ui["Service"]
  readonly leave: () => void
  readonly controller: Controller
}

export const makeUi = (store: UiStore, suspend: () => void): UiParts => {
  const sent = new Signal()
  const interrupts = new Signal()
  const leaving = Deferred.makeUnsafe<void>()
  const leave = (): void => {
    Deferred.doneUnsafe(leaving, Effect.void)
  }
  const oneQuestion = Semaphore.makeUnsafe(1)
  let nextId = 1
  let pending: { readonly id: number; readonly resolve: (answer: unknown) => void } | undefined

  const controller = new Controller(store, {
    submitted: () => sent.fire(),
    interrupt: () => interrupts.fire(),
    leave,
    answer: (id, answer) => {
      if (pending?.id === id) pending.resolve(answer)
    },
    suspend
  })

  const print = (...bodies: ReadonlyArray<LogBody>): Effect.Effect<void> =>
    Effect.sync(() => store.update((state) => append(state, ...bodies)))

  const setQuestion = (question: Question | undefined): void => store.update((state) => ({ ...state, question }))

  /** The kind of the question decides the kind of its answer: `Controller` gives no other. */
  const ask = <K extends keyof Answers>(
    make: (id: number) => Question & { readonly type: K }
  ): Effect.Effect<Answers[K]> =>
    oneQuestion.withPermit(
      Effect.callback<Answers[K]>((resume) => {
        const id = nextId++
        pending = {
          id,
          resolve: (answer) => {
            pending = undefined
            setQuestion(undefined)
            // See above.
            resume(Effect.succeed(answer as Answers[K]))
          }
        }
        setQuestion(make(id))
        return Effect.sync(() => {
          pending = undefined
          setQuestion(undefined)
        })
      })
    )

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
    takeSteering,
    interrupted: interrupts.wait,
    left: Deferred.await(leaving),
    leave: Effect.sync(leave),
    askPermission: (tool, question) =>
      ask((id) => ({ type: "permission", id, tool, question, input: askedInput(store.current) })),
    choose: (title, choices) => ask((id) => ({ type: "choice", id, title, choices, selected: 0 })),
    confirm: (title, detail = "") => ask((id) => ({ type: "confirm", id, title, detail })),
    askLine: (title, { initial = "", secret = false } = {}) =>
      ask((id) => ({ type: "line", id, title, text: initial, secret })),
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

/** Arguments of the call that is being asked about. */
const askedInput = ({ turn }: UiState): unknown => turn?.tools.find(({ phase }) => phase === "asked")?.input
