import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { safeText } from "../../../src/tui/text/safeText.ts"
import { bound, cellWidth, pad, truncate, wrapCells, wrapText, wrapWords } from "../../../src/tui/text/width.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const red = (text: string): string => `\u001b[31m${text}\u001b[39m`
const plain = (text: string): string => text.replaceAll(/\u001b\[[0-9;]*m/g, "")

describe("G1 wide characters", () => {
  for (const [text, cells] of [
    ["你好，世界", 10],
    ["👩‍👩‍👧", 2],
    ["e\u0301", 1],
    ["🇫🇷🇩🇪", 4],
    ["⚠️", 2],
    ["ｶﾞｷﾞ", 4],
    ["한국", 4],
    ["क्षि", 2],
    [red("你a"), 3],
    ["", 0]
  ] as const) {
    it(`${JSON.stringify(text)} takes ${cells} cells`, () => {
      assert.strictEqual(cellWidth(text), cells)
    })
  }

  it("truncation never leaves half a wide cell", () => {
    assert.strictEqual(truncate("你好世界", 6), "你好…")
    assert.strictEqual(truncate("你好世界", 5), "你好…")
    assert.strictEqual(truncate("你好世界", 5, "start"), "…世界")
    assert.strictEqual(truncate("你好世界", 4, "start"), "…界")
    assert.strictEqual(truncate("a👩‍👩‍👧b👍🏽c", 4), "a👩‍👩‍👧…")
  })

  it("borders line up around wide text", () => {
    for (const text of ["你好，世界", "👩‍👩‍👧 ok", "e\u0301t\u00e9", "⚠️ x"]) {
      assert.strictEqual(cellWidth(`│${pad(text, 12)}│`), 14)
      assert.strictEqual(cellWidth(`│${pad(text, 3, "center")}│`), 5)
    }
  })
})

describe("truncate", () => {
  it("puts the ellipsis where it is asked", () => {
    assert.strictEqual(truncate("abcdefgh", 5), "abcd…")
    assert.strictEqual(truncate("abcdefgh", 5, "start"), "…efgh")
    assert.strictEqual(truncate("abcdefgh", 5, "middle"), "ab…gh")
    assert.strictEqual(truncate("abc", 3), "abc")
    assert.strictEqual(truncate("abc", 1), "…")
    assert.strictEqual(truncate("abc", 0), "")
  })

  it("closes the style it cuts", () => {
    assert.strictEqual(truncate(red("abcdef"), 4), `${red("abc")}…`)
  })
})

const words = fc.string({
  unit: fc.constantFrom("a", "b", " ", "你", "👩‍👩‍👧", "e\u0301", "-", "\n", "ｶﾞ", "🇫🇷"),
  maxLength: 80
})

describe("laws", () => {
  it("nothing is wider than asked, and no text is lost by wrapping", () => {
    fc.assert(
      fc.property(words, fc.integer({ min: 2, max: 30 }), (raw, width) => {
        const text = safeText(raw)
        for (const where of ["start", "middle", "end"] as const) {
          for (const line of text.split("\n")) {
            assert.isAtMost(cellWidth(truncate(line, width, where)), width)
            assert.strictEqual(cellWidth(pad(line, width)), width)
          }
        }
        for (const wrap of [wrapWords, wrapCells]) {
          const lines = wrap(red(text), width)
          for (const line of lines) assert.isAtMost(cellWidth(line), width)
          assert.strictEqual(plain(lines.join("")).replaceAll(/\s/g, ""), text.normalize().replaceAll(/\s/g, ""))
        }
        assert.strictEqual(wrapCells(text, width).join("").replaceAll("\n", ""), text.normalize().replaceAll("\n", ""))
      }),
      { seed: 21, numRuns: 500 }
    )
  })
})

describe("wrapping", () => {
  it("breaks between words, and words that are too long between characters", () => {
    assert.deepStrictEqual(wrapWords("the quick brown fox", 10), ["the quick", "brown fox"])
    assert.deepStrictEqual(wrapWords("abcdefghijkl", 5), ["abcde", "fghij", "kl"])
    assert.deepStrictEqual(wrapWords("你好世界", 5), ["你好", "世界"])
  })

  it("hangs below a bullet", () => {
    assert.deepStrictEqual(wrapWords("one two three", 9, { first: "• ", rest: "  " }), ["• one two", "  three"])
  })

  it("keeps blanks at the beginning of lines where they mean something", () => {
    assert.deepStrictEqual(wrapText("if x:\n    return one of many\n\nend", 16, { first: "› ", rest: "  " }), [
      "› if x:",
      "      return one",
      "      of many",
      "  ",
      "  end"
    ])
    assert.deepStrictEqual(wrapText(`${red("  a")}\n${red("  b")}`, 9), [`  ${red("a")}`, `  ${red("b")}`])
    assert.deepStrictEqual(wrapText(`${" ".repeat(30)}far`, 10), ["far"])
  })

  it("keeps the blanks of code", () => {
    assert.deepStrictEqual(wrapCells("  if (x)  y", 6), ["  if (", "x)  y"])
  })

  it("opens a style again on each line", () => {
    assert.deepStrictEqual(wrapWords(red("one two"), 4), [red("one"), red("two")])
  })
})

describe("a line of a megabyte", () => {
  it("is cut without being read whole", () => {
    const line = red("x你é ".repeat(250_000))
    const start = cpuTime()
    for (let n = 0; n < 50; n++) truncate(line, 80, "middle")
    assert.isBelow(cpuTime() - start, 1_500)
  })

  it("is bounded before it is wrapped", () => {
    const { left, text } = bound(`${"x".repeat(9)}😀${"y".repeat(100)}`, 10)
    assert.strictEqual(text, "x".repeat(9))
    assert.strictEqual(left, 102)
  })
})
