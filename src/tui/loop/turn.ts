/** One turn: its events into the store, what the user types meanwhile to the agent. */
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
