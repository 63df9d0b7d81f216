/** Keeps the context bar true (MAIA §13): counts what the next request would hold, and looks up the window once. */
import { Effect } from "effect"
import { ContextWindow } from "../../context/ContextWindow.ts"
import { TokenCounter } from "../../context/TokenCounter.ts"
import { Ui } from "../Ui.ts"
import type { Talk } from "./Talk.ts"

/** Costs what is new since the last time. */
export const countContext = Effect.fnUntraced(function* ({ conversation }: Talk) {
  const { store } = yield* Ui
  const counter = yield* TokenCounter
  const windows = yield* ContextWindow
  const { messages, model, specs, system } = conversation
  const { tokens } = counter.context({ model, system, tools: specs, messages })
  const window = (yield* windows.known(model))?.tokens
  const session = yield* conversation.session.name
  store.update((state) => ({ ...state, status: { ...state.status, model, session, tokens, window } }))
})

/** Asks the server's pages, never the model: a request that nobody sent for is a surprise. */
export const lookUpWindow = Effect.fnUntraced(function* (talk: Talk) {
  const windows = yield* ContextWindow
  yield* windows.get(talk.conversation.model, { askModel: false })
  yield* countContext(talk)
})
