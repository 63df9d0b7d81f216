/**
 * `!command`: a command the user typed (spec 02, MAIA §11.2). Runs without asking; its output is shown in short and joins
 * the next request.
 */
import { Effect } from "effect"
import type { Text } from "../domain/text.ts"
import { cutMiddle, outputText, type OutputText } from "./outputText.ts"
import { Shell } from "./Shell.ts"
import { describeStatus } from "./shellStatus.ts"
import { sanitizeForTerminal } from "./terminalText.ts"

export interface UserCommandResult {
  /** For the user, safe to draw: at most 4 000 characters. */
  readonly shown: string
  readonly status: Text
  /** For the context of the next request: at most 30 000 characters, English around the output. */
  readonly pending: string
}

export interface UserCommandOptions {
  /** New output while it runs. */
  readonly progress?: (text: string) => Effect.Effect<void>
  /** Ends the command with what it has printed so far. */
  readonly interrupt?: Effect.Effect<unknown>
}

const maxShown = 4_000
const maxPending = 30_000
/** Bytes kept from each end: together the 1 000 000 of MAIA §11.2. */
const readPerEnd = 500_000

/** Never fails: what went wrong is the status. 120 s at most. */
export const runUserCommand = Effect.fn("runUserCommand")(function* (
  command: string,
  options: UserCommandOptions = {}
) {
  const shell = yield* Shell
  const result = yield* shell.run({ command, readPerEnd, outsideSandbox: true, ...options })
  const output = outputText(result.output)
  const status = describeStatus(result.status)
  const before = `The user ran this command:\n${limited({ head: command, tail: undefined }, maxPending / 3)}\n\nIts output:\n`
  const after = ["", ...result.notes, status.en].join("\n")
  const pending = before + limited(output, maxPending - before.length - after.length) + after
  yield* result.discard
  return { shown: sanitizeForTerminal(limited(output, maxShown)), status, pending } satisfies UserCommandResult
})

const limited = ({ head, tail }: OutputText, limit: number): string => {
  if (tail === undefined && head.length <= limit) return head === "" ? "(no output)" : head
  return cutMiddle(head, tail ?? head, limit, "[… the middle is left out …]")
}
