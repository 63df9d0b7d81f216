import { assert, describe, it } from "@effect/vitest"
import { PrefixWatch, type Prefix } from "../../src/agent/prefixWatch.ts"
import type { ToolSpec } from "../../src/domain/llm.ts"

const spec = (name: string): ToolSpec => ({ name, description: "", parameters: {} })
const specs = [spec("Read"), spec("Bash")]
const prefix: Prefix = { model: "m", system: "s", specs, revision: 1 }
const usage = (inputTokens: number, cachedTokens?: number) => ({
  inputTokens,
  outputTokens: 1,
  ...(cachedTokens === undefined ? {} : { cachedTokens })
})

/** A full request, then one that follows it. */
const second = (now: Prefix, cached: number | undefined) => {
  const watch = new PrefixWatch()
  watch.note(prefix, usage(10_000, 0))
  watch.note(now, usage(11_000, cached))
  return watch.report
}

describe("PrefixWatch", () => {
  it("says nothing against a first request, nor where the server tells nothing", () => {
    const watch = new PrefixWatch()
    watch.note(prefix, usage(10_000))
    assert.isUndefined(watch.report)
    watch.note(prefix, usage(10_000, 0))
    assert.isUndefined(new PrefixWatch().report?.reason)
  })

  it("a prefix that was kept has a rate and no reason", () => {
    assert.deepStrictEqual(second(prefix, 9_900), { rate: 0.9, readAgain: 0, reason: undefined })
    assert.isUndefined(second(prefix, 9_216)?.reason, "whole blocks of the cache")
  })

  for (const [what, now, reason] of [
    ["another model", { ...prefix, model: "n" }, "the model was changed"],
    ["other tools", { ...prefix, specs: [spec("Read"), spec("mcp__a")] }, "the tools changed (+mcp__a, −Bash)"],
    ["another system prompt", { ...prefix, system: "t" }, "the system prompt changed"],
    ["rewritten messages", { ...prefix, revision: 2 }, "earlier messages were shortened"],
    ["the same request", prefix, "the request began as before"]
  ] as const) {
    it(`names what was changed: ${what}`, () => {
      const report = second(now, 100)
      assert.include(report?.reason?.en ?? "", reason)
      assert.strictEqual(report?.readAgain, 9_900)
    })
  }
})
