/** The form of permission rules (spec 03). */
import { assert, describe, it } from "@effect/vitest"
import { isRule, meantTool, ruleParts } from "../../src/config/ruleForm.ts"
import { readSettingsFile } from "../../src/config/settingsFile.ts"

describe("the form of a rule", () => {
  it("takes a star in the name of an MCP tool, and in no other name", () => {
    for (const rule of ["mcp__github__*", "mcp__*", "mcp__*__delete_*", "mcp__github", "Bash(rm *)", "my-tool"])
      assert.isTrue(isRule(rule), rule)
    for (const rule of ["*", "Ba*", "Bash(rm *", "Bash (rm)", "", "Bash(x)y", "*(x)"])
      assert.isFalse(isRule(rule), rule)
    assert.deepStrictEqual(ruleParts("mcp__a__*(x)"), { tool: "mcp__a__*", pattern: "x" })
  })

  it("a rule that stops nothing since its tool is misspelled is told", () => {
    for (const [rule, meant] of [
      ["bash(rm *)", "Bash"],
      ["Wirte(**)", "Write"],
      ["Reed(.env)", "Read"],
      ["webfetch", "WebFetch"]
    ] as const)
      assert.strictEqual(meantTool(rule), meant)
    for (const rule of ["Bash(rm *)", "Deploy", "mcp__github", "Addition(5)", "nope nope"])
      assert.isUndefined(meantTool(rule), rule)
    const { rules, warnings } = readSettingsFile("f", '{"permissions":{"deny":["bash(rm *)"]}}', "user")
    assert.strictEqual(rules.length, 1)
    assert.include(warnings[0]?.en ?? "", "Bash is meant?")
  })
})
