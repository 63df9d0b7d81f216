import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { safeAnsi, safeLine, safeText } from "../../../src/tui/text/safeText.ts"
import { draw } from "./screen.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const esc = "\u001b"

/** What field case G6 names, and its neighbours. */
const HOSTILE: ReadonlyArray<readonly [string, string]> = [
  ["clipboard", `${esc}]52;c;cm0gLXJm${esc}\\`],
  ["title", `${esc}]0;owned\u0007`],
  ["title, 8-bit", "\u009d2;owned\u009c"],
  ["link", `${esc}]8;;https://evil.example${esc}\\safe${esc}]8;;${esc}\\`],
  ["device string", `${esc}P+q544e${esc}\\`],
  ["application string", `${esc}_Gf=100;AAAA${esc}\\`],
  ["cursor question", `${esc}[6n`],
  ["identity question", `${esc}[c${esc}[>c\u009bc`],
  ["reset", `${esc}c`],
  ["unterminated command", `${esc}]0;swallowed`],
  ["clear", `${esc}[2J${esc}[3J${esc}[H`],
  ["8-bit control", "\u009b2J"],
  ["other screen", `${esc}[?1049h`],
  ["mouse reports and bracketed paste", `${esc}[?1000h${esc}[?2004h`],
  ["line drawn over by a return", "rm -rf /\rls      "],
  ["backspaces", "rm -rf /\b\b\b\b\b\b\b\bls"],
  ["bell", "\u0007\u0007"],
  ["shift out", "\u000eabc\u000f"],
  ["vertical tab and form feed", "a\u000bb\u000cc"],
  ["next line, 8-bit", "a\u0085b"]
]

const firsts = [
  ...HOSTILE.map(([, text]) => text),
  esc,
  "\u009b",
  "\u009d",
  "\u0090",
  "\r",
  "\b",
  "\n",
  "\t",
  "a",
  "é",
  "你"
]

const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...firsts), fc.string({ unit: "binary", maxLength: 12 })), { maxLength: 12 })
  .map((parts) => parts.join(""))

const bytes = fc.uint8Array({ maxLength: 200 }).map((all) => Buffer.from(all).toString("latin1"))

describe("G6 escape sequences from models and tools", () => {
  for (const [name, text] of HOSTILE) {
    it(`${name} is shown, not obeyed`, async () => {
      const safe = safeText(`before ${text} after`)
      const drawn = await draw(safe)
      assert.deepStrictEqual(drawn.said, [])
      assert.deepStrictEqual(drawn.titles, [])
      assert.isFalse(drawn.alternate)
      assert.strictEqual(drawn.row, 0)
      assert.strictEqual(drawn.lines[0], safe)
      assert.match(safe, /^before .* after$/)
    })
  }

  for (const [name, arbitrary] of [
    ["text", hostileText],
    ["bytes", bytes]
  ] as const) {
    it(`any ${name}: the cursor is where plain text would leave it, and every line is drawn as it is`, async () => {
      await fc.assert(
        fc.asyncProperty(arbitrary, async (text) => {
          const safe = safeText(text)
          const lines = safe.split("\n")
          const drawn = await draw(safe)
          assert.deepStrictEqual([drawn.said, drawn.titles, drawn.alternate], [[], [], false])
          assert.strictEqual(drawn.row, lines.length - 1)
          assert.deepStrictEqual(
            drawn.lines.map((line) => line.trimEnd()),
            lines.map((line) => line.trimEnd())
          )
        }),
        { seed: 11, numRuns: 400 }
      )
    })
  }

  it("any text is safe again, and one line stays one line", () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const safe = safeText(text)
        assert.strictEqual(safeText(safe), safe)
        assert.notMatch(safeLine(text), /[\n\r\u2028\u2029\u0085]/)
      }),
      { seed: 3, numRuns: 1_000 }
    )
  })
})

