/** llama.cpp's own server, with a model of 135 million parameters. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { inject } from "vitest"
import { maia, ofType } from "../e2e/support.ts"
import { interruptedRun } from "./support/interrupting.ts"
import { against, KEY, MODEL } from "./support/maiaReal.ts"
import { READ_NOTES, textOf } from "./support/read.ts"
import { becomes } from "./support/slots.ts"

const { llama, narrow } = inject("servers")

describe("llama.cpp", () => {
  it.live("lists its model with the window it runs with, not the one the model was trained for", () =>
    Effect.gen(function* () {
      const box = yield* against({ url: llama.url })
      const done = yield* maia(box, ["models"], box.options())
      assert.strictEqual(done.code, 0, done.stderr)
      assert.match(done.stdout, new RegExp(`${MODEL}\\s+\\(8192 tokens\\)`))
    }).pipe(Effect.scoped)
  )

  it.live("streams an answer and counts it as the server does", () =>
    Effect.gen(function* () {
      const box = yield* against({ url: llama.url, maxTokens: 12 })
      const done = yield* maia(box, ["run", "-p", "Write a long story.", "-o", "stream-json"], box.options())
      assert.strictEqual(done.code, 0, done.stdout + done.stderr)
      assert.isAbove(ofType(done, "text").length, 3)
      assert.isNotEmpty(textOf(done).trim())
      const [usage] = ofType(done, "usage")
      assert.strictEqual(usage?.["completionTokens"], 12)
      assert.isAbove(Number(usage?.["inputTokens"]), 1_000)
      assert.isAbove(Number(usage?.["promptPerSecond"]), 0)
      assert.isNotEmpty(ofType(done, "warning"), "an answer cut by the limit is said to be cut")
      assert.include(box.raw(), '"prompt_progress":', "the server was asked how far it reads, and says it")
    }).pipe(Effect.scoped)
  )

  it.live(
    "calls a tool under the server's grammar, reads its result and answers; the second request costs new tokens only",
    () =>
      Effect.gen(function* () {
        const box = yield* against({ url: llama.url, maxTokens: 96 })
        box.write("notes.txt", "The secret word is heron.\n")
        const done = yield* maia(box, READ_NOTES, box.options())
        const [call] = ofType(done, "tool_call")
        assert.deepStrictEqual([call?.["name"], call?.["input"]], ["Read", { path: "notes.txt" }], done.stdout)
        assert.include(String(ofType(done, "tool_result")[0]?.["content"]), "The secret word is heron.")
        assert.isNotEmpty(textOf(done))
        const [first, second] = ofType(done, "usage")
        const read = Number(second?.["inputTokens"]) - Number(second?.["cachedTokens"])
        assert.isAtLeast(Number(second?.["cachedTokens"]), Number(first?.["inputTokens"]) - 8)
        assert.isBelow(read, 400, "what the server read anew for the second request")
        const timings = [...readFileSync(llama.log, "utf8").matchAll(/prompt eval time = .* \/ +(\d+) tokens/g)]
        assert.strictEqual(Number(timings.at(-1)?.[1]), read, "the server's own count")
      }).pipe(Effect.scoped)
  )

  it.live("goes on with a session in another process: what the server has read before is not read again", () =>
    Effect.gen(function* () {
      const box = yield* against({ url: llama.url, maxTokens: 8 })
      const say = (text: string) => maia(box, ["run", "-p", text, "--session", "s", "-o", "stream-json"], box.options())
      const [first] = ofType(yield* say("Name a bird."), "usage")
      const [second] = ofType(yield* say("Name a fish."), "usage")
      assert.isAtLeast(Number(second?.["cachedTokens"]), Number(first?.["inputTokens"]) - 8)
    }).pipe(Effect.scoped)
  )

  it.live("stops the generation on the server when it is interrupted", () =>
    Effect.gen(function* () {
      const box = yield* against({ url: llama.url, maxTokens: 4_000 })
      yield* becomes(llama.url, false)
      const done = yield* interruptedRun(box, "Count to ten thousand.", becomes(llama.url, true))
      assert.strictEqual(done.code, 130, done.stderr)
      const since = Date.now()
      yield* becomes(llama.url, false)
      assert.isBelow(Date.now() - since, 10_000)
    }).pipe(Effect.scoped)
  )

  it.live("says in one line that the key is refused, and that one is missing", () =>
    Effect.gen(function* () {
      const wrong = yield* against({ url: narrow.url, key: "sk-wrong-0123456789" })
      const refused = yield* maia(wrong, ["run", "-p", "hi"], wrong.options())
      assert.strictEqual(refused.code, 5, refused.stdout + refused.stderr)
      assert.include(refused.stderr, "refused the API key")
      assert.notInclude(refused.stderr, "sk-wrong-0123456789")
      const none = yield* against({ url: narrow.url })
      const missing = yield* maia(none, ["run", "-p", "hi"], none.options())
      assert.include(missing.stderr, "LITELLM_API_KEY")
      const right = yield* against({ url: narrow.url, key: KEY })
      const listed = yield* maia(right, ["models"], right.options())
      assert.match(listed.stdout, /\(2048 tokens\)/)
    }).pipe(Effect.scoped)
  )
})
