import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { contextBar } from "../../../src/tui/text/contextBar.ts"
import { duration, elapsed } from "../../../src/tui/text/duration.ts"
import { bytes, percent, shortNumber } from "../../../src/tui/text/numbers.ts"
import { makeTheme } from "../../../src/tui/text/theme.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"

const plain = makeTheme({ depth: "none", background: "dark" })
const colours = makeTheme({ depth: "16", background: "dark" })

describe("numbers", () => {
  for (const [value, shown] of [
    [0, "0"],
    [950, "950"],
    [999, "999"],
    [1_000, "1k"],
    [12_345, "12.3k"],
    [45_700, "45.7k"],
    [200_000, "200k"],
    [999_949, "999.9k"],
    [999_999, "1M"],
    [1_048_576, "1.05M"],
    [1_500_000, "1.5M"],
    [2_000_000_000, "2G"],
    [Number.NaN, "?"],
    [-3, "0"]
  ] as const) {
    it(`${value}: ${shown}`, () => assert.strictEqual(shortNumber(value), shown))
  }

  it("percentages: 100 only when it is full", () => {
    assert.deepStrictEqual(
      [percent(45_700, 200_000), percent(199_900, 200_000), percent(210, 200), percent(1, 0)],
      [23, 99, 105, 0]
    )
  })

  it("bytes", () => {
    assert.deepStrictEqual([0, 950, 1_234, 56_789, 999_600, 1_234_567].map(bytes), [
      "0 B",
      "950 B",
      "1.2 kB",
      "57 kB",
      "1 MB",
      "1.2 MB"
    ])
  })
})

describe("durations", () => {
  it("short, long, and as a running clock", () => {
    assert.deepStrictEqual([0, 430, 9_949, 9_960, 59_999, 125_000, 3_720_000, 100_000_000, -5].map(duration), [
      "0.0 s",
      "0.4 s",
      "9.9 s",
      "10 s",
      "1 min 00 s",
      "2 min 05 s",
      "1 h 02 min",
      "27 h 46 min",
      "0.0 s"
    ])
    assert.deepStrictEqual([0, 1_999, 60_000].map(elapsed), ["0 s", "1 s", "1 min 00 s"])
  })
})

describe("context bar", () => {
  const squares = (line: string): number => [...line].filter((character) => character === "■").length

  it("one square for ten thousand tokens, and the label of the reference", () => {
    assert.strictEqual(
      contextBar({ tokens: 45_700, window: 200_000 }, 80, plain),
      `${"■".repeat(5)}${"□".repeat(15)} 45.7k / 200k · 23%`
    )
  })

  it("the scale grows by ten thousand when the bar is wider than the terminal, and is said", () => {
    assert.strictEqual(
      contextBar({ tokens: 45_700, window: 200_000 }, 38, plain),
      "1■ = 30k  ■■□□□□□ 45.7k / 200k · 23%"
    )
    assert.strictEqual(
      contextBar({ tokens: 400_000, window: 1_050_000 }, 80, plain),
      `1■ = 30k  ${"■".repeat(13)}${"□".repeat(22)} 400k / 1.05M · 38%`
    )
  })

  it("at least one square as soon as there is something, none before", () => {
    assert.strictEqual(squares(contextBar({ tokens: 10, window: 200_000 }, 80, plain)), 1)
    assert.strictEqual(squares(contextBar({ tokens: 0, window: 200_000 }, 80, plain)), 0)
  })

  it("green, yellow from 60 %, red from 85 %, empty squares grey", () => {
    const colourAt = (tokens: number): string => contextBar({ tokens, window: 200_000 }, 80, colours).slice(0, 5)
    assert.deepStrictEqual([118_000, 120_000, 168_000, 170_000].map(colourAt), [
      "\u001b[32m",
      "\u001b[33m",
      "\u001b[33m",
      "\u001b[31m"
    ])
    assert.include(contextBar({ tokens: 1, window: 200_000 }, 80, colours), `\u001b[90m${"■".repeat(19)}\u001b[39m`)
  })

  it("read aloud it is its numbers", () => {
    const aloud = makeTheme({ depth: "none", background: "dark", frames: false })
    assert.strictEqual(contextBar({ tokens: 45_700, window: 200_000 }, 80, aloud), "45.7k / 200k · 23%")
  })

  it("an unknown window has no bar", () => {
    assert.strictEqual(contextBar({ tokens: 5, window: undefined }, 80, plain), "")
  })

  it("never wider than it may be, whatever the numbers", () => {
    fc.assert(
      fc.property(fc.nat(3_000_000), fc.nat(100_000_000), fc.integer({ min: 1, max: 200 }), (tokens, window, width) => {
        for (const theme of [plain, colours])
          assert.isAtMost(cellWidth(contextBar({ tokens, window }, width, theme)), width)
      }),
      { seed: 2, numRuns: 500 }
    )
  })
})
