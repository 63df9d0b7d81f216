/** A command's failures as one line each on stderr, and the exit code. */
import { Effect } from "effect"
import type { ConfigError } from "../config/loadConfig.ts"
import type { Text } from "../domain/text.ts"
import type { LlmError } from "../llm/errors.ts"
import { Output } from "../process/stdout.ts"
import { sanitizeForTerminal } from "../process/terminalText.ts"
import type { SessionError } from "../sessions/errors.ts"
import { EXIT, exitCodeOf } from "./exitCodes.ts"
import { Launch } from "./Launch.ts"

/** Prints `texts` as errors in the interface's language. */
export const reportErrors = Effect.fnUntraced(function* (texts: ReadonlyArray<Text>) {
  const { language } = yield* Launch
  const output = yield* Output
  for (const text of texts) yield* output.err(`maia: ${sanitizeForTerminal(text[language])}\n`)
})

/** Turns settings and server failures of a command into their message and exit code. */
export const withReadableFailures = <R>(
  command: Effect.Effect<number, ConfigError | LlmError | SessionError, R>
): Effect.Effect<number, never, R | Launch | Output> =>
  command.pipe(
    Effect.catchTags({
      SessionError: (error) => Effect.as(reportErrors([error.text]), EXIT.error),
      ConfigError: (error) => Effect.as(reportErrors(error.texts), EXIT.missing),
      LlmError: (error) => Effect.as(reportErrors([error.text]), exitCodeOf("error", error.code))
    })
  )
