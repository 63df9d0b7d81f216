/** What a session has cost so far, where the server says what its models cost (spec 07, `/status`). */
import { Effect } from "effect"
import type { Prices } from "../../domain/llm.ts"
import type { Usage } from "../../domain/message.ts"
import { LiteLlm } from "../../llm/LiteLlm.ts"
import { isKnownEntry, type AnyEntry } from "../../sessions/checkEntry.ts"

/** US dollars; input that came out of the cache at its own price. */
export const costOf = (usage: Usage, { cached: cachedPrice, input, output }: Prices): number => {
  const cached = Math.min(usage.cachedTokens ?? 0, usage.inputTokens)
  const answered = usage.completionTokens ?? usage.outputTokens + (usage.reasoningTokens ?? 0)
  return (usage.inputTokens - cached) * input + cached * (cachedPrice ?? input) + answered * output
}

/** Of all answers on the path; undefined where no model of them has a price. */
export const sessionCost = Effect.fn("Tui.sessionCost")(function* (path: ReadonlyArray<AnyEntry>) {
  const llm = yield* LiteLlm
  const spent = new Map<string, Array<Usage>>()
  for (const entry of path) {
    if (!isKnownEntry(entry) || entry.type !== "message" || entry.message.role !== "assistant") continue
    const { model, usage } = entry.message
    if (model !== undefined && usage !== undefined) spent.set(model, [...(spent.get(model) ?? []), usage])
  }
  let total: number | undefined
  for (const [model, usages] of spent) {
    const prices = yield* llm.prices(model)
    if (prices !== undefined) total = usages.reduce((sum, usage) => sum + costOf(usage, prices), total ?? 0)
  }
  return total
})
