/**
 * One conversation in the terminal (MAIA §5.5): takes what the user sends, runs commands and turns, until the user leaves or
 * goes to another session. Errors are shown and never end it.
 */
import { Effect } from "effect"
import { openConversation, type OpenInput } from "../../agent/openConversation.ts"
import { Ui } from "../Ui.ts"
import { runTurn } from "./turn.ts"

export const runSession = Effect.fn("Tui.session")(function* (open: OpenInput) {
  const ui = yield* Ui
  const { conversation, warnings } = yield* openConversation(open)
  for (const warning of warnings) yield* ui.warn(warning)
  while (true) {
    const text = yield* ui.next
    if (text.trim() === "/exit") return
    yield* runTurn(conversation, text)
  }
})
