import { assert, describe, it } from "@effect/vitest"
import { unknownTool, unusableCall } from "../../src/tools/repairText.ts"

const cut = (received: string) => ({ kind: "cut" as const, detail: "It ended early.", received })
const budgetIn = (text: string) => Number(/at most about (\d+) characters/.exec(text)?.[1])

describe("a call cut at the output limit gets a budget in characters", () => {
  it("from the limit: about 6 000 characters for 4 096 tokens", () => {
    const text = unusableCall("Write", cut("x".repeat(12_500)), 4096)
    assert.strictEqual(budgetIn(text), 6144)
    assert.include(text, "(4096 tokens)")
    assert.include(text, "nothing was run")
    assert.include(text, "first part")
  })

  it("never absurdly small", () => assert.strictEqual(budgetIn(unusableCall("Write", cut("x"), 100)), 500))

  it("without a known limit, below what came before the cut", () => {
    assert.strictEqual(budgetIn(unusableCall("Write", cut("x".repeat(4000)), undefined)), 2400)
    assert.strictEqual(budgetIn(unusableCall("Write", cut("x".repeat(100_000)), undefined)), 6000)
    assert.strictEqual(budgetIn(unusableCall("Write", cut(""), undefined)), 500)
  })
})

describe("an unusable call", () => {
  it("malformed: what was received, cut to a few hundred characters, without half characters", () => {
    const received = `${"a".repeat(199)}😀${"b".repeat(500)}`
    const text = unusableCall(
      "Bash",
      { kind: "malformed", detail: "The arguments are not valid JSON; nothing was run.", received },
      undefined
    )
    assert.include(text, "not valid JSON")
    assert.isBelow(text.length, 700)
    assert.isTrue(text.isWellFormed())
  })

  it("runaway and nameless calls say so", () => {
    assert.include(unusableCall("Bash", { kind: "runaway", detail: "Same.", received: "" }, 1), "ran away")
    assert.include(unusableCall("", { kind: "no-name", detail: "", received: "" }, 1), "names no tool")
  })
})

describe("an invented tool", () => {
  const names = ["Read", "Bash", "Edit", "Glob"]
  for (const [name, meant] of [
    ["shell", "Bash"],
    ["run", "Bash"],
    ["execute", "Bash"],
    ["python", "Bash"],
    ["bash", "Bash"],
    ["read_file", "Read"],
    ["Raed", "Read"]
  ] as const) {
    it(`${name}: lists the tools and names ${meant}`, () => {
      const text = unknownTool(name, names)
      assert.include(text, "your tools are: Bash, Edit, Glob, Read.")
      assert.include(text, `Did you mean ${meant}?`)
    })
  }

  it("with nothing near: the list alone", () => {
    assert.notInclude(unknownTool("xyzzy_quux", names), "Did you mean")
    assert.notInclude(unknownTool("shell", ["Read"]), "Did you mean")
  })
})
