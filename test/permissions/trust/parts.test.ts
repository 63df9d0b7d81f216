import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { settingsKeys } from "../../../src/config/settingsKeys.ts"
import {
  compareParts,
  digestFile,
  digestParts,
  isHarmlessSettings,
  isLeftOut,
  type FoundFile
} from "../../../src/permissions/trust/parts.ts"

const file = (path: string, content: string, kind: FoundFile["kind"] = "file"): FoundFile => ({ path, kind, content })

describe("digests of parts", () => {
  it("two segments name a part; its digest holds every name, kind and byte", () => {
    const files = [
      file("tools/fmt/TOOL.json", "{}"),
      file("tools/fmt/run.sh", "echo"),
      file("rules/a.md", "x"),
      file("env", "A=1")
    ]
    const parts = digestParts(files)
    assert.deepStrictEqual([...parts.keys()].sort(), ["env", "rules/a.md", "tools/fmt"])
    const variants = [
      [file("tools/fmt/TOOL.json", "{}"), file("tools/fmt/run.sh", "echo2")],
      [file("tools/fmt/TOOL.json", "{}"), file("tools/fmt/run.sh", "echo", "executable")],
      [file("tools/fmt/TOOL.json", "{}"), file("tools/fmt/run.sh", "echo", "link")],
      [file("tools/fmt/TOOL.json", "{}"), file("tools/fmt/run.bash", "echo")],
      [file("tools/fmt/TOOL.json", "{}")],
      [file("tools/fmt/TOOL.json", "{}"), file("tools/fmt/run.sh", "echo"), file("tools/fmt/sub/x", "")]
    ].map((variant) => digestParts(variant).get("tools/fmt"))
    assert.strictEqual(new Set([parts.get("tools/fmt"), ...variants]).size, variants.length + 1)
  })

  it("text and the same bytes are one content; the order of the files does not matter", () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({ path: fc.stringMatching(/^[a-z]{1,3}(\/[a-z]{1,3}){0,3}$/), content: fc.string() }),
          {
            selector: ({ path }) => path,
            maxLength: 12
          }
        ),
        (found) => {
          const files = found.map(({ path, content }) => file(path, content))
          const bytes = found.map(({ path, content }) => ({
            ...file(path, ""),
            content: new TextEncoder().encode(content)
          }))
          assert.deepStrictEqual(
            new Map([...digestParts(files)].sort()),
            new Map([...digestParts(bytes.toReversed())].sort())
          )
        }
      ),
      { seed: 3, numRuns: 200 }
    )
  })

  it("names cannot be shifted into contents", () => {
    const a = digestParts([file("tools/t/a", 'x"],["tools/t/b","file","y')])
    const b = digestParts([file("tools/t/a", "x"), file("tools/t/b", "y")])
    assert.notStrictEqual(a.get("tools/t"), b.get("tools/t"))
  })

  it("what maia keeps for itself is left out, and nothing else right below .maia", () => {
    for (const name of [
      ".sessions",
      ".checkpoints",
      ".gitignore",
      "config.json",
      "settings.local.json",
      "settings.json.lock"
    ]) {
      assert.isTrue(isLeftOut(name), name)
    }
    for (const name of [
      "settings.json",
      "tools",
      "hooks",
      "skills",
      "agents",
      "rules",
      "commands",
      "env",
      "MAIA.md",
      "scripts"
    ]) {
      assert.isFalse(isLeftOut(name), name)
    }
  })
})

describe("settings that need no trust", () => {
  const harmless = [
    "",
    " \n",
    "{}",
    '\uFEFF{ "model": "a" } // mine',
    '{ "permissions": { "deny": ["Read(.env)"], "ask": ["Bash"], } }',
    '{ "models": { "qwen*": { "contextWindow": 5 } }, "maxIterations": 3 }'
  ]
  for (const source of harmless)
    it(`harmless: ${JSON.stringify(source)}`, () => assert.isTrue(isHarmlessSettings(source)))

  const harmful = [
    '{ "permissions": { "allow": ["Bash(*)"] } }',
    '{ "permissions": { "allow": ["Bash(*)"] }, "permissions": { "deny": [] } }',
    '{ "permissions": { "deny": [], "allow": [] } }',
    '{ "permissions.allow": ["Bash(*)"] }',
    '{ "permissions": ["Bash(*)"] }',
    '{ "hooks": {} }',
    '{ "mcpServers": {} }',
    '{ "something": "later" }',
    '{ "model": "a" ',
    "[]"
  ]
  for (const source of harmful) it(`asks: ${source}`, () => assert.isFalse(isHarmlessSettings(source)))

  it("of the settings that a project may set, none but allow and stream rules needs trust", () => {
    const needTrust = Object.entries(settingsKeys)
      .filter(([, spec]) => spec.userOnly !== true)
      .filter(([key, spec]) => {
        const [section = "", name] = key.split(".")
        return !isHarmlessSettings(
          name === undefined ? `{"${section}": ${spec.example}}` : `{"${section}": {"${name}": ${spec.example}}}`
        )
      })
      .map(([key]) => key)
    assert.deepStrictEqual(
      needTrust.filter((key) => !key.startsWith("streamRules.")),
      ["permissions.allow"]
    )
  })

  it("a harmless settings file is no part; one that allows is", () => {
    assert.strictEqual(digestFile("settings.json", '{"model": "a"}'), undefined)
    assert.strictEqual(digestFile("settings.json", undefined), undefined)
    assert.isString(digestFile("settings.json", '{"permissions": {"allow": ["Read"]}}'))
    assert.strictEqual(digestParts([file("settings.json", "elsewhere", "link")]).size, 1)
  })
})

describe("comparison with what was trusted", () => {
  it("tells new, changed and known apart; what is gone is not asked about", () => {
    const trusted = new Map([
      ["a", "1"],
      ["b", "2"],
      ["gone", "3"]
    ])
    assert.deepStrictEqual(
      compareParts(
        new Map([
          ["a", "1"],
          ["b", "9"],
          ["c", "4"]
        ]),
        trusted
      ),
      [
        { name: "a", state: "known" },
        { name: "b", state: "changed" },
        { name: "c", state: "new" }
      ]
    )
    assert.deepStrictEqual(compareParts(new Map([["a", "1"]]), undefined), [{ name: "a", state: "new" }])
  })
})
