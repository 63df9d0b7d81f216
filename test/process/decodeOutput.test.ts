import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { decodeOutput } from "../../src/process/decodeOutput.ts"
import { outputText } from "../../src/process/outputText.ts"

const bytes = (...values: Array<number>) => Uint8Array.from(values)
const utf8 = (text: string) => new TextEncoder().encode(text)
const textOf = (data: Uint8Array): string => {
  const decoded = decodeOutput(data)
  return decoded.kind === "text" ? decoded.text : "(binary)"
}

describe("E7 bytes that are not UTF-8", () => {
  it("bytes that are wrong are marked, the rest is kept", () =>
    assert.strictEqual(
      outputText({ size: 5, head: bytes(0xff, 0xfe, 0, 0x6f, 0x6b), tail: undefined, path: "" }).head,
      "��␀ok"
    ))

  it("150 KB of 你 cut anywhere lose no character", () => {
    const data = utf8("你".repeat(50_000))
    for (const at of [1, 2, 3, 4, 65_535, 65_536, 65_537]) {
      const first = decodeOutput(data.subarray(0, at), { cutAfter: true })
      assert.strictEqual(first.kind, "text")
      if (first.kind !== "text") return
      assert.strictEqual(first.text, "你".repeat(Math.floor(at / 3)))
      assert.strictEqual(first.pending, at % 3)
      const rest = decodeOutput(data.subarray(at), { cutBefore: true })
      assert.strictEqual(rest.kind === "text" ? rest.text.length : -1, Math.floor((data.length - at) / 3))
    }
  })

  it("Latin-1 text is guessed", () =>
    assert.strictEqual(textOf(Buffer.from("déjà vu, café", "latin1")), "déjà vu, café"))

  it("Windows quotation marks are guessed", () =>
    assert.strictEqual(textOf(bytes(0x93, 0x61, 0x62, 0x63, 0x64, 0x94)), "“abcd”"))

  it("one wrong byte in UTF-8 text does not change the rest", () =>
    assert.strictEqual(textOf(Buffer.concat([utf8("é你"), bytes(0xff), utf8("b")])), "é你�b"))

  it("a program is named as binary, not dumped", () => {
    const elf = Buffer.concat([bytes(0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0), new Uint8Array(1992)])
    assert.strictEqual(
      outputText({ size: 2000, head: elf, tail: undefined, path: "" }).head,
      "[binary output, 2000 bytes]"
    )
  })

  it("compressed data is binary", () => {
    let state = 1
    const random = Uint8Array.from({ length: 4096 }, () => (state = (state * 48_271) % 2_147_483_647) & 0xff)
    assert.strictEqual(decodeOutput(random).kind, "binary")
  })

  it("names separated by NUL are text", () => {
    assert.strictEqual(textOf(utf8("./src/process/Shell.ts\0./src/process/stdout.ts\0")).includes("Shell.ts"), true)
  })

  it("escape sequences do not make text binary", () =>
    assert.strictEqual(decodeOutput(utf8("\u001b[31mx\u001b[0m".repeat(100))).kind, "text"))

  it("any bytes: no exception, and the text is well-formed", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), fc.boolean(), fc.boolean(), (data, cutBefore, cutAfter) => {
        const decoded = decodeOutput(data, { cutBefore, cutAfter })
        return decoded.kind === "binary" || decoded.text.isWellFormed()
      }),
      { seed: 11, numRuns: 5000 }
    )
  })
})
