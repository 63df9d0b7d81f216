import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { applyEdits, type EditRequest } from "../../../src/tools/files/applyEdits.ts"
import { decodeTextFile, encodeTextFile } from "../../../src/tools/files/TextFile.ts"
import { unitOf } from "../../../src/tools/files/reindent.ts"

const text = (source: string, ...edits: ReadonlyArray<EditRequest>): string => {
  const file = decodeTextFile(new TextEncoder().encode(source))
  if (file === undefined) throw new Error("not UTF-8")
  const result = applyEdits(file, edits)
  return "problem" in result ? `PROBLEM: ${result.problem}` : encodeTextFile(result.file)
}

describe("a single line found by its edges", () => {
  it("is never part of a word where old had white space", () => {
    assert.include(text("a_max = 1\n", { old: " max", new: " min" }), "not found")
    assert.include(text("maximum = 1\n", { old: "max ", new: "min " }), "not found")
    assert.include(text("a.max = 1\n", { old: "\nmax = 1\n", new: "\nmin = 1\n" }), "not found")
  })
  it("inside a line only the white space that was taken off old goes from new", () => {
    assert.strictEqual(text("x = [ 1 ,2 ]\n", { old: "  1 ", new: "  7 " }), "x = [ 7 ,2 ]\n")
  })
  it("keeps a missing final line end missing", () => {
    assert.strictEqual(text("a\n  b", { old: "b\n", new: "c\n" }), "a\n  c")
  })
  it("goes with its line end when old had one, and leaves an empty line when not", () => {
    assert.strictEqual(text("a\n    b\nc\n", { old: "  b  \n", new: "" }), "a\nc\n")
    assert.strictEqual(text("a\n\tb\nc\n", { old: "  b", new: "" }), "a\n\nc\n")
    assert.strictEqual(text("a\n\tb\nc\n", { old: "  b\n", new: "\n" }), "a\n\nc\n")
  })
})

describe("a block found by its indentation", () => {
  it("spaces sent for a file with tabs: lines that stay are kept byte for byte, trailing blanks too", () => {
    assert.strictEqual(
      text("if a {\n\tone()  \n\ttwo()\n}\n", {
        old: "if a {\n    one()\n    two()\n}",
        new: "if a {\n    one()\n    if b {\n        three()\n    }\n    two()\n}"
      }),
      "if a {\n\tone()  \n\tif b {\n\t\tthree()\n\t}\n\ttwo()\n}\n"
    )
  })
  it("a model that loses all indentation does not flatten the lines it repeats", () => {
    assert.strictEqual(
      text("def f():\n    if a:\n        one()\n        two()\n    return 1\n", {
        old: "def f():\nif a:\none()\ntwo()\nreturn 1",
        new: "def f():\nif a:\none()\nmore()\ntwo()\nreturn 2"
      }),
      "def f():\n    if a:\n        one()\n        more()\n        two()\n    return 2\n"
    )
  })
  it("blank lines that stay keep their blanks, and lines added at the end have the level of those before", () => {
    assert.strictEqual(
      text("a:\n\tb\n\t\n\tc\n", { old: "a:\nb\n\nc", new: "a:\nb\n\nc\nd\ne" }),
      "a:\n\tb\n\t\n\tc\n\td\n\te\n"
    )
  })
  it("two blanks sent for a file with four", () => {
    assert.strictEqual(
      text("a:\n    b:\n        c: 1\n", { old: "a:\n  b:\n    c: 1", new: "a:\n  b:\n    c: 2\n    d:\n      e: 3" }),
      "a:\n    b:\n        c: 2\n        d:\n            e: 3\n"
    )
  })
  it("a block that was quoted exactly but for blank lines around it is not reindented", () => {
    assert.strictEqual(
      text("  a\n  b\nx\n        y\n", { old: "\n\n  a\n  b\n\n", new: "\n\n  a\n      c\n  b\n\n" }),
      "  a\n      c\n  b\nx\n        y\n"
    )
  })
  it("keeps the carriage returns of a Windows file", () => {
    assert.strictEqual(
      text("if a {\r\n\tb()\r\n}\r\n", { old: "if a {\n  b()\n}", new: "if a {\n  b()\n  c()\n}" }),
      "if a {\r\n\tb()\r\n\tc()\r\n}\r\n"
    )
  })

  const body = fc.array(fc.tuple(fc.integer({ min: 0, max: 4 }), fc.stringMatching(/^[a-z]{1,6}$/)), {
    minLength: 3,
    maxLength: 25
  })
  it("blanks for tabs, anywhere: the result is that of an exact edit", () => {
    fc.assert(
      fc.property(body, fc.nat(), fc.nat(), fc.nat(), fc.constantFrom(2, 4, 8), (rows, a, b, c, unit) => {
        // Each line is unique, so that a match is.
        const lines = rows.map(([depth, name], index) => ["\t".repeat(depth), `${name}${index}();`] as const)
        const first = a % (lines.length - 1)
        const last = first + 2 + (b % (lines.length - first - 1))
        const block = lines.slice(first, last)
        const added = [block[c % block.length]?.[0] ?? "", "added();"] as const
        const at = c % (block.length + 1)
        const changed = [...block.slice(0, at), added, ...block.slice(at)]
        const join = (some: ReadonlyArray<readonly [string, string]>) => some.map((line) => line.join("")).join("\n")
        const blanks = (some: ReadonlyArray<readonly [string, string]>) =>
          join(some.map(([indent, name]) => [" ".repeat(unit).repeat(indent.length), name] as const))
        const whole = `${join(lines)}\n`
        // Without a line at two depths the unit of the quoted text cannot be known, nor is it needed.
        assert.strictEqual(
          text(whole, { old: blanks(block), new: blanks(changed) }),
          whole.replace(`${join(block)}\n`, () => `${join(changed)}\n`)
        )
      }),
      { seed: 7, numRuns: 500 }
    )
  })

  it("a unit is the commonest step, not the smallest indentation", () => {
    assert.strictEqual(unitOf("a\n  b\n    c\n  d\n"), "  ")
    assert.strictEqual(unitOf("class A:\n    def f():\n        x\n    def g():\n        y\n"), "    ")
    assert.strictEqual(unitOf("/*\n * a\n */\nf {\n  a\n  b\n}\ng {\n  c\n}\n"), "  ")
    assert.strictEqual(unitOf("a\n\tb\n\t c\n"), "\t")
    assert.strictEqual(unitOf("a\nb\n"), undefined)
  })
})

