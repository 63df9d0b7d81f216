import { assert, describe, it } from "@effect/vitest"
import { background, colourDepth, nearest256 } from "../../../src/tui/text/colours.ts"
import { detectTheme, makeTheme } from "../../../src/tui/text/theme.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"

describe("depth of colour", () => {
  for (const [environment, depth] of [
    [{ NO_COLOR: "1", COLORTERM: "truecolor", FORCE_COLOR: "3" }, "none"],
    [{ NO_COLOR: "", TERM: "xterm-256color" }, "256"],
    [{ TERM: "dumb", COLORTERM: "truecolor" }, "none"],
    [{ TERM: "vt100" }, "none"],
    [{ TERM: "xterm-mono" }, "none"],
    [{}, "16"],
    [{ TERM: "linux" }, "16"],
    [{ TERM: "xterm" }, "16"],
    [{ TERM: "screen-256color" }, "256"],
    [{ TERM: "tmux" }, "256"],
    [{ TERM: "xterm-256color", COLORTERM: "truecolor" }, "true"],
    [{ TERM: "xterm-256color", COLORTERM: "24bit" }, "true"],
    [{ TERM: "xterm-direct" }, "true"],
    [{ TERM: "xterm-kitty" }, "true"],
    [{ TERM: "xterm-256color", TERM_PROGRAM: "Apple_Terminal" }, "256"],
    [{ WT_SESSION: "x" }, "true"],
    [{ FORCE_COLOR: "0", COLORTERM: "truecolor" }, "none"],
    [{ FORCE_COLOR: "1", COLORTERM: "truecolor" }, "16"],
    [{ FORCE_COLOR: "2" }, "256"],
    [{ FORCE_COLOR: "3", TERM: "dumb" }, "true"]
  ] as const) {
    it(`${JSON.stringify(environment)}: ${depth}`, () => {
      assert.strictEqual(colourDepth(environment), depth)
    })
  }
})

describe("background", () => {
  for (const [environment, expected] of [
    [{}, "dark"],
    [{ COLORFGBG: "0;15" }, "light"],
    [{ COLORFGBG: "0;default;7" }, "light"],
    [{ COLORFGBG: "15;0" }, "dark"],
    [{ COLORFGBG: "7;8" }, "dark"],
    [{ COLORFGBG: "0;15", MAIA_THEME: "dark" }, "dark"],
    [{ MAIA_THEME: "Light" }, "light"],
    [{ MAIA_THEME: "pink" }, "dark"]
  ] as const) {
    it(`${JSON.stringify(environment)}: ${expected}`, () => {
      assert.strictEqual(background(environment), expected)
    })
  }
})

describe("nearest colours", () => {
  it("of the 256", () => {
    assert.strictEqual(nearest256([255, 0, 0]), 196)
    assert.strictEqual(nearest256([128, 128, 128]), 244)
    assert.strictEqual(nearest256([0, 0, 0]), 16)
    assert.strictEqual(nearest256([255, 255, 255]), 231)
  })
})

describe("the theme", () => {
  it("has MAIA's colours for the badges' texts", () => {
    const theme = makeTheme({ depth: "true", background: "dark" })
    assert.strictEqual(theme.infoText("x"), "\u001b[38;2;126;200;255mx\u001b[39m")
    assert.strictEqual(theme.failText("x"), "\u001b[38;2;220;138;221mx\u001b[39m")
  })

  it("says nothing by colour alone where there is none", () => {
    const theme = detectTheme({ NO_COLOR: "1" })
    assert.deepStrictEqual(
      [theme.info(" INFO "), theme.ask(" ASK "), theme.dim("x"), theme.bad("x")],
      ["[INFO]", "[ASK]", "x", "x"]
    )
  })

  it("badges are as wide with colours as without", () => {
    for (const depth of ["none", "16", "256", "true"] as const) {
      assert.strictEqual(cellWidth(makeTheme({ depth, background: "dark" }).warn(" WARN ")), 6)
    }
  })

  it("uses no colour beyond the terminal's", () => {
    for (const [depth, beyond] of [
      ["none", /\u001b/],
      ["16", /[34]8;/],
      ["256", /[34]8;2/]
    ] as const) {
      for (const background of ["dark", "light"] as const) {
        const theme = makeTheme({ depth, background })
        for (const part of Object.values(theme)) {
          if (typeof part !== "function") continue
          const styled = part === theme.colour || part === theme.on ? "" : String(part("x" as never))
          assert.notMatch(styled, beyond)
        }
      }
    }
  })

  it("an inner style gives the outer one back, and each line stands alone", () => {
    const theme = makeTheme({ depth: "16", background: "dark" })
    assert.strictEqual(theme.good(`a${theme.bad("b")}c`), "\u001b[32ma\u001b[31mb\u001b[39m\u001b[32mc\u001b[39m")
    assert.strictEqual(theme.good("a\nb"), "\u001b[32ma\u001b[39m\n\u001b[32mb\u001b[39m")
    assert.strictEqual(theme.good(""), "")
  })
})
