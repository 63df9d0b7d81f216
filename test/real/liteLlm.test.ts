/** LiteLLM's proxy: its own mock, and its translation of the providers' formats. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { inject } from "vitest"
import { maia, ofType, type RunOptions } from "../e2e/support.ts"
import { interruptedRun } from "./support/interrupting.ts"
import { against, KEY } from "./support/maiaReal.ts"
import { textOf } from "./support/read.ts"
import { overflows } from "./support/overflows.ts"
import { seenBy } from "./support/upstream.ts"

const { litellm, upstream } = inject("servers")

const proxy = (model: string, key: string | undefined = KEY) => against({ url: litellm.url, model, key })

/** Runs a prompt against a model of the proxy. */
const ask = (model: string, options: RunOptions = {}) =>
  Effect.gen(function* () {
    const box = yield* proxy(model)
    box.write("notes.txt", "The secret word is heron.\n")
    const words = ["run", "-p", "Read notes.txt", "--allow", "Read(**)", "-o", "stream-json"]
    return yield* maia(box, words, box.options(options))
  })

const errorOf = (done: { readonly lines: ReadonlyArray<Record<string, unknown>> }): string =>
  String(done.lines.findLast((line) => line["type"] === "error")?.["message"])

describe("LiteLLM's proxy", () => {
  it.live("lists its models with the windows of /model/info", () =>
    Effect.gen(function* () {
      const box = yield* proxy("mock")
      const done = yield* maia(box, ["models"], box.options())
      assert.strictEqual(done.code, 0, done.stderr)
      assert.match(done.stdout, /\* mock\s+\(32768 tokens\)/)
      assert.match(done.stdout, /deepthink\s+\(131072 tokens\)/, "known to LiteLLM itself")
    }).pipe(Effect.scoped)
  )

  it.live("streams its mock's answer", () =>
    Effect.gen(function* () {
      const done = yield* ask("mock")
      assert.strictEqual(textOf(done), "Hello from LiteLLM's own mock.")
      assert.isAbove(Number(ofType(done, "usage")[0]?.["inputTokens"]), 0)
      assert.strictEqual(done.code, 0)
    }).pipe(Effect.scoped)
  )

  it.live("carries a tool call of OpenAI's format there and its result back", () =>
    Effect.gen(function* () {
      const done = yield* ask("tools")
      assert.strictEqual(textOf(done), "It says heron.", done.stdout + done.stderr)
      const sent = (yield* Effect.promise(() => seenBy(upstream, "tools"))).at(-1)?.body["messages"]
      assert.include(JSON.stringify(sent), "The secret word is heron.")
    }).pipe(Effect.scoped)
  )

  it.live("gives Anthropic its thinking back, signed, in front of the tool call", () =>
    Effect.gen(function* () {
      const done = yield* ask("thinking")
      assert.strictEqual(ofType(done, "text").at(-1)?.["delta"], "It says heron.", done.stdout + done.stderr)
      const [, second] = (yield* Effect.promise(() => seenBy(upstream, "thinking"))).slice(-2)
      const messages = second?.body["messages"]
      assert.isArray(messages)
      assert.deepStrictEqual(Array.isArray(messages) ? messages[1].content : [], [
        { type: "thinking", thinking: "I should read the file.", signature: "c2lnbmF0dXJl" },
        { type: "text", text: "Reading." },
        { type: "tool_use", id: "toolu_01", name: "Read", input: { path: "notes.txt" } }
      ])
    }).pipe(Effect.scoped)
  )

  it.live("keeps reasoning apart, however it comes", () =>
    Effect.gen(function* () {
      const field = yield* ask("deepthink")
      assert.strictEqual(textOf(field), "Forty-two.")
      const tags = yield* ask("think-tags")
      assert.strictEqual(textOf(tags).trim(), "Yes.")
    }).pipe(Effect.scoped)
  )

  it.live("recognises an overflow in every provider's words", () =>
    Effect.forEach(
      overflows,
      ({ name }) =>
        Effect.map(ask(name), (done) => {
          assert.include(errorOf(done), "longer than the model's context window", `${name}: ${done.stdout}`)
        }),
      { concurrency: 2 }
    ).pipe(Effect.scoped)
  )

  it.live("says whose key is refused: the user's, none at all, or the proxy's own", () =>
    Effect.gen(function* () {
      const wrong = yield* proxy("mock", "sk-wrong-0123456789")
      const refused = yield* maia(wrong, ["run", "-p", "hi"], wrong.options())
      assert.strictEqual(refused.code, 5, refused.stderr)
      assert.include(refused.stderr, "refused the API key")
      const none = yield* against({ url: litellm.url, model: "mock" })
      const missing = yield* maia(none, ["run", "-p", "hi"], none.options())
      assert.include(missing.stderr, "none is set")
      assert.notInclude(missing.stderr, "Trying again")
      const theirs = yield* ask("badkey")
      assert.include(errorOf(theirs), "the proxy's own key")
    }).pipe(Effect.scoped)
  )

  it.live("names near models, and a model that only the proxy knows", () =>
    Effect.gen(function* () {
      assert.include(errorOf(yield* ask("mok")), "Near names: mock")
      assert.include(errorOf(yield* ask("gone")), "what serves it does not know it")
    }).pipe(Effect.scoped)
  )

  it.live("stops at once where a provider asks to wait for hours, and says until when", () =>
    Effect.gen(function* () {
      const done = yield* ask("busy")
      assert.include(errorOf(done), "asks to wait 7200 s")
      assert.isEmpty(ofType(done, "warning"))
    }).pipe(Effect.scoped)
  )

  it.live("asks once more after an answer that broke in the middle, and takes back what was shown", () =>
    Effect.gen(function* () {
      const done = yield* ask("mid-error")
      assert.strictEqual(done.code, 1)
      assert.strictEqual(ofType(done, "discard").length, 1)
      assert.include(errorOf(done), "The server had an error while processing your request")
      assert.notInclude(errorOf(done), "APIConnectionError", "the proxy's class names say nothing to a person")
    }).pipe(Effect.scoped)
  )

  it.live("never ends in silence after an answer without content", () =>
    Effect.gen(function* () {
      const done = yield* ask("empty")
      assert.strictEqual(done.code, 1)
      assert.include(errorOf(done), "Empty answer")
    }).pipe(Effect.scoped)
  )

  it.live("marks an answer cut by the limit", () =>
    Effect.gen(function* () {
      const done = yield* ask("cut-length")
      assert.match(textOf(done), /^Cut he\n\n\[answer cut off at max_tokens \(\d+\)\]$/)
      assert.isNotEmpty(ofType(done, "warning"))
    }).pipe(Effect.scoped)
  )

  it.live("ends the provider's generation when it is interrupted", () =>
    Effect.gen(function* () {
      const box = yield* proxy("endless")
      const done = yield* interruptedRun(box, "Go on for ever.", Effect.void)
      assert.strictEqual(done.code, 130, done.stderr)
      yield* Effect.promise(() => seenBy(upstream, "endless")).pipe(
        Effect.filterOrFail((seen) => seen.length > 0 && seen.every((one) => one.aborted === true)),
        Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 200 })
      )
    }).pipe(Effect.scoped)
  )
})
