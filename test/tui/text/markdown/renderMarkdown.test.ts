import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { highlight } from "../../../../src/tui/text/markdown/highlight.ts"
import { loadMarkdown } from "../../../../src/tui/text/markdown/loadMarkdown.ts"
import { mendFences } from "../../../../src/tui/text/markdown/mendFences.ts"
import { renderMarkdown, renderRaw } from "../../../../src/tui/text/markdown/renderMarkdown.ts"
import { splitBlocks } from "../../../../src/tui/text/markdown/splitBlocks.ts"
import { makeTheme, type Theme } from "../../../../src/tui/text/theme.ts"
import { cellWidth } from "../../../../src/tui/text/width.ts"
import { draw } from "../screen.ts"
import { expectScreen, full, named, plain, unstyled, WIDTHS } from "../snapshot.ts"
import { cpuTime } from "../../../support/cpuTime.ts"

/** An answer as the interface prints it: block by block, an empty line between two. */
const printed = (markdown: string, width: number, theme: Theme): ReadonlyArray<string> =>
  splitBlocks(markdown)
    .map(({ source }) => renderMarkdown(source, { width, theme, highlight }))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, at) => (at === 0 ? lines : ["", ...lines]))

const one = (markdown: string, width = 80, theme = plain): ReadonlyArray<string> =>
  renderMarkdown(markdown, { width, theme, highlight })

const ANSWER = `# The **plan** for \`maia\`

A paragraph with *emphasis*, **strong text**, \`inline code\`, ~~struck~~, a [link](https://example.org/docs?q=1), <https://auto.link/x> and 你好，世界 👩‍👩‍👧.
A second line, kept as the model wrote it.

## Steps

1. First do this:

   \`\`\`ts
   const answer = (value: number): string => \`x \${value}\` // a comment that is long
   if (answer) {
       return null
   }
   \`\`\`

2. Then that
   - nested one
   - nested two with a long text that must wrap at narrow widths and hang below its bullet
     - deeper
7. Numbered as it was written

- [ ] open task
- [x] done task

> A quote with **bold**
> over two lines
>
> - and a list

| Name | Type | What it is for |
|------|:----:|---------------:|
| \`path\` | string | The file to read, relative to the launch folder |
| \`limit\` | number | Lines |
| 名前 | 文字列 | 幅の広い文字 |

| Option | Default | Meaning of the option | Since | Changed by |
|---|---|---|---|---|
| \`LiteLLM_URL\` | none | URL of the server that answers requests | 0.1 | the wizard |
| \`MaxOutputTokens\` | 8192 | most tokens of one answer | 0.2.1 | |

---

    indented code
        kept

![diagram](https://x.y/z.png) A &amp; B <br> after the break

\`\`\`sh
npm test
\`\`\`

<details><summary>x</summary>hidden</details>

[ref]: https://x.y "t"

### The end, with a fence that nobody closed

\`\`\`python
def f(x):
    """doc"""
    return x + 1`

