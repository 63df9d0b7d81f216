/**
 * Gives memory back that a turn has used (spec 07: an idle screen takes little). The runtime collects only when it needs room, and
 * a session stays open for days. Returns at once. One call of Bun that Effect does not offer.
 */
import { Effect } from "effect"

export const tidyMemory: Effect.Effect<void> = Effect.sync(() => {
  Bun.gc(false)
})
