/**
 * One HTTP GET to an address that was chosen beforehand. The host name serves for `Host`, SNI and the certificate check,
 * never for a second look-up, so a name cannot answer differently between check and connection (spec 02, WebFetch).
 *
 * Raw `node:http`/`node:https` because `fetch`, and with it Effect's client, resolves names itself, follows proxies of the
 * environment and unpacks without a way to count. No redirects, no cookies, no proxy, no connection kept.
 */
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Context, Effect, Layer, Predicate, Schema, type Scope, type Stream } from "effect"
import type { ClientRequest, IncomingMessage, RequestOptions } from "node:http"
import type { Readable, Transform } from "node:stream"

export class PinnedHttpError extends Schema.TaggedError<PinnedHttpError>()("PinnedHttpError", {
  /** `connect`: no connection; `tls`: certificate; `protocol`: not HTTP; `encoding`: cannot be unpacked; `body`: cut short. */
  kind: Schema.Literals(["connect", "tls", "protocol", "encoding", "body"]),
  /** English, without the URL. */
  message: Schema.String
}) {}

export interface PinnedRequest {
  readonly url: URL
  /** IPv4 or IPv6; tried in order until one accepts a connection. */
  readonly addresses: ReadonlyArray<string>
  readonly headers: Readonly<Record<string, string>>
}

export interface PinnedResponse {
  readonly status: number
  /** Names in lower case; several of one name joined with ", ". */
  readonly headers: Readonly<Record<string, string>>
  /** Unpacked as it is read: only what is taken is unpacked. */
  readonly body: Stream.Stream<Uint8Array, PinnedHttpError>
}

export interface PinnedHttpOptions {
  /** Certificate authorities (PEM) instead of the built-in ones; `NODE_EXTRA_CA_CERTS` adds to those. */
  readonly ca?: string
}

/** Milliseconds one address may take to accept a connection while others are left. */
const CONNECT_LIMIT = 8000
/** Addresses tried. */
const MAX_ADDRESSES = 4
/** Codings on top of one another that are still unpacked. */
const MAX_CODINGS = 3

export class PinnedHttp extends Context.Service<
  PinnedHttp,
  {
    /** Ends with the head of the answer; the connection lives as long as the scope. */
    readonly get: (request: PinnedRequest) => Effect.Effect<PinnedResponse, PinnedHttpError, Scope.Scope>
  }
>()("maia/process/PinnedHttp") {
  static readonly layerWith = (options: PinnedHttpOptions) =>
    Layer.succeed(
      PinnedHttp,
      PinnedHttp.of({
        get: Effect.fn("PinnedHttp.get")(function* (
          request: PinnedRequest
        ): Effect.fn.Return<PinnedResponse, PinnedHttpError, Scope.Scope> {
          const addresses = request.addresses.slice(0, MAX_ADDRESSES)
          let failure = new PinnedHttpError({ kind: "connect", message: "the host has no address" })
          for (const [index, address] of addresses.entries()) {
            const last = index === addresses.length - 1
            const message = yield* open(request, address, last, options).pipe(
              Effect.catchTag("PinnedHttpError", (error) => Effect.succeed(error))
            )
            if (!(message instanceof PinnedHttpError)) return yield* toResponse(message)
            failure = message
            if (failure.kind !== "connect") break
          }
          return yield* failure
        })
      })
    )
  static readonly layer = PinnedHttp.layerWith({})
}

/** Sends the request to one address and waits for the head of the answer. */
const open = Effect.fnUntraced(function* (
  { url, headers }: PinnedRequest,
  address: string,
  last: boolean,
  options: PinnedHttpOptions
): Effect.fn.Return<IncomingMessage, PinnedHttpError, Scope.Scope> {
  const secure = url.protocol === "https:"
  const { request } = yield* Effect.promise(() => (secure ? import("node:https") : import("node:http")))
  const host = url.hostname.replace(/^\[|\]$/g, "")
  const settings: RequestOptions & { readonly ca?: string; readonly servername?: string } = {
    method: "GET",
    host,
    port: url.port === "" ? (secure ? 443 : 80) : Number(url.port),
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, Host: url.host, Connection: "close" },
    agent: false,
    lookup: pinned(address),
    ...(options.ca === undefined ? {} : { ca: options.ca })
  }
  const connected = Promise.withResolvers<void>()
  const sent = yield* Effect.acquireRelease(
    Effect.try({
      try: () => request(settings),
      catch: (cause) => new PinnedHttpError({ kind: "protocol", message: describe(cause) })
    }),
    (opened) => Effect.sync(() => opened.destroy())
  )
  const answer = awaitHead(sent, connected.resolve)
  if (last) return yield* answer
  const tooSlow = Effect.andThen(
    Effect.sleep(CONNECT_LIMIT),
    new PinnedHttpError({ kind: "connect", message: "the address does not answer" })
  )
  return yield* Effect.raceFirst(
    answer,
    Effect.raceFirst(
      tooSlow,
      Effect.andThen(
        Effect.promise(() => connected.promise),
        Effect.never
      )
    )
  )
})

