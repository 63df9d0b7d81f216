import { assert, describe, it } from "@effect/vitest"
import { autoContinue } from "../../src/context/autoContinue.ts"
import {
  afterAnswer,
  afterModelTurn,
  afterRound,
  isEffective,
  mayCompact,
  openGuard,
  type Round
} from "../../src/context/CompactionGuard.ts"

const now = { model: "m", window: 8_192, fixedTokens: 2_000 }
const round = (over: Partial<Round>): Round => ({
  reason: "threshold",
  circumstances: now,
  threshold: 6_144,
  tokensBefore: 7_000,
  tokensAfter: 4_000,
  ...over
})

describe("CompactionGuard (D2: compaction loop)", () => {
  it("one round that stays over the threshold is the last one until a real turn of the model", () => {
    const guard = afterRound(openGuard, round({ tokensAfter: 6_200 }))
    assert.isFalse(mayCompact(guard, "threshold", now))
    assert.isTrue(mayCompact(afterModelTurn(guard), "threshold", now))
  })

  it("a summary hardly smaller than the input is no help either", () => {
    assert.isFalse(isEffective(round({ tokensBefore: 6_200, tokensAfter: 6_100 })))
    assert.isTrue(isEffective(round({})))
    assert.isFalse(
      mayCompact(afterRound(openGuard, round({ tokensBefore: 6_200, tokensAfter: 6_100 })), "threshold", now)
    )
  })

  it("a failed round is not tried again at each step", () => {
    const guard = afterRound(openGuard, round({ tokensAfter: undefined }))
    assert.isFalse(mayCompact(guard, "threshold", now))
  })

  it("a failed round is tried again when the context has grown by an eighth, one that did not help is not", () => {
    const failed = afterRound(openGuard, round({ tokensBefore: 6_400, tokensAfter: undefined }))
    assert.isFalse(mayCompact(failed, "threshold", now, 7_199))
    assert.isTrue(mayCompact(failed, "threshold", now, 7_200))
    const useless = afterRound(openGuard, round({ tokensBefore: 6_400, tokensAfter: 6_300 }))
    assert.isFalse(mayCompact(useless, "threshold", now, 8_000))
  })

  it("a system prompt and tools that fill the window: no turn changes that, another model does", () => {
    const full = { ...now, fixedTokens: 7_800 }
    const guard = afterRound(openGuard, round({ circumstances: full, tokensBefore: 8_000, tokensAfter: 7_900 }))
    assert.isTrue(guard.isHopeless)
    assert.isFalse(mayCompact(afterModelTurn(guard), "threshold", full))
    assert.isTrue(mayCompact(guard, "threshold", { ...full, model: "larger", window: 128_000 }))
  })

  it("something that changed opens it: window, model, tools", () => {
    const guard = afterRound(openGuard, round({ tokensAfter: undefined }))
    assert.isTrue(mayCompact(guard, "threshold", { ...now, window: 32_768 }))
    assert.isTrue(mayCompact(guard, "threshold", { ...now, fixedTokens: 1_500 }))
  })

  it("an overflow is answered once until the model has answered; a person may always ask", () => {
    const guard = afterRound(openGuard, round({ reason: "overflow" }))
    assert.isFalse(mayCompact(guard, "overflow", now))
    assert.isTrue(mayCompact(guard, "manual", now))
    assert.isTrue(mayCompact(guard, "threshold", now))
    assert.isTrue(mayCompact(afterAnswer(guard), "overflow", now))
  })

  it("a round that helped leaves nothing in the way", () => {
    const blocked = afterRound(openGuard, round({ tokensAfter: undefined }))
    const guard = afterRound(blocked, round({ reason: "manual" }))
    assert.isTrue(mayCompact(guard, "threshold", now))
  })
})

describe("autoContinue", () => {
  const base = {
    enabled: true,
    reason: "threshold",
    place: "after-turn",
    isInteractive: true,
    hasInput: false
  } as const

  it("never begins a new answer after a final one in headless", () => {
    assert.strictEqual(autoContinue({ ...base, isInteractive: false }), "none")
    assert.strictEqual(autoContinue(base), "prompt")
  })

  it("the setting, a request of the user and the turn's own loop come first", () => {
    assert.strictEqual(autoContinue({ ...base, enabled: false }), "none")
    assert.strictEqual(autoContinue({ ...base, hasInput: true }), "none")
    assert.strictEqual(autoContinue({ ...base, place: "between-iterations" }), "none")
    assert.strictEqual(autoContinue({ ...base, reason: "manual" }), "none")
  })

  it("an overflow is followed by the same request, in headless too", () => {
    assert.strictEqual(autoContinue({ ...base, reason: "overflow", isInteractive: false }), "retry")
  })
})
