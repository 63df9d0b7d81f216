/** What sub-agents ask of the turn loop (MAIA §20.3): an answer without tools, own words at the limit, tokens summed. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { text } from "../../src/domain/text.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { conversationWith, harness, ofType, play, tool } from "./support.ts"

const { answer, ScriptedRequests } = ScriptedLlm

const echo = tool("Echo", (value) => Effect.succeed({ text: value }))
const call = { name: "Echo", input: { value: "x" } }

describe("a turn for sub-agents", () => {
  it.effect("an answer only: tools are declared, and calls that come back are ignored", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "sum up", answerOnly: { maxTokens: 4000 } })
      const [end] = ofType(events, "finished")
      assert.deepInclude(end, { text: "the summary", iterations: 1, reason: "done" })
      assert.deepStrictEqual(ofType(events, "tool-requested"), [])
      const [request] = (yield* ScriptedRequests).all
      assert.deepInclude(request, { toolChoice: "none", maxTokens: 4000 })
      assert.lengthOf(request?.tools ?? [], 1)
    }).pipe(Effect.provide(harness({ script: [answer({ text: "the summary", calls: [call] })] })), Effect.scoped)
  )

  it.effect("its own words at the limit", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      yield* play(conversation, { text: "go", maxIterations: 1, lastRequest: "Give the report now." })
      const last = (yield* ScriptedRequests).all.at(-1)
      const said = last?.messages.findLast(({ role }) => role === "user")
      assert.deepInclude(said, { text: "Give the report now.", origin: "limit" })
    }).pipe(
      Effect.provide(harness({ script: [answer({ calls: [call] }), answer({ text: "the report" })] })),
      Effect.scoped
    )
  )

  it.effect("tokens that a tool spent are part of the turn's, and what it tells is passed on", () =>
    Effect.gen(function* () {
      const spender = tool("Spend", (value, context) =>
        Effect.gen(function* () {
          const usage = { inputTokens: 100, outputTokens: 7 }
          yield* context.report?.({ type: "usage", usage, agent: "helper" }) ?? Effect.void
          yield* context.report?.({ type: "notice", code: "sub_agent", message: text("done", "fini") }) ?? Effect.void
          return { text: value, refused: true }
        })
      )
      const conversation = yield* conversationWith([spender])
      const events = yield* play(conversation, { text: "go" })
      const [end] = ofType(events, "finished")
      assert.deepInclude(end, { usage: { inputTokens: 120, outputTokens: 17 }, reason: "refused" })
      assert.deepStrictEqual(
        ofType(events, "usage").map(({ agent }) => agent),
        [undefined, "helper", undefined]
      )
      assert.lengthOf(ofType(events, "notice"), 1)
    }).pipe(
      Effect.provide(
        harness({ script: [answer({ calls: [{ name: "Spend", input: { value: "x" } }] }), answer({ text: "end" })] })
      ),
      Effect.scoped
    )
  )
})
