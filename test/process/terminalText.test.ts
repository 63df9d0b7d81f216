import { assert, describe, it } from "@effect/vitest"
import xterm from "@xterm/headless"
import * as fc from "fast-check"
import { reduceTerminalText, sanitizeForTerminal } from "../../src/process/terminalText.ts"
import { cpuTime } from "../support/cpuTime.ts"

const esc = "\u001b"

describe("E6 progress bars and colour", () => {
  for (const [name, raw, shown] of [
    ["a progress line drawn over", "1%\r50%\r100%\n", "100%\n"],
    ["a carriage return overwrites, it does not erase", "abc\rX\n", "Xbc\n"],
    ["CRLF is a plain line end", "a\r\nb\r\n", "a\nb\n"],
    ["CRCRLF too", "a\r\r\nb\n", "a\nb\n"],
    ["colours", `${esc}[1;31mred${esc}[0m ${esc}[38;2;1;2;3mrgb${esc}[m\n`, "red rgb\n"],
    ["colours keep tabs", `${esc}[32ma\tb${esc}[0m`, "a\tb"],
    ["a link keeps its text", `${esc}]8;;http://example.org${esc}\\text${esc}]8;;${esc}\\!`, "text!"],
    ["a title is gone", `${esc}]0;title\u0007after`, "after"],
    ["a link with 8-bit ends", "\u009d8;;x\u009ctext", "text"],
    ["8-bit colours", "\u009b31mred\u009b0m", "red"],
    ["backspaces", "abc\b\bX", "aXc"],
    ["a spinner", "|\b/\b-\b\\\bdone", "done"],
    ["bold by overstriking", "N\bNA\bAM\bME\bE", "NAME"],
    ["erase to the end of the line", `downloading 10%\r${esc}[Kdone\n`, "done\n"],
    ["column moves", `abc${esc}[1GX${esc}[5GY`, "Xbc Y"],
    ["lines drawn over from below", `one\ntwo\n${esc}[2Aone: done\ntwo: done\n`, "one: done\ntwo: done\n"],
    ["clear shows what follows", `old\n${esc}[H${esc}[2J${esc}[3Jnew\n`, "new\n"],
    ["a full-screen program leaves nothing", `before\n${esc}[?1049hscreen${esc}[?1049lafter`, "before\nafter"],
    ["a wide character drawn over by half", "你好\rab", "ab好"],
    ["character sets and modes", `${esc}(B${esc})0${esc}=${esc}[?25lx`, "x"],
    ["a device string", `${esc}P1$r0m${esc}\\x${esc}_app${esc}\\y`, "xy"],
    ["nothing to do", "plain\n\ttext 😀\n", "plain\n\ttext 😀\n"]
  ] as const) {
    it(name, () => assert.strictEqual(reduceTerminalText(raw), shown))
  }

  it("NUL and controls are made visible", () =>
    assert.strictEqual(reduceTerminalText("a\0b\u0001\u007f\u0080\f"), "a␀b␁␡‹U+0080›␌"))

  it("an unending sequence hides nothing", () => {
    assert.strictEqual(reduceTerminalText(`a${esc}]0;title\nb\nc`), "a0;title\nb\nc")
    assert.strictEqual(reduceTerminalText(`a${esc}Pdevice\nb`), "adevice\nb")
    assert.strictEqual(reduceTerminalText(`a${esc}[31`), "a")
    assert.strictEqual(reduceTerminalText(`a${esc}`), "a␛")
  })

  it("what has scrolled away is not drawn over", () => {
    const lines = Array.from({ length: 200 }, (_, index) => `line ${index}`).join("\n")
    const shown = reduceTerminalText(`${lines}${esc}[H${esc}[Jnew`).split("\n")
    assert.deepStrictEqual(shown.slice(0, 150), lines.split("\n").slice(0, 150))
    assert.deepStrictEqual(shown.slice(150), ["new"])
  })
})

