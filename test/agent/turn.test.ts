import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Stream } from "effect"
import { text } from "../../src/domain/text.ts"
import type { Message } from "../../src/domain/message.ts"
import { LlmError } from "../../src/llm/errors.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { ToolFailure } from "../../src/domain/tool.ts"
import { conversationWith, harness, ofType, play, start, tool, until } from "./support.ts"

const { answer } = ScriptedLlm

const echo = tool("Echo", (value) => Effect.succeed({ text: `<${value}>` }))
const call = (value: string, id: string, name = "Echo") => ({ name, input: { value }, id })

/** Role, and for a result the id of its call. */
const shape = (messages: ReadonlyArray<Message>) =>
  messages.map((message) => (message.role === "tool" ? `tool:${message.toolCallId}` : message.role))

describe("a turn", () => {
  it.effect("answers without tools in one iteration", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      const events = yield* play(conversation, { text: "hi" })
      assert.deepStrictEqual(
        events.map(({ type }) => type),
        ["started", "iteration", "text", "usage", "finished"]
      )
      const [end] = ofType(events, "finished")
      assert.deepStrictEqual(end && { reason: end.reason, text: end.text, n: end.iterations }, {
        reason: "done",
        text: "hello",
        n: 1
      })
      assert.deepStrictEqual(shape(conversation.messages), ["user", "assistant"])
    }).pipe(Effect.provide(harness({ script: [answer({ text: "hello" })] })), Effect.scoped)
  )

  it.effect("runs tools and sends results back in call order, whichever ends first", () =>
    Effect.gen(function* () {
      const slow = yield* Deferred.make<void>()
      const waits = tool("Wait", () => Effect.as(Deferred.await(slow), { text: "slow" }))
      const fast = tool("Fast", () => Effect.as(Deferred.succeed(slow, undefined), { text: "fast" }))
      const conversation = yield* conversationWith([waits, fast])
      const events = yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(shape(conversation.messages), ["user", "assistant", "tool:a", "tool:b", "assistant"])
      assert.deepStrictEqual(
        ofType(events, "tool-finished").map(({ result }) => result.toolCallId),
        ["a", "b"]
      )
    }).pipe(
      Effect.provide(
        harness({
          script: [answer({ calls: [call("", "a", "Wait"), call("", "b", "Fast")] }), answer({ text: "end" })]
        })
      ),
      Effect.scoped
    )
  )

  it.effect("at most 8 tools run at a time, and calls with one key run in call order", () =>
    Effect.gen(function* () {
      const order: Array<string> = []
      let running = 0
      let most = 0
      const full = yield* Deferred.make<void>()
      const busy = tool("Busy", (value) =>
        Effect.gen(function* () {
          running++
          most = Math.max(most, running)
          if (running === 8) yield* Deferred.succeed(full, undefined)
          yield* Deferred.await(full)
          order.push(value)
          running--
          return { text: value }
        })
      )
      const keyed = tool(
        "Keyed",
        (value) =>
          Effect.sync(() => {
            order.push(value)
            return { text: value }
          }),
        () => "one file"
      )
      const conversation = yield* conversationWith([busy, keyed])
      yield* play(conversation, { text: "go" })
      assert.strictEqual(most, 8)
      assert.deepStrictEqual(
        order.filter((value) => value.startsWith("k")),
        ["k1", "k2", "k3"]
      )
    }).pipe(
      Effect.provide(
        harness({
          script: [
            answer({
              calls: [
                ...["k1", "k2", "k3"].map((value) => call(value, value, "Keyed")),
                ...Array.from({ length: 12 }, (_, n) => call(`b${n}`, `b${n}`, "Busy"))
              ]
            }),
            answer({ text: "end" })
          ]
        })
      ),
      Effect.scoped
    )
  )

  it.effect("turns every failure into text and cancels nothing", () =>
    Effect.gen(function* () {
      const fails = tool("Fails", () => Effect.fail(new ToolFailure({ message: "try it otherwise" })))
      const dies = tool("Dies", () => Effect.die(new Error("bug")))
      const conversation = yield* conversationWith([echo, fails, dies])
      const events = yield* play(conversation, { text: "go" })
      const results = ofType(events, "tool-finished").map(({ result }) => [
        result.toolCallId,
        result.isError,
        result.text
      ])
      const byId = Object.fromEntries(results.map(([id, isError, said]) => [String(id), [isError, said]]))
      assert.deepStrictEqual(byId["f"], [true, "try it otherwise"])
      assert.include(String(byId["d"]?.[1]), "bug")
      assert.include(String(byId["u"]?.[1]), 'no tool named "shell"')
      assert.include(String(byId["w"]?.[1]), "Invalid arguments for Echo")
      assert.include(String(byId["w"]?.[1]), "value: string")
      assert.deepStrictEqual(byId["e"], [false, "<ok>"])
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
    }).pipe(
      Effect.provide(
        harness({
          script: [
            answer({
              calls: [
                call("", "f", "Fails"),
                call("", "d", "Dies"),
                call("", "u", "shell"),
                { name: "Echo", input: { values: 1 }, id: "w" },
                call("ok", "e")
              ]
            }),
            answer({ text: "end" })
          ]
        })
      ),
      Effect.scoped
    )
  )

  it.effect("stops at the limit with one last call that declares the tools and wants none", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "go" })
      const requests = (yield* ScriptedLlm.ScriptedRequests).all
      assert.strictEqual(requests.length, 3)
      assert.strictEqual(requests[2]?.toolChoice, "none")
      assert.strictEqual(requests[2]?.tools.length, 1)
      const [end] = ofType(events, "finished")
      assert.strictEqual(end?.reason, "max_iterations")
      assert.strictEqual(end?.text, "what remains")
      // The call that came all the same is ignored, so the history stays valid.
      assert.deepStrictEqual(shape(conversation.messages).slice(-2), ["user", "assistant"])
    }).pipe(
      Effect.provide(
        harness({
          maxIterations: 2,
          script: (request) =>
            request.toolChoice === "none"
              ? answer({ text: "what remains", calls: [call("x", "late")] })
              : answer({ calls: [call("x", `c${request.messages.length}`)] })
        })
      ),
      Effect.scoped
    )
  )

  it.effect("a refusal because no one can be asked names the rule and makes the turn end as refused", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "go" })
      const [permission] = ofType(events, "permission")
      assert.strictEqual(permission?.decision, "refused")
      assert.strictEqual(permission?.rule, "Echo(x)")
      assert.include(ofType(events, "tool-finished")[0]?.result.text ?? "", "Echo(x)")
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "refused")
    }).pipe(
      Effect.provide(
        harness({
          script: [answer({ calls: [call("x", "a")] }), answer({ text: "end" })],
          decide: (asked) => ({
            decision: "ask",
            reason: text("no rule", "aucune règle"),
            subject: asked.tool,
            suggestions: ["Echo(x)"]
          })
        })
      ),
      Effect.scoped
    )
  )

  it.effect("the reason of a no reaches the model", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "go" })
      assert.include(ofType(events, "tool-finished")[0]?.result.text ?? "", "not on a Friday")
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
    }).pipe(
      Effect.provide(
        harness({
          script: [answer({ calls: [call("x", "a")] }), answer({ text: "end" })],
          answer: { answer: "no", reason: "not on a Friday" },
          decide: (asked) => ({ decision: "ask", reason: text("a", "a"), subject: asked.tool, suggestions: [] })
        })
      ),
      Effect.scoped
    )
  )

  it.effect("survives two unusable calls and ends as stuck at the third", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "stuck")
      assert.strictEqual(ofType(events, "iteration").length, 3)
      assert.isTrue(ofType(events, "tool-finished").every(({ result }) => result.isError))
      assert.include(ofType(events, "tool-finished")[0]?.result.text ?? "", "cut at the output limit")
    }).pipe(
      Effect.provide(
        harness({
          script: (_request, n) => [
            { type: "tool-call-start", index: 0, id: `c${n}`, name: "Echo" },
            {
              type: "tool-call-end",
              index: 0,
              call: {
                id: `c${n}`,
                name: "Echo",
                arguments: "{}",
                problem: { kind: "cut", detail: "It ended early.", received: '{"val' }
              }
            },
            { type: "finish", reason: "max_tokens" }
          ]
        })
      ),
      Effect.scoped
    )
  )

  it.effect("what was streamed before a discard is void", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      const events = yield* play(conversation, { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.text, "second")
      const last = conversation.messages.at(-1)
      assert.strictEqual(last?.role === "assistant" ? last.text : "", "second")
    }).pipe(
      Effect.provide(
        harness({
          script: [
            [
              { type: "text-delta", text: "first" },
              { type: "discard", reason: "stream_broken" },
              { type: "text-delta", text: "second" },
              { type: "finish", reason: "end_turn" }
            ]
          ]
        })
      ),
      Effect.scoped
    )
  )

  it.effect("a failing model call keeps the text that was shown and runs no half-built call", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "go" })
      assert.strictEqual(ofType(events, "error")[0]?.code, "server_error")
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "error")
      const last = conversation.messages.at(-1)
      assert.deepStrictEqual(last?.role === "assistant" && [last.text, last.toolCalls.length, last.error], [
        "half",
        0,
        "worker gone"
      ])
    }).pipe(
      Effect.provide(
        harness({
          script: [
            Stream.concat(
              Stream.fromIterable([
                { type: "text-delta" as const, text: "half" },
                { type: "tool-call-start" as const, index: 0, id: "a", name: "Echo" }
              ]),
              Stream.fail(new LlmError({ code: "server_error", text: text("worker gone", "perdu") }))
            )
          ]
        })
      ),
      Effect.scoped
    )
  )
})

