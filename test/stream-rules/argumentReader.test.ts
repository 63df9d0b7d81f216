/** The arguments' texts, decoded while they arrive. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { ArgumentReader } from "../../src/stream-rules/argumentReader.ts"
import { cpuTime } from "../support/cpuTime.ts"

/** Each text as `key=decoded`, unclosed ones with `…`. */
const read = (pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found: Array<{ text: string; open: boolean }> = []
  const reader = new ArgumentReader({
    open: (key) => found.push({ text: `${key}=`, open: true }),
    piece: (decoded) => {
      const last = found.at(-1)
      if (last !== undefined) last.text += decoded
    },
    close: () => {
      const last = found.at(-1)
      if (last !== undefined) last.open = false
    }
  })
  for (const piece of pieces) reader.feed(piece)
  return found.map(({ text, open }) => (open ? `${text}…` : text))
}

/** What the reader must say of a value, from the value itself. */
const texts = (value: unknown, key = ""): ReadonlyArray<string> => {
  if (typeof value === "string") return [`${key}=${value}`]
  if (Array.isArray(value)) return value.flatMap((item) => texts(item, `${key}[]`))
  if (typeof value !== "object" || value === null) return []
  return Object.entries(value).flatMap(([name, item]) => texts(item, key === "" ? name : `${key}.${name}`))
}

describe("the argument reader", () => {
  it("knows the key of each text", () => {
    const json = '{"path": "a.ts", "n": 1, "edits": [{"old": "x", "new": "y"}, {"new": "z"}], "deep": {"a": ["b"]}}'
    assert.deepStrictEqual(read([json]), ["path=a.ts", "edits[].old=x", "edits[].new=y", "edits[].new=z", "deep.a[]=b"])
  })

  it("gives what JSON.parse gives, cut at every character", () => {
    const value = fc.letrec((tie) => ({
      tree: fc.oneof(
        { depthSize: "small" },
        fc.string({ unit: "grapheme" }),
        fc.string({ unit: "binary" }),
        fc.constantFrom(true, null, 1.5, '"', "\\", "\n\t\b\f\r/"),
        fc.array(tie("tree"), { maxLength: 3 }),
        fc.dictionary(fc.stringMatching(/^[a-z"\\é]{1,5}$/), tie("tree"), { maxKeys: 3 })
      )
    })).tree
    fc.assert(
      fc.property(value, fc.boolean(), (tree, escaped) => {
        const plain = JSON.stringify(tree)
        const json = escaped
          ? plain.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`)
          : plain
        assert.deepStrictEqual(read(json.split("")), texts(JSON.parse(json)))
        assert.deepStrictEqual(read([json]), texts(JSON.parse(json)))
      }),
      { seed: 5, numRuns: 300 }
    )
  })

  it("puts \\u escapes together wherever they are cut", () => {
    assert.deepStrictEqual(read(['{"a":"\\ud8', "3", "d\\", 'ude00\\u00e9"}']), ["a=😀é"])
  })

  it("forgives raw line breaks, unknown and broken escapes", () => {
    assert.deepStrictEqual(read(['{"a":"one\ntwo\\qx\\u12"', ',"b":"c']), ["a=one\ntwoqxu12", "b=c…"])
  })

  it("is linear in depth and length", () => {
    const start = cpuTime()
    read(["[".repeat(200_000), '"x"', "]".repeat(200_000)])
    read([`{"a":"${"\\n".repeat(500_000)}"}`])
    read(Array.from({ length: 200_000 }, () => '{"kkkkkkkkkk":'))
    assert.isBelow(cpuTime() - start, 3000)
  })
})
