import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { applyEdits, type EditRequest } from "../../../src/tools/files/applyEdits.ts"
import { decodeTextFile, encodeTextFile } from "../../../src/tools/files/TextFile.ts"

const edit = (source: string, edits: ReadonlyArray<EditRequest> | EditRequest, replaceAll = false) => {
  const file = decodeTextFile(new TextEncoder().encode(source))
  if (file === undefined) throw new Error("not UTF-8")
  const result = applyEdits(
    file,
    ("old" in edits ? [edits] : edits).map((one) => ({ ...one, all: replaceAll }))
  )
  return "problem" in result ? result : { ...result, text: encodeTextFile(result.file) }
}

const text = (source: string, edits: ReadonlyArray<EditRequest> | EditRequest, replaceAll = false): string => {
  const result = edit(source, edits, replaceAll)
  return "text" in result ? result.text : `PROBLEM: ${result.problem}`
}

const problem = (source: string, edits: ReadonlyArray<EditRequest> | EditRequest, replaceAll = false): string => {
  const result = edit(source, edits, replaceAll)
  return "problem" in result ? result.problem : `NO PROBLEM: ${result.text}`
}

describe("line endings", () => {
  it("LF from the model, CRLF in the file", () => {
    assert.strictEqual(text("a\r\nb\r\nc\r\n", { old: "a\nb", new: "x\ny\nz" }), "x\r\ny\r\nz\r\nc\r\n")
  })
  it("a mixed file keeps every other line byte for byte", () => {
    assert.strictEqual(text("a\r\nb\nc\r\n", { old: "c", new: "d" }), "a\r\nb\nd\r\n")
    assert.strictEqual(text("a\r\nb\nc\r\n", { old: "b", new: "x\ny" }), "a\r\nx\ny\nc\r\n")
  })
  it("CRLF in old, LF in the file", () => {
    assert.strictEqual(text("a\nb\n", { old: "a\r\nb", new: "x\r\ny" }), "x\ny\n")
  })
  it("the same text with both line endings in two places is ambiguous", () => {
    assert.include(problem("a\r\nb\n--\na\nb\n", { old: "a\nb", new: "x" }), "found 2 times")
  })
  it("a change of line ending only is nothing to change", () => {
    assert.include(problem("a\r\nb", { old: "a\r\nb", new: "a\nb" }), "nothing to change")
  })
  it("keeps a byte order mark", () => {
    assert.strictEqual(text("\uFEFFa\n", { old: "a", new: "b" }), "\uFEFFb\n")
  })
})

describe("literal replacement", () => {
  it("dollar signs, back-references and template marks arrive as they are", () => {
    const replacement = 'log("$& $1 $$ $\' $\\` ${x}");'
    assert.strictEqual(text('log("done");\n', { old: 'log("done");', new: replacement }), `${replacement}\n`)
    assert.strictEqual(text("x x", { old: "x", new: "$&" }, true), "$& $&")
  })
})

describe("empty old", () => {
  it("is refused for a file with content, taken for an empty one, and never hangs", () => {
    assert.include(problem("a", { old: "", new: "x" }), "empty")
    assert.include(problem("a", { old: "", new: "x" }, true), "empty")
    assert.strictEqual(text("", { old: "", new: "x" }), "x")
  })
})

describe("uniqueness", () => {
  it("several matches: count and line numbers; replace_all changes all", () => {
    assert.include(problem("foo()\nfoo()\n", { old: "foo()", new: "bar()" }), "found 2 times, in lines 1, 2")
    assert.strictEqual(text("foo()\nfoo()\n", { old: "foo()", new: "bar()" }, true), "bar()\nbar()\n")
  })
  it("overlapping occurrences are counted and replaced by one rule", () => {
    assert.strictEqual(text("aaa", { old: "aa", new: "b" }), "ba")
    assert.strictEqual(text("aaaa", { old: "aa", new: "b" }, true), "bb")
  })
  it("two loose matches are refused like two exact ones", () => {
    assert.include(
      problem("\tif x {\n\t\ty()\n\t}\n\tif x {\n\t\ty()\n\t}\n", { old: "if x {\n  y()\n}", new: "z" }),
      "found 2 times"
    )
  })
})

describe("loose matching", () => {
  it("never replaces text that was not quoted", () => {
    const source = "func a(){\n x:=1\n y:=2\n return\n}\n"
    const said = problem(source, { old: "func a(){\n x:=1\n y:=99\n return\n}", new: "gone" })
    assert.include(said, "not found")
    assert.include(said, "3\t y:=2")
  })
  it("blanks for tabs: matched by indentation, written in the file's unit", () => {
    const result = edit("func f() {\n\tif x {\n\t\ty()\n\t}\n}\n", {
      old: "    if x {\n        y()\n    }",
      new: "    if x {\n        y()\n        if z {\n            w()\n        }\n    }"
    })
    assert.strictEqual(
      "text" in result && result.text,
      "func f() {\n\tif x {\n\t\ty()\n\t\tif z {\n\t\t\tw()\n\t\t}\n\t}\n}\n"
    )
    assert.include("notes" in result ? result.notes.join() : "", "ignoring whitespace")
  })
  it("blank lines at the edges and the indentation of a single line", () => {
    assert.strictEqual(
      text("  foo();\n  bar();\n", { old: "\n    foo();\n", new: "\n    baz();\n" }),
      "  baz();\n  bar();\n"
    )
  })
  it("an exact match is never matched otherwise", () => {
    assert.strictEqual(text(" a\na\n", { old: "\na\n", new: "\nb\n" }), " a\nb\n")
  })
})

