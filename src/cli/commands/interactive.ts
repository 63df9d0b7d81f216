/** `maia` in a terminal (spec 07): the interface, and the conversation loop on it. Elsewhere one line and exit 1. */
import { Effect } from "effect"
import type { Config } from "../../config/Config.ts"
import type { LaunchFlags } from "../../config/loadConfig.ts"
import { TerminalDevice } from "../../process/terminalDevice.ts"
import { inkUi } from "../../tui/ink/inkUi.ts"
import { runSession } from "../../tui/loop/session.ts"
import { terminalApprover } from "../../tui/terminalApprover.ts"
import { Ui } from "../../tui/Ui.ts"
import { colours } from "../../tui/views/paint.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"
import { agentLayer } from "../layers.ts"
import { notATerminal } from "../messages.ts"

export interface InteractiveFlags {
  readonly cwd: string | undefined
  readonly model: string | undefined
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
  readonly mode: LaunchFlags["mode"]
  readonly trust: boolean
  readonly session: string | undefined
  readonly continue: boolean
  readonly resume: boolean
  readonly words: ReadonlyArray<string>
}

export const interactive = (flags: InteractiveFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const device = yield* TerminalDevice
      if (!device.isTerminal) return yield* Effect.as(reportErrors([notATerminal]), EXIT.error)
      const config = yield* configFor(flags)
      const ui = yield* inkUi({
        language: config.language,
        paint: colours,
        status: {
          model: config.settings.model ?? "",
          mode: config.settings.mode,
          session: "",
          tokens: 0,
          window: undefined
        },
        editor: { cwd: config.launchFolder, env: config.env }
      })
      yield* ui.print({ type: "banner", version: config.version, folder: config.launchFolder })
      if (flags.words.length > 0) yield* ui.send(flags.words.join(" "))
      yield* Effect.raceFirst(conversations(config, flags), ui.left).pipe(Effect.provideService(Ui, ui))
      return EXIT.done
    }).pipe(Effect.scoped, Effect.provide(TerminalDevice.layer))
  )

const conversations = Effect.fnUntraced(function* (config: Config["Service"], flags: InteractiveFlags) {
  const approver = yield* terminalApprover(config)
  yield* runSession({
    model: config.settings.model ?? "test-model",
    session: { continueNewest: flags.continue, save: true }
  }).pipe(Effect.provide(agentLayer(config, approver, { trust: flags.trust })), Effect.scoped)
})
