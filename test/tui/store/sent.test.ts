import { assert, describe, it } from "@effect/vitest"
import { concat, plainContent } from "../../../src/tui/input/content.ts"
import { pasted } from "../../../src/tui/input/paste.ts"
import { isCommand, kindOf, typedText } from "../../../src/tui/store/sent.ts"

const long = (first: string) => pasted(first + "x\n".repeat(600), 1).content

describe("what a message is for", () => {
  for (const [text, kind] of [
    ["!ls", "shell"],
    ["  ! ls", "shell"],
    ["§", "skill"],
    ["§review a", "skill"],
    ["/", "command"],
    ["/model gpt", "command"],
    ["/own-command_1", "command"],
    ["/home/ann/a.txt what is this?", "request"],
    ["/etc/", "request"],
    ["hello /model", "request"],
    ["", "request"]
  ] as const) {
    it(`${JSON.stringify(text)}: ${kind}`, () => assert.strictEqual(kindOf(typedText(text)), kind))
  }

  for (const first of ["!rm -rf ~ ", "/exit ", "§ 823 BGB "]) {
    it(`a long paste that begins with ${JSON.stringify(first)} runs nothing`, () => {
      const content = long(first)
      assert.strictEqual(content.marks.length, 1)
      assert.isFalse(isCommand({ text: `${first}…`, content }))
    })
  }

  it("a long paste behind a command belongs to it", () => {
    assert.strictEqual(kindOf({ text: "", content: concat(plainContent("§review "), long("a")) }), "skill")
  })
})