describe("interruption", () => {
  it.effect("during a stream keeps what was shown and ends as interrupted", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const conversation = yield* conversationWith([])
      const events = yield* start(conversation, { text: "go", interrupt: Deferred.await(stop) })
      yield* until(events, "text")
      yield* Deferred.succeed(stop, undefined)
      const end = yield* until(events, "finished")
      assert.strictEqual(end.type === "finished" && end.reason, "interrupted")
      const last = conversation.messages.at(-1)
      assert.deepStrictEqual(last?.role === "assistant" && [last.text, last.stopReason], ["so far", "interrupted"])
    }).pipe(
      Effect.provide(
        harness({
          script: [Stream.concat(Stream.succeed({ type: "text-delta" as const, text: "so far" }), Stream.never)]
        })
      ),
      Effect.scoped
    )
  )

  it.effect("during tools keeps finished results and says of the others that they were interrupted", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      let ended = false
      const hangs = tool("Hang", () =>
        Effect.never.pipe(
          Effect.onInterrupt(() =>
            Effect.sync(() => {
              ended = true
            })
          )
        )
      )
      const conversation = yield* conversationWith([echo, hangs])
      const events = yield* start(conversation, { text: "go", interrupt: Deferred.await(stop) })
      yield* until(events, "tool-done")
      yield* Deferred.succeed(stop, undefined)
      yield* until(events, "finished")
      assert.isTrue(ended)
      assert.deepStrictEqual(shape(conversation.messages), ["user", "assistant", "tool:h", "tool:e"])
      const [hung, echoed] = conversation.messages.slice(2)
      assert.include(hung?.text ?? "", "[interrupted]")
      assert.strictEqual(echoed?.text, "<kept>")
    }).pipe(
      Effect.provide(harness({ script: [answer({ calls: [call("", "h", "Hang"), call("kept", "e")] })] })),
      Effect.scoped
    )
  )
})
