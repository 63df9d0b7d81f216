/** A session that is gone on with: the server's count of its last request is known before the next one. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Conversation } from "../../src/agent/Conversation.ts"
import { resumedCount } from "../../src/agent/resumedCount.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { careHarness, factSummary, isSummaryRequest } from "./careSupport.ts"
import { conversationWith, ofType, play } from "./support.ts"

/** Text of which a model of another vocabulary makes three times as many tokens as we do. */
const foreign = (conversation: Conversation, inputTokens: number, model = "scripted") =>
  Effect.gen(function* () {
    for (let n = 0; n < 3; n++) {
      yield* conversation.say({ role: "user", text: `Note ${n}: ${"word ".repeat(300)}` })
      yield* conversation.say({
        role: "assistant",
        text: "Noted.",
        toolCalls: [],
        model,
        usage: { inputTokens: Math.round((inputTokens * (n + 1)) / 3), outputTokens: 2 }
      })
    }
  })

const harness = careHarness({
  window: 4_096,
  script: (request) => (isSummaryRequest(request) ? factSummary(request) : ScriptedLlm.answer({ text: "Now." }))
})

const reasons = (inputTokens: number, model?: string) =>
  Effect.gen(function* () {
    const conversation = yield* conversationWith([])
    yield* foreign(conversation, inputTokens, model)
    const events = yield* play(conversation, { text: "And now?" })
    return ofType(events, "compaction").map(({ phase, reason }) => `${reason} ${phase}`)
  }).pipe(Effect.scoped, Effect.provide(harness))

describe("a session opened again", () => {
  it.effect("is compacted before a request that the server would count as too long", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reasons(3_500), ["threshold started", "threshold finished"])
    })
  )

  it.effect("is left alone where the server counts as we do, and where another model counted", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reasons(1_000), [])
      assert.deepStrictEqual(yield* reasons(3_500, "another"), [])
    })
  )

  it.effect("after a compaction the count before it says nothing", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      yield* foreign(conversation, 3_500)
      const { messages, session } = conversation
      const found = resumedCount(session.path(), messages, "scripted")
      assert.strictEqual(found?.promptTokens, 3_500)
      assert.deepStrictEqual(found?.messages, messages.slice(0, 5))
      assert.isNotEmpty(ofType(yield* play(conversation, { text: "And now?" }), "compaction"))
      const path = session.path()
      const upToIt = path.slice(0, path.findIndex(({ type }) => type === "compaction") + 1)
      assert.isUndefined(resumedCount(upToIt, conversation.messages, "scripted"))
    }).pipe(Effect.scoped, Effect.provide(harness))
  )
})