describe("against a real terminal emulator", () => {
  const size = { cols: 120, rows: 50 }
  const shownBy = (text: string): Promise<string> =>
    new Promise((resolve) => {
      const terminal = new xterm.Terminal({ ...size, allowProposedApi: true, convertEol: true, scrollback: 1000 })
      terminal.write(text, () => {
        const lines: Array<string> = []
        const buffer = terminal.buffer.active
        for (let index = 0; index < buffer.length; index++)
          lines.push(buffer.getLine(index)?.translateToString(true) ?? "")
        terminal.dispose()
        resolve(lines.join("\n"))
      })
    })
  /** Lines that nothing was drawn over keep their tabs; the emulator has only blanks. */
  const expandTabs = (line: string): string => {
    let columns = 0
    let expanded = ""
    for (const character of line) {
      const width = character === "\t" ? 8 - (columns % 8) : character === "你" ? 2 : 1
      expanded += character === "\t" ? " ".repeat(width) : character
      columns += width
    }
    return expanded
  }
  const plain = (text: string): string =>
    text
      .split("\n")
      .map((line) => expandTabs(line).trimEnd())
      .join("\n")
      .trimEnd()

  const piece = fc.oneof(
    { weight: 6, arbitrary: fc.constantFrom("a", "bc", "xyz ", "你", "é", "1%", "done") },
    { weight: 3, arbitrary: fc.constantFrom("\n", "\r", "\r\n", "\b", "\t") },
    {
      weight: 4,
      arbitrary: fc
        .tuple(fc.integer({ min: 0, max: 4 }), fc.constantFrom("A", "B", "C", "D", "E", "F", "G", "K", "d", "m"))
        .map(([count, final]) => `${esc}[${final === "K" ? count % 3 : count}${final}`)
    },
    { weight: 1, arbitrary: fc.constantFrom(`${esc}7`, `${esc}8`, `${esc}[s`, `${esc}[u`, `${esc}[2;3H`, `${esc}[0J`) },
    { weight: 1, arbitrary: fc.constantFrom(`${esc}]0;title\u0007`, `${esc}(B`, `${esc}[?25l`, `${esc}[1J`) }
  )

  it("shows what xterm shows", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 40 }), async (pieces) => {
        const text = pieces.join("")
        assert.strictEqual(plain(reduceTerminalText(text)), plain(await shownBy(text)), JSON.stringify(text))
      }),
      { seed: 20261130, numRuns: 1500 }
    )
  }, 60_000)
})

describe("linear time", () => {
  const seconds = (text: string): number => {
    const before = cpuTime()
    reduceTerminalText(text)
    return (cpuTime() - before) / 1000
  }
  for (const [name, unit, before] of [
    ["carriage returns", "\r", ""],
    ["redraws of a long line", "\rX", "a".repeat(500_000)],
    ["column moves on a long line", `${esc}[C`, "a".repeat(500_000)],
    ["erasing the left of a long line", `${esc}[1K`, "a".repeat(500_000)],
    ["erasing a long line and writing on", `${esc}[2Kx`, "a".repeat(500_000)],
    ["going up and down between long lines", `${esc}[Ax${esc}[By`, `${"a".repeat(250_000)}\n${"b".repeat(250_000)}`],
    ["unending titles", `${esc}]0;`, ""],
    ["unending 8-bit strings", "\u009d\u0090", ""],
    ["endless parameters", "1;", `${esc}[`],
    ["far columns", `${esc}[999999999Cx\n`, ""],
    ["combining characters", "\u0301", "e\r"],
    ["screens", `${esc}[?1049hx${esc}[?1049l`, ""]
  ] as const) {
    it(name, () => {
      const count = Math.floor(1_000_000 / unit.length)
      seconds(before + unit.repeat(Math.floor(count / 10)))
      assert.isBelow(seconds(before + unit.repeat(count)), 2)
    })
  }
})

describe("G6 escape sequences from model or tools", () => {
  it("nothing that moves, names, copies or asks is left, and nothing is dropped", () => {
    for (const text of [
      `${esc}]52;c;aGk=\u0007`,
      `${esc}]0;title\u0007`,
      `${esc}[6n`,
      `${esc}c`,
      `${esc}]unending`,
      "\u009b31m",
      `${esc}P+q${esc}\\`,
      "a\rb",
      "a\bb"
    ]) {
      const safe = sanitizeForTerminal(text)
      // oxlint-disable-next-line no-control-regex
      assert.notMatch(safe, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
      assert.isAtLeast(safe.length, text.length)
    }
    assert.strictEqual(sanitizeForTerminal(`${esc}[31mred\n\ttab`), "␛[31mred\n\ttab")
  })

  it("text that reverses or hides text is made visible", () => {
    assert.strictEqual(sanitizeForTerminal("rm \u202e-rf"), "rm ‹U+202E›-rf")
    assert.strictEqual(sanitizeForTerminal("a\u2066b\u200bc\ufeff"), "a‹U+2066›b‹U+200B›c‹U+FEFF›")
    assert.strictEqual(sanitizeForTerminal("a\u{e0041}b"), "a‹U+E0041›b")
  })

  it("ordinary text of any language stays as it is", () => {
    const text = "Ünïcödé 你好 שלום 👩‍👩‍👧 क्षि\n\tok"
    assert.strictEqual(sanitizeForTerminal(text), text)
  })

  it("any text: safe, and safe again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const safe = sanitizeForTerminal(text)
        // oxlint-disable-next-line no-control-regex
        return (
          !/[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e]/.test(safe) && sanitizeForTerminal(safe) === safe
        )
      }),
      { seed: 7, numRuns: 2000 }
    )
  })
})
