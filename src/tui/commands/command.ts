/** What a `/command` is. */
import type { Effect } from "effect"
import type { Text } from "../../domain/text.ts"
import type { Outcome, Talk, TalkServices } from "../loop/Talk.ts"

/** A failure a command may have: said to the user, changes nothing else. */
export interface CommandFailure {
  readonly text?: Text
  readonly message: string
}

export interface Command {
  /** Without `/`. */
  readonly name: string
  /** What may follow the name, `[name]`. */
  readonly argument?: Text
  /** One line for `/help` and the completion. */
  readonly help: Text
  readonly run: (talk: Talk, argument: string) => Effect.Effect<Outcome, CommandFailure, TalkServices>
}
