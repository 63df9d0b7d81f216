import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { applyEdits, type EditRequest } from "../../../src/tools/files/applyEdits.ts"
import { diffOfHunks, diffOfTexts, formatDiff } from "../../../src/tools/files/diff.ts"
import { decodeTextFile, encodeTextFile, withLineEndsOf } from "../../../src/tools/files/TextFile.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const decode = (source: string) => {
  const file = decodeTextFile(new TextEncoder().encode(source))
  if (file === undefined) throw new Error("not UTF-8")
  return file
}

const rows = fc.array(fc.tuple(fc.stringMatching(/^[ \t]{0,3}[a-zé😀$&;]{0,8}$/u), fc.constantFrom("\n", "\r\n")), {
  minLength: 2,
  maxLength: 40
})

describe("several edits of random files", () => {
  it("come out exactly, in any order, with each line's own end", () => {
    fc.assert(
      fc.property(rows, fc.array(fc.nat(), { minLength: 2, maxLength: 12 }), fc.boolean(), (lines, cuts, turned) => {
        // Every line is unique by its number, so every stretch of whole lines is.
        const named = lines.map(([body, end], index) => ({ text: `${body}#${index}`, end }))
        const whole = named.map(({ end, text }) => text + end).join("")
        const points = [...new Set(cuts.map((cut) => cut % named.length))].sort((a, b) => a - b)
        const edits: Array<EditRequest> = []
        const expected: Array<string> = []
        let at = 0
        for (const point of points) {
          const { end, text } = named[point] ?? { end: "", text: "" }
          expected.push(...named.slice(at, point).map((line) => line.text + line.end))
          edits.push({ old: `${text}\n`, new: `$&-${point}\n  added\n` })
          expected.push(`$&-${point}${end}  added${end}`)
          at = point + 1
        }
        expected.push(...named.slice(at).map((line) => line.text + line.end))
        const result = applyEdits(decode(whole), turned ? edits.toReversed() : edits)
        // `a#1` stands in `xa#1`, too: such a quote is refused, not guessed.
        if ("problem" in result) return assert.include(result.problem, "was found")
        assert.strictEqual(encodeTextFile(result.file), expected.join(""))
      }),
      { seed: 7, numRuns: 500 }
    )
  })

  it("replace_all is what splitting and joining gives", () => {
    fc.assert(
      fc.property(
        rows,
        fc.stringMatching(/^[a-z$]{1,2}$/),
        fc.stringMatching(/^[a-z$&\n]{0,4}$/),
        (lines, old, next) => {
          const file = decode(lines.map(([body, end]) => body + end).join(""))
          if (!file.text.includes(old) || old === next) return
          const result = applyEdits(file, [{ old, new: next, all: true }])
          if ("problem" in result) throw new Error(result.problem)
          assert.strictEqual(result.file.text, file.text.split(old).join(next))
        }
      ),
      { seed: 7, numRuns: 300 }
    )
  })

  it("the diff, applied, turns the old text into the new", () => {
    const line = fc.constantFrom("a", "b", "c", "", "  d")
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), fc.array(line, { maxLength: 30 }), (before, after) => {
        const [oldText, newText] = [before.join("\n"), after.join("\n")]
        const { lines } = diffOfTexts(oldText, newText)
        const old = (oldText.endsWith("\n") || oldText === "" ? oldText.slice(0, -1) : oldText).split("\n")
        if (oldText === "") old.pop()
        const removed = new Set(lines.filter(({ kind }) => kind === "removed").map(({ number }) => number))
        const kept = old.filter((_, index) => !removed.has(index + 1))
        const result: Array<string> = []
        const added = new Map(lines.filter(({ kind }) => kind === "added").map(({ number, text }) => [number, text]))
        for (let number = 1; kept.length > 0 || added.has(number); number++) {
          result.push(added.get(number) ?? kept.shift() ?? "")
        }
        const expected = (newText.endsWith("\n") || newText === "" ? newText.slice(0, -1) : newText).split("\n")
        if (newText === "") expected.pop()
        assert.deepStrictEqual(result, expected)
      }),
      { seed: 7, numRuns: 300 }
    )
  })
})

