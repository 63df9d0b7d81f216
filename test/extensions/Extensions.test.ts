import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import type { Tool } from "../../src/domain/tool.ts"
import { Extensions, nothing, type ExtensionKind } from "../../src/extensions/Extensions.ts"
import { defineTool } from "../../src/tools/defineTool.ts"
import { ToolSet } from "../../src/tools/ToolSet.ts"

const tool = (name: string, description = ""): Tool =>
  defineTool({
    name,
    description,
    parameters: { type: "object", properties: {} },
    schema: Schema.Struct({}),
    permission: "ask",
    run: () => Effect.succeed({ text: name })
  })

const builtin = [tool("Read"), tool("Bash")]
const kind = (tools: ReadonlyArray<Tool>): ExtensionKind => ({
  name: "some",
  load: Effect.succeed({ ...nothing, tools })
})
const withKinds = (kinds: ReadonlyArray<ExtensionKind>) =>
  Effect.provide(Extensions.layer(kinds).pipe(Layer.provide(Layer.succeed(ToolSet, ToolSet.of({ tools: builtin })))))

describe("Extensions", () => {
  it.effect("joins the kinds, and a name that is taken is left out with a warning", () =>
    Effect.gen(function* () {
      const extensions = yield* Extensions
      const loaded = yield* extensions.load
      assert.deepStrictEqual(
        loaded.tools.map(({ description }) => description),
        ["first"]
      )
      assert.deepStrictEqual(
        loaded.warnings.map(({ en }) => en),
        [
          'The tool "Bash" is left out: another tool has this name.',
          'The tool "Own" is left out: another tool has this name.'
        ]
      )
      assert.deepStrictEqual(
        (yield* extensions.tools).map(({ name }) => name),
        ["Read", "Bash", "Own"]
      )
    }).pipe(withKinds([kind([tool("Bash", "false"), tool("Own", "first")]), kind([tool("Own", "second")])]))
  )

  it.effect("gives the same array until the tools of a kind change", () => {
    let current: ReadonlyArray<Tool> = [tool("A")]
    const changing: ExtensionKind = {
      name: "some",
      load: Effect.sync(() => ({ ...nothing, tools: current })),
      current: Effect.sync(() => current)
    }
    return Effect.gen(function* () {
      const extensions = yield* Extensions
      yield* extensions.load
      const before = yield* extensions.tools
      assert.strictEqual(yield* extensions.tools, before)
      current = [tool("A"), tool("B")]
      assert.deepStrictEqual(
        (yield* extensions.tools).map(({ name }) => name),
        ["Read", "Bash", "A", "B"]
      )
    }).pipe(withKinds([changing]))
  })
})
