import { assert, describe, it } from "@effect/vitest"
import { cleanSchema } from "../../../src/extensions/mcp/schema/cleanSchema.ts"
import { schemaRules } from "../../../src/extensions/mcp/schema/rules.ts"
import { readServers } from "../../../src/extensions/mcp/serverSettings.ts"
import { toolName } from "../../../src/extensions/mcp/toolNames.ts"

const property = (schema: unknown) => {
  const { properties } = cleanSchema({ type: "object", properties: { a: schema } })
  return Object(properties).a
}

/** By rule: what a server sends as the schema of a property, and what is declared. */
const cases: Readonly<Record<string, ReadonlyArray<readonly [sent: unknown, declared: unknown]>>> = {
  "no metadata": [[{ $schema: "x", $id: "y", $comment: "z", type: "string" }, { type: "string" }]],
  "no conditions": [[{ type: "object", patternProperties: { "^x": {} }, if: {}, not: {} }, { type: "object" }]],
  "const as enum": [[{ const: "on" }, { enum: ["on"] }]],
  "no empty enum": [
    [{ type: "string", enum: [] }, { type: "string" }],
    [
      { type: "string", enum: ["a"] },
      { type: "string", enum: ["a"] }
    ]
  ],
  "no boolean bounds": [
    [
      { type: "number", minimum: 0, exclusiveMinimum: true },
      { type: "number", minimum: 0 }
    ],
    [
      { type: "number", exclusiveMinimum: 0 },
      { type: "number", exclusiveMinimum: 0 }
    ]
  ],
  "known formats": [
    [{ type: "string", format: "path" }, { type: "string" }],
    [
      { type: "string", format: "date-time" },
      { type: "string", format: "date-time" }
    ]
  ],
  "lists of something": [
    [{ type: "array" }, { type: "array", items: {} }],
    [
      { type: "array", items: [{ type: "string" }, { type: "number" }] },
      { type: "array", items: { anyOf: [{ type: "string" }, { type: "number" }] } }
    ],
    [
      { type: "array", prefixItems: [{ type: "string" }] },
      { type: "array", items: { type: "string" } }
    ]
  ],
  "plain type": [[{ type: ["string"] }, { type: "string" }]],
  "no lone alternative": [
    [
      { description: "d", anyOf: [{ type: "string" }] },
      { type: "string", description: "d" }
    ],
    [{ oneOf: [{ type: "string" }, { type: "string" }] }, { type: "string" }],
    [{ type: "string", anyOf: [] }, { type: "string" }]
  ],
  "required exists": [
    [
      { type: "object", properties: { b: {} }, required: ["b", "c"] },
      { type: "object", properties: { b: {} }, required: ["b"] }
    ],
    [{ type: "object", required: ["b"] }, { type: "object" }],
    [{ type: "string", required: true }, { type: "string" }]
  ],
  "short descriptions": [
    [
      { type: "string", description: "x".repeat(2_000) },
      { type: "string", description: `${"x".repeat(999)}…` }
    ],
    [{ type: "string", description: 3 }, { type: "string" }]
  ]
}

