/** Whole requests over loopback: what a front end gets for what a server does. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Stream } from "effect"
import { LiteLlm } from "../../src/llm/LiteLlm.ts"
import type { LlmEvent } from "../../src/domain/llm.ts"
import {
  chunk,
  data,
  gate,
  hang,
  json,
  jsonAnswer,
  rawBytes,
  reset,
  scriptedServer,
  sse,
  textAnswer,
  toolCalls,
  usageChunk,
  type Script,
  type ServerOptions
} from "../support/scriptedServer.ts"
import {
  callsOf,
  collect,
  finishOf,
  liveLayer,
  request,
  textOf,
  warningsOf,
  type HarnessOptions
} from "./support/harness.ts"

const run = (
  script: Script,
  options: Partial<HarnessOptions> & { readonly server?: ServerOptions } = {},
  given = request(),
  onEvent: (event: LlmEvent) => void = () => {}
) =>
  Effect.gen(function* () {
    const server = yield* scriptedServer(script, options.server)
    const result = yield* collect(given, onEvent).pipe(Effect.provide(liveLayer({ url: server.url, ...options })))
    return { ...result, server }
  }).pipe(Effect.scoped)

describe("a whole answer", () => {
  it.live("gives text, usage and the end", () =>
    Effect.gen(function* () {
      const { events, error, server } = yield* run([textAnswer("hello there", { step: 3, usage: [12, 7] })], {
        key: "sk-1"
      })
      assert.isUndefined(error)
      assert.strictEqual(textOf(events), "hello there")
      assert.deepStrictEqual(events.at(-2), {
        type: "usage",
        usage: { inputTokens: 12, outputTokens: 7, completionTokens: 7 }
      })
      assert.deepStrictEqual(events.at(-1), { type: "finish", reason: "end_turn", raw: "stop" })
      const sent = server.chats[0]
      assert.strictEqual(sent?.headers["authorization"], "Bearer sk-1")
      assert.strictEqual(sent?.headers["accept"], "text/event-stream")
      assert.strictEqual(sent?.headers["content-type"], "application/json")
      assert.isUndefined(sent?.headers["traceparent"])
    })
  )

  it.live("gives calls whole at the end only", () =>
    Effect.gen(function* () {
      const { events } = yield* run([
        toolCalls([
          { name: "Read", args: { path: "a" } },
          { name: "Glob", args: {} }
        ])
      ])
      assert.deepStrictEqual(
        callsOf(events).map(({ id, name, arguments: args }) => [id, name, args]),
        [
          ["call_0", "Read", '{"path":"a"}'],
          ["call_1", "Glob", "{}"]
        ]
      )
      assert.strictEqual(finishOf(events)?.reason, "tool_use")
    })
  )

  it.live("takes a JSON body where a stream was asked for", () =>
    Effect.gen(function* () {
      const { events, error } = yield* run([jsonAnswer({ content: "whole" })])
      assert.isUndefined(error)
      assert.strictEqual(textOf(events), "whole")
      assert.strictEqual(finishOf(events)?.reason, "end_turn")
    })
  )

  it.live("ends at [DONE] although the connection stays open and more bytes come", () =>
    Effect.gen(function* () {
      const late = rawBytes([
        data(chunk({ content: "a" }, "stop")),
        "data: [DONE]\n\n",
        data(chunk({ content: "late" })),
        "\0hang"
      ])
      const { events, error } = yield* run([late])
      assert.isUndefined(error)
      assert.strictEqual(textOf(events), "a")
    })
  )
})

describe("a stream that breaks", () => {
  it.live("is asked for once more, its text taken back visibly", () =>
    Effect.gen(function* () {
      const shown = gate()
      const script = [reset([chunk({ content: "half" }), shown]), textAnswer("whole")]
      const { events, error, server } = yield* run(script, {}, request(), shown.open)
      assert.isUndefined(error)
      assert.include(
        events.map((event) => event.type),
        "discard"
      )
      assert.strictEqual(textOf(events), "whole")
      assert.deepStrictEqual(
        server.chats.map((sent) => sent.body.stream),
        [true, true]
      )
    })
  )

  it.live("is asked for without streaming where nothing was shown", () =>
    Effect.gen(function* () {
      const { events, error, server } = yield* run([
        reset([chunk({ role: "assistant" })]),
        jsonAnswer({ content: "whole" })
      ])
      assert.isUndefined(error)
      assert.notInclude(
        events.map((event) => event.type),
        "discard"
      )
      assert.strictEqual(textOf(events), "whole")
      assert.deepStrictEqual(
        server.chats.map((sent) => sent.body.stream),
        [true, false]
      )
      assert.notProperty(server.chats[1]?.body, "stream_options")
    })
  )

  it.live("is not asked for a third time", () =>
    Effect.gen(function* () {
      const { error, server } = yield* run([
        reset([chunk({ content: "a" })]),
        reset([chunk({ content: "b" })]),
        textAnswer("c")
      ])
      assert.strictEqual(error?.code, "stream_broken")
      assert.strictEqual(server.chats.length, 2)
    })
  )

  it.live("runs none of its calls", () =>
    Effect.gen(function* () {
      const whole = chunk({
        tool_calls: [{ index: 0, id: "c", function: { name: "Bash", arguments: '{"command":"x"}' } }]
      })
      const { events, error } = yield* run([sse([whole], { done: false }), sse([whole], { done: false })])
      assert.strictEqual(error?.code, "stream_broken")
      assert.deepStrictEqual(callsOf(events), [])
    })
  )

  it.live("after its finish reason is whole", () =>
    Effect.gen(function* () {
      const shown = gate()
      const script = [reset([chunk({ content: "all" }, "stop"), shown])]
      const { events, error } = yield* run(script, {}, request(), shown.open)
      assert.isUndefined(error)
      assert.strictEqual(textOf(events), "all")
    })
  )
})

describe("an answer with nothing in it", () => {
  const silent = sse([chunk({ role: "assistant", content: "" }), chunk({}, "stop")])
  it.live("is asked for once more, without streaming", () =>
    Effect.gen(function* () {
      const { events, error, server } = yield* run([silent, jsonAnswer({ content: "there" })])
      assert.isUndefined(error)
      assert.strictEqual(textOf(events), "there")
      assert.strictEqual(server.chats[1]?.body.stream, false)
    })
  )

  it.live("twice is a visible error", () =>
    Effect.gen(function* () {
      const { events, error } = yield* run([silent, silent, textAnswer("no")])
      assert.strictEqual(error?.code, "empty_answer")
      assert.isUndefined(finishOf(events))
    })
  )

  for (const [name, body] of [
    ["zero bytes", ""],
    ["comments only", ": OPENROUTER PROCESSING\n\n: OPENROUTER PROCESSING\n\n"],
    ["[DONE] only", "data: [DONE]\n\n"],
    ["reasoning only", data(chunk({ reasoning_content: "hm" }, "stop")) + "data: [DONE]\n\n"]
  ] as const) {
    it.live(`is an error of its own: ${name}`, () =>
      Effect.gen(function* () {
        const { error, server } = yield* run([rawBytes(body), rawBytes(body)])
        assert.strictEqual(error?.code, "empty_answer")
        assert.strictEqual(server.chats.length, 2)
      })
    )
  }
})

describe("an error inside a stream", () => {
  for (const [name, body, message] of [
    ["OpenRouter", { choices: [], error: { code: 502, message: "upstream worker limit" } }, "upstream worker limit"],
    ["Anthropic", { type: "error", error: { type: "server_error", message: "Broke" } }, "Broke"]
  ] as const) {
    it.live(`is shown after one more try: ${name}`, () =>
      Effect.gen(function* () {
        const failing = sse([chunk({ content: "partial" }), body])
        const { events, error, server } = yield* run([failing, failing])
        assert.include(error?.text.en, message)
        assert.strictEqual(server.chats.length, 2)
        assert.strictEqual(textOf(events), "partial")
        assert.isUndefined(finishOf(events))
      })
    )
  }

  it.live("of llama.cpp's form is understood", () =>
    Effect.gen(function* () {
      const failing = rawBytes(`${data(chunk({ content: "a" }))}error: {"code":500,"message":"slot failed"}\n\n`)
      const { error } = yield* run([failing, failing])
      assert.include(error?.text.en, "slot failed")
    })
  )

  it.live("that is an overflow is not tried again", () =>
    Effect.gen(function* () {
      const { error, server } = yield* run([
        sse([
          {
            error: {
              message:
                "litellm.MidStreamFallbackError: litellm.BadRequestError: prompt is too long: 210000 tokens > 200000 maximum"
            }
          }
        ])
      ])
      assert.strictEqual(error?.code, "context_overflow")
      assert.strictEqual(error?.limit, 200_000)
      assert.strictEqual(server.chats.length, 1)
    })
  )

  it.live("as a JSON body with status 200 is an error", () =>
    Effect.gen(function* () {
      const { error } = yield* run([
        json(200, { error: { message: "no such deployment" } }),
        json(200, { error: "still none" })
      ])
      assert.strictEqual(error?.code, "server_error")
      assert.include(error?.text.en, "still none")
    })
  )
})

describe("limits", () => {
  it.live("a cut answer gets a warning and its last call does not run", () =>
    Effect.gen(function* () {
      const { events } = yield* run([
        toolCalls(
          [
            { name: "Read", args: { path: "a" } },
            { name: "Write", args: '{"path":"R.md"}' }
          ],
          { finishReason: "length" }
        )
      ])
      assert.deepStrictEqual(
        callsOf(events).map((call) => call.problem?.kind),
        [undefined, "cut"]
      )
      assert.deepStrictEqual(warningsOf(events), ["output_limit"])
      assert.strictEqual(finishOf(events)?.reason, "max_tokens")
    })
  )

  it.live("an exact power of two with calls is suspicious", () =>
    Effect.gen(function* () {
      const { events } = yield* run([toolCalls([{ name: "Write", args: {} }], { usage: [1, 4096] })])
      assert.deepStrictEqual(warningsOf(events), ["suspected_cut"])
    })
  )

  it.live("runaway arguments end the generation and the request", () =>
    Effect.gen(function* () {
      const loop = Array.from({ length: 40 }, () =>
        chunk({ tool_calls: [{ index: 0, function: { arguments: "Greet 2023 " } }] })
      )
      const start = chunk({
        tool_calls: [{ index: 0, id: "c", function: { name: "Write", arguments: '{"content":"' } }]
      })
      const { events, error, server } = yield* run([hang([start, ...loop])])
      assert.isUndefined(error)
      assert.strictEqual(callsOf(events)[0]?.problem?.kind, "runaway")
      assert.strictEqual(callsOf(events)[0]?.arguments, "{}")
      assert.strictEqual(finishOf(events)?.reason, "tool_use")
      assert.isTrue(yield* Effect.promise(() => server.chats[0]?.aborted ?? Promise.resolve(false)))
    })
  )

  it.live("z.ai's full window is an overflow", () =>
    Effect.gen(function* () {
      const { error } = yield* run([sse([chunk({ content: "" }, "model_context_window_exceeded"), usageChunk(9, 0)])])
      assert.strictEqual(error?.code, "context_overflow")
    })
  )
})

describe("interruption", () => {
  it.live("of the consumer aborts the request at once", () =>
    Effect.gen(function* () {
      const server = yield* scriptedServer([hang([chunk({ content: "a" })])])
      const first = yield* Effect.gen(function* () {
        const llm = yield* LiteLlm
        const fiber = yield* Effect.forkChild(Stream.runDrain(llm.stream(request())))
        const chat = yield* Effect.promise(() => server.chat(0))
        yield* Fiber.interrupt(fiber)
        return chat
      }).pipe(Effect.provide(liveLayer({ url: server.url })))
      assert.isTrue(yield* Effect.promise(() => first.aborted))
    }).pipe(Effect.scoped)
  )

  it.live("before the first byte aborts as well", () =>
    Effect.gen(function* () {
      const server = yield* scriptedServer([hang()])
      const first = yield* Effect.gen(function* () {
        const llm = yield* LiteLlm
        const fiber = yield* Effect.forkChild(Stream.runDrain(llm.stream(request())))
        const chat = yield* Effect.promise(() => server.chat(0))
        yield* Fiber.interrupt(fiber)
        return chat
      }).pipe(Effect.provide(liveLayer({ url: server.url })))
      assert.isTrue(yield* Effect.promise(() => first.aborted))
    }).pipe(Effect.scoped)
  )

  it.live("by taking only the first event aborts too", () =>
    Effect.gen(function* () {
      const server = yield* scriptedServer([hang([chunk({ content: "a" })])])
      yield* Effect.gen(function* () {
        const llm = yield* LiteLlm
        yield* Stream.runDrain(Stream.take(llm.stream(request()), 1))
      }).pipe(Effect.provide(liveLayer({ url: server.url })))
      assert.isTrue(yield* Effect.promise(() => server.chats[0]?.aborted ?? Promise.resolve(false)))
    }).pipe(Effect.scoped)
  )
})

describe("a parameter the server does not know", () => {
  it.live("is left out from then on, and that is said once", () =>
    Effect.gen(function* () {
      const refusal = json(422, {
        detail: [{ loc: ["body", "stream_options"], msg: "stream_options: Extra inputs are not permitted" }]
      })
      const server = yield* scriptedServer([refusal, textAnswer("a"), textAnswer("b")])
      const [first, second] = yield* Effect.all([collect(), collect()]).pipe(
        Effect.provide(liveLayer({ url: server.url }))
      )
      assert.strictEqual(textOf(first.events), "a")
      assert.deepStrictEqual(warningsOf(first.events), ["parameters_refused"])
      assert.deepStrictEqual(warningsOf(second.events), [])
      assert.deepStrictEqual(
        server.chats.map((chat) => "stream_options" in chat.body),
        [true, false, false]
      )
    }).pipe(Effect.scoped)
  )

  it.live("is not sought in a refusal about something else", () =>
    Effect.gen(function* () {
      const { error, server } = yield* run([json(400, { error: { message: "messages: odd role" } }), textAnswer("a")])
      assert.strictEqual(error?.code, "bad_request")
      assert.lengthOf(server.chats, 1)
    })
  )
})
