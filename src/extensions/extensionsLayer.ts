/**
 * The kinds of extensions this build has, in the order in which they win a name.
 */
import { Effect, Layer } from "effect"
import { Extensions } from "./Extensions.ts"
import { Skills } from "./skills/Skills.ts"
import { skillsKind } from "./skills/skillsKind.ts"

export const extensionsLayer = Layer.unwrap(
  Effect.map(Effect.all([skillsKind]), (kinds) => Extensions.layer(kinds))
).pipe(Layer.provideMerge(Skills.layer))