describe("what models copy along", () => {
  it("line numbers of Read", () => {
    assert.strictEqual(
      text("one\ntwo\n", { old: "     1\tone\n     2\ttwo", new: "     1\tone\n     2\tTWO" }),
      "one\nTWO\n"
    )
  })
  it("HTML escapes, only where the strict passes failed", () => {
    assert.strictEqual(text("a < b && c\n", { old: "a &lt; b &amp;&amp; c", new: "a &gt; b" }), "a > b\n")
    assert.strictEqual(text("x = '&lt;'\n", { old: "'&lt;'", new: "'&gt;'" }), "x = '&gt;'\n")
  })
})

describe("invisible differences", () => {
  it("another Unicode form and no-break spaces are named, not matched", () => {
    assert.include(problem("caf\u0065\u0301\n", { old: "caf\u00e9", new: "tea" }), "Unicode form")
    assert.include(problem("a\u00a0b\n", { old: "a b", new: "c" }), "invisible")
  })
})

describe("several edits", () => {
  it("are all resolved against the original", () => {
    assert.strictEqual(
      text("a\nb\n", [
        { old: "a", new: "b" },
        { old: "b", new: "a" }
      ]),
      "b\na\n"
    )
  })
  it("overlaps are refused and nothing is changed", () => {
    assert.include(
      problem("abc\n", [
        { old: "ab", new: "x" },
        { old: "bc", new: "y" }
      ]),
      "overlap"
    )
  })
  it("all problems are told at once", () => {
    const said = problem("a\n", [
      { old: "x", new: "1" },
      { old: "a", new: "a" }
    ])
    assert.include(said, "Edit 1:")
    assert.include(said, "Edit 2:")
  })
})

describe("final newline and deletion", () => {
  it("the last line keeps or lacks its end as before", () => {
    assert.strictEqual(text("a\nb", { old: "a", new: "c" }), "c\nb")
    assert.strictEqual(text("a\nb\n", { old: "b\n", new: "" }), "a\n")
  })
})

describe("properties", () => {
  const line = fc.stringMatching(/^[ \t]{0,4}[a-z(){};é😀]{0,12}$/u)
  const source = fc.array(fc.tuple(line, fc.constantFrom("\n", "\r\n")), { minLength: 1, maxLength: 30 })

  it("an exact edit changes its place and no other byte", () => {
    fc.assert(
      fc.property(source, fc.nat(), fc.nat(), fc.string({ maxLength: 20 }), (rows, a, b, replacement) => {
        const whole = rows.map(([body, end]) => body + end).join("")
        const file = decodeTextFile(new TextEncoder().encode(whole))
        if (file === undefined || file.text === "") return
        const start = a % file.text.length
        const end = start + 1 + (b % (file.text.length - start))
        const old = file.text.slice(start, end)
        if (!old.isWellFormed() || file.text.indexOf(old) !== file.text.lastIndexOf(old) || old === replacement) return
        const result = applyEdits(file, [{ old, new: replacement }])
        if ("problem" in result) throw new Error(result.problem)
        const plain = replacement.replaceAll("\r\n", "\n")
        assert.strictEqual(result.file.text, file.text.slice(0, start) + plain + file.text.slice(end))
        const written = encodeTextFile(result.file)
        const before = encodeTextFile({
          ...file,
          text: file.text.slice(0, start),
          crlf: file.crlf.filter((at) => at < start)
        })
        assert.isTrue(written.startsWith(before))
        const tail = encodeTextFile({
          bom: false,
          text: file.text.slice(end),
          crlf: file.crlf.filter((at) => at >= end).map((at) => at - end)
        })
        assert.isTrue(written.endsWith(tail))
      }),
      { numRuns: 500, seed: 7 }
    )
  })

  it("decoding and encoding is the identity", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("a", "\r", "\n", "\r\n", "\uFEFF", "é")), (parts) => {
        const whole = parts.join("")
        const file = decodeTextFile(new TextEncoder().encode(whole))
        assert.strictEqual(file === undefined ? "" : encodeTextFile(file), whole)
      }),
      { numRuns: 500, seed: 7 }
    )
  })
})

describe("cost", () => {
  it("a block that nearly repeats in 5 MB does not explode", () => {
    const row = "aaaaaaaaaaaaaaaaaaaa\n"
    const source = row.repeat(240_000)
    const old = `${row.repeat(2_000)}b`
    assert.include(problem(source, { old, new: "x" }), "not found")
  })
})