/** A look-up that knows one answer. */
const pinned =
  (address: string): NonNullable<RequestOptions["lookup"]> =>
  (_host, options, done) => {
    const family = address.includes(":") ? 6 : 4
    if (options.all === true) done(null, [{ address, family }])
    else done(null, address, family)
  }

const awaitHead = (sent: ClientRequest, onConnect: () => void): Effect.Effect<IncomingMessage, PinnedHttpError> =>
  Effect.callback((resume) => {
    let connected = false
    sent.once("socket", (socket) => {
      socket.once("connect", () => {
        connected = true
        onConnect()
      })
    })
    // Stays after the head: what happens to the connection later is told by the body, and must not be unhandled here.
    sent.on("error", (cause) => {
      resume(Effect.fail(new PinnedHttpError({ kind: kindOf(cause, connected), message: describe(cause) })))
    })
    sent.once("response", (message) => {
      message.on("error", () => {})
      resume(Effect.succeed(message))
    })
    sent.end()
  })

const toResponse = Effect.fnUntraced(function* (
  message: IncomingMessage
): Effect.fn.Return<PinnedResponse, PinnedHttpError> {
  const headers: Record<string, string> = {}
  for (const [name, value] of Object.entries(message.headers)) {
    if (value !== undefined) headers[name] = Array.isArray(value) ? value.join(", ") : value
  }
  const decoders = yield* Effect.promise(() => decodersFor(message, headers["content-encoding"] ?? ""))
  if (typeof decoders === "string") return yield* new PinnedHttpError({ kind: "encoding", message: decoders })
  const body = yield* Effect.promise(() => unpacked(message, decoders))
  return {
    status: message.statusCode ?? 0,
    headers,
    body: NodeStream.fromReadable<Uint8Array, PinnedHttpError>({
      evaluate: () => body,
      chunkSize: 1,
      onError: (cause) =>
        new PinnedHttpError({ kind: isZlibError(cause) ? "encoding" : "body", message: describe(cause) })
    })
  }
})

/** Decoders in the order they are applied, or what cannot be unpacked. */
const decodersFor = async (message: IncomingMessage, header: string): Promise<ReadonlyArray<Transform> | string> => {
  const codings = header
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity")
    .reverse()
  if (codings.length === 0) return []
  if (codings.length > MAX_CODINGS) return `the body is packed ${codings.length} times over`
  const zlib = await import("node:zlib")
  const decoders: Array<Transform> = []
  for (const coding of codings) {
    if (coding === "gzip" || coding === "x-gzip") decoders.push(zlib.createGunzip())
    else if (coding === "br") decoders.push(zlib.createBrotliDecompress())
    else if (coding === "deflate") {
      const raw = decoders.length === 0 && !(await hasZlibHeader(message))
      decoders.push(raw ? zlib.createInflateRaw() : zlib.createInflate())
    } else return `the body is packed as "${coding.slice(0, 40)}", which is not supported`
  }
  return decoders
}

/** `deflate` means zlib, and some servers send it without the zlib header: the first byte tells. */
const hasZlibHeader = (message: IncomingMessage): Promise<boolean> =>
  new Promise((resolve) => {
    const look = () => {
      const chunk: unknown = message.read()
      if (!(chunk instanceof Uint8Array)) return
      stop()
      message.unshift(chunk)
      resolve(((chunk[0] ?? 0) & 0x0f) === 8)
    }
    const give = () => {
      stop()
      resolve(true)
    }
    const stop = () => {
      message.off("readable", look).off("end", give).off("close", give)
    }
    message.on("readable", look).on("end", give).on("close", give)
  })

const unpacked = async (message: IncomingMessage, decoders: ReadonlyArray<Transform>): Promise<Readable> => {
  const last = decoders.at(-1)
  if (last === undefined) return message
  const { pipeline } = await import("node:stream")
  pipeline([message, ...decoders], () => {})
  return last
}

const codeOf = (cause: unknown): string =>
  Predicate.isObject(cause) && "code" in cause && typeof cause.code === "string" ? cause.code : ""

const isZlibError = (cause: unknown): boolean =>
  /^(Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR_PADDING|ERR_CL_SPACE)/.test(codeOf(cause)) ||
  /zlib|brotli|decompress|incorrect header check|unexpected end of file/i.test(describe(cause))

const kindOf = (cause: unknown, connected: boolean): PinnedHttpError["kind"] => {
  const code = codeOf(cause)
  if (/CERT|TLS|SSL|SELF_SIGNED|UNABLE_TO_|ALTNAME/.test(code)) return "tls"
  if (code.startsWith("HPE_")) return "protocol"
  return connected ? "body" : "connect"
}

const describe = (cause: unknown): string => {
  const known: Readonly<Record<string, string>> = {
    ECONNREFUSED: "connection refused",
    ECONNRESET: "the connection was closed before the answer was complete",
    ETIMEDOUT: "the connection timed out",
    ENETUNREACH: "the network is unreachable",
    EHOSTUNREACH: "the host is unreachable",
    EPIPE: "the connection was closed"
  }
  const code = codeOf(cause)
  return known[code] ?? (cause instanceof Error ? (cause.message.split("\n")[0] ?? code) : String(cause))
}
