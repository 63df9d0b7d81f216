import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findMentions } from "../../../src/tools/mentionSyntax.ts"
import { mentionOf, quotedMention } from "../../../src/tui/input/completion/quoting.ts"
import { concat, expand, plainContent } from "../../../src/tui/input/content.ts"
import { imagePaths } from "../../../src/tui/input/imagePaths.ts"
import { labelOf, pasted } from "../../../src/tui/input/paste.ts"

const lines = (count: number): string => Array.from({ length: count }, (_, index) => `line ${index}`).join("\n")

describe("long pastes", () => {
  for (const [name, text, label] of [
    ["ten lines are shown", lines(10), undefined],
    ["a line end at the end is no line", `${lines(10)}\n`, undefined],
    ["eleven are a token", lines(11), "[Pasted text #3 +11 lines]"],
    ["1 000 characters are shown", "x".repeat(1_000), undefined],
    ["1 001 are a token", "x".repeat(1_001), "[Pasted text #3 1001 characters]"],
    ["200 lines", lines(200), "[Pasted text #3 +200 lines]"]
  ] as const) {
    it(name, () => {
      const { content } = pasted(text, 3)
      const [mark] = content.marks
      assert.strictEqual(mark === undefined ? undefined : labelOf(mark.token, "en"), label)
      assert.strictEqual(expand(content), text)
    })
  }

  it("in French", () => {
    const [mark] = pasted(lines(200), 1).content.marks
    assert.strictEqual(mark === undefined ? "" : labelOf(mark.token, "fr"), "[Texte collé #1 +200 lignes]")
  })
})

describe("images dragged into the terminal", () => {
  for (const [text, expected] of [
    ["/home/ann/a.png", ["/home/ann/a.png"]],
    ["/home/ann/a.PNG ", ["/home/ann/a.PNG"]],
    ["'/home/ann/my picture.jpg'", ["/home/ann/my picture.jpg"]],
    ['"/home/ann/my picture.jpeg"', ["/home/ann/my picture.jpeg"]],
    ["/home/ann/my\\ picture\\ \\(1\\).gif", ["/home/ann/my picture (1).gif"]],
    ["/home/ann/my picture.webp", ["/home/ann/my picture.webp"]],
    ["file:///home/ann/my%20picture.png", ["/home/ann/my picture.png"]],
    ["file://localhost/a.png", ["/a.png"]],
    ["~/a.png ./b.png ../c.png", ["~/a.png", "./b.png", "../c.png"]],
    ["/a.png\n/b.png\n", ["/a.png", "/b.png"]],
    ["'/it'\\''s.png'", ["/it's.png"]],
    ['"C:\\Users\\ann\\a.png"', ["C:\\Users\\ann\\a.png"]],
    ["C:\\Users\\ann\\a.png", ["C:\\Users\\ann\\a.png"]],
    ["file:///C:/a.png", ["C:/a.png"]],
    ["a.png", undefined],
    ["see /a.png", undefined],
    ["/a.png is broken", undefined],
    ["/a.txt", undefined],
    ["https://example.org/a.png", undefined],
    ["file://server/a.png", undefined],
    ["file:///%zz.png", undefined],
    ["file:///a%00.png", undefined],
    ["'/a.png", undefined],
    ["", undefined],
    ["/.png/x", undefined]
  ] as const) {
    it(JSON.stringify(text), () =>
      assert.deepStrictEqual(imagePaths(text), expected === undefined ? expected : [...expected])
    )
  }

  it("are sent as references, whatever stands around them", () => {
    const { content, images } = pasted("'/my pictures/a.png' /b.png", 1)
    assert.strictEqual(images.map((token) => labelOf(token, "en")).join(" "), "[Image #1] [Image #2]")
    const sent = expand(concat(concat(plainContent("see"), content), plainContent("now")))
    assert.strictEqual(sent, 'see @"/my pictures/a.png" @"/b.png" now')
    assert.deepStrictEqual(
      findMentions(sent).map(({ name }) => name),
      ["/my pictures/a.png", "/b.png"]
    )
  })
})

describe("references to paths", () => {
  for (const [path, expected] of [
    ["src/a.ts", "@src/a.ts"],
    ["my file.txt", '@"my file.txt"'],
    ["it's.txt", "@it's.txt"],
    ["'quoted'", "@\"'quoted'\""],
    ['say "hi" now', "@'say \"hi\" now'"],
    ['it\'s "x" y', "@'it\\'s \"x\" y'"],
    ["@scope/a", '@"@scope/a"'],
    ["a\nb", undefined],
    ["a\u001b[31mb", undefined],
    ['a b"\\', undefined]
  ] as const) {
    it(JSON.stringify(path), () => assert.strictEqual(mentionOf(path), expected))
  }

  it("any name that can be written is found again", () => {
    const names = fc.string({
      unit: fc.constantFrom("a", " ", "'", '"', "\\", "@", ".", "/", "é", "語", "😀", ":", "1", "\n", "\u0007")
    })
    fc.assert(
      fc.property(names, (name) => {
        for (const written of [mentionOf(name), quotedMention(name)]) {
          if (written === undefined) continue
          const found = findMentions(`look at ${written} please`)
          assert.include(
            found.map((mention) => mention.name),
            name
          )
        }
      }),
      { numRuns: 3_000 }
    )
  })
})
