import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { attachmentTokens, imageFamily, imageTokens } from "../../../src/context/tokens/attachmentTokens.ts"
import { imageSize } from "../../../src/context/tokens/imageSize.ts"

const base64 = (bytes: ReadonlyArray<number>): string => Uint8Array.from(bytes).toBase64()
const ascii = (text: string): ReadonlyArray<number> => Array.from(text, (char) => char.charCodeAt(0))
const zeros = (count: number): ReadonlyArray<number> => Array.from({ length: count }, () => 0)
const be16 = (value: number) => [value >> 8, value & 0xff]
const le16 = (value: number) => [value & 0xff, value >> 8]

const png = [
  0x89,
  ...ascii("PNG\r\n\x1a\n"),
  0,
  0,
  0,
  13,
  ...ascii("IHDR"),
  0,
  0,
  ...be16(800),
  0,
  0,
  ...be16(600),
  8,
  6
]
const gif = [...ascii("GIF89a"), ...le16(320), ...le16(200), 0, 0, 0]
const riff = (kind: string) => [...ascii("RIFF"), 0, 0, 0, 0, ...ascii("WEBP"), ...ascii(kind)]
const webpLossy = [...riff("VP8 "), ...zeros(10), ...le16(640), ...le16(480), 0, 0]
const webpExtended = [...riff("VP8X"), ...zeros(8), ...le16(1919), 0, ...le16(1079), 0, 0]
// 14 bits of width - 1, then 14 of height - 1: 100 × 50.
const lossless = 99 | (49 << 14)
const losslessBytes = [0, 8, 16, 24].map((shift) => (lossless >> shift) & 0xff)
const webpLossless = riff("VP8L").concat(0, 0, 0, 0, 0x2f, losslessBytes, zeros(8))
const frame = [0xff, 0xc2, 0, 17, 8].concat(be16(768), be16(1024), 3, zeros(12))
const jpeg = (before: number) =>
  [0xff, 0xd8, 0xff, 0xe1].concat(be16(before + 2), zeros(before), 0xff, 0xc4, 0, 4, 1, 2, frame)

describe("imageSize", () => {
  it("reads PNG, GIF, WebP and JPEG headers", () => {
    assert.deepStrictEqual(imageSize(base64(png)), { width: 800, height: 600 })
    assert.deepStrictEqual(imageSize(base64(gif)), { width: 320, height: 200 })
    assert.deepStrictEqual(imageSize(base64(webpLossy)), { width: 640, height: 480 })
    assert.deepStrictEqual(imageSize(base64(webpExtended)), { width: 1920, height: 1080 })
    assert.deepStrictEqual(imageSize(base64(webpLossless)), { width: 100, height: 50 })
    assert.deepStrictEqual(imageSize(base64(jpeg(4))), { width: 1024, height: 768 })
  })

  it("finds a JPEG's size behind a preview picture", () => {
    assert.deepStrictEqual(imageSize(base64(jpeg(60_000))), { width: 1024, height: 768 })
  })

  it("says nothing of what is no image or is broken, and never throws", () => {
    assert.isUndefined(imageSize(base64([0xff, 0xd8, 0xff, 0xe1, 0, 2])))
    assert.isUndefined(imageSize("not base64 !"))
    assert.isUndefined(imageSize(""))
    const heads = [png, gif, webpLossy, webpExtended, webpLossless, jpeg(9)]
    fc.assert(
      fc.property(fc.constantFrom(...heads), fc.nat(40), fc.uint8Array({ maxLength: 30 }), (head, keep, tail) => {
        const size = imageSize(base64([...head.slice(0, keep), ...tail]))
        assert.isTrue(size === undefined || (size.width > 0 && size.height > 0))
      }),
      { seed: 4, numRuns: 1000 }
    )
  })
})

describe("imageTokens", () => {
  it("OpenAI's own examples: 765 for 1024 × 1024, 1105 for 2048 × 4096", () => {
    assert.strictEqual(imageTokens({ width: 1024, height: 1024 }, "tiles"), 765)
    assert.strictEqual(imageTokens({ width: 2048, height: 4096 }, "tiles"), 1105)
  })

  it("Anthropic's own examples: 54 for 200 × 200, 1334 for a megapixel, never above 1600", () => {
    assert.strictEqual(imageTokens({ width: 200, height: 200 }, "claude"), 54)
    assert.strictEqual(imageTokens({ width: 1000, height: 1000 }, "claude"), 1334)
    assert.strictEqual(imageTokens({ width: 9000, height: 9000 }, "claude"), 1600)
  })

  it("Gemini: 258 for a small image, tiles for a large one", () => {
    assert.strictEqual(imageTokens({ width: 384, height: 384 }, "gemini"), 258)
    assert.strictEqual(imageTokens({ width: 960, height: 540 }, "gemini"), 516)
  })

  it("the model's name picks the table", () => {
    assert.strictEqual(imageFamily("anthropic/claude-sonnet-4-5"), "claude")
    assert.strictEqual(imageFamily("vertex_ai/gemini-3-pro"), "gemini")
    assert.strictEqual(imageFamily("gpt-4o-mini"), "mini")
    assert.strictEqual(imageFamily("qwen3-vl"), "tiles")
  })

  it("a text file is counted as its text, not as its base64", () => {
    const data = base64(ascii("hello"))
    const count = (text: string): number => text.length
    assert.strictEqual(attachmentTokens({ type: "file", mediaType: "text/plain", data }, "tiles", count), 5)
    assert.isAtLeast(attachmentTokens({ type: "file", mediaType: "application/pdf", data }, "tiles", count), 500)
  })
})
