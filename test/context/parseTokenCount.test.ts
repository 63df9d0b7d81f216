import { assert, describe, it } from "@effect/vitest"
import { parseTokenCount } from "../../src/context/parseTokenCount.ts"
import { cpuTime } from "../support/cpuTime.ts"

const cases: ReadonlyArray<readonly [answer: string, tokens: number | undefined]> = [
  ["128000", 128_000],
  ["128 000 tokens", 128_000],
  ["128\u00a0000", 128_000],
  ["128\u202f000 jetons", 128_000],
  ["131,072", 131_072],
  ["1.000.000", 1_000_000],
  ["1,048,576 tokens", 1_048_576],
  ["200_000", 200_000],
  ["200'000", 200_000],
  ["200k", 200_000],
  ["200 K tokens", 200_000],
  ["1M", 1_000_000],
  ["1,5 million", 1_500_000],
  ["1.5M", 1_500_000],
  ["1.048M tokens", 1_048_000],
  ["1,000k", 1_000_000],
  ["2 millions", 2_000_000],
  ["128 mille", 128_000],
  ["**32768**", 32_768],
  ["My context window is 8192 tokens.", 8_192],
  ["Je gère 128k tokens (soit 131072 tokens, ou 500000 caractères)", 128_000],
  ["max output 4096, context 65536", 65_536],
  ["32k or 64k", 64_000],
  ["gpt4 was trained in 2024; 200k", 200_000],
  ["999", undefined],
  ["100 000 001", undefined],
  ["100 000 000", 100_000_000],
  ["1000", 1_000],
  ["version 3.5", undefined],
  ["I do not know", undefined],
  ["128 km", undefined],
  ["", undefined]
]

describe("parseTokenCount", () => {
  for (const [answer, tokens] of cases) {
    it(JSON.stringify(answer), () => assert.strictEqual(parseTokenCount(answer), tokens))
  }

  it("a very long answer costs linear time", () => {
    const start = cpuTime()
    assert.strictEqual(parseTokenCount("1 ".repeat(200_000)), undefined)
    assert.strictEqual(parseTokenCount("9".repeat(400_000)), undefined)
    assert.isBelow(cpuTime() - start, 2000)
  })
})
