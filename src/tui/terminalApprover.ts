/** Answers permission questions by asking the person at the terminal. */
import { Effect, FileSystem, Layer, Path } from "effect"
import { Config } from "../config/Config.ts"
import { Approver } from "../permissions/Approver.ts"
import { changePreview } from "./changePreview.ts"
import { Ui } from "./Ui.ts"

/** A layer that needs nothing more: whoever makes it has the interface. */
export const terminalApprover = Effect.fnUntraced(function* (config: Config["Service"]) {
  const services = yield* Effect.context<Ui | FileSystem.FileSystem | Path.Path>()
  return Layer.succeed(
    Approver,
    Approver.of({
      ask: (tool, question, call) =>
        Effect.gen(function* () {
          const ui = yield* Ui
          return yield* ui.askPermission(tool, question, yield* changePreview(tool, call.input))
        }).pipe(Effect.provideService(Config, Config.of(config)), Effect.provide(services))
    })
  )
})
