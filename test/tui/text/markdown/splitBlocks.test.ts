import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import {
  feed,
  finish,
  openText,
  splitBlocks,
  startSplitting,
  type Block
} from "../../../../src/tui/text/markdown/splitBlocks.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

const kinds = (text: string): ReadonlyArray<readonly [string, string]> =>
  splitBlocks(text).map(({ kind, source }) => [kind, source])

/** The blocks of a text that comes in pieces, and what was open before it ended. */
const stream = (pieces: ReadonlyArray<string>): { readonly blocks: ReadonlyArray<Block>; readonly open: string } => {
  let state = startSplitting
  const blocks: Array<Block> = []
  for (const piece of pieces) {
    const step = feed(state, piece)
    state = step.state
    blocks.push(...step.blocks)
  }
  return { blocks: [...blocks, ...finish(state)], open: openText(state) }
}

const line = fc.constantFrom(
  "",
  "  ",
  "text",
  "more | words",
  "- item",
  "* [ ] task",
  "1. one",
  "2) two",
  "   three",
  "  two",
  "    four code",
  "\tcode",
  "```",
  "```js",
  "````",
  "~~~",
  "> quote",
  ">",
  "# head",
  "---",
  "===",
  "| a | b |",
  "|---|---|",
  "   - nested",
  "   ```",
  "- ```",
  "\r",
  "é你👩‍👩‍👧",
  "<div>"
)

const documents = fc
  .array(fc.tuple(line, fc.constantFrom("\n", "\n", "\n", "\r\n")), { maxLength: 25 })
  .chain((lines) =>
    fc.constantFrom("", "x", "```").map((last) => lines.map(([text, end]) => text + end).join("") + last)
  )

/** Cuts at the given places, which may stand inside a line end or a character. */
const cutAt = (text: string, places: ReadonlyArray<number>): ReadonlyArray<string> => {
  const cuts = [...new Set(places.map((place) => place % (text.length + 1)))].sort((a, b) => a - b)
  return [0, ...cuts].map((from, at) => text.slice(from, cuts[at] ?? text.length))
}

describe("laws of the splitter", () => {
  it("whatever the pieces, the blocks are the same, and together they are the text", () => {
    fc.assert(
      fc.property(documents, fc.array(fc.nat(), { maxLength: 30 }), (text, places) => {
        const whole = splitBlocks(text)
        assert.strictEqual(whole.map(({ source }) => source).join(""), text)
        let state = startSplitting
        const blocks: Array<Block> = []
        let seen = ""
        for (const piece of cutAt(text, places)) {
          const step = feed(state, piece)
          state = step.state
          blocks.push(...step.blocks)
          seen += piece
          assert.strictEqual(blocks.map(({ source }) => source).join("") + openText(state), seen)
        }
        assert.deepStrictEqual([...blocks, ...finish(state)], [...whole])
      }),
      { seed: 13, numRuns: 2_000 }
    )
  })

  it("is linear in a long block, whatever it is and however it comes", () => {
    const start = cpuTime()
    for (const [first, unit] of [
      ["```\n", "line of code\n"],
      ["", "- item\n"],
      ["", "prose without an end "],
      ["> ", "> quote\n"],
      ["", "\n"],
      ["    ", "    code\n\n"]
    ] as const) {
      let state = feed(startSplitting, first).state
      for (let n = 0; n < 60_000; n++) state = feed(state, unit).state
      finish(state)
    }
    assert.isBelow(cpuTime() - start, 4_000)
  })
})

