/**
 * The answers of scripted bad models as bytes of a server, so that everything between the socket and the turn is under test,
 * not only what lies behind it.
 */
import { Effect, Layer, type Clock } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { viewOf, type View } from "./view.ts"

export interface Reply {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: ReadonlyArray<{
    readonly name: string
    /** JSON text, or what the model takes for it. */
    readonly args: string
  }>
  /** The server's word for the end; by what was sent when absent. */
  readonly finish?: "stop" | "tool_calls" | "length"
  /** Repeated behind the text (or inside the last call's arguments) until the client hangs up. */
  readonly endless?: string
}

/** Characters after which an answer that nobody stops counts as endless: half an hour of a slow model. */
export const ENDLESS = 400_000

export interface ScriptedServerState {
  /** Tokens. */
  readonly window: number
  requests: number
  /** An answer went on until `ENDLESS`. */
  ranOn: boolean
  /** Milliseconds of waiting that were played so far, beside the real ones. */
  played: number
}

/** Milliseconds between two chunks of an endless answer: a slow machine writes about 60 characters a second. */
const CHUNK_TIME = 1_000

/** The time as it would be if the server had taken the time it plays. */
export const playedClock = (real: Clock.Clock, state: Pick<ScriptedServerState, "played">): Clock.Clock => {
  const millis = (): number => real.currentTimeMillisUnsafe() + state.played
  const later = (nanos: bigint): bigint => nanos + BigInt(state.played) * 1_000_000n
  const nanos = (): bigint => later(real.currentTimeNanosUnsafe())
  const monotonic = (): bigint => later(real.monotonicTimeNanosUnsafe())
  return {
    currentTimeMillisUnsafe: millis,
    currentTimeMillis: Effect.sync(millis),
    currentTimeNanosUnsafe: nanos,
    currentTimeNanos: Effect.sync(nanos),
    monotonicTimeNanosUnsafe: monotonic,
    monotonicTimeNanos: Effect.sync(monotonic),
    sleep: (duration) => real.sleep(duration)
  }
}

/** An `HttpClient` on which a chat request is answered by the model and every page is missing. */
export const badServer = (
  reply: (view: View) => Reply,
  state: ScriptedServerState
): Layer.Layer<HttpClient.HttpClient> =>
  Layer.succeed(
    HttpClient.HttpClient,
    HttpClient.make((request) =>
      Effect.sync(() => {
        if (request.method !== "POST") return HttpClientResponse.fromWeb(request, new Response("", { status: 404 }))
        const body = request.body._tag === "Uint8Array" ? new TextDecoder().decode(request.body.body) : ""
        const n = state.requests++
        if (body.length > state.window * CHARACTERS) return HttpClientResponse.fromWeb(request, tooLong(state.window))
        const bytes = stream(reply(viewOf(body)), n, state)
        const response = new Response(bytes, { headers: { "content-type": "text/event-stream" } })
        return HttpClientResponse.fromWeb(request, response)
      })
    )
  )

/** Characters of JSON that are a token here: more text than that is refused, as llama.cpp refuses it. */
const CHARACTERS = 4.5

const tooLong = (window: number): Response =>
  new Response(
    JSON.stringify({
      error: {
        code: 400,
        type: "exceed_context_size_error",
        message: `the request exceeds the available context size (${window} tokens), try increasing it`
      }
    }),
    { status: 400, headers: { "content-type": "application/json" } }
  )

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ object: "chat.completion.chunk", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`

const stream = (reply: Reply, n: number, state: ScriptedServerState): ReadableStream<Uint8Array> => {
  const pieces = chunks(reply, n)
  const encoder = new TextEncoder()
  let written = 0
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
    const next = pieces.next()
    if (next.done === true) return controller.close()
    if (reply.endless !== undefined) state.played += CHUNK_TIME
    written += next.value.length
    if (written > ENDLESS) {
      state.ranOn = true
      controller.enqueue(encoder.encode(chunk({}, "length") + DONE))
      return controller.close()
    }
    controller.enqueue(encoder.encode(next.value))
  }
  // Nothing is written ahead: the time between two chunks passes while the client waits for the second.
  return new ReadableStream<Uint8Array>({ pull }, new CountQueuingStrategy({ highWaterMark: 0 }))
}

const DONE = "data: [DONE]\n\n"

function* chunks(reply: Reply, n: number): Generator<string> {
  if (reply.reasoning !== undefined) yield chunk({ reasoning_content: reply.reasoning })
  if (reply.text !== undefined && reply.text !== "") yield chunk({ content: reply.text })
  const calls = reply.calls ?? []
  for (const [index, { name, args }] of calls.entries()) {
    yield chunk({
      tool_calls: [{ index, id: `call_${n}_${index}`, type: "function", function: { name, arguments: "" } }]
    })
    yield chunk({ tool_calls: [{ index, function: { arguments: args } }] })
  }
  if (reply.endless !== undefined) {
    const index = calls.length - 1
    const delta =
      index < 0 ? { content: reply.endless } : { tool_calls: [{ index, function: { arguments: reply.endless } }] }
    for (;;) yield chunk(delta)
  }
  const usage = { prompt_tokens: 100, completion_tokens: 20 }
  yield chunk({}, reply.finish ?? (calls.length > 0 ? "tool_calls" : "stop"))
  yield `data: ${JSON.stringify({ choices: [], usage })}\n\n${DONE}`
}