describe("text that lies", () => {
  it("direction overrides, zero width, tags and fillers are seen", () => {
    assert.strictEqual(safeText("evil\u202etxt.exe"), "evil‹U+202E›txt.exe")
    assert.strictEqual(
      safeText("a\u200bb\u2060c\u00add\u3164e\u180ef"),
      "a‹U+200B›b‹U+2060›c‹U+00AD›d‹U+3164›e‹U+180E›f"
    )
    assert.strictEqual(safeText("x\u{e0020}\u{e007f}"), "x‹U+E0020›‹U+E007F›")
    assert.strictEqual(safeText("a\u2028b\u2029c"), "a‹U+2028›b‹U+2029›c")
  })

  it("bytes smuggled in variation selectors and joiners are seen", () => {
    assert.strictEqual(safeText("😀\ufe0f\ufe01\ufe0f"), "😀\ufe0f‹U+FE01›‹U+FE0F›")
    assert.strictEqual(safeText("😀\u{e0110}"), "😀‹U+E0110›")
    assert.strictEqual(safeText("pay\u200dpal"), "pay‹U+200D›pal")
  })

  it("half characters become the replacement character", () => {
    assert.strictEqual(safeText("a\ud83d b\udc00"), "a\ufffd b\ufffd")
  })

  it("marks can not pile up over other lines, nor sit on what stands before", () => {
    assert.strictEqual(safeText(`e${"\u0301".repeat(500)}x`), `e${"\u0301".repeat(8)}…x`)
    assert.strictEqual(safeText("\u0301x\n\u0301y"), "◌\u0301x\n◌\u0301y")
  })

  it("what people write stays as it is", () => {
    for (const text of [
      "Voilà, l’été — « ça » coûte 3 € ¾",
      "你好，世界 ｶﾀｶﾅ 한국어 葛\u{e0100}城",
      "👩‍👩‍👧 👍🏽 🇫🇷 ⚠️ 1️⃣ ❤️‍🔥 🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}",
      "می\u200cخواهم क्\u200dष שלום",
      "e\u0301 n\u0303",
      "├── a │ ▀▄█ ✓ → ∑ ≤ "
    ]) {
      assert.strictEqual(safeText(text), text)
    }
  })
})

describe("tabs and line ends", () => {
  it("tabs go to the next multiple of four cells, wide characters counted", () => {
    assert.strictEqual(safeText("\ta\tb\n你\tc"), "    a   b\n你  c")
  })

  it("CRLF is a line end, a lone return is shown", () => {
    assert.strictEqual(safeText("a\r\nb\rc"), "a\nb␍c")
  })

  it("one line for titles", () => {
    assert.strictEqual(safeLine(" npm test\n\trm x\n"), "npm test⏎    rm x")
  })
})

describe("colours of a command's output", () => {
  it("are kept, and end with each line", () => {
    assert.strictEqual(
      safeAnsi(`${esc}[31mred\nmore${esc}[0m plain`),
      `${esc}[31mred${esc}[39m\n${esc}[31mmore${esc}[0m plain`
    )
    assert.strictEqual(safeAnsi(`${esc}[1;38;2;1;2;3mx`), `${esc}[1;38;2;1;2;3mx${esc}[39;22m`)
    assert.strictEqual(safeAnsi(`${esc}[mx`), `${esc}[0mx`)
  })

  it("that hide text or blink are left out", () => {
    assert.strictEqual(safeAnsi(`${esc}[8mhidden${esc}[30;40;5m seen`), `hidden${esc}[30m seen${esc}[39m`)
    assert.strictEqual(safeAnsi(`${esc}[48;5;1;38;5;300;38;2;1m!`), "!")
  })

  it("come with nothing else", async () => {
    await fc.assert(
      fc.asyncProperty(hostileText, fc.constantFrom("31", "1;4", "0", "38;5;9", "7"), async (text, code) => {
        const safe = safeAnsi(`${esc}[${code}m${text}`)
        const drawn = await draw(safe)
        assert.deepStrictEqual([drawn.said, drawn.titles, drawn.alternate], [[], [], false])
        assert.strictEqual(drawn.row, safe.split("\n").length - 1)
        // oxlint-disable-next-line no-control-regex
        assert.notMatch(safe.replaceAll(/\u001b\[[0-9;]+m/g, ""), /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/)
      }),
      { seed: 5, numRuns: 300 }
    )
  })
})

describe("huge text", () => {
  it("a megabyte of escapes, of marks and of tabs takes no time to speak of", () => {
    const start = cpuTime()
    for (const text of [`${esc}[31m`.repeat(250_000), `e${"\u0301".repeat(1_000_000)}`, "a\t".repeat(500_000)])
      safeText(text)
    safeAnsi(`${esc}[31mx\n`.repeat(100_000))
    assert.isBelow(cpuTime() - start, 4_000)
  })
})
