import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allRails, type Rails } from "../../../src/config/rails.ts"
import type { LlmEvent } from "../../../src/domain/llm.ts"
import { ScriptedLlm } from "../../../src/testing/index.ts"
import { conversationWith, harness, ofType, play, tool } from "../support.ts"

const { answer } = ScriptedLlm
const echo = tool("Echo", (value) => Effect.succeed({ text: `<${value}>` }))
const off = (...names: ReadonlyArray<keyof Rails>): { readonly rails: Rails } => ({
  rails: { ...allRails, ...Object.fromEntries(names.map((name) => [name, false])) }
})

const firstResult = (script: ScriptedLlm.Script, settings: { readonly rails: Rails }) =>
  Effect.gen(function* () {
    const conversation = yield* conversationWith([echo])
    const events = yield* play(conversation, { text: "go" })
    return ofType(events, "tool-finished")[0]?.result.text ?? ""
  }).pipe(Effect.provide(harness({ script, settings })), Effect.scoped)

describe("each rail can be switched off by itself", () => {
  const asText = [answer({ calls: [{ name: "Echo", input: '{"value":"x"}' }] }), answer({ text: "end" })]
  const invented = [answer({ calls: [{ name: "shell", input: {} }] }), answer({ text: "end" })]

  it.effect("argumentRepair", () =>
    Effect.gen(function* () {
      assert.include(yield* firstResult(asText, off()), "<x>")
      assert.include(yield* firstResult(asText, off("argumentRepair")), "Invalid arguments for Echo")
    })
  )

  it.effect("aliases", () =>
    Effect.gen(function* () {
      const near = tool("Bash", () => Effect.succeed({ text: "" }))
      const hint = (settings: { readonly rails: Rails }) =>
        Effect.gen(function* () {
          const events = yield* play(yield* conversationWith([near]), { text: "go" })
          return ofType(events, "tool-finished")[0]?.result.text ?? ""
        }).pipe(Effect.provide(harness({ script: invented, settings })), Effect.scoped)
      assert.include(yield* hint(off()), "Did you mean Bash?")
      const without = yield* hint(off("aliases"))
      assert.include(without, "your tools are: Bash")
      assert.notInclude(without, "Did you mean")
    })
  )

  it.effect("repairTexts", () =>
    Effect.gen(function* () {
      const wrong = [answer({ calls: [{ name: "Echo", input: {} }] }), answer({ text: "end" })]
      assert.include(yield* firstResult(wrong, off()), "Expected: {value: string}")
      assert.strictEqual(yield* firstResult(wrong, off("repairTexts")), "[error: the call of Echo failed]")
      assert.strictEqual(yield* firstResult(invented, off("repairTexts")), "[error: the call of shell failed]")
    })
  )

  it.effect("cutCalls", () =>
    Effect.gen(function* () {
      const cutCall = (n: number): ReadonlyArray<LlmEvent> => [
        { type: "tool-call-start", index: 0, id: `c${n}`, name: "Echo" },
        {
          type: "tool-call-end",
          index: 0,
          call: {
            id: `c${n}`,
            name: "Echo",
            arguments: "{}",
            problem: { kind: "cut", detail: "It ended early.", received: '{"val' }
          }
        },
        { type: "finish", reason: "max_tokens" }
      ]
      const iterations = (settings: { readonly rails: Rails }) =>
        Effect.gen(function* () {
          const events = yield* play(yield* conversationWith([echo]), { text: "go" })
          assert.strictEqual(ofType(events, "finished")[0]?.reason, "stuck")
          return ofType(events, "iteration").length
        }).pipe(Effect.provide(harness({ script: (_, n) => cutCall(n), settings })), Effect.scoped)
      assert.strictEqual(yield* iterations(off()), 3)
      assert.strictEqual(yield* iterations(off("cutCalls")), 1)
    })
  )
})
