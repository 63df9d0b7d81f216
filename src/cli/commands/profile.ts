/** `maia profile show MODEL` (spec 06, "Profiles"): the settings a model gets, and where each value comes from. */
import { Effect } from "effect"
import type { Config } from "../../config/Config.ts"
import { modelName, parametersOf, resolveModel, type ModelOrigin } from "../../config/modelSettings.ts"
import { Output } from "../../process/stdout.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"

export const showProfile = (flags: {
  readonly cwd: string | undefined
  readonly json: boolean
  readonly model: string
}) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      yield* reportErrors(config.warnings)
      const model = modelName(flags.model)
      const { origins, profile, settings } = resolveModel(config.settings, model)
      const billions = parametersOf(model)
      const rows = Object.entries(settings).map(([key, value]) => {
        // Each key of the settings has its origin.
        const origin = origins.get(key as keyof typeof settings)
        return { key, value, origin: origin === undefined ? "" : describe(origin, key, config) }
      })
      if (flags.json) {
        const found = {
          model,
          profile: profile?.name ?? null,
          billions: billions ?? null,
          reasons: profile?.reasons ?? false
        }
        yield* output.out(`${JSON.stringify({ ...found, settings: rows }, null, 2)}\n`)
        return 0
      }
      const french = config.language === "fr"
      const none = french ? "aucun" : "none"
      yield* output.out(`${french ? "profil" : "profile"}: ${profile?.name ?? none}\n`)
      if (billions !== undefined) yield* output.out(`${french ? "taille" : "size"}: ${billions}B\n`)
      for (const { key, origin, value } of rows) yield* output.out(`${key} = ${JSON.stringify(value)}  (${origin})\n`)
      return 0
    })
  )

const describe = (origin: ModelOrigin, key: string, config: Config["Service"]): string => {
  if (origin.from === "profile") return `profile ${origin.name}`
  if (origin.from === "size") return `size ${origin.name}`
  const place = config.origins.get(`models."${origin.pattern}".${key}`)
  return place?.from === "file" ? `${place.file}:${place.line}` : `models."${origin.pattern}"`
}