describe("line numbers copied from Read", () => {
  it("go from lines of new that have them; added lines have none", () => {
    assert.strictEqual(
      text("zero\none\ntwo\n", { old: "     2\tone\n     3\ttwo", new: "     2\tone\nhalf\n     3\tTWO" }),
      "zero\none\nhalf\nTWO\n"
    )
  })
  it("are understood over blank lines and with a final line end", () => {
    assert.strictEqual(text("a\n\nb\n", { old: "1\ta\n2\t\n3\tb\n", new: "1\tc\n" }), "c\n")
    assert.strictEqual(text("a\n\nb\n", { old: "  1→a\n  2\n  3→b", new: "c" }), "c\n")
  })
  it("are text where the file has them, and no numbers where they do not count up", () => {
    assert.strictEqual(text("1\ta\n", { old: "1\ta", new: "1\tb" }), "1\tb\n")
    assert.include(text("a\nb\n", { old: "1\ta\n7\tb", new: "c" }), "not found")
  })
})

describe("characters that look alike", () => {
  it("the file has them: the line and the characters are named", () => {
    const said = text("x\nprice:\u00a010\u202f€\n", { old: "price: 10 €", new: "y" })
    assert.include(said, "Line 2")
    assert.include(said, "U+00A0 (no-break space)")
    assert.include(said, "U+202F")
  })
  it("old has them: that is said, too", () => {
    assert.include(text('say "a"\n', { old: "say “a”", new: "y" }), "U+201C (left double quote)")
  })
  it("half an emoji never matches half of one in the file", () => {
    assert.include(text("😀\n", { old: "\ud83d", new: "x" }), "not found")
    assert.strictEqual(text("a\n", { old: "a", new: "\ud83d" }), "\uFFFD\n")
  })
})

describe("with the rail looseEdits off", () => {
  const strict = (edit: EditRequest): boolean => {
    const file = decodeTextFile(new TextEncoder().encode("if a {\n\tone()\n}\n"))
    return file !== undefined && !("problem" in applyEdits(file, [edit], { loose: false }))
  }
  it("only the exact text is found", () => {
    assert.isTrue(strict({ old: "\tone()", new: "\ttwo()" }))
    assert.isFalse(strict({ old: "if a {\n    one()\n}", new: "if a {\n    two()\n}" }))
    assert.isFalse(strict({ old: "     2\t\tone()", new: "\ttwo()" }))
  })
})
