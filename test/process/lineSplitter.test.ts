import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { LineSplitter } from "../../src/process/lineSplitter.ts"

const bytes = (text: string) => new TextEncoder().encode(text)

describe("LineSplitter", () => {
  it("gives the same lines wherever the bytes are cut", () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: "grapheme" }).map((line) => line.replaceAll(/[\r\n]/g, ""))),
        fc.integer({ min: 1, max: 7 }),
        (lines, step) => {
          const whole = bytes(lines.map((line) => `${line}\n`).join(""))
          const splitter = new LineSplitter(1_000_000)
          const found: Array<string | undefined> = []
          for (let at = 0; at < whole.length; at += step) found.push(...splitter.take(whole.subarray(at, at + step)))
          assert.deepStrictEqual(found, lines)
        }
      )
    )
  })

  it("drops a line that is too long, and only that one", () => {
    const splitter = new LineSplitter(4)
    assert.deepStrictEqual(splitter.take(bytes("four\nfive5\nok\r\nlong")), ["four", undefined, "ok"])
    assert.deepStrictEqual(splitter.take(bytes("er and longer")), [])
    assert.deepStrictEqual(splitter.take(bytes("\nend\n")), [undefined, "end"])
  })
})