describe("an answer", () => {
  for (const width of WIDTHS) {
    it(`at ${width} columns`, () => expectScreen(`markdown-${width}`, printed(ANSWER, width, plain), width))
  }

  it("in sixteen colours", () => expectScreen("markdown-colours", printed(ANSWER, 80, named), 80))

  it("is the same text with and without colours, signs for emphasis aside", () => {
    const letters = (lines: ReadonlyArray<string>): string => lines.join("").replaceAll(/[\s#`~─]/g, "")
    assert.strictEqual(letters(unstyled(printed(ANSWER, 200, full))), letters(printed(ANSWER, 200, plain)))
  })

  it("read aloud: nothing is drawn around it", async () => {
    const aloud = makeTheme({ depth: "none", background: "dark", frames: false })
    await expectScreen("markdown-aloud", printed(ANSWER, 80, aloud), 80)
    assert.notMatch(printed(ANSWER, 80, aloud).join(""), /[─│╭╰↪┼]/)
  })

  it("raw when Markdown is not wanted", async () => {
    const raw = await loadMarkdown({ MAIA_NO_MARKDOWN: "1" })
    assert.deepStrictEqual(raw.render("\n# a **b**\n\n  - c\u001b[2J\n", { width: 80, theme: plain }), [
      "# a **b**",
      "",
      "  - c␛[2J"
    ])
    const drawn = await loadMarkdown({ MAIA_NO_MARKDOWN: "0" })
    assert.deepStrictEqual(drawn.render("a **b**", { width: 80, theme: plain }), ["a b"])
  })
})

describe("parts", () => {
  it("blank lines are nothing", () => assert.deepStrictEqual(one("\n \n"), []))

  it("a link shows its address, unless it is its text", () => {
    assert.deepStrictEqual(one("[docs](https://a.b/c) https://d.e <m@x.y> [https://f.g](https://f.g)"), [
      "docs (https://a.b/c) https://d.e m@x.y https://f.g"
    ])
  })

  it("code keeps its blanks and marks lines that are carried on", () => {
    assert.deepStrictEqual(one("```\n\tif x:\n\t\treturn 1234567890\n\n```\n", 20), [
      "╭─",
      "      if x:",
      "          return 123",
      "↪ 4567890",
      "╰─"
    ])
  })

  it("code of an unknown language is plain, of a known one coloured, with as many lines", () => {
    assert.deepStrictEqual(one("```zog\na <b>\n```", 80, named).at(1), "  a <b>")
    const code = "/* two\nlines */ const x = `a\nb` // &amp; <i>"
    const lines = highlight(code, "ts", full)
    assert.deepStrictEqual(unstyled(lines ?? []), code.split("\n"))
    for (const line of lines ?? []) assert.match(line, /^\u001b\[.*m$/)
  })

  it("a table cell is never cut", () => {
    for (const width of [12, 20, 30, 50]) {
      const text = one("| a | b |\n|--|--|\n| some words here | unbreakableunbreakableunbreakable |", width).join("")
      assert.include(text.replaceAll(/[\s│─┼]/g, ""), width < 30 ? "unbreakable" : "b")
      assert.strictEqual(text.match(/unbreak|break/g) === null, false)
    }
  })

  it("code in a list that models forget to indent stays whole", () => {
    assert.strictEqual(mendFences("1. a\n   ```\nx\n  y\n```\n2. b"), "1. a\n   ```\n   x\n     y\n   ```\n2. b")
    assert.strictEqual(mendFences("- ```\nx\n```"), "- ```\n  x\n  ```")
    for (const same of [
      "1. a\n   ```\n   x\n   ```",
      "1. a\n   ```\nno end",
      "text\n```\nx\n```",
      "- a\n```\nx\n```"
    ]) {
      assert.strictEqual(mendFences(same), same)
    }
  })
})

describe("G6 a model's text in Markdown", () => {
  for (const text of [
    "\u001b]0;title\u0007# x",
    "[a\u001b[2J](https://x\u001b[3J)",
    "```ts\n\u009b2J\n```",
    "```\u001b[31m\nx\n```",
    "| a\u0007 |\n|---|\n| \rb |",
    '&#27;[2J &#x9b;2J **&#27;[3J** [&#27;c](&#27;c "&#27;c") ![&#7;](x)',
    "| &#27;[2J |\n|---|\n| &#8;&#13; |",
    "```&#27;c\n&#27;c\n```",
    "`\u202ex`",
    "<b\u001b>"
  ]) {
    it(`${JSON.stringify(text)} moves nothing`, async () => {
      const lines = one(text, 60, named)
      const drawn = await draw(lines.join("\n"))
      assert.deepStrictEqual([drawn.said, drawn.titles, drawn.row], [[], [], lines.length - 1])
      assert.notMatch(unstyled(lines).join(""), /[\u0000-\u001f\u007f-\u009f\u202e]/)
    })
  }

  it("nothing becomes a link of the terminal's own", () => {
    assert.notInclude(printed(ANSWER, 80, full).join(""), "\u001b]8")
  })
})

describe("any text", () => {
  const unit = fc.constantFrom(
    ..."ab 你*_`~[](){}<>!|#->+.1\n\n\t\\&:",
    "```",
    "**",
    "👩‍👩‍👧",
    "\n- ",
    "\n  ",
    "\n> ",
    "|---|",
    "&amp;",
    "http://x.y"
  )

  it("never fails, and no line is wider than the screen", () => {
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 120 }), fc.integer({ min: 12, max: 60 }), (text, width) => {
        for (const line of [...printed(text, width, named), ...renderRaw(text, { width })]) {
          assert.isAtMost(cellWidth(line), width, JSON.stringify(line))
        }
      }),
      { seed: 8, numRuns: 1_500 }
    )
  })

  it("no word is lost", () => {
    const words = fc.array(
      fc.constantFrom("alpha", "**beta**", "`gamma`", "- delta", "\n\n", "> eps", "| zeta | eta |\n|--|--|", "\n")
    )
    fc.assert(
      fc.property(words, (parts) => {
        const text = parts.join(" ")
        const shown = printed(text, 40, plain).join(" ")
        for (const word of ["alpha", "beta", "gamma", "delta", "eps", "zeta"]) {
          const count = (where: string): number => where.split(word).length - 1
          // "alpha | zeta | eta |" may be the header of a table, and a word may stand in a row that has no such column.
          if (!text.includes("|--")) assert.strictEqual(count(shown), count(text), text)
        }
      }),
      { seed: 4, numRuns: 500 }
    )
  })

  it("what is pathological for the reader of Markdown stays quick", () => {
    const start = cpuTime()
    for (const text of [
      "[".repeat(50_000),
      "*a ".repeat(30_000),
      "> ".repeat(3_000),
      "- ".repeat(5_000),
      "|".repeat(50_000),
      `\`\`\`ts\n${"a".repeat(500_000)}`
    ]) {
      one(text, 80, named)
    }
    assert.isBelow(cpuTime() - start, 6_000)
  })
})
