/**
 * The model that answers now. Whoever opens a session or switches models sets it.
 */
import { Context, Effect, Layer, Ref } from "effect"

export class ActiveModel extends Context.Service<
  ActiveModel,
  {
    /** Undefined before a session is open. */
    readonly get: Effect.Effect<string | undefined>
    readonly set: (model: string) => Effect.Effect<void>
  }
>()("maia/tools/ActiveModel") {
  static readonly layer = Layer.effect(
    ActiveModel,
    Effect.map(Ref.make<string | undefined>(undefined), (model) =>
      ActiveModel.of({ get: Ref.get(model), set: (name) => Ref.set(model, name) })
    )
  )
}
