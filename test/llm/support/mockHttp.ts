/** An `HttpClient` that plays responses, for tests on a test clock where no real network may tick. */
import { Effect, Layer } from "effect"
import { HttpClient, HttpClientError, HttpClientResponse } from "effect/http"

/** What the client does with one request. */
export type Played = Response | Error | "never"

export interface Seen {
  readonly url: string
  readonly body: string
}

export const mockHttp = (play: (n: number, seen: Seen) => Played) => {
  const seen: Array<Seen> = []
  const client = HttpClient.make((request, url) =>
    Effect.suspend(() => {
      const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
      const one = { url: url.toString(), body }
      const played = play(seen.push(one) - 1, one)
      if (played === "never") return Effect.never
      return played instanceof Response
        ? Effect.succeed(HttpClientResponse.fromWeb(request, played))
        : Effect.fail(
            new HttpClientError.HttpClientError({
              reason: new HttpClientError.TransportError({ request, cause: played })
            })
          )
    })
  )
  return { seen, layer: Layer.succeed(HttpClient.HttpClient, client) }
}

export const refused = (): Error => Object.assign(new TypeError("Unable to connect"), { code: "ECONNREFUSED" })

export const status = (code: number, headers: Record<string, string> = {}, body = ""): Response =>
  new Response(body, { status: code, headers })

export const streamed = (text: string): Response =>
  new Response(text, { headers: { "content-type": "text/event-stream" } })

/** A body that the test writes while it is read. */
export const openBody = () => {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let cancelled = false
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given
    },
    cancel: () => {
      cancelled = true
    }
  })
  return {
    response: new Response(body, { headers: { "content-type": "text/event-stream" } }),
    write: (text: string) => controller?.enqueue(new TextEncoder().encode(text)),
    end: () => controller?.close(),
    fail: (error: Error) => controller?.error(error),
    isCancelled: () => cancelled
  }
}
