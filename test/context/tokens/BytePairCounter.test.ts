import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Tiktoken } from "js-tiktoken/lite"
import ranks from "js-tiktoken/ranks/o200k_base"
import { readFileSync } from "node:fs"
import { packVocabulary, VOCABULARY_FILE } from "../../../scripts/packVocabulary.ts"
import { BytePairCounter, LONG_RUN } from "../../../src/context/tokens/BytePairCounter.ts"
import { pieceEnd } from "../../../src/context/tokens/pieces.ts"
import { Vocabulary } from "../../../src/context/tokens/Vocabulary.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const packed = new Uint8Array(readFileSync(VOCABULARY_FILE))
const counter = new BytePairCounter(new Vocabulary(packed))
const oracle = new Tiktoken(ranks)
const expected = (text: string): number => oracle.encode(text, [], []).length

const pieces = (text: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (let at = 0; at < text.length;) {
    const end = pieceEnd(text, at)
    found.push(text.slice(at, end))
    at = end
  }
  return found
}

/** Text that meets every alternative of the pattern and every kind of character. */
const awkwardText = fc
  .array(
    fc.oneof(
      fc.string({ unit: "binary", maxLength: 12 }),
      fc.string({ unit: "grapheme", maxLength: 12 }),
      fc.string({ unit: "binary-ascii", maxLength: 20 }),
      fc.constantFrom("'s", "'LL", "'Ve", "'", "don't", "I'M", "x'ſ", "'ſ", "ǅ", "ʰ", "e\u0301", "\u0301", "\u0301A"),
      fc.constantFrom(" ", "  ", "\t", "\n", "\r\n", " \n ", "\u00a0", "\u3000", "\ufeff", "\u2028", "   \n\n  x"),
      fc.constantFrom("<|endoftext|>", "<|endofprompt|>", "<|im_start|>", "//", "/\n/", " ///\r\n", "...", "=>", "\0"),
      fc.constantFrom("1", "12", "1234567", "٣٤٥٦", "Ⅻ", "½", "HTMLElement", "camelCaseName", "SNAKE_CASE", "ÉCOLE"),
      fc.constantFrom("語", "日本語", "한국어", "ไทย", "हिन्दी", "עברית", "😀", "👩‍👩‍👧", "\ud83d", "\ude00", "𝒜𝓫"),
      fc
        .tuple(fc.constantFrom("a", "A", " ", "-", "_", "語", "é", "1", "ab"), fc.integer({ min: 1, max: 90 }))
        .map(([unit, times]) => unit.repeat(times))
    ),
    { maxLength: 25 }
  )
  .map((parts) => parts.join(""))

describe("BytePairCounter", () => {
  it("the packed vocabulary is what the script makes of js-tiktoken's", () => {
    assert.isTrue(Buffer.from(packVocabulary()).equals(Buffer.from(packed)))
  })

  it("cuts pieces as the vocabulary's own pattern does", () => {
    const pattern = new RegExp(ranks.pat_str, "ug")
    fc.assert(
      fc.property(awkwardText, (text) => {
        assert.deepStrictEqual(
          pieces(text),
          Array.from(text.matchAll(pattern), ([piece]) => piece)
        )
      }),
      { seed: 1, numRuns: 3000 }
    )
  })

  it("counts as js-tiktoken does", () => {
    fc.assert(
      fc.property(awkwardText, (text) => assert.strictEqual(counter.count(text), expected(text))),
      { seed: 2, numRuns: 2000 }
    )
  })

  it("counts as js-tiktoken does on code, prose and a run merged by the heap", () => {
    const code = readFileSync(new URL("../../../src/context/tokens/BytePairCounter.ts", import.meta.url), "utf8")
    const prose = "Le cœur a ses raisons que la raison ne connaît point ; 東京は晴れ。Это не трубка. ".repeat(20)
    for (const text of [code, prose, "ab".repeat(700), "語文字".repeat(150), "-".repeat(1500), "aB".repeat(500)]) {
      assert.strictEqual(counter.count(text), expected(text))
    }
  })

  it("a special token in the text is counted as text", () => {
    assert.strictEqual(counter.count("<|endoftext|>"), expected("<|endoftext|>"))
    assert.isAbove(counter.count("<|endoftext|>"), 1)
  })

  it("the same text in slices gives the same count", () => {
    fc.assert(
      fc.property(awkwardText, fc.integer({ min: 1, max: 30 }), (text, units) => {
        let tokens = 0
        for (let at = 0; at < text.length;) {
          const some = counter.countSome(text, at, units)
          tokens += some.tokens
          at = some.end
        }
        assert.strictEqual(tokens, counter.count(text))
      }),
      { seed: 3, numRuns: 300 }
    )
  })

  it("a run longer than any tokeniser finishes is estimated within 2 %", () => {
    for (const unit of ["a", " ", "-", "語"]) {
      const exact = counter.count(unit.repeat(LONG_RUN))
      const estimated = counter.count(unit.repeat(LONG_RUN * 4))
      assert.closeTo(estimated / (exact * 4), 1, 0.02, unit)
    }
  })
})

/** Field case D5: each of these took a peer seconds to minutes. Twenty times the bar, as test machines are shared. */
describe("the tokeniser does not hang on", () => {
  const line = "function f(a,b){return a.map(c=>c*b).filter(Boolean)};var x1={k:'v',n:12345};"
  // A fixed generator: the bytes of a picture, base64 encoded.
  let state = 12_345
  const noise = Uint8Array.from({ length: 750_000 }, () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state >> 16
  })
  const cases: ReadonlyArray<readonly [name: string, text: string]> = [
    ["50 000 letters", "a".repeat(50_000)],
    ["50 000 blanks", " ".repeat(50_000)],
    ["50 000 dashes", "-".repeat(50_000)],
    ["50 000 underscores", "_".repeat(50_000)],
    ["14 000 ideographs", "語".repeat(14_000)],
    ["one minified line of 1 MB", line.repeat(Math.ceil(1_000_000 / line.length))],
    ["1 MB of base64", noise.toBase64()],
    ["5 MB of one letter", "a".repeat(5_000_000)]
  ]
  for (const [name, text] of cases) {
    it(name, () => {
      const start = cpuTime()
      assert.isAbove(counter.count(text), 0)
      assert.isBelow(cpuTime() - start, 1000)
    })
  }
})
