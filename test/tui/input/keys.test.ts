import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { KeyDecoder } from "../../../src/tui/input/keys.ts"
import { TerminalInput } from "../../../src/tui/input/TerminalInput.ts"
import { bestTime, nameOf } from "./support.ts"

const E = "\u001b"

/** Short names of what one read brings, without `flush`. */
const decode = (input: string | Uint8Array): string => new KeyDecoder().feed(input).map(nameOf).join(" ")

/** The same with `flush` until nothing waits. */
const decodeAll = (...reads: ReadonlyArray<string | Uint8Array>): string => {
  const decoder = new KeyDecoder()
  const events = reads.flatMap((read) => [...decoder.feed(read)])
  for (let calls = 0; decoder.pending && calls < 100; calls++) events.push(...decoder.flush())
  return events.map(nameOf).join(" ")
}

const table = (rows: ReadonlyArray<readonly [string, string]>): void => {
  for (const [input, expected] of rows) {
    it(`${JSON.stringify(input)} is ${expected === "" ? "nothing" : expected}`, () => {
      assert.strictEqual(decode(input), expected)
    })
  }
}

describe("characters and control keys", () => {
  table([
    ["ls -l", "l s   - l"],
    ["Aé語😀", "A é 語 😀"],
    ["\r", "enter"],
    ["\n", "C-j"],
    ["\t", "tab"],
    ["\u007f", "backspace"],
    ["\b", "C-h"],
    ["\0", "C-space"],
    ["\u0001\u0005\u0017\u001a", "C-a C-e C-w C-z"],
    ["\u001c\u001d\u001e\u001f", "C-\\ C-] C-^ C-_"],
    ["\u009b\u0085", ""],
    ["hi\r", "h i enter"]
  ])

  it("a capital letter is the small key with Shift and keeps its text", () => {
    assert.deepStrictEqual(new KeyDecoder().feed("A"), [
      { type: "key", name: "a", text: "A", ctrl: false, alt: false, shift: true }
    ])
  })
})

describe("xterm and VT sequences", () => {
  table([
    [`${E}[A${E}[B${E}[C${E}[D`, "up down right left"],
    [`${E}OA${E}OB${E}OC${E}OD`, "up down right left"],
    [`${E}[H${E}[F${E}OH${E}OF`, "home end home end"],
    [`${E}[1~${E}[4~${E}[7~${E}[8~`, "home end home end"],
    [`${E}[2~${E}[3~${E}[5~${E}[6~`, "insert delete pageup pagedown"],
    [`${E}[1;5C${E}[1;3D${E}[1;2A${E}[1;6B`, "C-right M-left S-up C-S-down"],
    [`${E}[3;5~${E}[5;2~`, "C-delete S-pageup"],
    [`${E}OP${E}OQ${E}OR${E}OS`, "f1 f2 f3 f4"],
    [`${E}[11~${E}[15~${E}[17~${E}[24~${E}[34~`, "f1 f5 f6 f12 f20"],
    [`${E}[1;5P${E}[15;2~`, "C-f1 S-f5"],
    [`${E}[Z`, "S-tab"],
    [`${E}OM${E}Ok${E}Op`, "enter + 0"],
    [`${E}O5C${E}O1;5D`, "C-right C-left"]
  ])
})

describe("rxvt and the Linux console", () => {
  table([
    [`${E}[a${E}[d`, "S-up S-left"],
    [`${E}Oa${E}Oc`, "C-up C-right"],
    [`${E}[3^${E}[3@`, "C-delete C-S-delete"],
    [`${E}[3$x`, "S-delete x"],
    [`${E}[[A${E}[[E`, "f1 f5"],
    [`${E}${E}[D${E}${E}OC`, "M-left M-right"]
  ])

  it("Shift+Delete of rxvt alone", () => assert.strictEqual(decodeAll(`${E}[3$`), "S-delete"))
})

