/**
 * The kinds of extensions this build has, in the order in which they win a name.
 */
import { Effect, Layer } from "effect"
import { Extensions } from "./Extensions.ts"
import { CustomTools } from "./customTools/CustomTools.ts"
import { Skills } from "./skills/Skills.ts"
import { skillsKind } from "./skills/skillsKind.ts"

const customToolsKind = Effect.map(CustomTools, ({ kind }) => kind)

export const extensionsLayer = Layer.unwrap(
  Effect.map(Effect.all([skillsKind, customToolsKind]), (kinds) => Extensions.layer(kinds))
).pipe(Layer.provideMerge(Layer.mergeAll(Skills.layer, CustomTools.layer)))
