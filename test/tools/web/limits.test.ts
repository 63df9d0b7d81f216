import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { Socket } from "node:net"
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib"
import type { PinnedRequest } from "../../../src/process/pinnedHttp.ts"
import { callWebFetch, serve, serveRaw, type Handler } from "./support.ts"

const local = { allowed: ["127.0.0.1"] }
const HEAD = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\n"
const FIVE_MB = 5 * 1024 * 1024

const packed =
  (encoding: string, body: Uint8Array): Handler =>
  (_request, response) =>
    response.writeHead(200, { "content-type": "text/plain", "content-encoding": encoding }).end(body)

/** What was read of the page, whatever was shown of it. */
const length = (details: Record<string, unknown> | undefined): unknown => details?.["characters"]

describe("a body without end", () => {
  it.live("at full speed is cut at 5 MB while it streams", () =>
    Effect.gen(function* () {
      const closed = Deferred.makeUnsafe<number>()
      const server = yield* serveRaw((socket) => {
        socket.write(`${HEAD}Content-Length: 9000000000\r\n\r\n`)
        flood(socket)
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.succeed(socket.bytesWritten)))
      })
      const { text, details } = yield* callWebFetch({ url: `http://127.0.0.1:${server.port}/` }, local)
      assert.strictEqual(length(details), FIVE_MB)
      assert.include(text, "Note: the page is not complete: size limit of 5 MB reached")
      // The connection was given up, with no more on its way than the buffers hold.
      assert.isBelow(yield* Deferred.await(closed), 10 * FIVE_MB)
    }).pipe(Effect.scoped)
  )

  it.effect("in drops is cut after 30 s in all, with what had come", () =>
    Effect.gen(function* () {
      const taken = yield* Deferred.make<void>()
      const drop = Stream.make(new TextEncoder().encode("the beginning"))
      const silence = Stream.fromEffect(Effect.andThen(Deferred.succeed(taken, undefined), Effect.never))
      const transport = {
        get: ({ url }: PinnedRequest) =>
          Effect.succeed({
            status: url.pathname === "/robots.txt" ? 404 : 200,
            headers: { "content-type": "text/plain" },
            body: Stream.concat(drop, silence)
          })
      }
      const fiber = yield* Effect.forkChild(callWebFetch({ url: "http://127.0.0.1/" }, { ...local, transport }))
      yield* Deferred.await(taken)
      yield* TestClock.adjust("29 seconds")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 second")
      const { text, isError } = yield* Fiber.join(fiber)
      assert.strictEqual(isError, undefined)
      assert.include(text, "the beginning")
      assert.include(text, "Note: the page is not complete: time limit of 30 s reached")
    }).pipe(Effect.scoped)
  )

  it.effect("whose server says nothing at all is class 2 after 30 s", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const server = yield* serveRaw(() => Deferred.doneUnsafe(asked, Effect.void))
      const fiber = yield* Effect.forkChild(callWebFetch({ url: `http://127.0.0.1:${server.port}/` }, local))
      yield* Deferred.await(asked)
      yield* TestClock.adjust("31 seconds")
      assert.match((yield* Fiber.join(fiber)).text, /error 2 \(time limit\)/)
    }).pipe(Effect.scoped)
  )

  it.live("is given up when the user interrupts", () =>
    Effect.gen(function* () {
      const asked = yield* Deferred.make<void>()
      const closed = yield* Deferred.make<void>()
      const server = yield* serveRaw((socket) => {
        socket.on("close", () => Deferred.doneUnsafe(closed, Effect.void))
        socket.write(`${HEAD}\r\nthe beginning`, () => Deferred.doneUnsafe(asked, Effect.void))
      })
      const fiber = yield* Effect.forkChild(callWebFetch({ url: `http://127.0.0.1:${server.port}/` }, local))
      yield* Deferred.await(asked)
      yield* Fiber.interrupt(fiber)
      yield* Deferred.await(closed)
    }).pipe(Effect.scoped)
  )
})

describe("packed bodies", () => {
  const words = "some words é ".repeat(100)

  it.live("are unpacked: gzip, deflate with and without header, br, one over the other", () =>
    Effect.gen(function* () {
      const cases: ReadonlyArray<readonly [string, Uint8Array]> = [
        ["gzip", gzipSync(words)],
        ["x-gzip", gzipSync(words)],
        ["deflate", deflateSync(words)],
        ["deflate", deflateRawSync(words)],
        ["br", brotliCompressSync(words)],
        ["identity", Buffer.from(words)],
        ["gzip, br", brotliCompressSync(gzipSync(words))],
        ["gzip, gzip", gzipSync(gzipSync(words))]
      ]
      for (const [encoding, body] of cases) {
        const server = yield* serve(packed(encoding, body))
        const { text } = yield* callWebFetch({ url: `http://127.0.0.1:${server.port}/` }, local)
        assert.isTrue(text.endsWith(words), encoding)
      }
    }).pipe(Effect.scoped)
  )

  it.live("that unpack to 256 MB are cut at 5 MB of it", () =>
    Effect.gen(function* () {
      const zeros = Buffer.alloc(64 * 1024 * 1024, 0x61)
      const member = gzipSync(zeros)
      const bombs: ReadonlyArray<readonly [string, Uint8Array]> = [
        ["gzip", Buffer.concat([member, member, member, member])],
        ["deflate", deflateSync(zeros)],
        ["br", brotliCompressSync(zeros, { params: { 1: 1 } })],
        ["gzip, gzip", gzipSync(member)]
      ]
      for (const [encoding, body] of bombs) {
        const server = yield* serve(packed(encoding, body))
        const { text, details } = yield* callWebFetch({ url: `http://127.0.0.1:${server.port}/` }, local)
        assert.strictEqual(length(details), FIVE_MB, encoding)
        assert.include(text, "size limit of 5 MB reached")
      }
    }).pipe(Effect.scoped)
  )

  it.live("with junk in them, or in a form we do not know, are a clean error of class 1", () =>
    Effect.gen(function* () {
      const junk = Buffer.from("this is not packed at all, whatever the header says")
      const cases = ["br", "gzip", "deflate", "zstd", "gzip, gzip, gzip, gzip"]
      for (const encoding of cases) {
        const server = yield* serve(packed(encoding, junk))
        const { text, isError } = yield* callWebFetch({ url: `http://127.0.0.1:${server.port}/` }, local)
        assert.isTrue(isError, encoding)
        assert.match(text, /^\[WebFetch: error 1 \(damaged\) — The body cannot be unpacked: /)
      }
    }).pipe(Effect.scoped)
  )

  it.live("that end too early give what could be unpacked, with a note", () =>
    Effect.gen(function* () {
      const body = gzipSync(Buffer.from(Array.from({ length: 50_000 }, (_, index) => index * 7919).join(" ")))
      const server = yield* serve(packed("gzip", body.subarray(0, body.length / 2)))
      const { text } = yield* callWebFetch({ url: `http://127.0.0.1:${server.port}/` }, local)
      assert.include(text, "7919 15838")
      assert.include(text, "Note: the page is not complete: the packed body is damaged")
    }).pipe(Effect.scoped)
  )
})

/** Writes as fast as the reader takes it, until the connection closes. */
const flood = (socket: Socket): void => {
  const block = Buffer.alloc(1 << 20, 0x61)
  const write = () => {
    while (!socket.destroyed && socket.write(block));
    if (!socket.destroyed) socket.once("drain", write)
  }
  write()
}
