/** `maia config`: effective values and where each comes from; the key is never shown. */
import { Effect } from "effect"
import { describeOrigin, effectiveRows } from "../../config/effectiveRows.ts"
import { Output } from "../../process/stdout.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"

export interface ConfigFlags {
  readonly cwd: string | undefined
  readonly model: string | undefined
  readonly json: boolean
  readonly promptCost: boolean
}

export const config = (flags: ConfigFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const effective = yield* configFor({ cwd: flags.cwd, model: flags.model })
      const output = yield* Output
      yield* reportErrors(effective.warnings)
      if (flags.promptCost) {
        const { promptCost } = yield* Effect.promise(() => import("./promptCost.ts"))
        return yield* promptCost(effective, flags.json)
      }
      const rows = effectiveRows(effective)
      if (flags.json) {
        yield* output.out(
          `${JSON.stringify({ launchFolder: effective.launchFolder, settings: rows, rules: effective.rules }, null, 2)}\n`
        )
        return 0
      }
      yield* output.out(`launch folder: ${effective.launchFolder}\n`)
      for (const { key, value, origin } of rows) {
        yield* output.out(`${key} = ${JSON.stringify(value) ?? "(not set)"}  (${describeOrigin(origin)})\n`)
      }
      for (const rule of effective.rules) {
        yield* output.out(`${rule.kind} ${rule.rule}  (${rule.line === 0 ? rule.file : `${rule.file}:${rule.line}`})\n`)
      }
      return 0
    })
  )
