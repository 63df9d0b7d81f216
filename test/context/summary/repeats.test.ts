/** A summary that goes round in circles is folded; what only looks alike is left alone. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { judgeSummary } from "../../../src/context/summary/judge.ts"
import { withoutRepeats } from "../../../src/context/summary/repeats.ts"
import { summarySampling } from "../../../src/context/summary/sampling.ts"
import { defaultSettings } from "../../../src/config/settings.ts"

describe("withoutRepeats", () => {
  it("a form repeated until the limit, the last time cut (recorded from SmolLM2-135M)", () => {
    const text = `The project context:\n\n${"- [Project context]\n\n".repeat(60)}- [Proj`
    assert.strictEqual(withoutRepeats(text), "The project context:\n\n- [Project context]")
  })

  it("a sentence repeated after an honest start", () => {
    assert.strictEqual(
      withoutRepeats(`Done: the parser.\n${"The tests pass. ".repeat(20)}`),
      "Done: the parser.\nThe tests pass."
    )
  })

  it("lists whose lines differ, short runs and plain text stay", () => {
    const numbered = Array.from({ length: 60 }, (_, n) => `The heron number ${n} stands in the river.`).join(" ")
    for (const text of [numbered, "ha ha ha ha ha", "- a\n- b\n- a\n- b", "", "x", "One sentence."]) {
      assert.isUndefined(withoutRepeats(text), text)
    }
  })

  it("keeps a beginning of the text, and never all of it", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.string({ minLength: 1, maxLength: 20 }), fc.nat(40), (a, b, n) => {
        const text = a + b.repeat(n)
        const folded = withoutRepeats(text)
        return folded === undefined || (text.startsWith(folded) && folded.length < text.length)
      })
    )
  })

  it("a long text takes no time", () => {
    assert.isUndefined(withoutRepeats("abc def ".repeat(40_000) + "the end"))
    assert.strictEqual(withoutRepeats("a".repeat(200_000)), "a")
  })
})

describe("a summary that repeats itself", () => {
  it("is usable where nothing better comes, folded", () => {
    const text = "Goal: fix it.\n" + "- go on\n".repeat(40)
    const answer = { text, hasReasoning: false, calls: 0, stop: "max_tokens" as const, usage: undefined }
    assert.deepStrictEqual(judgeSummary(answer), { verdict: "cut", text: "Goal: fix it.\n- go on", repeats: true })
  })

  it("is asked for again at a higher temperature: the profile's, else a raised one", () => {
    const settings = {
      ...defaultSettings,
      models: { cold: { temperature: 0 }, own: { temperature: 0.1, loopTemperature: 0.9 } }
    }
    assert.deepStrictEqual(summarySampling(settings, "cold", false), { temperature: 0 })
    assert.deepStrictEqual(summarySampling(settings, "cold", true), { temperature: 0.4 })
    assert.deepStrictEqual(summarySampling(settings, "own", true), { temperature: 0.9 })
    assert.deepStrictEqual(summarySampling(settings, "unknown", false), {})
    assert.deepStrictEqual(summarySampling(settings, "unknown", true), { temperature: 1 })
  })
})
