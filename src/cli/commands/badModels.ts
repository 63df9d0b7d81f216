/** `maia eval --bad-models`: what the guard rails are worth against scripted bad models. No server is asked. */
import { Effect } from "effect"
import { text } from "../../domain/text.ts"
import { badModels, playMatrix, VARIANTS, type BadHost } from "../../eval/bad-models/matrix.ts"
import { badModelTables } from "../../eval/bad-models/table.ts"
import { Output } from "../../process/stdout.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"
import { agentLayer } from "../layers.ts"

const host: BadHost = (llm) => (config, approver) => agentLayer(config, approver, { trust: false, llm })

export const badModelTable = (flags: { readonly cwd: string | undefined }) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      const rows = yield* Effect.result(playMatrix(badModels, VARIANTS, config, host))
      if (rows._tag === "Failure") {
        yield* reportErrors([text(rows.failure.message, rows.failure.message)])
        return EXIT.error
      }
      yield* output.out(badModelTables(rows.success, config.language))
      return EXIT.done
    })
  )
