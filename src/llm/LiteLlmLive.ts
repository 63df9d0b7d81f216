/**
 * `LiteLlm` over HTTP (spec 01): puts settings, connection, decoder and retries together. `layer` takes any `HttpClient`;
 * `layerFetch` brings its own.
 */
import { Clock, Effect, Layer, Redacted, Ref, Stream, type FileSystem, type Path, type Scope } from "effect"
import { FetchHttpClient, type HttpClient } from "effect/http"
import { Config } from "../config/Config.ts"
import { modelSettings } from "../config/modelSettings.ts"
import { nearest } from "../config/nearest.ts"
import type { LlmEvent, LlmRequest, ModelInfo } from "../domain/llm.ts"
import { answerStream, type Opened } from "./answerStream.ts"
import { callIds } from "./callIds.ts"
import * as errors from "./classify.ts"
import type { Facts, Judged } from "./classify.ts"
import { makeConnection, type Connection, type Reply } from "./connection.ts"
import type { LlmError } from "./errors.ts"
import { maskKey } from "./keyMask.ts"
import { LiteLlm } from "./LiteLlm.ts"
import { refusedIn, type ServerKind } from "./quirks/index.ts"
import { requestBody } from "./request.ts"
import { retryAfterSeconds } from "./retryAfter.ts"
import { patienceFor } from "./patience.ts"
import * as pages from "./serverPages.ts"
import { joinUrl, serverRoot } from "./serverUrl.ts"
import { parametersRefused } from "./warnings.ts"
import { parseJson } from "./wire.ts"

/** Seconds for a page that is asked for in passing. */
const PAGE_SECONDS = 5
/** Seconds for the list of models, where a person waits for it. */
const LIST_SECONDS = 15

const make = Effect.gen(function* () {
  const config = yield* Config
  const connection = yield* makeConnection(config)
  const kind = yield* Ref.make<ServerKind | undefined>(undefined)
  const live = new Live(config, connection, kind)
  const { contextWindow, models, prices, stream, templateHasTools } = live
  return LiteLlm.of({ stream, models, contextWindow, prices, templateHasTools })
})

export const layer: Layer.Layer<LiteLlm, never, Config | HttpClient.HttpClient | FileSystem.FileSystem | Path.Path> =
  Layer.effect(LiteLlm, make)

/** Bun gives up on a silent connection after five minutes by itself; the watchdog alone decides here. */
const withoutOwnTimeout: RequestInit & { readonly timeout: boolean } = { timeout: false }

export const layerFetch: Layer.Layer<LiteLlm, never, Config | FileSystem.FileSystem | Path.Path> = layer.pipe(
  Layer.provide(FetchHttpClient.layer),
  Layer.provide(Layer.succeed(FetchHttpClient.RequestInit, withoutOwnTimeout))
)

class Live {
  readonly #config: Config["Service"]
  readonly #connection: Connection
  readonly #kind: Ref.Ref<ServerKind | undefined>
  /** Optional parameters refused so far, by model. */
  readonly #refusedBy = new Map<string, ReadonlySet<string>>()

  constructor(config: Config["Service"], connection: Connection, kind: Ref.Ref<ServerKind | undefined>) {
    this.#config = config
    this.#connection = connection
    this.#kind = kind
  }

  readonly stream = (request: LlmRequest): Stream.Stream<LlmEvent, LlmError> =>
    Stream.unwrap(
      Effect.gen({ self: this }, function* () {
        const { settings } = this.#config
        const newId = yield* callIds
        return answerStream({
          open: (streaming) => this.#open(request, streaming),
          assembler: {
            declared: new Set(request.tools.map((tool) => tool.name)),
            newId
          },
          patience: patienceFor(settings, request),
          maxRetryAfter: settings.maxRetryAfter,
          facts: this.#facts(request.model),
          mask: (text) => this.#masked(text)
        })
      })
    )

  readonly models: Effect.Effect<ReadonlyArray<ModelInfo>, LlmError> = Effect.suspend(() => this.#list()).pipe(
    Effect.withSpan("LiteLlm.models")
  )