describe("the kitty keyboard protocol", () => {
  table([
    [`${E}[97u`, "a"],
    [`${E}[97;5u`, "C-a"],
    [`${E}[97;3u`, "M-a"],
    [`${E}[97;6u`, "C-S-a"],
    [`${E}[97;2u`, "A"],
    [`${E}[97:65;2u`, "A"],
    [`${E}[49:33;2u`, "!"],
    [`${E}[97;1;97u`, "a"],
    [`${E}[101;1;233u`, "é"],
    [`${E}[13u${E}[13;2u${E}[13;3u${E}[13;5u`, "enter S-enter M-enter C-enter"],
    [`${E}[27u${E}[9u${E}[9;2u${E}[127u${E}[127;5u`, "escape tab S-tab backspace C-backspace"],
    [`${E}[32;1u${E}[32;5u`, "  C-space"],
    [`${E}[97;1:1u${E}[97;1:2u${E}[97;1:3u`, "a a"],
    [`${E}[1;1:3A${E}[3;1:3~${E}[1;1:1A`, "up"],
    [`${E}[27;5:3u`, ""],
    [`${E}[1089::99;5u`, "C-c"],
    [`${E}[97;9u${E}[97;17u`, ""],
    [`${E}[97;33u`, "M-a"],
    [`${E}[97;65u${E}[97;133u`, "a C-a"],
    [`${E}[57399u${E}[57414u${E}[57417u${E}[57376u`, "0 enter left f13"],
    [`${E}[57441u${E}[57358u${E}[57441;2:3u`, ""],
    [`${E}[13~`, "f3"],
    [`${E}[0;;26085:26412u`, "日本"],
    [`${E}[0u${E}[1114112u${E}[55296u`, ""]
  ])
})

describe("modifyOtherKeys", () => {
  table([
    [`${E}[27;2;13~`, "S-enter"],
    [`${E}[27;5;13~`, "C-enter"],
    [`${E}[27;6;65~`, "C-S-a"],
    [`${E}[27;2;65~`, "A"],
    [`${E}[27;5;105~`, "C-i"],
    [`${E}[27;3;233~`, "M-é"]
  ])
})

describe("Alt and lone Esc", () => {
  table([
    [`${E}b${E}F${E}é`, "M-b M-S-f M-é"],
    [`${E}\r${E}\u007f${E}\t${E}\u0001`, "M-enter M-backspace M-tab C-M-a"],
    [`${E} `, "M-space"],
    [`${E}`, ""],
    [`${E}${E}`, ""],
    [`${E}${E}x`, "escape M-x"],
    [`${E}${E}${E}[A`, "escape M-up"]
  ])

  for (const [input, expected] of [
    [E, "escape"],
    [`${E}${E}`, "escape escape"],
    [`${E}[`, "M-["],
    [`${E}O`, "M-S-o"],
    [`${E}]`, "M-]"],
    [`${E}P`, "M-S-p"],
    [`${E}${E}[`, "escape M-["],
    [`x${E}`, "x escape"]
  ] as const) {
    it(`${JSON.stringify(input)} alone is ${expected}`, () => assert.strictEqual(decodeAll(input), expected))
  }

  it("the first flush already gives Esc", () => {
    const decoder = new KeyDecoder()
    decoder.feed(E)
    assert.isTrue(decoder.pending)
    assert.strictEqual(decoder.flush().map(nameOf).join(), "escape")
    assert.isFalse(decoder.pending)
  })

  it("a sequence cut in two by a slow line is not typed", () => {
    const decoder = new KeyDecoder()
    const events = [...decoder.feed(`${E}[1;`), ...decoder.flush(), ...decoder.flush(), ...decoder.feed("5C")]
    assert.strictEqual(events.map(nameOf).join(" "), "C-right")
  })

  it("a sequence that never ends is given up", () => assert.strictEqual(decodeAll(`${E}[1;5`), ""))
})

