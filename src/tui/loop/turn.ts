/** One turn: its events into the store, what the user types meanwhile to the agent. */
import { Effect, Stream } from "effect"
import { Agent } from "../../agent/Agent.ts"
import type { TurnReason } from "../../domain/agent-event.ts"
import type { Attachment } from "../../domain/message.ts"
import { tidyMemory } from "../../process/tidyMemory.ts"
import { applyEvent, startTurn } from "../store/turnEvents.ts"
import { Ui } from "../Ui.ts"
import { countContext } from "./contextUse.ts"
import type { Talk } from "./Talk.ts"

export interface TurnRequest {
  /** For the model. */
  readonly text: string
  readonly attachments?: ReadonlyArray<Attachment>
}

/** How it ended. */
export const runTurn = Effect.fn("Tui.turn")(function* (talk: Talk, request: TurnRequest) {
  const ui = yield* Ui
  const agent = yield* Agent
  const { store } = ui
  yield* ui.ready
  // Changed by the last event, which the compiler does not see.
  let reason = "error" as TurnReason
  store.update((state) => startTurn(state, store.now()))
  yield* agent.turn(talk.conversation, { ...request, interrupt: ui.interrupted, steering: ui.takeSteering }).pipe(
    Stream.runForEachArray((events) =>
      Effect.gen(function* () {
        const at = store.now()
        store.update((state) => events.reduce((next, event) => applyEvent(next, event, at), state), "stream")
        for (const event of events) {
          if (event.type === "finished") reason = event.reason
          if (event.type !== "usage") continue
          talk.usage = event.usage
          yield* countContext(talk)
        }
      })
    ),
    Effect.ensuring(Effect.sync(() => store.update((state) => ({ ...state, turn: undefined }))))
  )
  yield* countContext(talk)
  yield* tidyMemory
  return reason
})
