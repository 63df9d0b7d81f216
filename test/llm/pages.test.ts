/** What a server says of itself: models, window, kind; and what follows from it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { LiteLlm } from "../../src/llm/LiteLlm.ts"
import { kindOfHeaders, kindOfList, modelsOf, windowOfModelInfo, windowOfProps } from "../../src/llm/serverPages.ts"
import { deadUrl, json, rawBytes, scriptedServer, textAnswer, type ServerOptions } from "../support/scriptedServer.ts"
import { d, DONE, fin } from "./corpus/build.ts"
import { collect, liveLayer, mockedLayer, request, textOf, warningsOf } from "./support/harness.ts"
import { mockHttp, refused, status, streamed } from "./support/mockHttp.ts"

const ask = <A, E>(options: ServerOptions, use: (llm: LiteLlm["Service"]) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const server = yield* scriptedServer([textAnswer("ok")], options)
    const value = yield* Effect.flatMap(LiteLlm, use).pipe(
      Effect.result,
      Effect.provide(liveLayer({ url: server.url }))
    )
    return {
      value: value._tag === "Success" ? value.success : undefined,
      error: value._tag === "Failure" ? value.failure : undefined,
      server
    }
  }).pipe(Effect.scoped)

describe("the list of models", () => {
  it.live("is sorted and without duplicates", () =>
    Effect.gen(function* () {
      const models = ["b", { model_name: "a" }, "b", { id: "c", max_model_len: 32_768 }, {}]
      const { value } = yield* ask({ models }, (llm) => llm.models)
      assert.deepStrictEqual(value, [
        { id: "a" },
        { id: "b" },
        { id: "c", contextWindow: 32_768, contextWindowField: "max_model_len" }
      ])
    })
  )
  it.live("that is a web page is no OpenAI server", () =>
    Effect.gen(function* () {
      const { error } = yield* ask({ models: rawBytes("<html><title>Hi</title></html>") }, (llm) => llm.models)
      assert.strictEqual(error?.code, "not_openai")
    })
  )
  it.live("refused is a refused key", () =>
    Effect.gen(function* () {
      const { error } = yield* ask({ models: json(401, { error: "no" }) }, (llm) => llm.models)
      assert.strictEqual(error?.code, "refused_key")
    })
  )
  it.live("of a dead server says so", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(deadUrl)
      const error = yield* Effect.flatMap(LiteLlm, (llm) => Effect.flip(llm.models)).pipe(
        Effect.provide(liveLayer({ url }))
      )
      assert.strictEqual(error.code, "unreachable")
    })
  )
  it("is read in other shapes", () => {
    assert.deepStrictEqual(modelsOf({ models: [{ name: "x" }] }), [{ id: "x" }])
    assert.deepStrictEqual(modelsOf(["x"]), [{ id: "x" }])
    assert.isUndefined(modelsOf({ ok: true }))
    assert.isUndefined(modelsOf("x"))
  })
})

describe("the context window", () => {
  const list = [{ id: "m", context_length: 1000 }]
  it.live("comes from LiteLLM first", () =>
    Effect.gen(function* () {
      const modelInfo = { data: [{ model_name: "m", model_info: { max_input_tokens: 500 } }] }
      const { value } = yield* ask({ modelInfo, models: list }, (llm) => llm.contextWindow("m"))
      assert.deepStrictEqual(value, { tokens: 500, source: "LiteLLM /model/info" })
    })
  )
  it.live("then from the list of models", () =>
    Effect.gen(function* () {
      const { value } = yield* ask({ models: list, props: { n_ctx: 9 } }, (llm) => llm.contextWindow("m"))
      assert.deepStrictEqual(value, { tokens: 1000, source: "/v1/models (context_length)" })
    })
  )
  it.live("then from llama.cpp, not from what the model was trained for", () =>
    Effect.gen(function* () {
      const models = [{ id: "m", owned_by: "llamacpp", meta: { n_ctx_train: 131_072 } }]
      const props = { default_generation_settings: { n_ctx: 4096 } }
      const { value } = yield* ask({ models, props }, (llm) => llm.contextWindow("m"))
      assert.deepStrictEqual(value, { tokens: 4096, source: "llama.cpp /props" })
    })
  )
  it.live("is unknown where no page says it, and never a failure", () =>
    Effect.gen(function* () {
      assert.isUndefined((yield* ask({ models: rawBytes("<html>") }, (llm) => llm.contextWindow("m"))).value)
      const url = yield* Effect.promise(deadUrl)
      const dead = Effect.flatMap(LiteLlm, (llm) => llm.contextWindow("m"))
      assert.isUndefined(yield* dead.pipe(Effect.provide(liveLayer({ url }))))
    })
  )
  it.effect("of Ollama is what the model is loaded with, else what its file says, never how it was trained", () =>
    Effect.gen(function* () {
      const ollama = (ps: unknown, parameters: string) => {
        const http = mockHttp((_, { url }) => {
          if (url.endsWith("/v1/models")) return Response.json({ data: [{ id: "qwen3:4b", owned_by: "library" }] })
          if (url.endsWith("/api/ps")) return Response.json(ps)
          if (url.endsWith("/api/show"))
            return Response.json({ parameters, model_info: { "qwen3.context_length": 40_960 } })
          return status(404)
        })
        const layer = mockedLayer({ url: "http://localhost:11434" }).pipe(Layer.provide(http.layer))
        return Effect.flatMap(LiteLlm, (llm) => llm.contextWindow("qwen3:4b")).pipe(Effect.provide(layer))
      }
      const loaded = { models: [{ name: "qwen3:4b", context_length: 4_096 }] }
      assert.deepStrictEqual(yield* ollama(loaded, "num_ctx 8192"), { tokens: 4_096, source: "Ollama /api/ps" })
      const show = yield* ollama({ models: [] }, 'stop "x"\nnum_ctx                        8192\n')
      assert.deepStrictEqual(show, { tokens: 8_192, source: "Ollama /api/show" })
      assert.isUndefined(yield* ollama({ models: [] }, "temperature 0.6"))
    })
  )
  it("is the smallest of the servers behind one name", () => {
    const entry = (tokens: unknown) => ({ model_name: "m", model_info: { max_input_tokens: tokens } })
    assert.strictEqual(windowOfModelInfo({ data: [entry(900), entry("800"), entry(null)] }, "m"), 800)
    assert.isUndefined(windowOfModelInfo({ data: [entry(0), entry(-5)] }, "m"))
  })
  it("of LM Studio is what is loaded", () => {
    assert.strictEqual(
      modelsOf({ data: [{ id: "m", max_context_length: 9000, loaded_context_length: 4096 }] })?.[0]?.contextWindow,
      4096
    )
  })
  it("of props is a slot's", () => {
    assert.strictEqual(windowOfProps({ n_ctx: 8192, default_generation_settings: { n_ctx: 2048 } }), 2048)
  })
})

describe("who serves", () => {
  it("is told by the list or a header", () => {
    assert.strictEqual(kindOfList({ data: [{ id: "m", owned_by: "llamacpp" }] }), "llama.cpp")
    assert.strictEqual(kindOfList({ data: [{ id: "m", owned_by: "vllm" }] }), "vllm")
    assert.strictEqual(kindOfHeaders({ "x-litellm-version": "1" }), "litellm")
    assert.strictEqual(kindOfHeaders({ server: "llama.cpp" }), "llama.cpp")
    assert.isUndefined(kindOfHeaders({ server: "nginx" }))
  })
  it.live("llama.cpp, once known, is asked for its progress", () =>
    Effect.gen(function* () {
      const server = yield* scriptedServer([textAnswer("a"), textAnswer("b")], {
        models: [{ id: "test-model", owned_by: "llamacpp" }]
      })
      yield* Effect.gen(function* () {
        const llm = yield* LiteLlm
        yield* collect()
        yield* llm.contextWindow("test-model")
        yield* collect()
      }).pipe(Effect.provide(liveLayer({ url: server.url })))
      assert.deepStrictEqual(
        server.chats.map((chat) => chat.body["return_progress"]),
        [undefined, true]
      )
    }).pipe(Effect.scoped)
  )
})

describe("an unknown model", () => {
  it.live("gives the near names of the server's list", () =>
    Effect.gen(function* () {
      const unknown = json(404, { error: { message: "The model `qwen3-4b` does not exist", code: "model_not_found" } })
      const server = yield* scriptedServer([unknown], { models: ["qwen3-8b", "llama-70b"] })
      const { error } = yield* collect(request({ model: "qwen3-4b" })).pipe(
        Effect.provide(liveLayer({ url: server.url }))
      )
      assert.strictEqual(error?.code, "unknown_model")
      assert.include(error?.text.en, "qwen3-8b")
      assert.notInclude(error?.text.en, "llama-70b")
    }).pipe(Effect.scoped)
  )
})

describe("Docker Model Runner", () => {
  for (const url of ["http://localhost:12434", "http://localhost:12434/", "http://model-runner.docker.internal"]) {
    it.effect(`at ${url} is asked below /engines`, () =>
      Effect.gen(function* () {
        const http = mockHttp(() => streamed(d({ content: "ok" }) + fin("stop") + DONE))
        const { events } = yield* collect().pipe(Effect.provide(mockedLayer({ url }).pipe(Layer.provide(http.layer))))
        assert.strictEqual(textOf(events), "ok")
        assert.deepStrictEqual(
          http.seen.map((seen) => new URL(seen.url).pathname),
          ["/engines/v1/chat/completions"]
        )
      })
    )
  }
  it.effect("is left as it is where the settings name the path", () =>
    Effect.gen(function* () {
      const http = mockHttp(() => streamed(d({ content: "ok" }) + fin("stop") + DONE))
      const url = "http://localhost:12434/engines/llama.cpp/v1"
      yield* collect().pipe(Effect.provide(mockedLayer({ url }).pipe(Layer.provide(http.layer))))
      assert.deepStrictEqual(
        http.seen.map((seen) => new URL(seen.url).pathname),
        ["/engines/llama.cpp/v1/chat/completions"]
      )
    })
  )
})

describe("inside a container", () => {
  const answer = () => streamed(d({ content: "ok" }) + fin("stop") + DONE)
  const play = (files: ReadonlyArray<string>, url = "http://localhost:8080") => {
    const http = mockHttp((_, { url }) => (url.includes("host.docker.internal") ? answer() : refused()))
    const layer = mockedLayer({ url, files }).pipe(Layer.provide(http.layer))
    return { http, layer }
  }
  it.effect("a loopback address that refuses leads to the host, once, and is said", () =>
    Effect.gen(function* () {
      const { http, layer } = play(["/.dockerenv"])
      const [first, second] = yield* Effect.all([collect(), collect()]).pipe(Effect.provide(layer))
      assert.strictEqual(textOf(first.events), "ok")
      assert.deepStrictEqual(warningsOf(first.events), ["host_gateway"])
      assert.deepStrictEqual(warningsOf(second.events), [])
      assert.deepStrictEqual(
        http.seen.map((seen) => new URL(seen.url).hostname),
        ["localhost", "host.docker.internal", "host.docker.internal"]
      )
    })
  )
  it.effect("is said with the first answer although a page found the way", () =>
    Effect.gen(function* () {
      const { layer } = play(["/.dockerenv"])
      const first = yield* Effect.gen(function* () {
        yield* (yield* LiteLlm).contextWindow("m")
        return yield* collect()
      }).pipe(Effect.provide(layer))
      assert.deepStrictEqual(warningsOf(first.events), ["host_gateway"])
    })
  )
  it.live("elsewhere it does not", () =>
    Effect.gen(function* () {
      const { http, layer } = play([])
      const { error } = yield* collect().pipe(Effect.provide(layer))
      assert.strictEqual(error?.code, "unreachable")
      assert.isFalse(http.seen.some((seen) => seen.url.includes("docker")))
    })
  )
  it.effect("an answer with an error is no refusal", () =>
    Effect.gen(function* () {
      const http = mockHttp(() => status(401))
      const layer = mockedLayer({ url: "http://localhost:8080", files: ["/.dockerenv"] }).pipe(
        Layer.provide(http.layer)
      )
      assert.strictEqual((yield* collect().pipe(Effect.provide(layer))).error?.code, "refused_key")
      assert.lengthOf(http.seen, 1)
    })
  )
})