describe("answers of the terminal are never typed", () => {
  table([
    [`a${E}[?62;22cb`, "a <report> b"],
    [`${E}[>1;4000;29c`, "<report>"],
    [`a${E}[12;40Rb`, "a <report> b"],
    [`${E}[?2026;2$y${E}[4;1$y`, "<report> <report>"],
    [`${E}[?1u`, "<report>"],
    [`${E}]11;rgb:1e1e/1e1e/1e1e\u0007x`, "<report> x"],
    [`${E}]11;rgb:1e1e/1e1e/1e1e${E}\\x`, "<report> x"],
    [`${E}P>|XTerm(390)${E}\\x`, "<report> x"],
    [`${E}_Gi=1;OK${E}\\x`, "<report> x"],
    [`${E}[<0;10;20M${E}[<0;10;20mx`, "<report> <report> x"],
    [`${E}[M !"x`, "<report> x"],
    [`${E}[I${E}[O`, "<in> <out>"],
    [`${E}[8;24;80tx`, "<report> x"],
    [`${E}[201~x`, "x"],
    [`${E}[99;99;99zx`, "<report> x"]
  ])

  it("a report keeps its text for who asked", () => {
    assert.deepStrictEqual(new KeyDecoder().feed(`${E}[?1u`), [{ type: "report", sequence: `${E}[?1u` }])
  })

  it("a lost end does not deafen the input", () => {
    assert.strictEqual(decode(`${E}]11;rgb:1e\u0003`), "C-c")
    assert.strictEqual(decode(`${E}]11;rgb:1e${E}[A`), "up")
    assert.strictEqual(decode(`${E}[12\u0003`), "C-c")
    assert.strictEqual(decode(`${E}[1${E}[A`), "up")
  })

  it("a report of any length, cut anywhere, is one event of bounded size", () => {
    const report = `${E}]52;c;${"A".repeat(50_000)}${E}\\`
    const whole = new KeyDecoder().feed(report)
    const decoder = new KeyDecoder()
    const parts = report.match(/[\s\S]{1,999}/g)?.flatMap((part) => [...decoder.feed(part)])
    assert.deepStrictEqual(parts, [...whole])
    assert.strictEqual(whole.map((event) => (event.type === "report" ? event.sequence.length : 0)).join(), "4096")
  })
})

describe("G2 pastes", () => {
  const paste = (text: string) => `${E}[200~${text}${E}[201~`

  table([
    [paste("a\r\nb\rc\n"), JSON.stringify("a\nb\nc\n")],
    [`x${paste("y")}z`, 'x "y" z'],
    [paste(""), '""'],
    [paste("a\tb"), JSON.stringify("a\tb")],
    [paste(`a\u0000\u0003\u001b[31mred\u007f\u009bz`), '"a[31mredz"'],
    [paste(`a${E}[200~b`), '"a[200~b"'],
    [paste(`${E}[201`), '"[201"'],
    [paste(`${E}[201x${E}[20${E}${E}[2`), '"[201x[20[2"'],
    [paste("201~"), '"201~"'],
    [paste("[201~"), '"[201~"'],
    [`${paste("a\r")}\r`, `${JSON.stringify("a\n")} enter`],
    [`${E}${paste("a")}`, 'escape "a"'],
    [`${paste("a")}${paste("b")}`, '"a" "b"']
  ])

  it("byte by byte", () => {
    const decoder = new KeyDecoder()
    const events = [...new TextEncoder().encode(paste("a\r\nb\rc\n😀"))].flatMap((byte) => [
      ...decoder.feed(new Uint8Array([byte]))
    ])
    assert.deepStrictEqual(events, [{ type: "paste", text: "a\nb\nc\n😀" }])
  })

  it("a paste whose end is lost comes out in the end", () => {
    assert.strictEqual(decodeAll(`${E}[200~abc`), '"abc"')
    assert.strictEqual(decodeAll(`${E}[200~abc${E}[20`), '"abc[20"')
  })

  it("a paste that comes slowly is not cut", () => {
    const decoder = new KeyDecoder()
    const events = [...decoder.feed(`${E}[200~a`)]
    for (let calls = 0; calls < 20; calls++) events.push(...decoder.flush())
    events.push(...decoder.feed(`\rb${E}[201~`))
    assert.deepStrictEqual(events, [{ type: "paste", text: "a\nb" }])
  })

  it("a megabyte is fast, in one read and in small ones", () => {
    const text = "line of text\r".repeat(80_000)
    const one = new KeyDecoder().feed(paste(text))
    const many = (): ReadonlyArray<unknown> => {
      const decoder = new KeyDecoder()
      return (
        paste(text)
          .match(/[\s\S]{1,1024}/g)
          ?.flatMap((part) => [...decoder.feed(part)]) ?? []
      )
    }
    assert.deepStrictEqual(many(), [...one])
    assert.isBelow(bestTime(many), 500)
  })
})

