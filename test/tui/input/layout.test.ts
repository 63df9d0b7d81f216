import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { concat, plainContent, tokenContent, type Content } from "../../../src/tui/input/content.ts"
import { EMPTY_BUFFER, type EditBuffer } from "../../../src/tui/input/editBuffer.ts"
import { drawingOf, layoutInput, topRow, type InputLayout } from "../../../src/tui/input/layout.ts"
import { rowsOf } from "../../../src/tui/input/rows.ts"
import { moveRows } from "../../../src/tui/input/vertical.ts"
import { bestTime } from "./support.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"

const box = (width: number, height = 10) => ({ width, height, language: "en" as const })

/** Rows as drawn, and the cursor as `row:column`. */
const draw = (content: Content, cursor: number, width: number, height = 10): string => {
  const layout = layoutInput(content, cursor, box(width, height))
  return `${linesOf(layout).join("|")} ${layout.cursor.row}:${layout.cursor.column}`
}

const linesOf = ({ rows }: InputLayout): ReadonlyArray<string> =>
  rows.map((spans) => spans.map(({ text }) => text).join(""))

const rows = (text: string, width: number): ReadonlyArray<string> =>
  linesOf(layoutInput(plainContent(text), 0, box(width, 1_000)))

const FAMILY = "👩‍👩‍👧"

describe("rows", () => {
  for (const [text, width, expected] of [
    ["", 10, [""]],
    ["abc", 4, ["abc"]],
    ["abcd", 4, ["abc", "d"]],
    ["one two three", 9, ["one two ", "three"]],
    ["one two three", 8, ["one two ", "three"]],
    ["one  two", 4, ["one ", " ", "two"]],
    ["averyveryverylongword", 8, ["averyve", "ryveryl", "ongword"]],
    ["a averyverylongword", 8, ["a ", "averyve", "rylongw", "ord"]],
    ["a\n\nb\n", 10, ["a", "", "b", ""]],
    ["你好世界", 6, ["你好", "世界"]],
    ["你好世界", 5, ["你好", "世界"]],
    ["a你好", 4, ["a你", "好"]],
    [`${FAMILY}${FAMILY}${FAMILY}`, 5, [`${FAMILY}${FAMILY}`, FAMILY]],
    ["e\u0301e\u0301e\u0301", 3, ["e\u0301e\u0301", "e\u0301"]],
    ["🇫🇷🇩🇪🇮🇹", 5, ["🇫🇷🇩🇪", "🇮🇹"]],
    ["你", 2, ["你"]],
    ["a\tb", 10, ["a    b"]]
  ] as const) {
    it(`${JSON.stringify(text)} in ${width} columns`, () => assert.deepStrictEqual(rows(text, width), [...expected]))
  }

  it("controls and invisible characters are shown", () => {
    assert.deepStrictEqual(rows("a\u202eb\u200bc", 40), ["a‹U+202E›b‹U+200B›c"])
    assert.deepStrictEqual(rows("\u0301a", 40), ["◌\u0301a"])
  })
})

describe("G1 the cursor stands where the caret is", () => {
  for (const [name, text, cursor, width, expected] of [
    ["full-width comma", "你好，世界", 3, 20, "你好，世界 0:6"],
    ["family", `${FAMILY}x`, FAMILY.length, 20, `${FAMILY}x 0:2`],
    ["two code points", "e\u0301x", 2, 20, "e\u0301x 0:1"],
    ["flags", "🇫🇷🇩🇪", 4, 20, "🇫🇷🇩🇪 0:2"],
    ["variation selector", "⚠️x", 2, 20, "⚠️x 0:2"],
    ["half-width kana", "ｱｲｳ", 2, 20, "ｱｲｳ 0:2"],
    ["skin tone", "👍🏽x", 4, 20, "👍🏽x 0:2"],
    ["end of a full row", "abc", 3, 4, "abc 0:3"],
    ["at a soft break", "abcdef", 3, 4, "abc|def 1:0"],
    ["behind a space at the edge", "abc def", 4, 4, "abc |def 1:0"],
    ["after a line end", "ab\n", 3, 10, "ab| 1:0"],
    ["empty", "", 0, 10, " 0:0"]
  ] as const) {
    it(name, () => assert.strictEqual(draw(plainContent(text), cursor, width), expected))
  }
})

describe("the window of rows", () => {
  const lines = plainContent(Array.from({ length: 20 }, (_, index) => `line ${index}`).join("\n"))

  it("shows the rows around the cursor", () => {
    const layout = layoutInput(lines, lines.text.length, box(20, 5))
    assert.deepStrictEqual(linesOf(layout), ["line 15", "line 16", "line 17", "line 18", "line 19"])
    assert.deepStrictEqual([layout.above, layout.below, layout.cursor.row], [15, 0, 4])
  })

  it("moves no further than it must", () => {
    const layout = layoutInput(lines, lines.text.indexOf("line 12"), { ...box(20, 5), top: 10 })
    assert.deepStrictEqual([layout.top, layout.above, layout.below, layout.cursor.row], [10, 10, 5, 2])
  })

  for (const [row, count, height, before, expected] of [
    [0, 20, 5, 10, 0],
    [12, 20, 5, 10, 10],
    [15, 20, 5, 10, 11],
    [4, 6, 5, 3, 1],
    [0, 1, 5, 7, 0],
    [19, 20, 5, 0, 15]
  ] as const) {
    it(`row ${row} of ${count}, window of ${height} at ${before}: ${expected}`, () =>
      assert.strictEqual(topRow(row, count, height, before), expected))
  }

  it("the placeholder is for an empty input", () => {
    const layout = layoutInput(plainContent(""), 0, { ...box(10), placeholder: "Your request — /help" })
    assert.deepStrictEqual(layout.rows, [[{ kind: "placeholder", text: "Your req…" }]])
    assert.deepStrictEqual(layout.cursor, { row: 0, column: 0 })
    assert.deepStrictEqual(linesOf(layoutInput(plainContent("a"), 0, { ...box(10), placeholder: "x" })), ["a"])
  })
})