  readonly contextWindow = Effect.fn("LiteLlm.contextWindow")({ self: this }, function* (this: Live, model: string) {
    const base = yield* this.#connection.base
    if (base === undefined) return undefined
    const { LiteLLM_Models } = this.#config.settings
    const info = yield* this.#page(serverRoot(base), "/model/info")
    if (pages.isModelInfo(info)) yield* Ref.set(this.#kind, "litellm")
    const byInfo = pages.windowOfModelInfo(info, model)
    if (byInfo !== undefined) return { tokens: byInfo, source: "LiteLLM /model/info" }
    const list = yield* this.#page(base, LiteLLM_Models)
    yield* this.#learn(pages.kindOfList(list))
    const listed = pages.modelsOf(list)?.find((one) => one.id === model)
    if (listed?.contextWindow !== undefined) {
      return { tokens: listed.contextWindow, source: `${LiteLLM_Models} (${listed.contextWindowField ?? ""})` }
    }
    if ((yield* Ref.get(this.#kind)) === "ollama") return yield* this.#ollamaWindow(serverRoot(base), model)
    const props = yield* this.#page(serverRoot(base), "/props")
    const byProps = pages.windowOfProps(props)
    if (byProps === undefined) return undefined
    yield* this.#learn("llama.cpp")
    return { tokens: byProps, source: "llama.cpp /props" }
  })

  readonly templateHasTools = Effect.suspend(() =>
    Effect.flatMap(this.#connection.base, (base) =>
      base === undefined
        ? Effect.undefined
        : Effect.map(this.#page(serverRoot(base), "/props"), pages.templateHasToolsIn)
    )
  ).pipe(Effect.withSpan("LiteLlm.templateHasTools"))

  readonly prices = Effect.fn("LiteLlm.prices")({ self: this }, function* (this: Live, model: string) {
    const base = yield* this.#connection.base
    if (base === undefined) return undefined
    return pages.pricesOfModelInfo(yield* this.#page(serverRoot(base), "/model/info"), model)
  })

  // --- chat --------------------------------------------------------------------------------------------------------

  #open(request: LlmRequest, streaming: boolean): Effect.Effect<Opened, Judged, Scope.Scope> {
    return this.#send(request, streaming).pipe(
      Effect.catch((judged) => {
        const known = this.#refusedBy.get(request.model) ?? new Set()
        const names = judged.error.code === "bad_request" ? refusedIn(String(judged.error.cause)) : []
        const news = names.filter((name) => !known.has(name))
        if (news.length === 0) return Effect.fail(judged)
        this.#refusedBy.set(request.model, new Set([...known, ...news]))
        return Effect.map(this.#send(request, streaming), (opened) => ({
          ...opened,
          notices: [...opened.notices, parametersRefused(news)]
        }))
      })
    )
  }

  #send(request: LlmRequest, streaming: boolean): Effect.Effect<Opened, Judged, Scope.Scope> {
    return Effect.gen({ self: this }, function* () {
      const base = yield* this.#connection.base
      if (base === undefined) return yield* Effect.fail<Judged>({ error: errors.noSettings(), retry: "never" })
      const { settings } = this.#config
      const body = requestBody(request, {
        server: { url: base, kind: yield* Ref.get(this.#kind) },
        streaming,
        maxTokens: modelSettings(settings, request.model).maxOutputTokens ?? settings.MaxOutputTokens,
        refused: this.#refusedBy.get(request.model) ?? new Set()
      })
      const facts = yield* this.#facts(request.model)
      const { first, idle } = patienceFor(settings, request)
      const seconds = streaming ? first : first + idle
      const reply = yield* this.#connection.post(base, settings.OpenAI_EndPoint, body).pipe(
        Effect.mapError((cause) => errors.judgeTransport(cause, facts)),
        Effect.timeoutOrElse({
          duration: `${seconds} seconds`,
          orElse: () => Effect.fail<Judged>({ error: errors.firstTokenTimeout(seconds), retry: "never" })
        })
      )
      yield* this.#learn(pages.kindOfHeaders(reply.headers))
      if (reply.status < 200 || reply.status >= 300) return yield* Effect.fail(yield* this.#refused(reply, facts))
      return { bytes: reply.bytes, notices: reply.notice === undefined ? [] : [reply.notice] }
    })
  }

  #refused(reply: Reply, facts: Facts): Effect.Effect<Judged> {
    return Effect.gen({ self: this }, function* () {
      const judged = errors.judgeResponse(
        {
          status: reply.status,
          body: this.#masked(yield* bodyText(reply)),
          retryAfter: retryAfterSeconds(reply.headers, yield* Clock.currentTimeMillis)
        },
        facts
      )
      if (judged.error.code !== "unknown_model") return judged
      const known = yield* Effect.orElseSucceed(this.#list(), () => [])
      const near = nearest(
        facts.model,
        known.map((model) => model.id)
      )
      return near.length === 0
        ? judged
        : { ...judged, error: errors.unknownModel(facts, near, { status: reply.status, cause: judged.error.cause }) }
    })
  }

  #facts(model: string): Effect.Effect<Facts> {
    return Effect.map(this.#connection.base, (base) => ({
      url: joinUrl(base ?? "", this.#config.settings.OpenAI_EndPoint),
      model,
      hasKey: this.#config.apiKey !== undefined && Redacted.value(this.#config.apiKey) !== ""
    }))
  }

  // --- pages -------------------------------------------------------------------------------------------------------

  #list(): Effect.Effect<ReadonlyArray<ModelInfo>, LlmError> {
    return Effect.gen({ self: this }, function* () {
      const base = yield* this.#connection.base
      if (base === undefined) return yield* errors.noSettings()
      const path = this.#config.settings.LiteLLM_Models
      const facts = { ...(yield* this.#facts("")), url: joinUrl(base, path) }
      const reply = yield* Effect.mapError(
        this.#connection.get(base, path),
        (cause) => errors.judgeTransport(cause, facts).error
      )
      const body = yield* bodyText(reply)
      if (reply.status < 200 || reply.status >= 300) {
        const failure = { status: reply.status, body: this.#masked(body), retryAfter: undefined }
        return yield* errors.judgeResponse(failure, facts).error
      }
      yield* this.#learn(pages.kindOfHeaders(reply.headers))
      const value = parseJson(body)
      const models = pages.modelsOf(value)
      if (models === undefined) return yield* errors.alienBody(this.#masked(body), facts)
      yield* this.#learn(pages.kindOfList(value))
      return models
    }).pipe(
      Effect.scoped,
      Effect.timeoutOrElse({
        duration: `${LIST_SECONDS} seconds`,
        orElse: () => Effect.fail(errors.firstTokenTimeout(LIST_SECONDS))
      })
    )
  }

  /** The JSON of a page, undefined where there is none. */
  #page(base: string, path: string): Effect.Effect<unknown> {
    return this.#json(this.#connection.get(base, path))
  }

  #json(page: Effect.Effect<Reply, unknown, Scope.Scope>): Effect.Effect<unknown> {
    return page.pipe(
      Effect.flatMap((reply) => (reply.status === 200 ? bodyText(reply) : Effect.succeed(""))),
      Effect.scoped,
      Effect.timeout(`${PAGE_SECONDS} seconds`),
      Effect.map(parseJson),
      Effect.orElseSucceed(() => undefined)
    )
  }

  /** What the model is loaded with, else what its own file says. */
  #ollamaWindow(root: string, model: string): Effect.Effect<{ tokens: number; source: string } | undefined> {
    return Effect.gen({ self: this }, function* () {
      const name = model.replace(/:latest$/, "")
      const loaded = pages.windowOfOllamaPs(yield* this.#page(root, "/api/ps"), name)
      if (loaded !== undefined) return { tokens: loaded, source: "Ollama /api/ps" }
      const show = this.#connection.post(root, "/api/show", JSON.stringify({ model }))
      const tokens = pages.windowOfOllamaShow(yield* this.#json(show))
      return tokens === undefined ? undefined : { tokens, source: "Ollama /api/show" }
    })
  }

  /** The first page or header that tells who serves is believed. */
  #learn(found: ServerKind | undefined): Effect.Effect<void> {
    return found === undefined ? Effect.void : Ref.update(this.#kind, (known) => known ?? found)
  }

  #masked(text: string): string {
    return this.#config.apiKey === undefined ? text : maskKey(text, Redacted.value(this.#config.apiKey))
  }
}

const bodyText = (reply: Reply): Effect.Effect<string> =>
  reply.text.pipe(
    Effect.timeout(`${PAGE_SECONDS} seconds`),
    Effect.orElseSucceed(() => "")
  )