describe("G2 a paste without markers", () => {
  const read = (...chunks: ReadonlyArray<string>): string => {
    const input = new TerminalInput()
    const events = chunks.flatMap((chunk) => [...input.feed(chunk)])
    if (input.pending) events.push(...input.flush())
    return events.map(nameOf).join(" ")
  }

  for (const [name, chunks, expected] of [
    ["a burst with line ends inside is one paste", ["first line\rsecond\r"], JSON.stringify("first line\nsecond\n")],
    ["CRLF is no key", ["a\r\nb"], JSON.stringify("a\nb")],
    [
      "its reads belong together",
      ["first line\rsec", "ond\r", "third\r"],
      JSON.stringify("first line\nsecond\nthird\n")
    ],
    ["typed text and Enter", ["hello world, how are you\r"], `${[..."hello world, how are you"].join(" ")} enter`],
    ["quick typing", ["a\rb"], "a enter b"],
    ["keys end it", ["first line\rsecond\r", `${E}[A`], `${JSON.stringify("first line\nsecond\n")} up`],
    ["text with other keys is typed", [`abcdefgh\r${E}[Ax`], "a b c d e f g h enter up x"]
  ] as const) {
    it(name, () => assert.strictEqual(read(...chunks), expected))
  }

  it("2 KB in one read", () => {
    const input = new TerminalInput()
    assert.deepStrictEqual(
      [...input.feed("some words\r".repeat(200)), ...input.flush()],
      [{ type: "paste", text: "some words\n".repeat(200) }]
    )
  })
})

describe("reads cut anywhere", () => {
  const pieces = fc.constantFrom(
    "a",
    "Z",
    " ",
    "é",
    "語",
    "😀",
    "e\u0301",
    "\r",
    "\n",
    "\t",
    "\u007f",
    "\u0003",
    E,
    `${E}${E}`,
    `${E}x`,
    `${E}[A`,
    `${E}[1;5C`,
    `${E}OP`,
    `${E}[3~`,
    `${E}[3$`,
    `${E}[[B`,
    `${E}[97;5u`,
    `${E}[97:65;2:2;65u`,
    `${E}[27;2;13~`,
    `${E}[?62c`,
    `${E}[12;1R`,
    `${E}]11;rgb:1/1/1\u0007`,
    `${E}P>|x${E}\\`,
    `${E}[M !"`,
    `${E}[I`,
    `${E}[200~one\r\ntwo${E}[201~`,
    `${E}[200~${E}[201${E}[20${E}[201~`,
    `${E}[200~`,
    `${E}[201~`,
    `${E}]`,
    `${E}[`,
    `${E}O`,
    "[",
    "1",
    ";",
    "~",
    "\u009b"
  )

  const decodeCut = (bytes: Uint8Array, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
    const decoder = new KeyDecoder()
    const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b)
    const events = [...places, bytes.length].flatMap((end, index) => [
      ...decoder.feed(bytes.subarray(places[index - 1] ?? 0, end))
    ])
    for (let calls = 0; decoder.pending && calls < 100; calls++) events.push(...decoder.flush())
    return events.map(nameOf)
  }

  it("give the same events", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), fc.array(fc.nat(), { maxLength: 8 }), (parts, cuts) => {
        const bytes = new TextEncoder().encode(parts.join(""))
        const every = Array.from({ length: bytes.length }, (_, index) => index)
        const whole = decodeCut(bytes, [])
        assert.deepStrictEqual(decodeCut(bytes, cuts), whole)
        assert.deepStrictEqual(decodeCut(bytes, every), whole)
      }),
      { numRuns: 3_000 }
    )
  })

  it("strings cut inside a character too", () => {
    const decoder = new KeyDecoder()
    assert.strictEqual(
      "a😀b"
        .split("")
        .flatMap((unit) => [...decoder.feed(unit)])
        .map(nameOf)
        .join(" "),
      "a 😀 b"
    )
  })

  it("any input gives only keys without control characters in their text", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(pieces, fc.string({ unit: "binary" })), { maxLength: 20 }), (parts) => {
        const decoder = new KeyDecoder()
        for (const event of [...decoder.feed(parts.join("")), ...decoder.flush()]) {
          const text = event.type === "key" || event.type === "paste" ? (event.text ?? "") : ""
          // oxlint-disable-next-line no-control-regex
          assert.notMatch(text, /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/)
          assert.isTrue(text.isWellFormed())
        }
      }),
      { numRuns: 1_000 }
    )
  })
})
