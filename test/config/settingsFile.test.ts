import { assert, describe, it } from "@effect/vitest"
import { readSettingsFile } from "../../src/config/settingsFile.ts"

const read = (source: string, scope: "user" | "project" = "user") => readSettingsFile("settings.json", source, scope)
const english = (texts: ReadonlyArray<{ readonly en: string }>) => texts.map(({ en }) => en)

describe("readSettingsFile", () => {
  it("takes values with their lines, comments and trailing commas included", () => {
    const file = read(
      '{\n  // the proxy\n  "LiteLLM_URL": "http://localhost:4000",\n  "compaction": { "enabled": false, },\n}'
    )
    assert.deepStrictEqual(file.problems, [])
    assert.deepStrictEqual(file.values.get("LiteLLM_URL"), { value: "http://localhost:4000", line: 3 })
    assert.deepStrictEqual(file.values.get("compaction.enabled"), { value: false, line: 4 })
  })

  it("names file, line, key, what was expected and an example", () => {
    assert.deepStrictEqual(english(read('{\n  "MaxOutputTokens": "many"\n}').problems), [
      'settings.json:2: "MaxOutputTokens" must be a positive integer. Example: "MaxOutputTokens": 8192'
    ])
    assert.deepStrictEqual(english(read('{\n\n  "models": { "qwen*": {\n "contextWindow": -1 } } }').problems), [
      'settings.json:4: "models."qwen*".contextWindow" must be a positive integer. Example: "contextWindow": 131072'
    ])
  })

  it("says where the JSON breaks", () => {
    const [problem] = english(read('{\n  "model": "a"\n  "language": "fr"\n}').problems)
    assert.match(problem ?? "", /^settings\.json:3: this is not valid JSON/)
  })

  it("refuses a file that is no object, and takes an empty one", () => {
    assert.strictEqual(read("[]").problems.length, 1)
    assert.deepStrictEqual(read("").problems, [])
    assert.deepStrictEqual(read("\uFEFF{}").problems, [])
  })

  it("warns about an unknown key and names the nearest", () => {
    assert.deepStrictEqual(english(read('{ "LiteLLM_Url": "http://a" }').warnings), [
      'settings.json:1: unknown key "LiteLLM_Url"; did you mean "LiteLLM_URL"?'
    ])
    assert.deepStrictEqual(english(read('{ "models": { "a": { "contextWindw": 1 } } }').warnings), [
      'settings.json:1: unknown key "models."a".contextWindw"; did you mean "contextWindow"?'
    ])
  })

  it("keeps the line of each permission rule and ignores a malformed one with a warning", () => {
    const file = read('{ "permissions": {\n"allow": ["Read(**)",\n"bad rule"],\n"deny": ["Bash(rm *)"] } }')
    assert.deepStrictEqual(
      file.rules.map(({ rule, kind, line }) => [rule, kind, line]),
      [
        ["Read(**)", "allow", 2],
        ["Bash(rm *)", "deny", 4]
      ]
    )
    assert.strictEqual(file.warnings.length, 1)
  })

  it("never takes from a project what would redirect prompts or loosen a guard", () => {
    for (const [key, value] of [
      ["LiteLLM_URL", "http://evil.example"],
      ["LiteLLM_API_Key", "k"],
      ["OpenAI_EndPoint", "/evil"],
      ["mode", "auto"],
      ["sandbox", "off"]
    ]) {
      const file = read(JSON.stringify({ [String(key)]: value }), "project")
      assert.strictEqual(file.values.size, 0, key)
      assert.strictEqual(file.warnings.length, 1, key)
    }
    assert.strictEqual(read('{ "model": "a", "maxIterations": 3 }', "project").values.size, 2)
  })

  it("hands on what belongs to extensions, with its place", () => {
    const file = read('{\n  "mcpServers": { "files": { "command": "srv" } },\n  "hooks": 3 }', "project")
    assert.deepStrictEqual(file.extensions, [
      {
        key: "mcpServers",
        scope: "project",
        file: "settings.json",
        line: 2,
        value: { files: { command: "srv" } }
      }
    ])
    assert.match(english(file.problems)[0] ?? "", /^settings\.json:3: "hooks" must be an object/)
  })
})
