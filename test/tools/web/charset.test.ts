import { assert, describe, it } from "@effect/vitest"
import { decodeBody } from "../../../src/tools/web/charset.ts"
import { kindOfBytes, kindOfType, parseContentType } from "../../../src/tools/web/contentType.ts"

const bytes = (...parts: ReadonlyArray<string | ReadonlyArray<number>>): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part, "latin1")] : part)))

describe("the charset of a page", () => {
  it("is the header's", () => {
    assert.strictEqual(decodeBody(bytes("caf\xe9"), "iso-8859-1"), "café")
    assert.strictEqual(decodeBody(bytes([0x83, 0x65]), "Shift_JIS"), "テ")
    assert.strictEqual(decodeBody(bytes([0xc4, 0xe3]), "gbk"), "你")
  })

  it("is the meta's where the header is silent or unknown", () => {
    const html = bytes('<html><head><meta charset="windows-1251"></head>\xcf')
    assert.isTrue(decodeBody(html, undefined).endsWith("П"))
    assert.isTrue(decodeBody(html, "x-nobody-knows").endsWith("П"))
    const old = bytes('<meta http-equiv="Content-Type" content="text/html; charset=euc-kr">\xb0\xa1')
    assert.isTrue(decodeBody(old, undefined).endsWith("가"))
    assert.isTrue(decodeBody(bytes('<meta charset="utf-16le">\xc3\xa9'), undefined).endsWith("é"))
    assert.isTrue(decodeBody(bytes('<?xml version="1.0" encoding="ISO-8859-1"?>\xe9'), undefined).endsWith("é"))
  })

  it("is the BOM's before all", () => {
    assert.strictEqual(decodeBody(bytes([0xef, 0xbb, 0xbf], "\xc3\xa9"), "iso-8859-1"), "é")
    assert.strictEqual(decodeBody(bytes([0xff, 0xfe, 0xe9, 0x00]), "utf-8"), "é")
    assert.strictEqual(decodeBody(bytes([0xfe, 0xff, 0x00, 0xe9]), undefined), "é")
  })

  it("is UTF-8 where nothing says it, else Windows-1252; a character cut at the end changes nothing", () => {
    assert.strictEqual(decodeBody(bytes("\xc3\xa9"), undefined), "é")
    assert.strictEqual(decodeBody(bytes("caf\xe9 \x80"), undefined), "café €")
    assert.strictEqual(decodeBody(bytes("\xc3\xa9\xc3"), undefined), "é\uFFFD")
    assert.strictEqual(decodeBody(bytes("caf\xe9"), undefined), "café")
  })
})

describe("the kind of an answer", () => {
  it("is told by its type", () => {
    const kind = (header: string) => kindOfType(parseContentType(header).mediaType)
    assert.strictEqual(kind("Text/HTML; Charset=UTF-8"), "html")
    assert.strictEqual(kind("application/xhtml+xml"), "html")
    assert.strictEqual(kind("application/ld+json"), "json")
    assert.strictEqual(kind("text/markdown"), "text")
    assert.strictEqual(kind("application/rss+xml"), "text")
    assert.strictEqual(kind("image/png"), "binary")
    assert.strictEqual(kind("application/pdf"), "binary")
    assert.strictEqual(kind(""), undefined)
    assert.strictEqual(kind("application/octet-stream"), undefined)
    assert.deepStrictEqual(parseContentType('text/plain, text/html; charset="x"'), {
      mediaType: "text/html",
      charset: "x"
    })
  })

  it("is told by its first bytes where the type is silent", () => {
    assert.strictEqual(kindOfBytes(bytes("\n <!DOCTYPE HTML><p>")), "html")
    assert.strictEqual(kindOfBytes(bytes("# words")), "text")
    assert.strictEqual(kindOfBytes(bytes("%PDF-1.7")), "binary")
    assert.strictEqual(kindOfBytes(bytes([0x50, 0x4b, 3, 4, 0])), "binary")
    assert.strictEqual(kindOfBytes(bytes([0xff, 0xfe, 0x61, 0])), "text")
  })
})
