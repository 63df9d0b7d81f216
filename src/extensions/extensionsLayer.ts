/**
 * The kinds of extensions this build has, in the order in which they win a name.
 */
import { Effect, Layer } from "effect"
import { Extensions } from "./Extensions.ts"

export const extensionsLayer = Layer.unwrap(Effect.map(Effect.all([]), (kinds) => Extensions.layer(kinds)))
