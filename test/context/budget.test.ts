import { assert, describe, it } from "@effect/vitest"
import { defaultSettings } from "../../src/config/settings.ts"
import {
  compactionThreshold,
  contextTokens,
  keepLimits,
  reserveTokens,
  shouldCompact,
  summaryTokens
} from "../../src/context/budget.ts"

const settings = defaultSettings.compaction

describe("compaction threshold", () => {
  it("in place: the window without min(16 384, 25 %)", () => {
    assert.strictEqual(compactionThreshold(settings, 200_000), 200_000 - 16_384)
    assert.strictEqual(compactionThreshold(settings, 8_192), 6_144)
  })

  it("new session: MAIA's 4 000 + 500, capped at 25 %", () => {
    assert.strictEqual(compactionThreshold(settings, 200_000, "new-session"), 195_500)
    assert.strictEqual(reserveTokens(settings, 8_192, "new-session"), 2_048)
  })

  it("settings win; a reserve that takes all of the window is no threshold", () => {
    assert.strictEqual(compactionThreshold({ ...settings, reserveTokens: 1_000 }, 8_192), 7_192)
    assert.isUndefined(compactionThreshold({ ...settings, reserveTokens: 9_000 }, 8_192))
    assert.isUndefined(compactionThreshold(settings, undefined))
  })

  it("triggers strictly above it, by messages where the window is unknown, never when disabled", () => {
    const at = (tokens: number, window: number | undefined, messages = 0, enabled = true) =>
      shouldCompact({ settings: { ...settings, enabled }, window, tokens, messages })
    assert.isFalse(at(6_144, 8_192))
    assert.isTrue(at(6_145, 8_192))
    assert.isFalse(at(6_145, 8_192, 0, false))
    assert.isFalse(at(1_000_000, undefined, 100))
    assert.isTrue(at(10, undefined, 101))
    assert.isFalse(at(10, 8_192, 5_000))
  })

  it("the trigger is the larger of the local count and the server's plus what was added since", () => {
    assert.strictEqual(contextTokens(1_000, undefined), 1_000)
    assert.strictEqual(contextTokens(1_000, { promptTokens: 1_500, localTokens: 900 }), 1_600)
    assert.strictEqual(contextTokens(1_000, { promptTokens: 500, localTokens: 900 }), 1_000)
    // The context became smaller since (undo): the server's count stands alone.
    assert.strictEqual(contextTokens(800, { promptTokens: 1_500, localTokens: 900 }), 1_500)
  })
})

describe("what is kept", () => {
  const limits = (window: number | undefined, fixedTokens: number, conversationTokens: number, ratio = 1) =>
    keepLimits({ settings, window, fixedTokens, conversationTokens, ratio })

  it("min(20 000, 30 % of the window)", () => {
    assert.strictEqual(limits(200_000, 2_000, 180_000).recent, 20_000)
    assert.strictEqual(limits(32_000, 2_000, 20_000).recent, 9_600)
  })

  it("a small window leaves room for the summary, the fixed part and the next steps", () => {
    const { recent, most } = limits(8_192, 2_000, 4_200)
    assert.isAtMost(recent, most)
    assert.isAtMost(2_000 + summaryTokens(8_192) * 1.5 + most, 6_144)
    assert.isAbove(recent, 500)
  })

  it("a server that counts more than we do is given less", () => {
    assert.isAtMost(limits(32_000, 2_000, 20_000, 2).recent, limits(32_000, 2_000, 20_000).recent / 2)
    assert.deepStrictEqual(limits(32_000, 2_000, 20_000, 0.2), limits(32_000, 2_000, 20_000))
    assert.deepStrictEqual(limits(32_000, 2_000, 20_000, Number.NaN), limits(32_000, 2_000, 20_000))
  })

  it("an unknown window: a share of the conversation, so that compacting is worth it", () => {
    assert.deepStrictEqual(limits(undefined, 2_000, 10_000), { recent: 3_000, most: 3_000 })
    assert.strictEqual(limits(undefined, 2_000, 500_000).recent, 20_000)
  })

  it("a fixed part that fills the window keeps nothing", () => {
    assert.deepStrictEqual(limits(8_192, 7_800, 500), { recent: 0, most: 0 })
  })
})
