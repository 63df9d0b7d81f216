import { assert, describe, it } from "@effect/vitest"
import { toolsFor } from "../../src/agent/toolsFor.ts"
import { defaultSettings, type Settings } from "../../src/config/settings.ts"
import { builtinTools } from "../../src/tools/ToolSet.ts"
import { outputTool } from "./careSupport.ts"

const settings = (more: Partial<Settings> = {}): Settings => ({ ...defaultSettings, ...more })
const all = [...builtinTools, "mcp__files__list"].map((name) => outputTool(1, name))
const names = (model: string, given = settings()) => toolsFor(given, model, all).map(({ name }) => name)

describe("toolsFor", () => {
  it("gives a large model all, the very same", () => {
    assert.strictEqual(toolsFor(settings(), "gpt-5", all), all)
  })

  it("gives a small model the essential ones, and whatever an extension adds", () => {
    assert.deepStrictEqual(names("qwen3:4b"), ["Read", "Glob", "Grep", "Write", "Edit", "Bash", "mcp__files__list"])
  })

  it("gives what the settings name", () => {
    const chosen = settings({ models: { "*": { tools: ["Read"] } } })
    assert.deepStrictEqual(names("gpt-5", chosen), ["Read", "mcp__files__list"])
  })

  it("tells how much one Write holds where answers are short", () => {
    const write = (limit: number) =>
      toolsFor(settings({ MaxOutputTokens: limit }), "gpt-5", all).find(({ name }) => name === "Write")?.description ??
      ""
    assert.match(write(4_096), / One call holds about 7000 characters at most\.$/)
    assert.notInclude(write(32_000), "One call holds")
  })
})
