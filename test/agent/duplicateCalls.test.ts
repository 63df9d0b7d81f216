/** Small models write the same call twice in one answer, also where `parallel_tool_calls: false` was asked for (llama.cpp). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allRails } from "../../src/config/rails.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { careHarness } from "./careSupport.ts"
import { conversationWith, ofType, play, tool } from "./support.ts"

const twice = ScriptedLlm.answer({
  calls: [
    { id: "a", name: "Append", input: { value: "x" } },
    { id: "b", name: "Append", input: { value: "x" } },
    { id: "c", name: "Append", input: { value: "y" } }
  ]
})

const ran = (rails: boolean) =>
  Effect.gen(function* () {
    const values: Array<unknown> = []
    const append = tool("Append", (value) =>
      Effect.sync(() => {
        values.push(value)
        return { text: `appended ${String(value)}` }
      })
    )
    const conversation = yield* conversationWith([append])
    const events = yield* play(conversation, { text: "go" })
    assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
    assert.strictEqual(ofType(events, "tool-requested").length, 3, "each call is shown")
    const results = conversation.messages.filter((message) => message.role === "tool")
    assert.deepStrictEqual(
      results.map(({ toolCallId }) => toolCallId),
      ["a", "b", "c"],
      "and each has its result"
    )
    if (rails) assert.match(results[1]?.text ?? "", /^\[not run: .* its result is above/)
    return values
  })

const harness = (duplicateCalls: boolean) =>
  careHarness({
    script: [twice, ScriptedLlm.answer({ text: "done" })],
    settings: { rails: { ...allRails, duplicateCalls } }
  })

describe("the same call twice in one answer", () => {
  it.effect("runs once, and the model is told", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ran(true), ["x", "y"])
    }).pipe(Effect.scoped, Effect.provide(harness(true)))
  )

  it.effect("runs twice where the rail is off", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* ran(false), ["x", "x", "y"])
    }).pipe(Effect.scoped, Effect.provide(harness(false)))
  )
})
