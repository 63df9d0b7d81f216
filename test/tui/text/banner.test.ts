import { assert, describe, it } from "@effect/vitest"
import { bannerLines } from "../../../src/tui/text/banner.ts"
import { COLOURS, DIGITS, OUTLINE, PICTURE, SIXTEEN } from "../../../src/tui/text/bannerPicture.ts"
import { makeTheme, type Theme } from "../../../src/tui/text/theme.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"
import { expectScreen, full, named, plain, unstyled, WIDTHS } from "./snapshot.ts"

const facts = { version: "1.2.3", folder: "/home/someone/projects/maia" }
const banner = (width: number, theme: Theme = plain, language: "en" | "fr" = "en"): ReadonlyArray<string> =>
  bannerLines(facts, { width, theme, language })

describe("the banner", () => {
  for (const width of [20, ...WIDTHS]) {
    it(`at ${width} columns`, () => expectScreen(`banner-${width}`, banner(width), width))
  }

  it("in sixteen colours and French", () => expectScreen("banner-colours", banner(80, named, "fr"), 80))

  it("has the picture from 58 columns, letters from 25, a double frame below that", () => {
    const first = (width: number): string => banner(width)[0] ?? ""
    assert.include(first(58), "▄▄▄█▀▀▀▀▀▀█▄▄▄")
    assert.strictEqual(first(57), first(25))
    assert.match(first(57), /^█▄ ▄█ +▀$/)
    assert.strictEqual(banner(57).length > banner(24).length, true)
    assert.deepStrictEqual(banner(24), [
      `╔${"═".repeat(22)}╗`,
      `║${" ".repeat(9)}Maia${" ".repeat(9)}║`,
      `╚${"═".repeat(22)}╝`
    ])
  })

  it("fits every width in every depth of colour", () => {
    for (const depth of ["none", "16", "256", "true"] as const) {
      for (const background of ["dark", "light"] as const) {
        for (let width = 1; width < 130; width += 3) {
          for (const line of banner(width, makeTheme({ depth, background }), "fr"))
            assert.isAtMost(cellWidth(line), width)
        }
      }
    }
  })

  it("says the two texts of the reference", () => {
    const text = (language: "en" | "fr"): string =>
      unstyled(banner(120, full, language))
        .join(" ")
        .replaceAll(/[▀▄█\s]+/g, " ")
    assert.include(text("fr"), "Assistant IA en ligne de commande, propulsé par Ink et vos modèles de langage.")
    assert.include(text("fr"), "Un seul agent, plusieurs modèles")
    assert.include(text("en"), "One agent, many models")
  })

  it("read aloud it is its words", () => {
    assert.deepStrictEqual(banner(80, makeTheme({ depth: "none", background: "dark", frames: false })), [
      "Maia 1.2.3",
      "AI assistant on the command line, powered by Ink and your language models.",
      "One agent, many models",
      "/home/someone/projects/maia"
    ])
  })

  it("a folder's name can not draw", () => {
    const lines = bannerLines({ ...facts, folder: "/tmp/\u001b[2J\n" }, { width: 80, theme: plain, language: "en" })
    assert.notInclude(lines.join("\n"), "\u001b")
  })

  it("the picture's data are 32 rows of 32 pixels, each with a colour", () => {
    const colours = COLOURS.split(" ")
    for (const picture of [PICTURE, OUTLINE, SIXTEEN]) {
      assert.strictEqual(picture.length, 32)
      for (const row of picture) assert.strictEqual(row.length, 32)
    }
    for (const digit of PICTURE.join("").replaceAll(" ", ""))
      assert.match(colours[DIGITS.indexOf(digit)] ?? "", /^[\da-f]{6}$/)
  })
})
