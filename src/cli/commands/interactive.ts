/** `maia` in a terminal (spec 07): the interface, and the conversation loop on it. Elsewhere one line and exit 1. */
import { Effect, Layer } from "effect"
import { openConversation } from "../../agent/openConversation.ts"
import type { LaunchFlags } from "../../config/loadConfig.ts"
import { Approver } from "../../permissions/Approver.ts"
import { TerminalDevice } from "../../process/terminalDevice.ts"
import { inkUi } from "../../tui/ink/inkUi.ts"
import { sessionLoop } from "../../tui/loop/session.ts"
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
      const model = config.settings.model ?? "test-model"
      const ui = yield* inkUi({
        language: config.language,
        paint: colours,
        status: { model, mode: config.settings.mode, session: "", tokens: 0, window: undefined }
      })
      yield* ui.print({ type: "banner", version: config.version, folder: config.launchFolder })
      const approver = Layer.succeed(Approver, Approver.of({ ask: ui.askPermission }))
      const work = Effect.gen(function* () {
        const opened = yield* openConversation({
          model,
          session: { continueNewest: flags.continue, save: true }
        })
        yield* sessionLoop(opened.conversation)
      }).pipe(
        Effect.provide(agentLayer(config, approver, { trust: flags.trust })),
        Effect.provideService(Ui, Ui.of(ui)),
        Effect.scoped
      )
      yield* Effect.raceFirst(work, ui.left)
      return EXIT.done
    }).pipe(Effect.scoped, Effect.provide(TerminalDevice.layer))
  )
