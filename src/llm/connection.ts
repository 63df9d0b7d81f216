/**
 * The HTTP side of the server (spec 01): addresses, headers, the container's way out, the debug file. Knows `HttpClient` and
 * settings; nothing of what a body means.
 */
import { Effect, FileSystem, Path, Ref, Redacted, Stream, type Scope } from "effect"
import { HttpClient, HttpClientRequest, type HttpClientError, type HttpClientResponse } from "effect/http"
import type { Config } from "../config/Config.ts"
import type { LlmEvent } from "../domain/llm.ts"
import { isRefused } from "./classify.ts"
import { debugFile, openExchangeLog, type ExchangeLog } from "./debugLog.ts"
import { isLoopback, joinUrl, modelRunnerBase, onContainerHost } from "./serverUrl.ts"
import { hostGateway } from "./warnings.ts"

export interface Reply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly bytes: Stream.Stream<Uint8Array, unknown>
  readonly text: Effect.Effect<string, unknown>
  /** Something a person was not told yet: the server was reached by another address than the settings say. */
  readonly notice: LlmEvent | undefined
}

export interface Connection {
  /** The base address in use, or undefined where nothing says it. */
  readonly base: Effect.Effect<string | undefined>
  /** The request is aborted when the scope closes. Fails with what the transport threw. */
  readonly post: (base: string, path: string, body: string) => Effect.Effect<Reply, unknown, Scope.Scope>
  readonly get: (base: string, path: string) => Effect.Effect<Reply, unknown, Scope.Scope>
}

export const makeConnection = (
  config: Config["Service"]
): Effect.Effect<Connection, never, HttpClient.HttpClient | FileSystem.FileSystem | Path.Path> =>
  Effect.gen(function* () {
    const client = HttpClient.withScope(yield* HttpClient.HttpClient)
    const fs = yield* FileSystem.FileSystem
    const file = debugFile(config, yield* Path.Path)
    const url = config.settings.LiteLLM_URL
    const base = yield* Ref.make(url === undefined ? undefined : modelRunnerBase(url))
    // Kept until an answer can carry it: a page asked for in passing may be what finds the way out.
    const untold = yield* Ref.make<LlmEvent | undefined>(undefined)
    const exists = (path: string) => Effect.orElseSucceed(fs.exists(path), () => false)
    const inContainer = yield* Effect.cached(
      Effect.map(Effect.all([exists("/.dockerenv"), exists("/run/.containerenv")]), (found) => found.includes(true))
    )

    const execute = (request: HttpClientRequest.HttpClientRequest) =>
      client.execute(authorised(request, config)).pipe(
        // No tracing headers to strangers, no span for each request.
        Effect.provideService(HttpClient.TracerDisabledWhen, () => true),
        Effect.mapError(transportCause)
      )

    /** A loopback address means the container itself: where it refuses, the machine around it is tried once. */
    const send = (
      from: string,
      make: (base: string) => HttpClientRequest.HttpClientRequest
    ): Effect.Effect<HttpClientResponse.HttpClientResponse, unknown, Scope.Scope> =>
      Effect.catch(execute(make(from)), (cause) =>
        Effect.gen(function* () {
          if (!isRefused(cause) || !isLoopback(from) || !(yield* inContainer)) return yield* Effect.fail(cause)
          const outside = onContainerHost(from)
          const response = yield* Effect.mapError(execute(make(outside)), () => cause)
          yield* Ref.set(base, outside)
          yield* Ref.set(untold, hostGateway(from, outside))
          return response
        })
      )

    return {
      base: Ref.get(base),
      post: (from, path, body) =>
        Effect.gen(function* () {
          const log = file === undefined ? undefined : yield* openExchangeLog(file, config.apiKey)
          if (log !== undefined) yield* log.request(joinUrl(from, path), body)
          const response = yield* send(from, (root) =>
            HttpClientRequest.post(joinUrl(root, path)).pipe(
              HttpClientRequest.bodyText(body, "application/json"),
              HttpClientRequest.setHeader("accept", "text/event-stream")
            )
          )
          if (log !== undefined) yield* log.response(response.status, response.headers)
          return replyOf(response, yield* Ref.getAndSet(untold, undefined), log)
        }).pipe(Effect.provideService(FileSystem.FileSystem, fs)),
      get: (from, path) =>
        Effect.map(
          send(from, (root) => HttpClientRequest.get(joinUrl(root, path), { acceptJson: true })),
          (response) => replyOf(response, undefined, undefined)
        )
    } satisfies Connection
  })

const authorised = (
  request: HttpClientRequest.HttpClientRequest,
  config: Config["Service"]
): HttpClientRequest.HttpClientRequest =>
  config.apiKey === undefined || Redacted.value(config.apiKey) === ""
    ? request
    : HttpClientRequest.bearerToken(request, config.apiKey)

const transportCause = (error: HttpClientError.HttpClientError): unknown =>
  "cause" in error.reason && error.reason.cause !== undefined ? error.reason.cause : error

const replyOf = (
  response: HttpClientResponse.HttpClientResponse,
  notice: LlmEvent | undefined,
  log: ExchangeLog | undefined
): Reply => {
  const bytes = log === undefined ? response.stream : Stream.tap(response.stream, log.bytes)
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    text:
      log === undefined
        ? response.text
        : Effect.tap(response.text, (text) => log.bytes(new TextEncoder().encode(text))),
    notice
  }
}
