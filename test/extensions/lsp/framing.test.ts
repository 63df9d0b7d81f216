import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { encodeMessage, MessageReader } from "../../../src/extensions/lsp/framing.ts"

const join = (parts: ReadonlyArray<Uint8Array | string>): Buffer =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part)))

describe("messages of language servers", () => {
  it("come whole however they are cut, and noise between them is skipped", () => {
    const noise = fc.constantFrom("", "listening on stdio\n", "warn: é\r\n", "Content-Length of nothing\n")
    fc.assert(
      fc.property(fc.array(fc.tuple(noise, fc.json()), { maxLength: 5 }), fc.array(fc.nat(40)), (parts, cuts) => {
        const sent = parts.map(([, json]): unknown => ({ json }))
        const bytes = join(parts.flatMap(([before], n) => [before, encodeMessage(sent[n])]))
        const reader = new MessageReader()
        const got: Array<unknown> = []
        let at = 0
        for (const cut of [...cuts, bytes.length]) {
          got.push(...reader.push(bytes.subarray(at, at + cut)))
          at = Math.min(bytes.length, at + cut)
        }
        assert.deepStrictEqual(got, sent)
      })
    )
  })

  it("other headers count as headers, a body that is no JSON is left out", () => {
    const reader = new MessageReader()
    const bytes = join([
      "content-length: 2\r\nContent-Type: x\r\n\r\n{}",
      "Content-Length: 3\r\n\r\n{x}",
      encodeMessage([1])
    ])
    assert.deepStrictEqual(reader.push(bytes), [{}, [1]])
  })

  it("a message that is too large, and endless noise, cost no memory and hide nothing after them", () => {
    const reader = new MessageReader()
    const size = 70 * 1024 * 1024
    assert.deepStrictEqual(reader.push(Buffer.from(`Content-Length: ${size}\r\n\r\n`)), [])
    const piece = Buffer.alloc(1024 * 1024, "x")
    for (let n = 0; n < 70; n++) reader.push(piece)
    assert.deepStrictEqual(reader.push(encodeMessage("after")), ["after"])
    for (let n = 0; n < 5; n++) reader.push(piece)
    assert.deepStrictEqual(reader.push(encodeMessage("again")), ["again"])
  })
})
