import { assert, describe, it } from "@effect/vitest"
import { repairArguments } from "../../src/tools/repairArguments.ts"

const parameters = {
  type: "object",
  properties: {
    command: { type: "string" },
    timeout_s: { type: "number" },
    edits: { type: "array" },
    flag: { type: "boolean" }
  },
  required: ["command"]
}

describe("repairArguments", () => {
  it("renames a near name and says so", () => {
    const repaired = repairArguments({ cmd: "ls" }, parameters, { aliases: { command: ["cmd"] } })
    assert.deepStrictEqual(repaired.input, { command: "ls" })
    assert.deepStrictEqual(repaired.notes, ['The parameter is called "command", not "cmd".'])
  })
  it("keeps the right name when both are there", () => {
    const repaired = repairArguments({ cmd: "a", command: "b" }, parameters, { aliases: { command: ["cmd"] } })
    assert.deepStrictEqual(repaired.input, { cmd: "a", command: "b" })
  })
  it("reads numbers, booleans and JSON lists given as text", () => {
    const repaired = repairArguments(
      { command: "12", timeout_s: "30", flag: "True", edits: '[{"old":"a"}]' },
      parameters,
      {}
    )
    assert.deepStrictEqual(repaired.input, { command: "12", timeout_s: 30, flag: true, edits: [{ old: "a" }] })
    assert.strictEqual(repaired.notes.length, 3)
  })
  it("takes null, absent and empty arguments for none", () => {
    for (const raw of [null, undefined, ""]) assert.deepStrictEqual(repairArguments(raw, parameters, {}).input, {})
  })
  it("drops a null in an optional parameter", () => {
    assert.deepStrictEqual(repairArguments({ command: "a", timeout_s: null }, parameters, {}).input, { command: "a" })
  })
  it("joins lines only where asked", () => {
    assert.deepStrictEqual(repairArguments({ command: ["a", "b"] }, parameters, { joinLines: ["command"] }).input, {
      command: "a\nb"
    })
    assert.deepStrictEqual(repairArguments({ command: ["a"] }, parameters, {}).input, { command: ["a"] })
  })

  it("each kind of repair can be left out", () => {
    const raw = { cmd: "ls", timeout_s: "3" }
    const hints = { aliases: { command: ["cmd"] } }
    assert.deepStrictEqual(repairArguments(raw, parameters, hints, { aliases: false, types: true }).input, {
      cmd: "ls",
      timeout_s: 3
    })
    assert.deepStrictEqual(repairArguments(raw, parameters, hints, { aliases: true, types: false }).input, {
      command: "ls",
      timeout_s: "3"
    })
    assert.deepStrictEqual(repairArguments(null, parameters, hints, { aliases: false, types: false }).input, {})
  })
})
