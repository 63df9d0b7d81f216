/** One odd tool or block made a whole server, or a whole result, of no use. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schema } from "effect"
import * as McpSchema from "effect/ai/McpSchema"
import { mendResult, mendTools } from "../../../src/extensions/mcp/oddPayloads.ts"

const good = { name: "good", inputSchema: { type: "object" } }

describe("a list with one odd tool", () => {
  const odd: ReadonlyArray<readonly [what: string, tool: unknown, schema: unknown]> = [
    ["no schema", { name: "odd" }, { type: "object" }],
    ["a schema that is a text", { name: "odd", inputSchema: "string" }, { type: "object" }],
    ["a schema that is a list", { name: "odd", inputSchema: [] }, { type: "object" }],
    ["a schema of a list", { name: "odd", inputSchema: { type: "array", items: {} } }, { type: "object", items: {} }],
    ["no type", { name: "odd", inputSchema: { properties: { a: {} } } }, { type: "object", properties: { a: {} } }],
    ["null properties", { name: "odd", inputSchema: { type: "object", properties: null } }, { type: "object" }],
    [
      "a property that is no schema",
      { name: "odd", inputSchema: { type: "object", properties: { a: "string", b: true, c: null } } },
      { type: "object", properties: { a: {}, b: true, c: {} } }
    ],
    ["required that is no list", { name: "odd", inputSchema: { type: "object", required: "a" } }, { type: "object" }],
    [
      "a description that is no text",
      { name: "odd", description: 5, inputSchema: { type: "object" } },
      { type: "object" }
    ],
    [
      "annotations that are none",
      { name: "odd", annotations: "x", inputSchema: { type: "object" } },
      { type: "object" }
    ]
  ]
  for (const [what, tool, schema] of odd) {
    it.effect(`${what}: the server offered nothing`, () =>
      Effect.gen(function* () {
        const mended = yield* Schema.decodeUnknownEffect(McpSchema.ListToolsResult)(mendTools({ tools: [good, tool] }))
        assert.deepStrictEqual(
          mended.tools.map(({ inputSchema, name }) => [name, inputSchema]),
          [
            ["good", { type: "object" }],
            ["odd", schema]
          ]
        )
      })
    )
  }

  it("without a name, or no tool at all, it is left out; the cursor stays; what is no list is not touched", () => {
    const tools = [good, {}, null, 5, { name: "" }, { name: 5 }]
    assert.deepStrictEqual(mendTools({ tools, nextCursor: "x" }), { tools: [good], nextCursor: "x" })
    for (const result of [null, 5, {}, { tools: "x" }]) assert.deepStrictEqual(mendTools(result), result)
  })
})

describe("a result with one odd block", () => {
  const texts = (result: unknown) =>
    Effect.map(Schema.decodeUnknownEffect(McpSchema.CallToolResult)(mendResult(result)), ({ content, isError }) => ({
      isError,
      texts: content.map((block) => (block.type === "text" ? block.text : block.type))
    }))

  it.effect("the rest of it was lost", () =>
    Effect.gen(function* () {
      const content = [
        { type: "text", text: "kept" },
        { type: "video", x: 1 },
        { type: "text" },
        "bare",
        null,
        { type: "image", data: "!!", mimeType: "image/png" },
        { type: "image", data: "AAAA", mimeType: "image/png" }
      ]
      assert.deepStrictEqual(yield* texts({ content, isError: true }), {
        isError: true,
        texts: [
          "kept",
          "[content that cannot be read: video]",
          "[content that cannot be read: text]",
          "bare",
          "[content that cannot be read: unknown type]",
          "[content that cannot be read: image]",
          "image"
        ]
      })
      assert.deepStrictEqual((yield* texts({ content: "bare" })).texts, ["bare"])
      assert.deepStrictEqual((yield* texts({ structuredContent: { a: 1 } })).texts, [])
    })
  )
})
