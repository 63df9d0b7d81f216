/** LiteLLM in front of llama.cpp, which is how a household serves a small model. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { maia, ofType } from "../e2e/support.ts"
import { interruptedRun } from "./support/interrupting.ts"
import { against, KEY, MODEL } from "./support/maiaReal.ts"
import { READ_NOTES, textOf } from "./support/read.ts"
import { becomes } from "./support/slots.ts"

const { litellm, llama } = inject("servers")

const proxy = (maxTokens: number) => against({ url: litellm.url, model: MODEL, key: KEY, maxTokens })

describe("LiteLLM in front of llama.cpp", () => {
  it.live("calls a tool, reads its result and answers; the server reads new tokens only", () =>
    Effect.gen(function* () {
      const box = yield* proxy(96)
      box.write("notes.txt", "The secret word is heron.\n")
      const done = yield* maia(box, READ_NOTES, box.options())
      const [call] = ofType(done, "tool_call")
      assert.deepStrictEqual([call?.["name"], call?.["input"]], ["Read", { path: "notes.txt" }], done.stdout)
      assert.include(String(ofType(done, "tool_result")[0]?.["content"]), "The secret word is heron.")
      assert.isNotEmpty(textOf(done))
      const [first, second] = ofType(done, "usage")
      assert.isAtLeast(Number(second?.["cachedTokens"]), Number(first?.["inputTokens"]) - 8)
      assert.isBelow(Number(second?.["inputTokens"]) - Number(second?.["cachedTokens"]), 400)
    }).pipe(Effect.scoped)
  )

  it.live("stops the generation on the server behind the proxy when it is interrupted", () =>
    Effect.gen(function* () {
      const box = yield* proxy(4_000)
      yield* becomes(llama.url, false)
      const done = yield* interruptedRun(box, "Count to ten thousand.", becomes(llama.url, true))
      assert.strictEqual(done.code, 130, done.stderr)
      yield* becomes(llama.url, false)
    }).pipe(Effect.scoped)
  )
})
