/**
 * An OpenAI-format server over loopback that answers from a script: what a provider's every whim looks like on the wire,
 * down to the byte and the cut socket. For tests only; knows nothing of maia.
 *
 * Uses `node:http` because a test server must be able to destroy sockets, which Effect's server does not offer.
 * Nothing here waits on a clock: a delay is a latch that the test opens.
 */
import { Effect } from "effect"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

/** A gate the test opens; a response waits where it is put among the pieces. */
export interface Gate {
  readonly kind: "gate"
  readonly opened: Promise<void>
  readonly open: () => void
}

export const gate = (): Gate => {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { kind: "gate", opened: promise, open: resolve }
}

/** What is sent, in order. `hang` never goes on (until the client leaves); `reset` destroys the socket there. */
export type Piece = string | Uint8Array | Gate | "\0hang" | "\0reset"

export interface ScriptedResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** Each string or byte array is written on its own, so it usually arrives as one network chunk. */
  readonly pieces: ReadonlyArray<Piece>
  /** Nothing is sent at all before this gate opens, not even the status line. */
  readonly before?: Gate
}

export interface RecordedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  /** The body's exact text. */
  readonly text: string
  /** The body as JSON, undefined where it is none. */
  readonly body: ChatBody
  /** Settles when the exchange is over: `true` when the client left before the response ended. */
  readonly aborted: Promise<boolean>
}

/** The fields of a request body that tests look at. */
export interface ChatBody {
  readonly [field: string]: unknown
  readonly model?: string
  readonly stream?: boolean
  readonly messages?: ReadonlyArray<{
    readonly [field: string]: unknown
    readonly role: string
    readonly content?: unknown
  }>
  readonly tools?: ReadonlyArray<unknown>
}

/** Responses in order, or a function of the request's number (from 0) and its body. */
export type Script =
  | ReadonlyArray<ScriptedResponse>
  | ((n: number, body: ChatBody, request: RecordedRequest) => ScriptedResponse | Promise<ScriptedResponse>)

export interface ServerOptions {
  /** Entries of `/v1/models`; a string stands for `{id}`. Default: `["test-model"]`. */
  readonly models?:
    | ReadonlyArray<string | Readonly<Record<string, unknown>>>
    | ScriptedResponse
    | ((request: RecordedRequest) => ScriptedResponse)
  /** Body of LiteLLM's `/model/info`; 404 when absent. */
  readonly modelInfo?: unknown
  /** Body of llama.cpp's `/props`; 404 when absent. */
  readonly props?: unknown
  /** Default: 127.0.0.1. */
  readonly host?: string
}

export interface ScriptedServer {
  /** `http://127.0.0.1:port`, no slash at the end. */
  readonly url: string
  readonly port: number
  /** All requests, in the order they came. */
  readonly requests: ReadonlyArray<RecordedRequest>
  /** The chat requests only. */
  readonly chats: ReadonlyArray<RecordedRequest>
  /** Resolves with chat request `n` (from 0), at once where it has come already. */
  readonly chat: (n: number) => Promise<RecordedRequest>
  /** Sockets open now. */
  readonly openSockets: () => number
  readonly close: () => Promise<void>
}

const encoder = new TextEncoder()

// --- responses ---------------------------------------------------------------------------------------------------

const eventStream = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-cache" }