describe("the numbered diff", () => {
  const diff = (source: string, ...edits: ReadonlyArray<EditRequest>): string => {
    const result = applyEdits(decode(source), edits)
    if ("problem" in result) throw new Error(result.problem)
    return formatDiff(diffOfHunks(result.file.text, result.hunks))
  }

  it("neighbouring changes are not shown twice", () => {
    assert.strictEqual(
      diff("a\nb\nc\nd\n", { old: "b", new: "B" }, { old: "c", new: "C\nC2" }),
      "     1  a\n-    2  b\n+    2  B\n-    3  c\n+    3  C\n+    4  C2\n     5  d"
    )
  })
  it("two changes in one line are one, and lines that stay are no change", () => {
    assert.strictEqual(
      diff("x y\nz\n", { old: "x", new: "1" }, { old: "y", new: "2" }),
      "-    1  x y\n+    1  1 2\n     2  z"
    )
    assert.strictEqual(
      diff("a\nb\nc\n", { old: "a\nb\nc", new: "a\nB\nc" }),
      "     1  a\n-    2  b\n+    2  B\n     3  c"
    )
  })
  it("a line that goes, at the end too", () => {
    assert.strictEqual(diff("a\nb\n", { old: "b\n", new: "" }), "     1  a\n-    2  b")
    assert.strictEqual(diff("a\nb", { old: "\nb", new: "" }), "     1  a\n-    2  b")
  })
  it("changes far apart in a replaced file are shown apart", () => {
    const before = Array.from({ length: 200 }, (_, index) => `line ${index}`)
    const after = before.with(3, "new 3").with(150, "new 150")
    const { added, lines, removed } = diffOfTexts(before.join("\n"), after.join("\n"))
    assert.deepStrictEqual([added, removed], [2, 2])
    assert.isBelow(lines.length, 15)
  })
  it("is bounded however much changes", () => {
    const huge = Array.from({ length: 100_000 }, (_, index) => `old ${index}`).join("\n")
    const other = Array.from({ length: 100_000 }, (_, index) => `new ${index}`).join("\n")
    const result = diffOfTexts(huge, other)
    assert.deepStrictEqual([result.added, result.removed], [100_000, 100_000])
    assert.isAtMost(result.lines.length, 400)
    assert.include(formatDiff(result), "more changed lines not shown")
  })
})

describe("cost", () => {
  /** Milliseconds for 300 edits (exact, loose and wrong ones) of a file with so many lines. */
  const cost = (count: number): { readonly time: number; readonly said: string } => {
    const lines = Array.from(
      { length: count },
      (_, index) => `\tconst value_${index} = compute(${index}, "some text") // ${index}`
    )
    const file = decode(lines.join("\n"))
    const edits = Array.from({ length: 300 }, (_, index): EditRequest => {
      const at = index * Math.floor(count / 300)
      if (index % 3 === 0) return { old: `value_${at} = compute(`, new: `other_${at} = compute(` }
      const block = `${lines[at] ?? ""}\n${lines[at + 1] ?? ""}`.replaceAll("\t", "    ")
      return index % 3 === 1 ? { old: block, new: `${block}\n    more()` } : { old: `${block}!`, new: "" }
    })
    const start = cpuTime()
    const wrong = applyEdits(file, edits)
    const right = applyEdits(
      file,
      edits.filter((_, index) => index % 3 !== 2)
    )
    const time = cpuTime() - start
    assert.include("count" in right ? right : {}, { count: 200 })
    return { time, said: "problem" in wrong ? wrong.problem : "" }
  }

  it("hundreds of edits of 5 MB take seconds at most, and grow with the file, not with its square", () => {
    cost(1_000)
    const small = cost(10_000)
    const large = cost(80_000)
    console.info(`300 edits twice: 0.6 MB ${small.time.toFixed(0)} ms, 5 MB ${large.time.toFixed(0)} ms`)
    assert.isBelow(large.time, 5_000)
    assert.isBelow(large.time, Math.max(small.time, 20) * 24)
    assert.isBelow(large.said.length, 30_000)
  })

  it("texts made to be slow: one line of 5 MB, and a quote that almost fits everywhere", () => {
    const start = cpuTime()
    const line = "ab".repeat(2_500_000)
    assert.property(applyEdits(decode(line), [{ old: `${"ab".repeat(1_000)}c`, new: "x" }]), "problem")
    const many = "x\n".repeat(1_000_000)
    assert.property(applyEdits(decode(many), [{ old: `${"x\n".repeat(500)}y`, new: "" }]), "problem")
    assert.property(applyEdits(decode(many), [{ old: "x", new: "yy", all: true }]), "count")
    assert.isBelow(cpuTime() - start, 8_000)
  })
})

describe("a file that is replaced whole", () => {
  it("keeps the line ends most of it had", () => {
    const replaced = (old: string, content: string) => encodeTextFile(withLineEndsOf(decode(old), content))
    assert.strictEqual(replaced("a\r\nb\r\n", "x\ny\n"), "x\r\ny\r\n")
    assert.strictEqual(replaced("a\nb\n", "x\r\ny\r\n"), "x\ny\n")
    assert.strictEqual(replaced("\uFEFFa\n", "x\n"), "\uFEFFx\n")
    assert.strictEqual(replaced("\uFEFFa\n", "\uFEFFx\n"), "\uFEFFx\n")
    assert.strictEqual(replaced("a\r\nb\r\nc\n", "x\ny\n"), "x\r\ny\r\n")
    assert.strictEqual(replaced("", "x\r\ny\n"), "x\r\ny\n")
  })
})
