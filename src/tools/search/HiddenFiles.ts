/** What the rules of the moment keep out of the answers of Glob and Grep. */
import { Context, Effect, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { placesOf } from "../../permissions/places.ts"
import { searchGuard, type SearchGuard } from "../../permissions/searchGuard.ts"

export class HiddenFiles extends Context.Service<HiddenFiles, { readonly current: Effect.Effect<SearchGuard> }>()(
  "maia/tools/search/HiddenFiles"
) {
  static readonly layer = Layer.effect(
    HiddenFiles,
    Effect.gen(function* () {
      const config = yield* Config
      const permissions = yield* Permissions
      const places = placesOf(config)
      return HiddenFiles.of({ current: Effect.map(permissions.rules, (rules) => searchGuard(rules, places)) })
    })
  )
}
