/** `/model`: a part of a name will do, and never picks one of several. */
import { assert, describe, it } from "@effect/vitest"
import { meantModel } from "../../../src/tui/commands/model.ts"

describe("the model that is meant", () => {
  const ids = ["qwen3", "qwen3-coder", "Large-32B", "vendor/large-32b-fast"]

  it("is the one of that name, also where others begin with it and in other letters", () => {
    assert.strictEqual(meantModel("qwen3", ids), "qwen3")
    assert.strictEqual(meantModel("large-32b", ids), "Large-32B")
  })

  it("is the only one that has the part", () => {
    assert.strictEqual(meantModel("Coder", ids), "qwen3-coder")
    assert.strictEqual(meantModel("fast", ids), "vendor/large-32b-fast")
  })

  it("is none where several have it, or none has", () => {
    assert.isUndefined(meantModel("qwen", ids))
    assert.isUndefined(meantModel("gpt", ids))
  })
})
