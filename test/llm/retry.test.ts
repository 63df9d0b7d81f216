/** What is sent again, when, and what is not; on a test clock. */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer, Stream } from "effect"
import { TestClock } from "effect/testing"
import type { LlmEvent, LlmRequest } from "../../src/domain/llm.ts"
import { LiteLlm } from "../../src/llm/LiteLlm.ts"
import { d, DONE, fin, line } from "./corpus/build.ts"
import { collect, mockedLayer, request, textOf, warningsOf, type HarnessOptions } from "./support/harness.ts"
import { mockHttp, openBody, refused, status, streamed, type Played } from "./support/mockHttp.ts"

const good = () => streamed(d({ content: "ok" }) + fin("stop") + DONE)
const url = "https://llm.example.com"

/** Plays the responses and lets the clock run as far as it must; gives the times (s) at which requests came. */
const timed = (play: (n: number) => Played, options: Partial<HarnessOptions> = {}) =>
  Effect.gen(function* () {
    const times: Array<number> = []
    const clock = yield* Clock.Clock
    const http = mockHttp((n) => {
      times.push(clock.currentTimeMillisUnsafe() / 1000)
      return play(n)
    })
    const fiber = yield* Effect.forkChild(
      collect().pipe(Effect.provide(mockedLayer({ url, ...options }).pipe(Layer.provide(http.layer))))
    )
    yield* TestClock.adjust("10 minutes")
    const { events, error } = yield* Fiber.join(fiber)
    return { events, error, times, seen: http.seen }
  })

describe("retries", () => {
  for (const [name, first] of [
    ["a broken connection", () => new Error("ECONNRESET")],
    ["408", () => status(408)],
    ["409", () => status(409)],
    ["429", () => status(429)],
    ["500", () => status(500)],
    ["503", () => status(503)]
  ] as const) {
    it.effect(`${name} is tried again, and said`, () =>
      Effect.gen(function* () {
        const { events, error, times } = yield* timed((n) => (n === 0 ? first() : good()))
        assert.isUndefined(error)
        assert.strictEqual(textOf(events), "ok")
        assert.strictEqual(times.length, 2)
        assert.deepStrictEqual(warningsOf(events), ["retry"])
      })
    )
  }

  it.effect("at most five, ever further apart", () =>
    Effect.gen(function* () {
      const { error, times } = yield* timed(() => status(503, {}, "busy"))
      assert.strictEqual(error?.code, "overloaded")
      assert.strictEqual(times.length, 6)
      const gaps = times.slice(1).map((time, i) => time - (times[i] ?? 0))
      for (const [i, gap] of gaps.entries()) {
        const middle = 0.5 * 2 ** i
        assert.isAtLeast(gap, middle * 0.79)
        assert.isAtMost(gap, middle * 1.21)
      }
    })
  )

  it.effect("a refused connection is told sooner", () =>
    Effect.gen(function* () {
      const { error, times } = yield* timed(refused)
      assert.strictEqual(error?.code, "unreachable")
      assert.strictEqual(times.length, 6)
      assert.isBelow((times.at(-1) ?? 0) - (times[0] ?? 0), 4)
    })
  )

  for (const code of [400, 401, 403, 404, 422]) {
    it.effect(`${code} is not tried again`, () =>
      Effect.gen(function* () {
        const { times, error } = yield* timed(() => status(code, {}, '{"error":{"message":"no"}}'))
        assert.isDefined(error)
        // An unknown model also asks for the list of models; a plain refusal does not.
        assert.strictEqual(times.length, 1)
      })
    )
  }

  it.effect("Retry-After is waited for, never clamped down", () =>
    Effect.gen(function* () {
      const { times, error } = yield* timed((n) => (n === 0 ? status(429, { "retry-after": "37" }) : good()))
      assert.isUndefined(error)
      assert.isAtLeast((times[1] ?? 0) - (times[0] ?? 0), 37)
    })
  )

  it.effect("a bad Retry-After falls back to our own time", () =>
    Effect.gen(function* () {
      const { times } = yield* timed((n) => (n === 0 ? status(429, { "retry-after": "-5" }) : good()))
      const gap = (times[1] ?? 0) - (times[0] ?? 0)
      assert.isAtLeast(gap, 0.39)
      assert.isAtMost(gap, 0.61)
    })
  )

  it.effect("Retry-After above the ceiling stops and says when to come back", () =>
    Effect.gen(function* () {
      const { times, error } = yield* timed(() => status(429, { "retry-after": "86400" }))
      assert.strictEqual(times.length, 1)
      assert.strictEqual(error?.code, "rate_limit")
      assert.strictEqual(error?.retryAfter, 86_400)
      assert.include(error?.text.en, "1970-01-02 00:00 UTC")
    })
  )

  it.effect("the ceiling is a setting", () =>
    Effect.gen(function* () {
      const { times } = yield* timed(() => status(429, { "retry-after": "6" }), { settings: { maxRetryAfter: 5 } })
      assert.strictEqual(times.length, 1)
    })
  )

  it.effect("a request above the limit per minute is not tried again", () =>
    Effect.gen(function* () {
      const body = JSON.stringify({
        error: { message: "Request too large for m on tokens per min (TPM): Limit 1, Requested 2" }
      })
      const { times, error } = yield* timed(() => status(429, {}, body))
      assert.strictEqual(error?.code, "rate_limit")
      assert.strictEqual(times.length, 1)
    })
  )

  it.effect("an interrupt ends the wait", () =>
    Effect.gen(function* () {
      const http = mockHttp(() => status(429, { "retry-after": "60" }))
      const fiber = yield* Effect.forkChild(
        collect().pipe(Effect.provide(mockedLayer({ url }).pipe(Layer.provide(http.layer))))
      )
      yield* TestClock.adjust("10 seconds")
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(http.seen.length, 1)
    })
  )

  it.effect("no server set is said without a request", () =>
    Effect.gen(function* () {
      const { error, times } = yield* timed(good, { url: undefined })
      assert.strictEqual(error?.code, "no_settings")
      assert.strictEqual(times.length, 0)
    })
  )
})

