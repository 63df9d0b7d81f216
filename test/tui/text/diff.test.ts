import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { diffOfTexts, type Diff } from "../../../src/tools/files/diff.ts"
import { diffCounts, diffLines, diffOfDetails, patchLines } from "../../../src/tui/text/diff.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"
import { expectScreen, full, named, plain, unstyled, WIDTHS } from "./snapshot.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const view = { width: 80, theme: plain, language: "en" } as const

const BEFORE = Array.from({ length: 30 }, (_, n) => `const value${n} = compute(${n}, "some text")`).join("\n")
const AFTER = BEFORE.replace("value3 = compute(3", "value3 = compute(33")
  .replace(`const value4 = compute(4, "some text")\n`, "")
  .replace(
    "const value20",
    "// 你好，世界\n// a comment that is long enough to be wrapped when the screen has forty columns\nconst value20"
  )

describe("a diff", () => {
  for (const width of WIDTHS) {
    it(`at ${width} columns`, () =>
      expectScreen(`diff-${width}`, diffLines(diffOfTexts(BEFORE, AFTER), { ...view, width }), width))
  }

  it("in sixteen colours and in true colours", async () => {
    const diff = diffOfTexts(BEFORE, AFTER)
    await expectScreen(
      "diff-colours",
      [named, full].flatMap((theme) => diffLines(diff, { ...view, theme })),
      80
    )
  })

  it("has signs where there are no colours", () => {
    assert.deepStrictEqual(diffLines(diffOfTexts("a\nb\n", "a\nc\n"), view), [" 1   a", " 2 − b", " 2 + c"])
  })

  it("says where lines of the file are left out, and only there", () => {
    const lines = Array.from({ length: 40 }, (_, n) => `${n}`)
    const changed = lines.with(2, "x").with(30, "y").toSpliced(10, 5)
    const shown = diffLines(diffOfTexts(lines.join("\n"), changed.join("\n")), view)
    assert.strictEqual(shown.filter((line) => line.includes("⋯")).length, 2)
    const all = diffLines(diffOfTexts("a\nb\nc\nd\n", "A\nb\nC\nd\n"), view)
    assert.isFalse(all.some((line) => line.includes("⋯")))
  })

  it("shows what changed inside a line by whole words, not for lines that have little in common", () => {
    const emphasised = (before: string, after: string): ReadonlyArray<string> =>
      diffLines(diffOfTexts(before, after), { ...view, theme: named }).flatMap((line) =>
        [...line.matchAll(/\u001b\[7m(.*?)\u001b\[27m/g)].map(([, word]) => word ?? "")
      )
    assert.deepStrictEqual(emphasised("const limit = 12 // lines\n", "const limit = 13 // lines\n"), ["12", "13"])
    assert.deepStrictEqual(emphasised("a long line about cats\n", "nothing of it is here\n"), [])
    assert.deepStrictEqual(emphasised("say 👩‍👩‍👧 to them all\n", "say 👩‍👩‍👦 to them all\n"), ["👩‍👩‍👧", "👩‍👩‍👦"])
  })

  it("keeps beginning and end of a long one, and counts what it leaves out", () => {
    const diff = diffOfTexts("", Array.from({ length: 100 }, (_, n) => `line ${n}`).join("\n"))
    const shown = diffLines(diff, view, { most: 10 })
    assert.strictEqual(shown.length, 10)
    assert.deepStrictEqual(shown.slice(6), ["  … 91 more lines …", " 98 + line 97", " 99 + line 98", "100 + line 99"])
  })

  it("a file of 10 000 lines takes no time to speak of", () => {
    const before = Array.from({ length: 10_000 }, (_, n) => `line ${n} ${n % 7}`).join("\n")
    const diff = diffOfTexts(before, before.replaceAll(" 3\n", " three\n"))
    const lines: Diff["lines"] = Array.from({ length: 10_000 }, (_, n) => ({ kind: "added", number: n, text: "x\t你" }))
    const start = cpuTime()
    const shown = diffLines(diff, { ...view, language: "fr" }, { most: 20 })
    diffLines({ lines, added: 10_000, removed: 0 }, view)
    assert.isBelow(cpuTime() - start, 300)
    assert.match(shown.at(-1) ?? "", /^ {2}… \d+ autres lignes modifiées …$/)
  })

  it("is found in a result's details, whatever else is there", () => {
    const diff = diffOfTexts("a\n", "b\n")
    const { added, lines, removed } = diff
    assert.deepStrictEqual(diffOfDetails({ path: "/x", diff: lines, added, removed }), diff)
    for (const other of [undefined, {}, { diff: "x" }, { diff: [{ kind: "other" }], added: 1, removed: 1 }]) {
      assert.isUndefined(diffOfDetails(other))
    }
  })

  it("counts", () => {
    assert.strictEqual(diffCounts({ added: 3, removed: 1 }, plain), "+3 −1")
    assert.strictEqual(diffCounts({ added: 0, removed: 0 }, plain), "")
  })

  it("text of a file can not draw over the diff", () => {
    const shown = diffLines(diffOfTexts("", "a\u001b[2Kb\rc\u202e\n"), view)
    assert.deepStrictEqual(shown, [" 1 + a␛[2Kb␍c‹U+202E›"])
  })

  it("never wider than the screen", () => {
    const line = fc.string({ unit: fc.constantFrom("a", " ", "你", "\t", "👩‍👩‍👧", "(", "1", "\u001b"), maxLength: 60 })
    const lines = fc.array(line, { maxLength: 12 }).map((all) => all.join("\n"))
    fc.assert(
      fc.property(lines, lines, fc.integer({ min: 12, max: 50 }), (before, after, width) => {
        for (const shown of diffLines(diffOfTexts(before, after), { ...view, theme: named, width })) {
          assert.isAtMost(cellWidth(shown), width)
        }
      }),
      { seed: 6, numRuns: 400 }
    )
  })
})

describe("a patch", () => {
  it("is coloured by its lines and folded", () => {
    const patch = `--- a\n+++ b\n@@ -1,2 +1,2 @@\n-x\n+y\u001b[2J\n z\n`
    assert.deepStrictEqual(unstyled(patchLines(patch, { ...view, theme: named })), [
      "--- a",
      "+++ b",
      "@@ -1,2 +1,2 @@",
      "-x",
      "+y␛[2J",
      " z"
    ])
    assert.strictEqual(patchLines("+a\n".repeat(10_000), view, { most: 9 }).length, 9)
  })
})
