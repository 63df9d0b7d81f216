/** `maia WORD`: a slip is no request. */
import { assert, describe, it } from "@effect/vitest"
import { misspelt } from "../../src/cli/commands/interactive.ts"

const commands = ["run", "models", "config", "init", "sessions", "skills"]

describe("a first request of one word", () => {
  it("that is nearly a command names it", () => {
    assert.strictEqual(misspelt(["modells"], commands), "models")
    assert.strictEqual(misspelt(["sesions"], commands), "sessions")
    assert.strictEqual(misspelt(["Confg"], commands), "config")
  })

  it("that is another word, or more than one, is a request", () => {
    assert.strictEqual(misspelt(["hello"], commands), undefined)
    assert.strictEqual(misspelt(["bug"], commands), undefined)
    assert.strictEqual(misspelt(["bonjour"], commands), undefined)
    assert.strictEqual(misspelt(["modells", "please"], commands), undefined)
    assert.strictEqual(misspelt(["what models?"], commands), undefined)
    assert.strictEqual(misspelt([], commands), undefined)
  })
})