describe("what OpenAI-format servers refuse in a schema", () => {
  for (const { name } of schemaRules) {
    it(name, () => {
      const own = cases[name] ?? []
      assert.isNotEmpty(own, "a rule without a case")
      for (const [sent, declared] of own) assert.deepStrictEqual(property(sent), declared)
    })
  }

  it("is an object at the root, whatever came", () => {
    for (const sent of [undefined, null, "x", [], {}, { type: "string" }, true]) {
      assert.deepStrictEqual(cleanSchema(sent), { type: "object", properties: {} })
    }
  })

  it("alternatives at the root are joined", () => {
    const sent = {
      anyOf: [
        { type: "object", properties: { id: { type: "number" } }, required: ["id"] },
        { type: "object", properties: { name: { type: "string" } }, required: ["name"] }
      ]
    }
    assert.deepStrictEqual(cleanSchema(sent), {
      type: "object",
      properties: { id: { type: "number" }, name: { type: "string" } }
    })
  })

  it("references are put in their place; those that go on for ever, or nowhere, are anything", () => {
    const sent = {
      type: "object",
      $defs: { tree: { type: "object", properties: { left: { $ref: "#/$defs/tree" } } }, "a/b": { type: "string" } },
      properties: {
        tree: { $ref: "#/$defs/tree", description: "the tree" },
        escaped: { $ref: "#/$defs/a~1b" },
        outside: { $ref: "https://example.org/x.json" },
        self: { $ref: "#/properties/self" }
      }
    }
    const { properties } = cleanSchema(sent)
    assert.deepStrictEqual(Object(properties).escaped, { type: "string" })
    assert.deepStrictEqual(Object(properties).outside, {})
    assert.deepStrictEqual(Object(properties).self, {})
    assert.strictEqual(Object(properties).tree.description, "the tree")
    assert.isBelow(JSON.stringify(cleanSchema(sent)).length, 2_000)
  })

  it("a schema of any size costs little", () => {
    const wide = {
      type: "object",
      $defs: { w: { anyOf: Array.from({ length: 40 }, () => ({ $ref: "#/$defs/w" })) } },
      properties: { a: { $ref: "#/$defs/w" } }
    }
    assert.isBelow(JSON.stringify(cleanSchema(wide)).length, 200_000)
  })
})

describe("names of MCP tools", () => {
  it("keep to the characters and length that servers take, and to themselves", () => {
    assert.strictEqual(toolName("files", "read", new Set()), "mcp__files__read")
    assert.strictEqual(toolName("files", "read.me", new Set()), "mcp__files__read_me")
    const second = toolName("files", "read.me", new Set(["mcp__files__read_me"]))
    assert.match(second, /^mcp__files__read_me_[0-9a-f]{8}$/)
    const long = toolName("files", "x".repeat(100), new Set())
    assert.strictEqual(long.length, 64)
    assert.notStrictEqual(long, toolName("files", `${"x".repeat(100)}y`, new Set()))
  })
})

describe("mcpServers in the settings", () => {
  const read = (value: unknown, env = {}) =>
    readServers([{ key: "mcpServers", scope: "user", file: "s.json", line: 3, value }], env)

  it("the project's entry stands in for the user's of the same name", () => {
    const source = (scope: "user" | "project", value: unknown) => ({
      key: "mcpServers" as const,
      scope,
      file: "s",
      line: 1,
      value
    })
    const { servers } = readServers(
      [source("user", { a: { command: "one" }, b: { url: "http://b" } }), source("project", { a: { command: "two" } })],
      {}
    )
    assert.deepStrictEqual(
      servers.map((server) => (server.type === "stdio" ? server.command : server.url)),
      ["two", "http://b"]
    )
  })

  it("takes variables of the environment; one that is missing is named", () => {
    const value = { a: { command: "x", args: ["${TOKEN}", "${OTHER:-none}"], env: { KEY: "k-${TOKEN}" } } }
    const { servers } = read(value, { TOKEN: "t" })
    assert.deepStrictEqual(servers[0]?.type === "stdio" ? [servers[0].args, servers[0].env] : [], [
      ["t", "none"],
      { KEY: "k-t" }
    ])
    assert.deepStrictEqual(
      read(value).warnings.map(({ en }) => en),
      ['s.json:3: the MCP server "a" is left out: it needs the environment variable TOKEN.']
    )
  })

  it("a wrong entry is a warning, the others stay", () => {
    const wrong = {
      "bad name": { command: "x" },
      two__parts: { command: "x" },
      end_: { command: "x" },
      b: 3,
      c: {},
      d: { command: "x", args: "y" },
      e: { url: "ftp://x" },
      f: { command: "x", timeout: -1 },
      g: { command: "x", comand: "y" },
      h: { command: "x", disabled: true },
      good: { command: "x" }
    }
    const { servers, warnings } = read(wrong)
    assert.deepStrictEqual(
      servers.map(({ name }) => name),
      ["good"]
    )
    assert.strictEqual(warnings.length, 9)
    assert.include(warnings.map(({ en }) => en).join("\n"), 'unknown key "comand"')
  })
})
