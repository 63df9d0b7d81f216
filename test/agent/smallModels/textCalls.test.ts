import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allRails } from "../../../src/config/rails.ts"
import type { LlmEvent } from "../../../src/domain/llm.ts"
import { text } from "../../../src/domain/text.ts"
import { ScriptedLlm } from "../../../src/testing/index.ts"
import { ScriptedRequests } from "../../../src/testing/ScriptedLlm.ts"
import { conversationWith, harness, ofType, play, tool } from "../support.ts"

const { answer } = ScriptedLlm
const echo = tool("Echo", (value) => Effect.succeed({ text: `<${value}>` }))
const letters = (whole: string) => answer({ text: Array.from(whole) })

const CALL = '<tool_call>\n{"name": "Echo", "arguments": {"value": "x"}}\n</tool_call>'

describe("a tool call written as text", () => {
  it.effect("runs like any call, is never shown as text, and the history holds it as a call", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "go" })
      assert.strictEqual(ofType(events, "tool-finished")[0]?.result.text, "<x>")
      assert.deepStrictEqual(
        ofType(events, "text")
          .map(({ delta }) => delta)
          .join(""),
        "done"
      )
      const { all } = yield* ScriptedRequests
      const [, asked, result] = all[1]?.messages ?? []
      assert.deepInclude(asked, { role: "assistant", text: "", stopReason: "tool_use" })
      if (asked?.role !== "assistant" || result?.role !== "tool") return assert.fail("no call in the history")
      assert.deepStrictEqual(
        asked.toolCalls.map(({ name, arguments: args }) => [name, args]),
        [["Echo", '{"value":"x"}']]
      )
      assert.match(asked.toolCalls[0]?.id ?? "", /^[a-z0-9]{9}$/)
      assert.strictEqual(result.toolCallId, asked.toolCalls[0]?.id)
    }).pipe(Effect.provide(harness({ script: [letters(CALL), answer({ text: "done" })] })), Effect.scoped)
  )

  it.effect("ids differ from call to call of the turn", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "go" })
      const ids = conversation.messages.flatMap((message) => (message.role === "tool" ? [message.toolCallId] : []))
      assert.strictEqual(new Set(ids).size, 4)
      // Said once a turn.
      assert.strictEqual(ofType(events, "warning").filter(({ code }) => code === "text_tool_call").length, 1)
    }).pipe(
      Effect.provide(
        harness({ script: [letters(`${CALL}\n${CALL}`), letters(`${CALL}${CALL}`), answer({ text: "done" })] })
      ),
      Effect.scoped
    )
  )

  it.effect("is judged by the same permissions and repaired like any call", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      const [first, second] = ofType(events, "tool-finished")
      assert.isTrue(first?.result.isError)
      assert.include(first?.result.text ?? "", "the permission rules deny this")
      assert.include(second?.result.text ?? "", "Invalid arguments for Echo")
    }).pipe(
      Effect.provide(
        harness({
          script: [
            letters(CALL),
            letters('<tool_call>{"name": "Echo", "arguments": {}}</tool_call>'),
            answer({ text: "end" })
          ],
          decide: () => ({ decision: "deny", reason: text("no", "non"), subject: "", suggestions: [] })
        })
      ),
      Effect.scoped
    )
  )

  it.effect("inside an explanation it stays text, and the turn is done", () =>
    Effect.gen(function* () {
      const shown = `A call looks like this:\n${CALL}`
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      assert.strictEqual(
        ofType(events, "text")
          .map(({ delta }) => delta)
          .join(""),
        shown
      )
      assert.strictEqual(ofType(events, "finished")[0]?.text, shown)
      assert.isEmpty(ofType(events, "tool-requested"))
    }).pipe(Effect.provide(harness({ script: [letters(`A call looks like this:\n${CALL}`)] })), Effect.scoped)
  )

  it.effect("cut by the limit it goes back to the model with a size", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      const [result] = ofType(events, "tool-finished")
      assert.include(result?.result.text ?? "", "cut at the output limit")
      assert.deepStrictEqual(
        ofType(events, "warning").map(({ code }) => code),
        ["text_tool_call", "cut_call"]
      )
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
    }).pipe(
      Effect.provide(
        harness({
          script: [
            [
              { type: "text-delta", text: CALL.slice(0, 50) },
              { type: "finish", reason: "max_tokens" }
            ] satisfies ReadonlyArray<LlmEvent>,
            answer({ text: "done" })
          ]
        })
      ),
      Effect.scoped
    )
  )

  it.effect("textToolCalls off: it is the answer", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.text, CALL)
    }).pipe(
      Effect.provide(harness({ script: [letters(CALL)], settings: { rails: { ...allRails, textToolCalls: false } } })),
      Effect.scoped
    )
  )
})