/** Runs a request whose body the test writes; `steps` may let time pass. */
const watched = <E>(
  steps: (body: ReturnType<typeof openBody>) => Effect.Effect<void, E>,
  options: Partial<HarnessOptions> & { readonly patience?: number; readonly long?: Partial<LlmRequest> } = {}
) =>
  Effect.gen(function* () {
    const body = openBody()
    const http = mockHttp(() => body.response)
    const { long, patience, ...harness } = options
    const given = request({ ...long, ...(patience === undefined ? {} : { patience }) })
    const layer = mockedLayer({ url, ...harness }).pipe(Layer.provide(http.layer))
    const fiber = yield* Effect.forkChild(collect(given).pipe(Effect.provide(layer)))
    yield* settle
    yield* steps(body)
    yield* settle
    const exit = fiber.pollUnsafe()
    if (exit === undefined) yield* Fiber.interrupt(fiber)
    return {
      ended: exit !== undefined,
      result: exit?._tag === "Success" ? exit.value : undefined,
      body,
      seen: http.seen
    }
  })

/** Lets fibers and promises run without time passing. */
const settle = Effect.gen(function* () {
  for (let i = 0; i < 30; i++) {
    yield* Effect.promise(() => Promise.resolve())
    yield* TestClock.adjust(0)
  }
})

const pass = (duration: `${number} seconds`) => Effect.andThen(TestClock.adjust(duration), settle)

