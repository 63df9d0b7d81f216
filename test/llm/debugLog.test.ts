/** `MAIA_DEBUG_LLM`: the raw exchange in a private file, without the key. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Path, Redacted } from "effect"
import { debugFile } from "../../src/llm/debugLog.ts"
import { layerFetch } from "../../src/llm/LiteLlmLive.ts"
import { json, scriptedServer, textAnswer, type ScriptedResponse } from "../support/scriptedServer.ts"
import { testConfig, testConfigLayer } from "../support/testConfig.ts"
import { collect, request } from "./support/harness.ts"

const key = "sk-secret-0123456789"

const logged = (
  response: ScriptedResponse,
  prepare: (file: string) => Effect.Effect<void, unknown, FileSystem.FileSystem> = () => Effect.void
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    const file = `${folder}/debug.log`
    yield* prepare(file)
    const server = yield* scriptedServer([response, response])
    const config = testConfigLayer({
      launchFolder: folder,
      apiKey: Redacted.make(key),
      env: { MAIA_DEBUG_LLM: "debug.log" },
      settings: { LiteLLM_URL: server.url }
    })
    const given = request({ messages: [{ role: "user", text: `my key is ${key}` }] })
    const result = yield* collect(given).pipe(Effect.provide(layerFetch.pipe(Layer.provide(config))))
    const text = yield* Effect.orElseSucceed(fs.readFileString(file), () => "")
    const mode = yield* Effect.orElseSucceed(
      Effect.map(fs.stat(file), (info) => info.mode & 0o777),
      () => 0
    )
    return { result, text, mode, folder }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("debug file", () => {
  it.live("holds request and raw answer, mode 0600, the key masked", () =>
    Effect.gen(function* () {
      const { result, text, mode } = yield* logged(textAnswer(`echo ${key}.`, { step: 4 }))
      assert.isUndefined(result.error)
      assert.strictEqual(mode, 0o600)
      assert.include(text, '"model":"test-model"')
      assert.include(text, "my key is ***")
      assert.include(text, "data: [DONE]")
      assert.notInclude(text, key)
    })
  )
  it.live("holds the body of an error, masked there and in the message", () =>
    Effect.gen(function* () {
      const { result, text } = yield* logged(json(401, { error: { message: `Incorrect API key provided: ${key}` } }))
      assert.include(text, "Incorrect API key provided: ***")
      assert.notInclude(text + JSON.stringify(result.error), key)
    })
  )
  it.live("that was open to others is closed to them", () =>
    Effect.gen(function* () {
      const open = (file: string) =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          yield* fs.writeFileString(file, "old\n")
          yield* fs.chmod(file, 0o644)
        })
      const { text, mode } = yield* logged(textAnswer("a"), open)
      assert.strictEqual(mode, 0o600)
      assert.isTrue(text.startsWith("old\n"))
    })
  )
  it.live("that cannot be written does not stop the request; a link is not followed", () =>
    Effect.gen(function* () {
      const link = (file: string) =>
        Effect.gen(function* () {
          const fs = yield* FileSystem.FileSystem
          yield* fs.writeFileString(`${file}.target`, "kept")
          yield* fs.symlink(`${file}.target`, file)
        })
      const { result, text } = yield* logged(textAnswer("a"), link)
      assert.isUndefined(result.error)
      assert.strictEqual(text, "kept")
    })
  )
  it.effect("is named by the variable", () =>
    Effect.gen(function* () {
      const path = yield* Path.Path
      const named = (env: Record<string, string>) => debugFile(testConfig({ launchFolder: "/work/x", env }), path)
      assert.isUndefined(named({}))
      assert.isUndefined(named({ MAIA_DEBUG_LLM: "0" }))
      assert.strictEqual(named({ MAIA_DEBUG_LLM: "1", TMPDIR: "/t" }), "/t/maia-llm-debug.log")
      assert.strictEqual(named({ MAIA_DEBUG_LLM: "1" }), "/tmp/maia-llm-debug.log")
      assert.strictEqual(named({ MAIA_DEBUG_LLM: "a/b.log" }), "/work/x/a/b.log")
      assert.strictEqual(named({ MAIA_DEBUG_LLM: "/var/b.log" }), "/var/b.log")
    }).pipe(Effect.provide(Path.layer))
  )
})
