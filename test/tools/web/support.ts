/**
 * What the WebFetch tests share: a server on loopback that serves given routes, a resolver with given answers, and the
 * tool on top of both.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer, type Scope } from "effect"
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http"
import { createServer as createTcp, type Socket } from "node:net"
import type { AddressInfo } from "node:net"
import { Permissions, type Rule } from "../../../src/permissions/Permissions.ts"
import { PinnedHttp, type PinnedHttpOptions } from "../../../src/process/pinnedHttp.ts"
import { Resolver, ResolverError } from "../../../src/process/Resolver.ts"
import { PageFetcher } from "../../../src/tools/web/PageFetcher.ts"
import { makeWebFetch } from "../../../src/tools/web/webFetch.ts"
import type { ToolContext, ToolOutput } from "../../../src/domain/tool.ts"
import { testConfigLayer, type TestConfig } from "../../support/testConfig.ts"

export type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** A server on 127.0.0.1; `requests` are the paths asked for so far. */
export const serve = (handler: Handler): Effect.Effect<Served, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Served & { readonly close: () => void }>((resume) => {
      const requests: Array<string> = []
      const listener: RequestListener = (request, response) => {
        requests.push(request.url ?? "")
        if (request.url === "/robots.txt" && !handlesRobots(handler)) response.writeHead(404).end()
        else handler(request, response)
      }
      const server = createServer(listener)
      server.listen(0, "127.0.0.1", () => {
        // A listening TCP server has an address with a port.
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            port,
            requests,
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
    }),
    (served) => Effect.sync(served.close)
  )

export interface Served {
  readonly port: number
  readonly requests: ReadonlyArray<string>
}

const robotsHandlers = new WeakSet<Handler>()

/** A handler that answers for /robots.txt itself; otherwise it is 404. */
export const withRobots = (handler: Handler): Handler => {
  robotsHandlers.add(handler)
  return handler
}

const handlesRobots = (handler: Handler): boolean => robotsHandlers.has(handler)

/** A TCP server that answers the first bytes of each connection with `answer`. */
export const serveRaw = (
  answer: (socket: Socket, request: string) => void
): Effect.Effect<Served, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.callback<Served & { readonly close: () => void }>((resume) => {
      const requests: Array<string> = []
      const sockets = new Set<Socket>()
      const server = createTcp((socket) => {
        sockets.add(socket)
        socket.on("error", () => {})
        socket.on("close", () => sockets.delete(socket))
        socket.once("data", (data) => {
          const path = /^GET (\S+)/.exec(data.toString())?.[1] ?? ""
          requests.push(path)
          if (path === "/robots.txt") socket.end("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n")
          else answer(socket, data.toString())
        })
      })
      server.listen(0, "127.0.0.1", () => {
        // A listening TCP server has an address with a port.
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            port,
            requests,
            close: () => {
              for (const socket of sockets) socket.destroy()
              server.close()
            }
          })
        )
      })
    }),
    (served) => Effect.sync(served.close)
  )

export interface Setup {
  /** Answers by host name; a list of lists is answered one after the other, the last one for ever. */
  readonly names?: Readonly<Record<string, ReadonlyArray<string>>>
  readonly lookup?: (host: string) => ReadonlyArray<string>
  /** Hosts named by an allow rule of the user's settings. */
  readonly allowed?: ReadonlyArray<string>
  readonly rules?: ReadonlyArray<Rule>
  readonly config?: Omit<TestConfig, "launchFolder">
  readonly http?: PinnedHttpOptions
  /** In place of the network. */
  readonly transport?: PinnedHttp["Service"]
  readonly outputLimit?: number
}

export const allowRule = (text: string, scope: Rule["scope"] = "user", kind: Rule["kind"] = "allow"): Rule => ({
  text,
  kind,
  scope,
  file: "settings.json",
  line: 1
})

export const context = (outputLimit = 30_000): ToolContext => ({
  callId: "call_1",
  progress: () => Effect.void,
  outputLimit,
  model: { id: "test", images: false }
})

export interface Fetched extends ToolOutput {
  readonly folder: string
  readonly home: string
}

/** Runs one call in a folder of its own; a failure comes back as the text the model would read, with `isError`. */
export const callWebFetch = (input: unknown, setup: Setup = {}) => withWebFetch(setup, (call) => call(input))

/** Gives a function that calls the tool, with one fetcher for all calls. */
export const withWebFetch = <A, E, R>(
  setup: Setup,
  use: (call: (input: unknown) => Effect.Effect<Fetched>) => Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.realPath(yield* fs.makeTempDirectoryScoped())
    const home = `${folder}/.home`
    const rules = [
      ...(setup.rules ?? []),
      ...(setup.allowed ?? []).map((host) => allowRule(`WebFetch(domain:${host})`))
    ]
    const services = PageFetcher.layer.pipe(
      Layer.provide(transportOf(setup)),
      Layer.provide(stubResolver(setup)),
      Layer.provide(Layer.mock(Permissions)({ rules: Effect.succeed(rules) })),
      Layer.provideMerge(testConfigLayer({ ...setup.config, launchFolder: folder, home }))
    )
    const tool = yield* makeWebFetch.pipe(Effect.provide(services))
    return yield* use((input) =>
      tool.prepare(input).pipe(
        Effect.flatMap((call) => call.run(context(setup.outputLimit))),
        Effect.catchTag("ToolFailure", (failure) => Effect.succeed({ text: failure.message, isError: true })),
        Effect.map((output): Fetched => ({ ...output, folder, home }))
      )
    )
  }).pipe(Effect.provide(NodeServices.layer))

const transportOf = ({ http, transport }: Setup) =>
  transport === undefined ? PinnedHttp.layerWith(http ?? {}) : Layer.succeed(PinnedHttp, transport)

const stubResolver = ({ names, lookup }: Setup) =>
  Layer.succeed(
    Resolver,
    Resolver.of({
      lookup: (host) => {
        const answers = lookup?.(host) ?? names?.[host]
        return answers === undefined
          ? Effect.fail(new ResolverError({ host, code: "ENOTFOUND" }))
          : Effect.succeed(answers)
      }
    })
  )