describe("watchdog", () => {
  it.effect("nothing at all for firstTokenTimeout is a timeout, not tried again", () =>
    Effect.gen(function* () {
      const { result, seen, body } = yield* watched(() => pass("181 seconds"))
      assert.strictEqual(result?.error?.code, "timeout")
      assert.strictEqual(seen.length, 1)
      assert.isTrue(body.isCancelled())
    })
  )

  it.effect("headers that never come are a timeout", () =>
    Effect.gen(function* () {
      const { error, times } = yield* timed(() => "never")
      assert.strictEqual(error?.code, "timeout")
      assert.strictEqual(times.length, 1)
    })
  )

  it.effect("reading a long prompt is not a stall: progress and comments are life", () =>
    Effect.gen(function* () {
      const { result } = yield* watched((body) =>
        Effect.gen(function* () {
          for (let i = 0; i < 5; i++) {
            yield* pass("170 seconds")
            body.write(
              i % 2 === 0 ? ": waiting\n\n" : 'data: {"choices":[],"prompt_progress":{"processed":1,"total":9}}\n\n'
            )
            yield* settle
          }
          body.write(d({ content: "ok" }) + fin("stop") + DONE)
          body.end()
        })
      )
      assert.isUndefined(result?.error)
      assert.strictEqual(textOf(result?.events ?? []), "ok")
    })
  )

  it.effect(
    "a model that thinks for minutes without a word of its answer is not stalled (seed 003: 38 s were too long)",
    () =>
      Effect.gen(function* () {
        const { result } = yield* watched((body) =>
          Effect.gen(function* () {
            for (let i = 0; i < 8; i++) {
              body.write(d({ reasoning_content: `thought ${i} ` }))
              yield* settle
              yield* pass("38 seconds")
            }
            body.write(d({ content: "ok" }) + fin("stop") + DONE)
            body.end()
          })
        )
        assert.isUndefined(result?.error)
        assert.strictEqual(textOf(result?.events ?? []), "ok")
      })
  )

  it.effect("silence in the middle is a stall, reported and not tried again", () =>
    Effect.gen(function* () {
      const { result, seen, body } = yield* watched((body) =>
        Effect.gen(function* () {
          body.write(d({ content: "half" }))
          yield* settle
          yield* pass("119 seconds")
          body.write(": life\n")
          yield* settle
          yield* pass("119 seconds")
          assert.isFalse(body.isCancelled())
          yield* pass("2 seconds")
        })
      )
      assert.strictEqual(result?.error?.code, "stalled")
      assert.strictEqual(textOf(result?.events ?? []), "half")
      assert.strictEqual(seen.length, 1)
      assert.isTrue(body.isCancelled())
    })
  )

  it.effect("a server that told how far it had read the prompt and went silent names the limit that counts then", () =>
    Effect.gen(function* () {
      const { result } = yield* watched((body) =>
        Effect.gen(function* () {
          body.write(line({ choices: [{ delta: { role: "assistant" } }], prompt_progress: { total: 9, processed: 3 } }))
          yield* settle
          yield* pass("179 seconds")
          assert.isFalse(body.isCancelled())
          yield* pass("2 seconds")
        })
      )
      assert.strictEqual(result?.error?.code, "timeout")
      assert.include(result?.error?.text.en, "firstTokenTimeout")
    })
  )

  it.effect("models that think in silence get 300 s", () =>
    Effect.gen(function* () {
      const { ended, result } = yield* watched(
        (body) =>
          Effect.gen(function* () {
            body.write(d({ content: "a" }))
            yield* settle
            yield* pass("290 seconds")
            assert.isFalse(body.isCancelled())
            yield* pass("11 seconds")
          }),
        { settings: { models: { "test-*": { silentReasoning: true } } } }
      )
      assert.isTrue(ended)
      assert.strictEqual(result?.error?.code, "stalled")
    })
  )

  it.effect("patience multiplies both times", () =>
    Effect.gen(function* () {
      const early = yield* watched(() => pass("350 seconds"), { patience: 2 })
      assert.isFalse(early.ended)
      const late = yield* watched(() => pass("361 seconds"), { patience: 2 })
      assert.strictEqual(late.result?.error?.code, "timeout")
    })
  )

  it.effect("a long prompt gets a local server more time before its first token, and no other one", () =>
    Effect.gen(function* () {
      const long = { messages: [{ role: "user" as const, text: "word ".repeat(8_000) }] }
      const local = "http://127.0.0.1:8080"
      const slow = yield* watched(() => pass("495 seconds"), { long, url: local })
      assert.isFalse(slow.ended)
      const tooSlow = yield* watched(() => pass("510 seconds"), { long, url: local })
      assert.strictEqual(tooSlow.result?.error?.code, "timeout")
      const distant = yield* watched(() => pass("181 seconds"), { long, url: "https://llm.example.com" })
      assert.strictEqual(distant.result?.error?.code, "timeout")
    })
  )

  it.effect("a consumer that is slow is no stall of the server", () =>
    Effect.gen(function* () {
      const body = openBody()
      const http = mockHttp(() => body.response)
      const slow: Array<LlmEvent> = []
      const program = Effect.gen(function* () {
        const llm = yield* LiteLlm
        yield* Stream.runForEach(llm.stream(request()), (event) =>
          Effect.andThen(
            Effect.sleep(event.type === "text-delta" ? "20 minutes" : "0 seconds"),
            Effect.sync(() => slow.push(event))
          )
        )
      }).pipe(Effect.provide(mockedLayer({ url }).pipe(Layer.provide(http.layer))))
      const fiber = yield* Effect.forkChild(program)
      yield* settle
      body.write(d({ content: "a" }))
      yield* settle
      yield* pass("1100 seconds")
      body.write(d({ content: "b" }) + fin("stop") + DONE)
      body.end()
      yield* pass("1500 seconds")
      yield* Fiber.join(fiber)
      assert.strictEqual(textOf(slow), "ab")
    })
  )

  it.effect("after the finish reason an open connection is not waited for", () =>
    Effect.gen(function* () {
      const { result } = yield* watched((body) =>
        Effect.gen(function* () {
          body.write(d({ content: "a" }) + fin("stop"))
          yield* settle
          yield* pass("6 seconds")
        })
      )
      assert.isUndefined(result?.error)
      assert.strictEqual(textOf(result?.events ?? []), "a")
    })
  )

  it.effect("usage that comes a little after the finish reason is taken", () =>
    Effect.gen(function* () {
      const { result } = yield* watched((body) =>
        Effect.gen(function* () {
          body.write(d({ content: "a" }) + fin("stop"))
          yield* settle
          yield* pass("2 seconds")
          body.write('data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1}}\n\n' + DONE)
          body.end()
        })
      )
      const types = result?.events.map((event) => event.type)
      assert.deepStrictEqual(types, ["text-delta", "usage", "finish"])
    })
  )

  it.effect("events before a broken connection are all given", () =>
    Effect.gen(function* () {
      const broken = yield* watched((body) =>
        Effect.gen(function* () {
          body.write(d({ content: "a" }))
          yield* settle
          body.write(d({ content: "b" }))
          yield* settle
          body.fail(new Error("ECONNRESET"))
        })
      )
      const before = (broken.result?.events ?? []).slice(0, 3).map((event) => event.type)
      assert.deepStrictEqual(before, ["text-delta", "text-delta", "discard"])
    })
  )
})
