/**
 * The interface on a real terminal: takes it, reads keys, draws with Ink, follows its size, and gives it back whatever ends
 * the program.
 */
import { Base64 } from "effect/encoding"
import { Effect, FiberSet, type FileSystem, type Path } from "effect"
import { TerminalDevice } from "../../process/terminalDevice.ts"
import type { InputEvent } from "../input/inputEvent.ts"
import { TerminalInput } from "../input/TerminalInput.ts"
import { makeUi } from "../makeUi.ts"
import { append } from "../store/log.ts"
import { initialState, type Language, type Status } from "../store/state.ts"
import { startTicker } from "../store/ticker.ts"
import { systemClock, UiStore } from "../store/UiStore.ts"
import { loadMarkdown } from "../text/markdown/loadMarkdown.ts"
import type { Theme } from "../text/theme.ts"
import type { Ui } from "../Ui.ts"
import type { Looks } from "../views/looks.ts"
import { editText, type EditorPlace } from "./editInput.ts"
import { Screen } from "./screen.ts"
import { KEEP_TITLE, OLD_TITLE, tellTerminal, UNWATCH_FOCUS, WATCH_FOCUS } from "./tellTerminal.ts"

/** Bracketed paste; keys that can be told apart, where the terminal knows how. */
const ENTER = `\u001b[?2004h\u001b[>1u${WATCH_FOCUS}${KEEP_TITLE}`
/** The same undone, and what a drawing that was cut short may have left. */
const LEAVE = `${OLD_TITLE}${UNWATCH_FOCUS}\u001b[<u\u001b[?2004l\u001b[?2026l\u001b[0m\u001b[?25h`

const BELL = "\u0007"

/** OSC 52: our own, of a text the user asked to copy. */
const clipboard = (text: string): string => `\u001b]52;c;${Base64.encode(text)}\u0007`

/** Characters the terminal may be behind before drawings wait for it. */
const BEHIND = 64 * 1024
/** Milliseconds of silence that end an escape sequence. */
const SILENCE = 50

export interface InkUiOptions {
  readonly language: Language
  readonly status: Status
  readonly theme: Theme
  readonly editor: EditorPlace
}

export const inkUi = Effect.fn("Ui.ink")(function* (options: InkUiOptions) {
  const device = yield* TerminalDevice
  const store = new UiStore(
    initialState({ language: options.language, size: device.size(), status: options.status, now: Date.now() }),
    systemClock,
    () => device.pending() < BEHIND
  )
  const looks: Looks = { theme: options.theme, markdown: undefined }
  const fork = yield* FiberSet.makeRuntime<FileSystem.FileSystem | Path.Path>()
  const input = new TerminalInput()
  let silence: ReturnType<typeof setTimeout> | undefined

  /** Somebody else has the terminal while `use` runs. */
  const away = <A, R>(use: Effect.Effect<A, never, R>): Effect.Effect<A, never, R> =>
    Effect.acquireUseRelease(
      Effect.promise(() => screen.leave()).pipe(
        Effect.andThen(device.drain),
        Effect.andThen(Effect.sync(() => taken.release()))
      ),
      () => use,
      () =>
        Effect.sync(() => {
          taken.retake()
          screen.back()
          telling.again()
        })
    )

  const edit = (text: string) =>
    Effect.map(away(editText(text, options.editor)), (edited) => {
      if (edited !== undefined) controller.draft(edited)
    })

  const { controller, leave, ui } = makeUi(store, {
    run: (effect) => {
      const fiber = fork(effect)
      return () => fiber.interruptUnsafe()
    },
    suspend: () => void fork(away(taken.stop)),
    editor: (text) => void fork(edit(text)),
    redraw: () => screen.redrawAll(),
    bell: () => device.write(BELL),
    copy: (text) => device.write(clipboard(text))
  })

  /** A key that fails is said, and the next one works. */
  const take = (events: ReadonlyArray<InputEvent>): void => {
    for (const event of events) {
      try {
        controller.take(event)
      } catch (error) {
        store.update((state) => append(state, { type: "fail", text: `maia: ${String(error)}` }))
      }
    }
  }

  const listen = (): void => {
    clearTimeout(silence)
    if (!input.pending) return
    silence = setTimeout(() => {
      take(input.flush())
      listen()
    }, SILENCE)
  }

  const taken = yield* Effect.acquireRelease(
    device.take(
      { raw: true, enter: ENTER, leave: LEAVE },
      {
        onInput: (bytes) => {
          take(input.feed(bytes))
          listen()
        },
        onResize: () => screen.resized(() => controller.resized()),
        onEnd: leave,
        onStop: () => void fork(away(taken.stop)),
        onContinue: () => screen.redrawAll()
      }
    ),
    ({ close }) => close
  )
  const screen = yield* Effect.acquireRelease(
    Effect.sync(() => new Screen(device, store, looks)),
    (opened) =>
      Effect.promise(() => {
        clearTimeout(silence)
        store.update((state) => ({ ...state, closed: true }))
        return opened.close()
      })
  )
  const telling = yield* Effect.acquireRelease(
    Effect.sync(() => tellTerminal(store, device)),
    ({ stop }) => Effect.sync(stop)
  )
  yield* Effect.acquireRelease(
    Effect.sync(() => startTicker(store)),
    (stop) => Effect.sync(stop)
  )
  const loaded = yield* Effect.cached(
    Effect.map(
      Effect.promise(() => loadMarkdown(options.editor.env)),
      (markdown) => {
        looks.markdown = markdown
      }
    )
  )
  const ready: Ui["Service"] = { ...ui, ready: loaded }
  return ready
})
