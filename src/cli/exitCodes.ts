/** Exit codes of every command (spec 02). */
import type { TurnReason } from "../domain/agent-event.ts"

export const EXIT = {
  done: 0,
  error: 1,
  usage: 2,
  iterationLimit: 3,
  refused: 4,
  /** Settings, server or model missing. */
  missing: 5,
  interrupted: 130
} as const

/** Error codes of a model call that mean: settings, server or model missing. */
const MISSING = new Set(["no_settings", "unreachable", "refused_key", "unknown_model", "not_openai"])

export const exitCodeOf = (reason: TurnReason, errorCode: string | undefined): number => {
  switch (reason) {
    case "done":
      return EXIT.done
    case "refused":
      return EXIT.refused
    case "max_iterations":
      return EXIT.iterationLimit
    case "interrupted":
      return EXIT.interrupted
    case "stuck":
      return EXIT.error
    case "error":
      return errorCode !== undefined && MISSING.has(errorCode) ? EXIT.missing : EXIT.error
  }
}
