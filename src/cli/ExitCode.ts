/** The exit code a command ends with; set once, read by the entry point. */
import { Context, Effect } from "effect"

export class ExitCode extends Context.Service<ExitCode, { code: number }>()("maia/cli/ExitCode") {}

export const setExit = (code: number): Effect.Effect<void, never, ExitCode> =>
  Effect.map(ExitCode, (exit) => {
    exit.code = code
  })