/** One `data:` event. */
export const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`

/** A chunk with one choice, as most servers send it. */
export const chunk = (
  delta: unknown,
  finishReason: string | null = null,
  more: Record<string, unknown> = {}
): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "test-model",
  choices: [{ index: 0, delta, finish_reason: finishReason }],
  ...more
})

export const usageChunk = (input: number, output: number, more: Record<string, unknown> = {}): object => ({
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1,
  model: "test-model",
  choices: [],
  usage: { prompt_tokens: input, completion_tokens: output, total_tokens: input + output, ...more }
})

/**
 * A stream: objects become `data:` events, strings and bytes are sent as they are, gates wait.
 * `done` (default true) sends `data: [DONE]` at the end.
 */
export const sse = (
  chunks: ReadonlyArray<object | string | Uint8Array | Gate>,
  options: { readonly done?: boolean; readonly status?: number; readonly headers?: Record<string, string> } = {}
): ScriptedResponse => ({
  status: options.status ?? 200,
  headers: { ...eventStream, ...options.headers },
  pieces: [
    ...chunks.map((item): Piece =>
      typeof item === "string" || item instanceof Uint8Array || isGate(item) ? item : data(item)
    ),
    ...(options.done === false ? [] : ["data: [DONE]\n\n"])
  ]
})

const isGate = (item: object): item is Gate => "kind" in item && item.kind === "gate"

export interface AnswerOptions {
  readonly finishReason?: string
  readonly usage?: readonly [input: number, output: number]
  /** Sent before the text as `reasoning_content`. */
  readonly reasoning?: string
  /** Code points per chunk; default: the whole text in one. */
  readonly step?: number
}

const textChunks = (text: string, step: number | undefined): ReadonlyArray<object> => {
  if (step === undefined) return text === "" ? [] : [chunk({ content: text })]
  const points = Array.from(text)
  return Array.from({ length: Math.ceil(points.length / step) }, (_, i) =>
    chunk({ content: points.slice(i * step, (i + 1) * step).join("") })
  )
}

/** A plain answer: role, text, finish, usage, `[DONE]`. */
export const textAnswer = (text: string, options: AnswerOptions = {}): ScriptedResponse =>
  sse([
    chunk({ role: "assistant", content: "" }),
    ...(options.reasoning === undefined ? [] : [chunk({ reasoning_content: options.reasoning })]),
    ...textChunks(text, options.step),
    chunk({}, options.finishReason ?? "stop"),
    usageChunk(...(options.usage ?? [10, 5]))
  ])

export interface ScriptedCall {
  readonly name: string
  /** An object is sent as its JSON text; a string as it is. */
  readonly args: unknown
  /** Default: `call_0`, `call_1`… */
  readonly id?: string
}

/** Tool calls the way OpenAI streams them: one chunk opens a call, its arguments follow in two pieces. */
export const toolCalls = (
  calls: ReadonlyArray<ScriptedCall>,
  options: AnswerOptions & { readonly text?: string } = {}
): ScriptedResponse =>
  sse([
    chunk({ role: "assistant", content: "" }),
    ...(options.reasoning === undefined ? [] : [chunk({ reasoning_content: options.reasoning })]),
    ...textChunks(options.text ?? "", options.step),
    ...calls.flatMap((call, index) => {
      const args = typeof call.args === "string" ? call.args : JSON.stringify(call.args)
      const half = Math.floor(args.length / 2)
      const part = (fields: object) => chunk({ tool_calls: [{ index, ...fields }] })
      return [
        part({ id: call.id ?? `call_${index}`, type: "function", function: { name: call.name, arguments: "" } }),
        part({ function: { arguments: args.slice(0, half) } }),
        part({ function: { arguments: args.slice(half) } })
      ]
    }),
    chunk({}, options.finishReason ?? "tool_calls"),
    usageChunk(...(options.usage ?? [10, 5]))
  ])

/** Exact bytes with a content type; one network write per item. */
export const rawBytes = (
  bytes: string | Uint8Array | ReadonlyArray<Piece>,
  options: { readonly status?: number; readonly headers?: Record<string, string> } = {}
): ScriptedResponse => ({
  status: options.status ?? 200,
  headers: { ...eventStream, ...options.headers },
  pieces: typeof bytes === "string" || bytes instanceof Uint8Array ? [bytes] : bytes
})

/** A JSON body, for example an error. */
export const json = (status: number, body: unknown, headers: Record<string, string> = {}): ScriptedResponse => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  pieces: [JSON.stringify(body)]
})

/** An answer that is not streamed. */
export const jsonAnswer = (message: object, finishReason = "stop"): ScriptedResponse =>
  json(200, {
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1,
    model: "test-model",
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason }],
    usage: { prompt_tokens: 10, completion_tokens: 5, total_tokens: 15 }
  })

/** Sends the pieces, then nothing more until the client leaves. With no pieces not even headers are sent. */
export const hang = (chunks: ReadonlyArray<object | string | Gate> = []): ScriptedResponse => ({
  ...sse(chunks, { done: false }),
  pieces: [...sse(chunks, { done: false }).pieces, "\0hang"]
})

/**
 * Sends the pieces, then destroys the socket. With no pieces the connection dies before any header. A client may lose what
 * came just before the cut: put a gate last where a test wants it read.
 */
export const reset = (chunks: ReadonlyArray<object | string | Gate> = []): ScriptedResponse => ({
  ...sse(chunks, { done: false }),
  pieces: [...sse(chunks, { done: false }).pieces, "\0reset"]
})

/** Holds a response back, status line included, until the gate opens. */
export const after = (before: Gate, response: ScriptedResponse): ScriptedResponse => ({ ...response, before })

// --- server ------------------------------------------------------------------------------------------------------

const readBody = async (request: IncomingMessage): Promise<string> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(part)
  return Buffer.concat(parts).toString("utf8")
}

const parseBody = (text: string): ChatBody => {
  try {
    // The fields of ChatBody are what tests expect there; a test that finds another shape fails, which is its purpose.
    return JSON.parse(text) as ChatBody
  } catch {
    return {}
  }
}

const play = async (scripted: ScriptedResponse, response: ServerResponse, gone: Promise<unknown>): Promise<void> => {
  if (scripted.before !== undefined) await Promise.race([scripted.before.opened, gone])
  const first = scripted.pieces[0]
  if (first === "\0reset") return void response.socket?.destroy()
  if (first === "\0hang") return void (await gone)
  response.writeHead(scripted.status, scripted.headers)
  response.flushHeaders()
  for (const piece of scripted.pieces) {
    if (response.destroyed || response.socket?.destroyed === true) return
    if (piece === "\0reset") return void response.socket?.destroy()
    if (piece === "\0hang") return void (await gone)
    if (typeof piece === "string" || piece instanceof Uint8Array) {
      const bytes = typeof piece === "string" ? encoder.encode(piece) : piece
      if (bytes.length === 0) continue
      await Promise.race([new Promise<void>((resolve) => void response.write(bytes, () => resolve())), gone])
    } else {
      await Promise.race([piece.opened, gone])
    }
  }
  response.end()
}

export const modelList = (models: ReadonlyArray<string | Readonly<Record<string, unknown>>>): ScriptedResponse =>
  json(200, {
    object: "list",
    data: models.map((model) => (typeof model === "string" ? { id: model, object: "model" } : model))
  })

const notFound = json(404, { detail: "Not Found" })

/** Starts a server on a free port. Close it with `close()`, or use `scriptedServer` in an Effect scope. */
export const startScriptedServer = async (script: Script, options: ServerOptions = {}): Promise<ScriptedServer> => {
  const requests: Array<RecordedRequest> = []
  const chats: Array<RecordedRequest> = []
  const waiting: Array<{ readonly n: number; readonly resolve: (request: RecordedRequest) => void }> = []
  const sockets = new Set<{ readonly destroy: () => void }>()

  const chatResponse = (request: RecordedRequest): ScriptedResponse | Promise<ScriptedResponse> => {
    const n = chats.push(request) - 1
    for (const one of waiting) if (one.n === n) one.resolve(request)
    if (typeof script === "function") return script(n, request.body, request)
    return (
      script[n] ??
      json(400, { error: { message: `scripted server: the script has no response for request ${n}`, type: "test" } })
    )
  }

  const route = (request: RecordedRequest): ScriptedResponse | Promise<ScriptedResponse> => {
    const path = request.path.split("?")[0] ?? ""
    if (request.method === "POST" && path.endsWith("/chat/completions")) return chatResponse(request)
    if (path.endsWith("/models")) {
      const models = options.models ?? ["test-model"]
      if (typeof models === "function") return models(request)
      return "pieces" in models ? models : modelList(models)
    }
    if (path === "/model/info" && options.modelInfo !== undefined) return json(200, options.modelInfo)
    if (path === "/props" && options.props !== undefined) return json(200, options.props)
    return notFound
  }

  const serve = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { promise: gone, resolve: leave } = Promise.withResolvers<void>()
    const { promise: aborted, resolve: settle } = Promise.withResolvers<boolean>()
    response.on("close", () => {
      settle(!response.writableFinished)
      leave()
    })
    const text = await readBody(incoming)
    const request: RecordedRequest = {
      method: incoming.method ?? "",
      path: incoming.url ?? "",
      headers: incoming.headers,
      text,
      body: parseBody(text),
      aborted
    }
    requests.push(request)
    await play(await route(request), response, gone)
  }

  const server = createServer((incoming, response) => {
    serve(incoming, response).catch((error: unknown) => {
      response.destroy(error instanceof Error ? error : new Error(String(error)))
    })
  })
  server.on("connection", (socket) => {
    sockets.add(socket)
    socket.on("close", () => sockets.delete(socket))
  })
  await new Promise<void>((resolve) => void server.listen(0, options.host ?? "127.0.0.1", resolve))
  // `address()` is a string only for pipes.
  const { port } = server.address() as AddressInfo

  return {
    url: `http://${options.host ?? "127.0.0.1"}:${port}`,
    port,
    requests,
    chats,
    chat: (n) => {
      const known = chats[n]
      return known === undefined ? new Promise((resolve) => void waiting.push({ n, resolve })) : Promise.resolve(known)
    },
    openSockets: () => sockets.size,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.destroy()
        server.closeAllConnections()
      })
  }
}

/** The same in a scope. */
export const scriptedServer = (script: Script, options?: ServerOptions) =>
  Effect.acquireRelease(
    Effect.promise(() => startScriptedServer(script, options)),
    (server) => Effect.promise(server.close)
  )

/** A loopback URL on which nothing listens. */
export const deadUrl = async (): Promise<string> => {
  const server = await startScriptedServer([])
  await server.close()
  return server.url
}
