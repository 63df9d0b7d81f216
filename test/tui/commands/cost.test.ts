import { assert, describe, it } from "@effect/vitest"
import { costOf } from "../../../src/tui/commands/cost.ts"
import { pricesOfModelInfo } from "../../../src/llm/serverPages.ts"

const info = (model_info: unknown) => ({ data: [{ model_name: "m", model_info }] })

describe("what a session costs", () => {
  it("is what went in, what came out of the cache at its own price, and what was answered, reasoning included", () => {
    const prices = { input: 3e-6, output: 15e-6, cached: 0.3e-6 }
    const usage = { inputTokens: 10_000, cachedTokens: 8_000, outputTokens: 100, reasoningTokens: 400 }
    assert.closeTo(costOf(usage, prices), 2_000 * 3e-6 + 8_000 * 0.3e-6 + 500 * 15e-6, 1e-12)
    assert.closeTo(costOf({ ...usage, completionTokens: 600 }, prices) - costOf(usage, prices), 100 * 15e-6, 1e-12)
    assert.closeTo(costOf(usage, { input: 1e-6, output: 0 }), 0.01, 1e-12)
  })

  it("has prices only where LiteLLM says some", () => {
    assert.deepStrictEqual(
      pricesOfModelInfo(
        info({ input_cost_per_token: 3e-6, output_cost_per_token: 1.5e-5, cache_read_input_token_cost: 3e-7 }),
        "m"
      ),
      { input: 3e-6, output: 1.5e-5, cached: 3e-7 }
    )
    assert.isUndefined(pricesOfModelInfo(info({ input_cost_per_token: 0, output_cost_per_token: 0 }), "m"))
    assert.isUndefined(pricesOfModelInfo(info({}), "m"))
    assert.isUndefined(pricesOfModelInfo(info({ output_cost_per_token: 1 }), "other"))
    assert.isUndefined(pricesOfModelInfo("<html>", "m"))
  })
})