describe("where a block ends", () => {
  it("a paragraph, a heading, a rule", () => {
    assert.deepStrictEqual(kinds("one\ntwo\n\nthree\n# four\nfive\n***\n"), [
      ["paragraph", "one\ntwo\n"],
      ["paragraph", "\nthree\n"],
      ["heading", "# four\n"],
      ["paragraph", "five\n"],
      ["rule", "***\n"]
    ])
    assert.deepStrictEqual(kinds("Title\n===\n\ntext\n---\n"), [
      ["heading", "Title\n===\n"],
      ["heading", "\ntext\n---\n"]
    ])
  })

  it("code by its closing fence, not by a shorter or another one", () => {
    assert.deepStrictEqual(kinds("````md\n```js\n\n~~~\n```\n````\nafter\n"), [
      ["code", "````md\n```js\n\n~~~\n```\n````\n"],
      ["paragraph", "after\n"]
    ])
    assert.deepStrictEqual(kinds("text\n```\ncode\n```\nmore"), [
      ["paragraph", "text\n"],
      ["code", "```\ncode\n```\n"],
      ["paragraph", "more"]
    ])
    assert.deepStrictEqual(kinds("```sh `x`\n"), [["paragraph", "```sh `x`\n"]])
  })

  it("an unclosed fence by the end of the answer", () => {
    assert.deepStrictEqual(kinds("```ts\nconst a = 1\n\n"), [["code", "```ts\nconst a = 1\n\n"]])
  })

  it("a list goes on over blank lines, nested lists and code, until something else stands at the margin", () => {
    const list = "1. one\n\n   - nested\n\n   ```\n   # no heading\n\n   - no item\n   ```\n2. two\n   lazy\n\n"
    assert.deepStrictEqual(kinds(`${list}after\n`), [
      ["list", list.slice(0, -1)],
      ["paragraph", "\nafter\n"]
    ])
    assert.deepStrictEqual(kinds("- a\n```\nx\n```\n- b\n"), [
      ["list", "- a\n"],
      ["code", "```\nx\n```\n"],
      ["list", "- b\n"]
    ])
  })

  it("code in a list that is not indented is still the list's", () => {
    assert.deepStrictEqual(kinds("1. a\n   ```\nx\n\ny\n```\n2. b\n"), [["list", "1. a\n   ```\nx\n\ny\n```\n2. b\n"]])
  })

  it("a number in a sentence begins no list", () => {
    assert.deepStrictEqual(kinds("It was in\n1984. Yes\n"), [["paragraph", "It was in\n1984. Yes\n"]])
  })

  it("a table by a blank line", () => {
    assert.deepStrictEqual(kinds("| a | b |\n|---|:-:|\n| 1 | 2 |\n\nafter"), [
      ["table", "| a | b |\n|---|:-:|\n| 1 | 2 |\n"],
      ["paragraph", "\nafter"]
    ])
  })

  it("a quote with lazy lines", () => {
    assert.deepStrictEqual(kinds("> a\nlazy\n> b\n>\nnot lazy\n"), [
      ["quote", "> a\nlazy\n> b\n>\n"],
      ["paragraph", "not lazy\n"]
    ])
  })

  it("indented code keeps its blank lines, a paragraph before it takes the line", () => {
    assert.deepStrictEqual(kinds("    a\n\n    b\n\nc\n    d\n"), [
      ["code", "    a\n\n    b\n"],
      ["paragraph", "\nc\n    d\n"]
    ])
  })

  it("CRLF as LF", () => {
    assert.deepStrictEqual(kinds("a\r\n\r\n```\r\nb\r\n```\r\nc"), [
      ["paragraph", "a\r\n"],
      ["code", "\r\n```\r\nb\r\n```\r\n"],
      ["paragraph", "c"]
    ])
  })

  it("a finished block is given with the line that ends it, the open one is shown as it grows", () => {
    const { blocks, open } = stream(["Hel", "lo\n", "\nwor"])
    assert.deepStrictEqual(blocks, [
      { kind: "paragraph", source: "Hello\n" },
      { kind: "paragraph", source: "\nwor" }
    ])
    assert.strictEqual(open, "\nwor")
  })

  it("nothing gives nothing, blank lines a blank block", () => {
    assert.deepStrictEqual(splitBlocks(""), [])
    assert.deepStrictEqual(kinds("\n \n"), [["blank", "\n \n"]])
  })
})
