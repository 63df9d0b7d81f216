/** `/exit`. */
import { Effect } from "effect"
import { text } from "../../domain/text.ts"
import type { Command } from "./command.ts"

export const leaveCommands: ReadonlyArray<Command> = [
  {
    name: "exit",
    help: text("Leave; the session is kept", "Quitter ; la session est conservée"),
    run: () => Effect.succeed({ type: "leave" })
  }
]
