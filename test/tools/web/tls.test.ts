import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import { readFileSync } from "node:fs"
import { callWebFetch } from "./support.ts"

const fixture = (name: string): string => readFileSync(new URL(`./fixtures/${name}`, import.meta.url), "utf8")
const ca = fixture("ca.pem")

/** Serves https on loopback with a certificate for `pinned.test` only; tells the host names of the handshakes. */
const serveTls: Effect.Effect<{ readonly port: number; readonly names: ReadonlyArray<unknown> }, never, Scope.Scope> =
  Effect.acquireRelease(
    Effect.callback<{ port: number; names: Array<unknown>; close: () => void }>((resume) => {
      const names: Array<unknown> = []
      const server = createServer({ key: fixture("server.key"), cert: fixture("server.pem") }, (request, response) => {
        if (request.url === "/robots.txt") {
          response.writeHead(404).end()
          return
        }
        response.writeHead(200, { "content-type": "text/plain" }).end(`host ${request.headers.host}`)
      })
      server.on("secureConnection", (socket) => names.push(socket.servername))
      server.listen(0, "127.0.0.1", () => {
        // A listening TCP server has an address with a port.
        const { port } = server.address() as AddressInfo
        resume(
          Effect.succeed({
            port,
            names,
            close: () => {
              server.closeAllConnections()
              server.close()
            }
          })
        )
      })
    }),
    (server) => Effect.sync(server.close)
  )

describe("https to a pinned address", () => {
  const names = { "pinned.test": ["127.0.0.1"], "other.test": ["127.0.0.1"] }
  const allowed = ["pinned.test", "other.test", "127.0.0.1"]

  it.live("verifies the certificate for the name in the URL, which is also what the server is told", () =>
    Effect.gen(function* () {
      const server = yield* serveTls
      const { text } = yield* callWebFetch(
        { url: `https://pinned.test:${server.port}/` },
        { names, allowed, http: { ca } }
      )
      assert.include(text, `host pinned.test:${server.port}`)
      assert.deepStrictEqual(new Set(server.names), new Set(["pinned.test"]))
    }).pipe(Effect.scoped)
  )

  it.live("refuses a certificate for another name, the bare address included", () =>
    Effect.gen(function* () {
      const server = yield* serveTls
      for (const host of ["other.test", "127.0.0.1"]) {
        const { text, isError } = yield* callWebFetch(
          { url: `https://${host}:${server.port}/` },
          { names, allowed, http: { ca } }
        )
        assert.isTrue(isError)
        assert.match(text, /^\[WebFetch: error 2 \(certificate\)/)
      }
    }).pipe(Effect.scoped)
  )

  it.live("refuses a certificate of an unknown authority", () =>
    Effect.gen(function* () {
      const server = yield* serveTls
      const { text } = yield* callWebFetch({ url: `https://pinned.test:${server.port}/` }, { names, allowed })
      assert.match(text, /error 2 \(certificate\)/)
    }).pipe(Effect.scoped)
  )
})
