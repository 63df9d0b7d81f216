/** Ids for calls that came without one: nine letters and digits, the only form every provider takes back (spec 01). */
import { Effect, Random } from "effect"

/** A maker of ids that differ from those of other makers. */
export const callIds: Effect.Effect<(n: number) => string> = Effect.map(Random.nextIntBetween(0, 36 ** 6), (random) => {
  const prefix = random.toString(36).padStart(6, "0")
  return (n: number) => prefix + n.toString(36).padStart(3, "0")
})
