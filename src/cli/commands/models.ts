/** `maia models`: the server's list, the chosen one marked. */
import { Effect, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { LiteLlm } from "../../llm/LiteLlm.ts"
import { Output } from "../../process/stdout.ts"
import { withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"
import { llmLayer } from "../layers.ts"

export interface ModelsFlags {
  readonly cwd: string | undefined
  readonly model: string | undefined
  readonly json: boolean
}

export const models = (flags: ModelsFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd, model: flags.model })
      const output = yield* Output
      const found = yield* Effect.flatMap(LiteLlm, (llm) => llm.models).pipe(
        Effect.provide(Layer.provide(llmLayer, Layer.succeed(Config, Config.of(config))))
      )
      if (flags.json) {
        yield* output.out(
          `${JSON.stringify(found.map((model) => ({ ...model, current: model.id === config.settings.model })))}\n`
        )
        return 0
      }
      for (const { id, contextWindow } of found) {
        const mark = id === config.settings.model ? "*" : " "
        yield* output.out(`${mark} ${id}${contextWindow === undefined ? "" : `  (${contextWindow} tokens)`}\n`)
      }
      return 0
    })
  )
