/** A server at home may run with 2 048 tokens: it is asked before the first refusal, a provider's is not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { careHarness, factSummary, isSummaryRequest } from "./careSupport.ts"
import { conversationWith, ofType, play } from "./support.ts"

const reasons = Effect.gen(function* () {
  const conversation = yield* conversationWith([])
  for (let n = 0; n < 4; n++) {
    yield* conversation.say({ role: "user", text: `Note ${n}: ${"word ".repeat(400)}` })
    yield* conversation.say({ role: "assistant", text: "Noted.", toolCalls: [] })
  }
  const events = yield* play(conversation, { text: "And now?" })
  return ofType(events, "compaction").map(({ phase, reason }) => `${reason} ${phase}`)
})

const harness = (url: string) =>
  careHarness({
    settings: { LiteLLM_URL: url },
    llm: { contextWindow: 2_048 },
    script: (request) => (isSummaryRequest(request) ? factSummary(request) : ScriptedLlm.answer({ text: "Now." }))
  })

describe("a conversation of 1 700 tokens and a window of 2 048", () => {
  it.effect("is compacted before the request where the server is local", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reasons, ["threshold started", "threshold finished"])
    }).pipe(Effect.scoped, Effect.provide(harness("http://127.0.0.1:8080")))
  )

  it.effect("asks no distant server for its window, which costs a round trip", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* reasons, [])
    }).pipe(Effect.scoped, Effect.provide(harness("https://llm.example.com")))
  )
})
