/** `!command` (MAIA §11.2): runs without asking, is shown, and joins the next request. */
import { Effect } from "effect"
import { text } from "../../domain/text.ts"
import { runUserCommand } from "../../process/runUserCommand.ts"
import { Ui } from "../Ui.ts"
import { countContext } from "./contextUse.ts"
import type { Talk } from "./Talk.ts"

export const handleShell = Effect.fn("Tui.shell")(function* (talk: Talk, command: string) {
  const ui = yield* Ui
  if (command.trim() === "") return yield* ui.info(usage)
  const { store } = ui
  const result = yield* ui.waiting(
    text(`! ${command}`, `! ${command}`),
    runUserCommand(command, { interrupt: ui.interrupted, progress: ui.progress })
  )
  const status = result.status[store.current.language]
  yield* ui.print({ type: "shell", command, shown: result.shown, status })
  yield* talk.conversation.append({ type: "pending_context", text: result.pending })
  yield* countContext(talk)
})

const usage = text(
  "!command runs a command; its output joins the next request.",
  "!commande exécute une commande ; sa sortie est jointe à la prochaine demande."
)
