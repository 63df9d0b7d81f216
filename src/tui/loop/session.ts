/**
 * The conversation loop (MAIA §5.5): takes what the user sends, runs commands and turns, until the user leaves. Errors are
 * shown and never end it.
 */
import { Effect, Stream } from "effect"
import { Agent } from "../../agent/Agent.ts"
import type { Conversation } from "../../agent/Conversation.ts"
import { applyEvent, startTurn } from "../store/turnEvents.ts"
import { Ui } from "../Ui.ts"

export const runTurn = Effect.fn("Tui.turn")(function* (conversation: Conversation, text: string) {
  const ui = yield* Ui
  const agent = yield* Agent
  const { store } = ui
  yield* ui.print({ type: "user", text, steering: false })
  store.update((state) => startTurn(state, store.now()))
  yield* agent.turn(conversation, { text, interrupt: ui.interrupted, steering: ui.takeSteering }).pipe(
    Stream.runForEachArray((events) =>
      Effect.sync(() => {
        const at = store.now()
        store.update((state) => events.reduce((next, event) => applyEvent(next, event, at), state))
      })
    ),
    Effect.ensuring(Effect.sync(() => store.update((state) => ({ ...state, turn: undefined }))))
  )
})

export const sessionLoop = Effect.fn("Tui.session")(function* (conversation: Conversation) {
  const ui = yield* Ui
  while (true) {
    const text = yield* ui.next
    if (text.trim() === "/exit") return
    yield* runTurn(conversation, text)
  }
})
