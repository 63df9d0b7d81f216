import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { concat, EMPTY, expand, plainContent, tokenContent, type Content } from "../../../src/tui/input/content.ts"
import {
  continueLine,
  continuesLine,
  deleteBackward,
  deleteForward,
  EMPTY_BUFFER,
  insert,
  moveTo,
  setContent,
  transpose,
  type,
  undo,
  yank,
  type EditBuffer
} from "../../../src/tui/input/editBuffer.ts"
import { boundaryFrom, nextBoundary, previousBoundary } from "../../../src/tui/input/graphemes.ts"
import {
  killSpacedWord,
  killToLineEnd,
  killToLineStart,
  killWordLeft,
  killWordRight
} from "../../../src/tui/input/kills.ts"
import { bestTime } from "./support.ts"
import { left, lineEnd, lineStart, right, spacedWordLeft, wordLeft, wordRight } from "../../../src/tui/input/motions.ts"

/** A buffer written as text with `|` where the cursor is and `#` for a token. */
const at = (drawn: string): EditBuffer => {
  const cursor = drawn.indexOf("|")
  let content: Content = EMPTY
  let number = 0
  for (const part of drawn.replace("|", "").split(/(#)/)) {
    content = concat(
      content,
      part === "#"
        ? tokenContent({ kind: "paste", number: ++number, text: `<${number}>`, lines: 1 })
        : plainContent(part)
    )
  }
  return { ...EMPTY_BUFFER, content, cursor }
}

const drawn = ({ content, cursor }: EditBuffer): string => {
  const marks = new Set(content.marks.map((mark) => mark.at))
  const characters = content.text.split("").map((unit, index) => (marks.has(index) ? "#" : unit))
  return [...characters.slice(0, cursor), "|", ...characters.slice(cursor)].join("")
}

const motion = (
  move: (content: Content, at: number) => number,
  rows: ReadonlyArray<readonly [string, string]>
): void => {
  for (const [from, to] of rows) {
    it(`${JSON.stringify(from)} → ${JSON.stringify(to)}`, () => {
      const buffer = at(from)
      assert.strictEqual(drawn(moveTo(buffer, move(buffer.content, buffer.cursor))), to)
    })
  }
}

const edit = (run: (buffer: EditBuffer) => EditBuffer, rows: ReadonlyArray<readonly [string, string]>): void => {
  for (const [from, to] of rows) {
    it(`${JSON.stringify(from)} → ${JSON.stringify(to)}`, () => assert.strictEqual(drawn(run(at(from))), to))
  }
}

const FAMILY = "👩‍👩‍👧"

describe("G1 one key, one grapheme", () => {
  describe("left", () =>
    motion(left, [
      ["ab|", "a|b"],
      [`a${FAMILY}|b`, `a|${FAMILY}b`],
      ["e\u0301|", "|e\u0301"],
      ["🇫🇷🇩🇪|", "🇫🇷|🇩🇪"],
      ["⚠️|", "|⚠️"],
      ["👍🏽|", "|👍🏽"],
      ["你好|", "你|好"],
      ["a\n|", "a|\n"],
      ["|a", "|a"],
      ["a#|", "a|#"],
      ["#\u0301|", "#|\u0301"]
    ]))

  describe("right", () =>
    motion(right, [
      ["|ab", "a|b"],
      [`|${FAMILY}b`, `${FAMILY}|b`],
      ["|e\u0301x", "e\u0301|x"],
      ["|🇫🇷🇩🇪", "🇫🇷|🇩🇪"],
      ["|각", "각|"],
      ["|각", "각|"],
      ["|क्षि", "क्षि|"],
      ["a|", "a|"],
      ["|#a", "#|a"],
      ["|#\u0301", "#|\u0301"]
    ]))

  describe("Backspace", () =>
    edit(deleteBackward, [
      [`a${FAMILY}|`, "a|"],
      ["xe\u0301|y", "x|y"],
      ["🇫🇷🇩🇪|", "🇫🇷|"],
      ["a#|b", "a|b"],
      ["|a", "|a"]
    ]))

  describe("Delete", () =>
    edit(deleteForward, [
      [`|${FAMILY}a`, "|a"],
      ["|#a", "|a"],
      ["a|", "a|"],
      ["a|\nb", "a|b"]
    ]))
})

describe("motions by word and line", () => {
  describe("Alt+F", () =>
    motion(wordRight, [
      ["|foo bar", "foo| bar"],
      ["foo| bar", "foo bar|"],
      ["|  foo.bar", "  foo|.bar"],
      ["|élan vital", "élan| vital"],
      ["|a_b1-c", "a_b1|-c"],
      ["|# foo", "#| foo"],
      ["|foo#", "foo|#"],
      ["foo|", "foo|"],
      ["|𝒳𝒴 z", "𝒳𝒴| z"]
    ]))

  describe("Alt+B", () =>
    motion(wordLeft, [
      ["foo bar|", "foo |bar"],
      ["foo |bar", "|foo bar"],
      ["foo.bar()|", "foo.|bar()"],
      ["foo #|", "foo |#"],
      ["#foo|", "#|foo"],
      ["|foo", "|foo"],
      ["a 𝒳𝒴|", "a |𝒳𝒴"]
    ]))

  describe("Ctrl+W goes back to a space", () =>
    motion(spacedWordLeft, [
      ["foo --bar=1|", "foo |--bar=1"],
      ["foo  |", "|foo  "],
      ["foo#|", "foo|#"],
      ["#foo|", "#|foo"]
    ]))

  describe("Ctrl+A", () =>
    motion(lineStart, [
      ["ab\ncd|", "ab\n|cd"],
      ["ab|\ncd", "|ab\ncd"],
      ["ab\n|", "ab\n|"],
      ["|", "|"]
    ]))

  describe("Ctrl+E", () =>
    motion(lineEnd, [
      ["|ab\ncd", "ab|\ncd"],
      ["ab\n|cd", "ab\ncd|"]
    ]))
})

describe("kills and yank", () => {
  describe("Ctrl+U", () =>
    edit(killToLineStart, [
      ["ab\ncd|e", "ab\n|e"],
      ["ab\n|cd", "ab|cd"],
      ["|ab", "|ab"]
    ]))

  describe("Ctrl+K", () =>
    edit(killToLineEnd, [
      ["a|b\nc", "a|\nc"],
      ["a|\nc", "a|c"],
      ["a|", "a|"]
    ]))

  describe("Alt+D", () => edit(killWordRight, [["|foo bar", "| bar"]]))
  describe("Alt+Backspace", () => edit(killWordLeft, [["foo-bar|", "foo-|"]]))

  it("kills in a row come back as one", () => {
    const buffer = killSpacedWord(killSpacedWord(at("one two three|")))
    assert.strictEqual(drawn(buffer), "one |")
    assert.strictEqual(drawn(yank(buffer)), "one two three|")
    assert.strictEqual(drawn(yank(killWordRight(killWordRight(at("|one two three"))))), "one two| three")
  })

  it("a key between them begins anew", () => {
    const first = moveTo(killSpacedWord(at("one two|")), 4)
    assert.strictEqual(drawn(yank(killSpacedWord(first))), "one |")
  })

  it("a killed token comes back as a token", () => {
    const buffer = yank(killToLineStart(at("see # there|")))
    assert.strictEqual(drawn(buffer), "see # there|")
    assert.strictEqual(expand(buffer.content), "see <1> there")
  })

  it("yank of nothing", () => assert.strictEqual(drawn(yank(at("a|b"))), "a|b"))
})

describe("Ctrl+T", () =>
  edit(transpose, [
    ["ab|", "ba|"],
    ["a|b", "ba|"],
    ["a|bc", "ba|c"],
    [`${FAMILY}|é`, `é${FAMILY}|`],
    ["|ab", "|ab"],
    ["a|", "a|"],
    ["a\n|b", "a\n|b"],
    ["a#|", "#a|"],
    ["|", "|"]
  ]))

describe("undo", () => {
  it("takes typed words back one by one", () => {
    const buffer = [..."one two"].reduce(type, EMPTY_BUFFER)
    assert.strictEqual(drawn(undo(buffer)), "one |")
    assert.strictEqual(drawn(undo(undo(buffer))), "|")
    assert.strictEqual(drawn(undo(undo(undo(buffer)))), "|")
  })

  it("brings back what was cleared, tokens too", () => {
    const buffer = undo(setContent(at("a # b|"), EMPTY))
    assert.strictEqual(drawn(buffer), "a # b|")
    assert.strictEqual(expand(buffer.content), "a <1> b")
  })

  it("is bounded for large texts", () => {
    let buffer = insert(EMPTY_BUFFER, plainContent("x".repeat(1_000_000)))
    for (let step = 0; step < 100; step++) buffer = deleteBackward(buffer)
    assert.isAtMost(buffer.undone.length, 10)
  })
})

describe("`\\` at the end of a line", () => {
  it("means a line end with Enter", () => {
    assert.isTrue(continuesLine(at("a\\|")))
    assert.isTrue(continuesLine(at("a\\|\nb")))
    assert.isTrue(continuesLine(at("a\\\\\\|")))
    assert.strictEqual(drawn(continueLine(at("a\\|"))), "a\n|")
  })

  it("not elsewhere, and not `\\\\`", () => {
    assert.isFalse(continuesLine(at("a\\|b")))
    assert.isFalse(continuesLine(at("a\\\\|")))
    assert.isFalse(continuesLine(at("a|")))
    assert.isFalse(continuesLine(at("|")))
  })
})

describe("what comes in", () => {
  it("joins graphemes, and the cursor stays outside of them", () => {
    assert.strictEqual(drawn(type(at("e|x"), "\u0301")), "e\u0301|x")
    assert.strictEqual(drawn(type(at("👩|👧"), "\u200d")), "👩\u200d👧|")
  })

  it("has no control characters", () => assert.strictEqual(drawn(type(EMPTY_BUFFER, "a\u001b[31m\r\nb")), "a[31m\nb|"))

  it("the token's character typed by hand is no token", () => {
    const buffer = insert(type(EMPTY_BUFFER, "\ufffc"), tokenContent({ kind: "paste", number: 1, text: "T", lines: 1 }))
    assert.strictEqual(expand(buffer.content), "\ufffcT")
    assert.strictEqual(expand(deleteBackward(buffer).content), "\ufffc")
    assert.strictEqual(expand(killToLineStart(buffer).killed), "\ufffcT")
  })
})

describe("laws", () => {
  const pieces = fc.constantFrom(
    "a",
    " ",
    "\n",
    "é",
    "e\u0301",
    "語",
    FAMILY,
    "🇫🇷",
    "🇩🇪",
    "\u0301",
    "\u200d",
    "⚠️",
    "👍🏽",
    "ﾊﾟ",
    "क्षि",
    "각",
    "#",
    "_",
    "."
  )
  const texts = fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(""))

  it("boundaries are those of the whole text's graphemes", () => {
    const segmenter = new Intl.Segmenter(undefined, { granularity: "grapheme" })
    fc.assert(
      fc.property(texts, (text) => {
        const content = plainContent(text)
        const boundaries = [...segmenter.segment(text)].map(({ index }) => index).concat(text.length)
        for (const [index, boundary] of boundaries.entries()) {
          if (index > 0) assert.strictEqual(previousBoundary(content, boundary), boundaries[index - 1])
          if (boundary < text.length) assert.strictEqual(nextBoundary(content, boundary), boundaries[index + 1])
        }
        for (let place = 0; place <= text.length; place++) {
          assert.strictEqual(
            boundaryFrom(content, place),
            boundaries.find((boundary) => boundary >= place)
          )
        }
      }),
      { numRuns: 1_000 }
    )
  })

  const operations: ReadonlyArray<(buffer: EditBuffer) => EditBuffer> = [
    deleteBackward,
    deleteForward,
    killToLineEnd,
    killToLineStart,
    killSpacedWord,
    killWordLeft,
    killWordRight,
    yank,
    undo,
    transpose,
    ...[left, right, wordLeft, wordRight, lineStart, lineEnd, spacedWordLeft].map(
      (move) => (buffer: EditBuffer) => moveTo(buffer, move(buffer.content, buffer.cursor))
    ),
    (buffer) => type(buffer, "x"),
    (buffer) => type(buffer, "\u0301"),
    (buffer) => type(buffer, "\u200d👧"),
    (buffer) => insert(buffer, tokenContent({ kind: "paste", number: 9, text: "<9>", lines: 1 }))
  ]

  it("any keys keep cursor between graphemes and marks on their tokens", () => {
    fc.assert(
      fc.property(texts, fc.array(fc.constantFrom(...operations), { maxLength: 30 }), (text, run) => {
        let buffer = at(`${text}|`)
        for (const operation of run) {
          buffer = operation(buffer)
          assert.strictEqual(boundaryFrom(buffer.content, buffer.cursor), buffer.cursor)
          for (const mark of buffer.content.marks) assert.strictEqual(buffer.content.text[mark.at], "\ufffc")
          const places = buffer.content.marks.map((mark) => mark.at)
          assert.deepStrictEqual(
            places,
            [...new Set(places)].sort((a, b) => a - b)
          )
        }
      }),
      { numRuns: 2_000 }
    )
  })
})

describe("a megabyte in the input", () => {
  for (const [name, unit] of [
    ["lines", "some words and more of them\n"],
    ["one line", "x"],
    ["CJK", "語"],
    ["emoji", FAMILY],
    ["flags", "🇫🇷"]
  ] as const) {
    it(`${name}: a key takes milliseconds`, () => {
      const full = insert(EMPTY_BUFFER, plainContent(unit.repeat(Math.ceil(1_000_000 / unit.length))))
      const time = bestTime(() => {
        let buffer = full
        for (let step = 0; step < 10; step++) {
          buffer = type(buffer, "a")
          buffer = moveTo(buffer, left(buffer.content, buffer.cursor))
          buffer = moveTo(buffer, left(buffer.content, buffer.cursor))
          buffer = deleteBackward(buffer)
          buffer = moveTo(buffer, right(buffer.content, buffer.cursor))
        }
      })
      assert.isBelow(time / 50, 10)
    })
  }
})
