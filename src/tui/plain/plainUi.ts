/**
 * The interface for screen readers and terminals that cannot move their cursor (spec 07): the terminal's own line editing, lines
 * that are only added. The same store, questions and commands as on the screen.
 */
import { Effect, FiberSet } from "effect"
import { Interrupts } from "../../process/shutdown.ts"
import { TerminalDevice } from "../../process/terminalDevice.ts"
import { makeUi } from "../makeUi.ts"
import { typedText } from "../store/sent.ts"
import { initialState, type Language, type Status } from "../store/state.ts"
import { systemClock, UiStore } from "../store/UiStore.ts"
import { loadMarkdown } from "../text/markdown/loadMarkdown.ts"
import { makeTheme } from "../text/theme.ts"
import type { Ui } from "../Ui.ts"
import type { Looks } from "../views/looks.ts"
import { key } from "../input/inputEvent.ts"
import { answerLine } from "./answerLine.ts"
import { Printer } from "./Printer.ts"

export interface PlainUiOptions {
  readonly language: Language
  readonly status: Status
  readonly env: Readonly<Record<string, string | undefined>>
}

export const plainUi = Effect.fn("Ui.plain")(function* (options: PlainUiOptions) {
  const device = yield* TerminalDevice
  const interrupts = yield* Interrupts
  const fork = yield* FiberSet.makeRuntime<never>()
  const markdown = yield* Effect.promise(() => loadMarkdown(options.env))
  const looks: Looks = { theme: makeTheme({ depth: "none", background: "dark", frames: false }), markdown }
  const store = new UiStore(
    initialState({ language: options.language, size: device.size(), status: options.status, now: Date.now() }),
    systemClock
  )
  const { controller, leave, ui } = makeUi(store, {
    run: (effect) => {
      const fiber = fork(effect)
      return () => fiber.interruptUnsafe()
    },
    suspend: () => {},
    editor: () => {},
    redraw: () => {},
    bell: () => {},
    copy: () => {}
  })
  let rest = ""
  let continued = ""

  const takeLine = (line: string): void => {
    printer.lineEnded()
    const { question } = store.current
    if (question !== undefined) {
      const reaction = answerLine(question, line)
      if (reaction.type === "answered") controller.answer(question.id, reaction.answer)
      else
        store.update((state) => ({
          ...state,
          question: reaction.type === "changed" ? reaction.question : { ...question }
        }))
      return
    }
    if (line.endsWith("\\")) {
      continued += `${line.slice(0, -1)}\n`
      return
    }
    const text = continued + line
    continued = ""
    if (text.trim() === "") store.update((state) => ({ ...state }))
    else controller.submit(typedText(text))
  }

  const isSecret = (): boolean => {
    const { question } = store.getSnapshot()
    return question?.type === "line" && question.secret
  }
  const ctrlC = (): void => controller.take(key("c", { ctrl: true }))

  /** What is not echoed has no line editing by the terminal either. */
  const takeSecret = (text: string): void => {
    for (const character of text) {
      if (character === "\r" || character === "\n") {
        const line = rest
        rest = ""
        device.write("\n")
        takeLine(line)
      } else if (character === "\u0003") ctrlC()
      else if (character === "\u007f" || character === "\b") rest = Array.from(rest).slice(0, -1).join("")
      else if (character >= " ") rest += character
    }
  }

  const decoder = new TextDecoder()
  const taken = yield* Effect.acquireRelease(
    device.take(
      { raw: false, enter: "", leave: "" },
      {
        onInput: (bytes) => {
          const text = decoder.decode(bytes, { stream: true })
          if (isSecret()) return takeSecret(text)
          const lines = (rest + text).split(/\r\n|\r|\n/)
          rest = lines.pop() ?? ""
          for (const line of lines) takeLine(line)
        },
        onResize: () => store.update((state) => ({ ...state, size: device.size() })),
        onEnd: leave,
        onStop: () => void fork(taken.stop),
        onContinue: () => {}
      }
    ),
    ({ close }) => close
  )
  yield* interrupts.handle(ctrlC)
  const printer = new Printer(store, looks, device.write)
  let raw = false
  store.subscribe(() => {
    if (isSecret() === raw) return
    raw = !raw
    taken.setRaw(raw)
  })
  yield* Effect.addFinalizer(() =>
    Effect.sync(() => {
      store.update((state) => ({ ...state, closed: true }))
      store.flush()
    })
  )
  const ready: Ui["Service"] = ui
  return ready
})
