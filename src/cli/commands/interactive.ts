/** `maia` without a command: the terminal interface needs a terminal. */
import { Effect } from "effect"
import { EXIT } from "../exitCodes.ts"
import { reportErrors } from "../failure.ts"
import { notATerminal } from "../messages.ts"

export const interactive = Effect.as(reportErrors([notATerminal]), EXIT.error)
