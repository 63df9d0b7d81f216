import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import { ContextWindow, WINDOW_QUESTION } from "../../src/context/ContextWindow.ts"
import { LiteLlm } from "../../src/llm/LiteLlm.ts"
import * as ScriptedLlm from "../../src/testing/ScriptedLlm.ts"
import type { Settings } from "../../src/config/settings.ts"
import { testConfigLayer } from "../support/testConfig.ts"
import { llmError } from "./support.ts"

const { answer } = ScriptedLlm

const layer = (
  script: ScriptedLlm.Script,
  options: ScriptedLlm.ScriptedOptions = {},
  settings: Partial<Settings> = {}
) =>
  ContextWindow.layer.pipe(
    Layer.provideMerge(ScriptedLlm.layer(script, options)),
    Layer.provide(testConfigLayer({ launchFolder: "/work", settings }))
  )

const asked = Effect.map(ScriptedLlm.ScriptedRequests, ({ all }) => all)

describe("ContextWindow", () => {
  it.effect("settings come first, by the most precise pattern, and nobody is asked", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      const size = yield* windows.get("qwen3-4b")
      assert.deepInclude(size, { tokens: 8192, source: "settings" })
      assert.strictEqual((yield* asked).length, 0)
    }).pipe(
      Effect.provide(
        layer(
          [],
          { contextWindow: 32_768 },
          { models: { "*": { contextWindow: 4096 }, "qwen3*": { contextWindow: 8192 } } }
        )
      )
    )
  )

  it.effect("then the server's pages, and it says which one", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      const size = yield* windows.get("m")
      assert.deepInclude(size, { tokens: 32_768, source: "server" })
      assert.strictEqual(size?.origin.en, "the script")
    }).pipe(Effect.provide(layer([], { contextWindow: 32_768 })))
  )

  it.effect("then the model is asked, once", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      assert.deepInclude(yield* windows.get("m"), { tokens: 200_000, source: "model" })
      assert.deepInclude(yield* windows.get("m"), { tokens: 200_000, source: "model" })
      const requests = yield* asked
      assert.strictEqual(requests.length, 1)
      assert.strictEqual(requests[0]?.messages[0]?.text, WINDOW_QUESTION)
      assert.isFalse(requests[0]?.thinking)
    }).pipe(Effect.provide(layer([answer({ text: "200k" })])))
  )

  it.effect("several that need it at once ask once", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      yield* Effect.all([windows.get("m"), windows.get("m"), windows.get("m")], { concurrency: "unbounded" })
      assert.strictEqual((yield* asked).length, 1)
    }).pipe(Effect.provide(layer([answer({ text: "8192" }), answer({ text: "9000" })])))
  )

  it.effect("the model is not asked where the caller does not want it, and later it is", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      assert.isUndefined(yield* windows.get("m", { askModel: false }))
      assert.strictEqual((yield* asked).length, 0)
      assert.deepInclude(yield* windows.get("m"), { tokens: 8192 })
    }).pipe(Effect.provide(layer([answer({ text: "8192" })])))
  )

  it.effect("an answer without a number leaves it unknown, and it is not asked again", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      assert.isUndefined(yield* windows.get("m"))
      assert.match((yield* windows.whyUnknown("m"))?.en ?? "", /no number/)
      assert.isUndefined(yield* windows.get("m"))
      assert.strictEqual((yield* asked).length, 1)
    }).pipe(Effect.provide(layer([answer({ text: "I do not know." }), answer({ text: "8192" })])))
  )

  it.effect("a model that says nothing for 60 s leaves it unknown", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      const fiber = yield* Effect.forkChild(windows.get("m"))
      yield* TestClock.adjust("59 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.isUndefined(yield* Fiber.join(fiber))
      assert.isDefined(yield* windows.whyUnknown("m"))
    }).pipe(Effect.provide(layer([Stream.never])))
  )

  it.effect("Ctrl+C gives the question up: it is not put again", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      const fiber = yield* Effect.forkChild(windows.get("m"), { startImmediately: true })
      yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.isUndefined(yield* windows.get("m"))
      assert.strictEqual((yield* asked).length, 1)
    }).pipe(Effect.provide(layer([Stream.never, answer({ text: "8192" })])))
  )

  it.effect("a server that was unreachable is asked again once it has answered", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      assert.isUndefined(yield* windows.get("m"))
      assert.isUndefined(yield* windows.get("m"))
      assert.strictEqual((yield* asked).length, 1)
      yield* windows.noteAnswer("m")
      assert.deepInclude(yield* windows.get("m"), { tokens: 16_384, source: "model" })
    }).pipe(Effect.provide(layer([llmError("unreachable"), answer({ text: "16384" })])))
  )

  it.effect("pages that met no server are read again after its first answer", () =>
    Effect.gen(function* () {
      const pages = yield* Deferred.make<number>()
      const llm = LiteLlm.of({
        stream: () => Stream.fail(llmError("unreachable")),
        models: Effect.succeed([]),
        prices: () => Effect.undefined,
        contextWindow: () =>
          Effect.map(Deferred.poll(pages), (found) =>
            found._tag === "Some" ? { tokens: 40_960, source: "llama.cpp /props" } : undefined
          ),
        templateHasTools: Effect.undefined
      })
      yield* Effect.gen(function* () {
        const windows = yield* ContextWindow
        assert.isUndefined(yield* windows.get("m", { askModel: false }))
        yield* Deferred.succeed(pages, 1)
        assert.isUndefined(yield* windows.get("m", { askModel: false }))
        yield* windows.noteAnswer("m")
        assert.deepInclude(yield* windows.get("m", { askModel: false }), { tokens: 40_960, source: "server" })
      }).pipe(
        Effect.provide(
          ContextWindow.layer.pipe(
            Layer.provide(Layer.succeed(LiteLlm, llm)),
            Layer.provide(testConfigLayer({ launchFolder: "/work" }))
          )
        )
      )
    })
  )

  it.effect("H6: a window smaller than the list says is remembered from the server's refusal", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      assert.deepInclude(yield* windows.get("m"), { tokens: 131_072 })
      yield* windows.noteOverflow("m", 8192)
      assert.deepInclude(yield* windows.get("m"), { tokens: 8192, source: "refusal" })
      assert.deepInclude(yield* windows.known("m"), { tokens: 8192 })
      yield* windows.noteOverflow("m", 16_384)
      yield* windows.noteOverflow("m", undefined)
      assert.deepInclude(yield* windows.get("m"), { tokens: 8192 })
      assert.deepInclude(yield* windows.get("other"), { tokens: 131_072 })
    }).pipe(Effect.provide(layer([], { contextWindow: 131_072 })))
  )

  it.effect("a refusal above the known size changes nothing", () =>
    Effect.gen(function* () {
      const windows = yield* ContextWindow
      yield* windows.noteOverflow("m", 200_000)
      assert.deepInclude(yield* windows.get("m"), { tokens: 4096, source: "settings" })
    }).pipe(Effect.provide(layer([], {}, { models: { m: { contextWindow: 4096 } } })))
  )
})
