import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fc from "fast-check"
import { parse } from "yaml"
import { readFrontMatter } from "../../src/extensions/frontMatter.ts"
import { readPlainYaml } from "../../src/extensions/plainYaml.ts"

const plain = (yaml: string) => {
  const fields = readPlainYaml(yaml)
  return fields === undefined ? undefined : Object.fromEntries([...fields].map(([key, { value }]) => [key, value]))
}

/** Pieces that YAML gives a meaning, among ordinary ones. */
const piece = fc.constantFrom(
  ..."a b word é 7 1.0 012 1e3 : :x x: # #x - -- --- ... ? ! & * | > >- |- ' '' \" \\ % @ ` , [ ] { } ~ null true no".split(
    " "
  ),
  " ",
  "  ",
  ": ",
  " #",
  "- ",
  "\t",
  "it's",
  "“x”"
)
const line = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(""))
const value = fc.oneof(
  line,
  line.map((text) => `[${text}]`),
  line.map((text) => `"${text}"`),
  line.map((text) => `'${text}'`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => `\n${lines.map((text) => `  - ${text}`).join("\n")}`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => `\n${lines.map((text) => `- ${text}`).join("\n")}`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => `>\n${lines.map((text) => `  ${text}`).join("\n")}`),
  fc.array(line, { minLength: 1, maxLength: 3 }).map((lines) => `|-\n${lines.map((text) => `  ${text}`).join("\n")}`),
  fc.array(line, { minLength: 2, maxLength: 3 }).map((lines) => lines.join("\n  ")),
  fc
    .array(line, { minLength: 1, maxLength: 2 })
    .map((lines) => `\n${lines.map((text, n) => `  k${n}: ${text}`).join("\n")}`)
)
const document = fc
  .array(value, { minLength: 1, maxLength: 3 })
  .chain((values) => fc.tuple(fc.constant(values), fc.constantFrom("\n", "\n\n", "\n# note\n")))
  .map(([values, between]) => values.map((text, n) => `key-${n}: ${text}`).join(between) + "\n")

describe("plain front matter", () => {
  it("reads what skills are written in without the library", () => {
    assert.deepStrictEqual(
      plain(
        [
          "name: release",
          "description: Publishes a version, after the tests",
          "keywords: [publish, 'a b', \"c d\"]",
          "# a note",
          "tags:",
          "  - one",
          "  - two words",
          "metadata:",
          "  author: somebody",
          "  version: 1.0",
          "long: >-",
          "  first line",
          "  second line",
          ""
        ].join("\n")
      ),
      {
        name: "release",
        description: "Publishes a version, after the tests",
        keywords: ["publish", "a b", "c d"],
        tags: ["one", "two words"],
        metadata: { author: "somebody", version: 1 },
        long: "first line second line"
      }
    )
  })

  it("never reads anything differently from the library", () => {
    fc.assert(
      fc.property(document, (yaml) => {
        const read = plain(yaml)
        if (read !== undefined) assert.deepStrictEqual(read, parse(yaml))
      }),
      { numRuns: 3_000 }
    )
  })

  it.effect("gives the rest to the library, with the line of what is wrong", () =>
    Effect.gen(function* () {
      const good = yield* readFrontMatter("---\na: &x 'it''s'\nb: *x\n---\nbody\n")
      assert.deepStrictEqual(
        good !== undefined &&
          "fields" in good &&
          [...good.fields.values()].map(({ value: read, line: at }) => [read, at]),
        [
          ["it's", 2],
          ["it's", 3]
        ]
      )
      const bad = yield* readFrontMatter("---\nname: x\ndescription: @Use this: always\n---\nbody\n")
      assert.deepStrictEqual(bad !== undefined && "line" in bad && bad.line, 3)
      const colon = yield* readFrontMatter("---\nname: x\ndescription: Use this: always\n---\nbody\n")
      assert.strictEqual(
        colon !== undefined && "fields" in colon && colon.fields.get("description")?.value,
        "Use this: always"
      )
      const open = yield* readFrontMatter("---\nname: x\nbody\n")
      assert.isTrue(open !== undefined && "problem" in open && open.problem.en.includes("no end"))
      assert.isUndefined(yield* readFrontMatter("# Title\n---\n"))
    })
  )

  it.effect("an alias bomb is no value and costs nothing", () =>
    Effect.gen(function* () {
      const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]"]
      for (let n = 98; n < 110; n++) {
        const before = `*${String.fromCharCode(n - 1)}`
        bomb.push(`${String.fromCharCode(n)}: &${String.fromCharCode(n)} [${Array(9).fill(before).join(",")}]`)
      }
      const read = yield* readFrontMatter(`---\n${bomb.join("\n")}\n---\nbody`)
      assert.isTrue(read !== undefined && "fields" in read && read.fields.get("m")?.value === undefined)
    })
  )
})