describe("tokens", () => {
  const token = tokenContent({ kind: "paste", number: 1, text: "x", lines: 200 })

  it("are spans of their own", () => {
    const content = concat(concat(plainContent("see "), token), plainContent(" ok"))
    assert.deepStrictEqual(layoutInput(content, 5, box(60)).rows, [
      [
        { kind: "text", text: "see " },
        { kind: "token", text: "[Pasted text #1 +200 lines]" },
        { kind: "text", text: " ok" }
      ]
    ])
    assert.deepStrictEqual(layoutInput(content, 5, box(60)).cursor, { row: 0, column: 31 })
  })

  it("speak the user's language", () => {
    assert.strictEqual(
      linesOf(layoutInput(token, 0, { ...box(60), language: "fr" })).join(),
      "[Texte collé #1 +200 lignes]"
    )
  })

  it("are cut where the box is narrower", () => {
    assert.deepStrictEqual(linesOf(layoutInput(concat(plainContent("a"), token), 0, box(12))), ["a", "[Pasted te…"])
  })
})

describe("↑ and ↓ inside of the input", () => {
  /** `|` is the cursor; the keys `u` and `d`. */
  const run = (drawn: string, keys: string, width: number): string => {
    let buffer: EditBuffer = {
      ...EMPTY_BUFFER,
      content: plainContent(drawn.replace("|", "")),
      cursor: drawn.indexOf("|")
    }
    for (const key of keys) buffer = moveRows(buffer, key === "u" ? -1 : 1, drawingOf(box(width))) ?? buffer
    const { text } = buffer.content
    return `${text.slice(0, buffer.cursor)}|${text.slice(buffer.cursor)}`
  }

  for (const [from, keys, width, to] of [
    ["abc\nd|e", "u", 10, "a|bc\nde"],
    ["abcdef\nx\nabcd|ef", "u", 10, "abcdef\nx|\nabcdef"],
    ["abcdef\nx\nabcd|ef", "uu", 10, "abcd|ef\nx\nabcdef"],
    ["ab|cdef", "d", 4, "abcde|f"],
    ["abcdef|", "u", 4, "ab|cdef"],
    ["a你b\nabc|", "u", 10, "a你|b\nabc"],
    ["a你b\nab|", "u", 10, "a|你b\nab"],
    ["|abc", "u", 10, "|abc"],
    ["abc|", "d", 10, "abc|"]
  ] as const) {
    it(`${JSON.stringify(from)} ${keys} → ${JSON.stringify(to)}`, () => assert.strictEqual(run(from, keys, width), to))
  }
})

describe("laws", () => {
  const pieces = fc.constantFrom(
    "a",
    "word ",
    " ",
    "\n",
    "é",
    "e\u0301",
    "語",
    FAMILY,
    "🇫🇷",
    "\u0301",
    "\t",
    "⚠️",
    "ﾊﾟ",
    "각"
  )
  const contents = fc
    .array(fc.oneof(pieces, fc.constant(undefined)), { maxLength: 40 })
    .map((parts) =>
      parts.reduce<Content>(
        (content, part, index) =>
          concat(
            content,
            part === undefined
              ? tokenContent({ kind: "paste", number: index, text: "", lines: 12 })
              : plainContent(part)
          ),
        plainContent("")
      )
    )

  it("rows hold all of the text once, fit, and the cursor is on one of them", () => {
    fc.assert(
      fc.property(contents, fc.integer({ min: 4, max: 40 }), fc.nat(), (content, width, place) => {
        const drawing = drawingOf(box(width))
        const all = rowsOf(content, drawing)
        let at = 0
        for (const row of all) {
          assert.strictEqual(row.from, at)
          at = row.soft ? row.to : row.to + 1
        }
        assert.strictEqual(at, content.text.length + 1)
        const layout = layoutInput(content, place % (content.text.length + 1), box(width, 1_000))
        for (const line of linesOf(layout))
          assert.isAtMost(cellWidth(line), line.endsWith(" ") ? width : width - 1, line)
        assert.isBelow(layout.cursor.column, width)
        assert.isBelow(layout.cursor.row, layout.rows.length)
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("a megabyte in the input", () => {
  for (const [name, unit, most] of [
    ["lines", "some words and more of them\n", 100],
    ["one line", "some words and more of them ", 100],
    ["CJK", "語", 100],
    ["emoji", FAMILY, 250]
  ] as const) {
    it(`${name}: drawing after a key takes milliseconds`, () => {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
      layoutInput(plainContent(text), 0, box(80))
      const time = bestTime((turn) => layoutInput(plainContent(`${text}${turn}`), text.length, box(80)))
      assert.isBelow(time, most)
    })
  }
})
