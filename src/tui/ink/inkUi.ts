/**
 * The interface on a real terminal: takes it, reads keys, draws with Ink, follows its size, and gives it back whatever ends
 * the program.
 */
import { Effect } from "effect"
import { render } from "ink"
import { createElement } from "react"
import { TerminalDevice } from "../../process/terminalDevice.ts"
import { readKeys } from "../control/keys.ts"
import { makeUi } from "../makeUi.ts"
import type { Status, Language } from "../store/state.ts"
import { initialState } from "../store/state.ts"
import { UiStore } from "../store/UiStore.ts"
import type { Ui } from "../Ui.ts"
import type { Paint } from "../views/paint.ts"
import { App } from "./App.tsx"
import { TerminalStream } from "./terminalStream.ts"

/** Bracketed paste, and keys that can be told apart where the terminal knows how. */
const ENTER = "\u001b[?2004h"
const LEAVE = "\u001b[?2004l\u001b[?2026l\u001b[?25h\u001b[0m"

export const inkUi = Effect.fn("Ui.ink")(function* (options: {
  readonly language: Language
  readonly status: Status
  readonly paint: Paint
}) {
  const device = yield* TerminalDevice
  const store = new UiStore(
    initialState({ language: options.language, size: device.size(), status: options.status, now: Date.now() })
  )
  const { controller, leave, ui } = makeUi(store, () => {})
  const stream = new TerminalStream(device)
  yield* Effect.acquireRelease(
    device.take(
      { raw: true, enter: ENTER, leave: LEAVE },
      {
        onInput: (bytes) => {
          for (const key of readKeys(bytes)) controller.press(key)
        },
        onResize: () => {
          const size = device.size()
          store.update((state) => ({ ...state, size }))
          stream.resize(size)
        },
        onEnd: leave
      }
    ),
    ({ close }) => close
  )
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      // The stream has the parts of a terminal's that Ink uses.
      render(createElement(App, { store, paint: options.paint }), {
        stdout: stream,
        exitOnCtrlC: false,
        patchConsole: false,
        interactive: true,
        maxFps: 60
      })
    ),
    (instance) =>
      Effect.promise(async () => {
        store.update((state) => ({ ...state, closed: true }))
        store.flush()
        await instance.waitUntilRenderFlush()
        instance.unmount()
      })
  )
  yield* Effect.forkScoped(clock(store))
  return ui satisfies Ui["Service"]
})

/** Moves the time on while something runs, for spinners and seconds. */
const clock = (store: UiStore): Effect.Effect<never> =>
  Effect.forever(
    Effect.andThen(
      Effect.sleep(100),
      Effect.sync(() =>
        store.update((state) =>
          state.turn === undefined && state.waiting === undefined ? state : { ...state, now: store.now() }
        )
      )
    )
  )
