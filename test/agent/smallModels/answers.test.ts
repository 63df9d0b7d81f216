import { assert, describe, it } from "@effect/vitest"
import { Effect, Stream } from "effect"
import { TestClock } from "effect/testing"
import { allRails } from "../../../src/config/rails.ts"
import type { LlmEvent } from "../../../src/domain/llm.ts"
import { ScriptedLlm } from "../../../src/testing/index.ts"
import { ScriptedRequests } from "../../../src/testing/ScriptedLlm.ts"
import { conversationWith, harness, ofType, play, tool } from "../support.ts"

const { answer } = ScriptedLlm
const echo = tool("Echo", (value) => Effect.succeed({ text: `<${value}>` }))

const LINE = "I will now check the file again.\n"

/** A line ten times a second, without end or so many times. */
const repeated = (line: string, times = Infinity, type: "text-delta" | "reasoning-delta" = "text-delta") =>
  Stream.fromIterable({
    *[Symbol.iterator](): Generator<LlmEvent> {
      for (let n = 0; n < times; n++) yield { type, text: line }
      yield { type: "finish", reason: "end_turn" }
    }
  }).pipe(
    Stream.rechunk(1),
    Stream.tap(() => TestClock.adjust("100 millis"))
  )

const plan = Stream.succeed<LlmEvent>({ type: "text-delta", text: "The plan is this. " })

const shown = (events: ReadonlyArray<{ readonly type: string; readonly delta?: string }>) =>
  events.flatMap((event) => (event.type === "text" ? [event.delta ?? ""] : [])).join("")

describe("an answer that repeats itself without end", () => {
  it.effect("is stopped; what was said is kept once, and the next request is hotter", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const events = yield* play(conversation, { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "stuck")
      assert.deepStrictEqual(
        ofType(events, "error").map(({ code }) => code),
        ["repetition"]
      )
      assert.isAtMost(shown(events).length, 10_000)
      const last = conversation.messages.at(-1)
      if (last?.role !== "assistant") return assert.fail("nothing was kept")
      assert.match(last.text, /^The plan is this\. (I will now check the file again\.\n){2,3}/)
      assert.match(last.text, /\[the same text \d+ more times; the generation was stopped\]$/)
      assert.isAtMost(last.text.length, 250)
      yield* play(conversation, { text: "and?" })
      const { all } = yield* ScriptedRequests
      assert.strictEqual(all[1]?.sampling?.temperature, 0.3)
    }).pipe(
      Effect.provide(
        harness({
          script: (_request, n) => (n === 0 ? Stream.concat(plan, repeated(LINE)) : answer({ text: "ok" })),
          settings: { models: { scripted: { temperature: 0 } } }
        })
      ),
      Effect.scoped
    )
  )

  it.effect("the same thought over and over is stopped too", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "stuck")
      assert.include(ofType(events, "error")[0]?.message.en ?? "", "the same thought")
    }).pipe(Effect.provide(harness({ script: () => repeated(LINE, Infinity, "reasoning-delta") })), Effect.scoped)
  )

  it.effect("a call written as text over and over runs nothing", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "stuck")
      assert.isEmpty(ofType(events, "tool-requested"))
    }).pipe(
      Effect.provide(
        harness({
          script: () => repeated('<tool_call>{"name":"Echo","arguments":{"value":"a long text"}}</tool_call>\n')
        })
      ),
      Effect.scoped
    )
  )

  it.effect("repetition off: it is let go on", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.text, LINE.repeat(1000))
    }).pipe(
      Effect.provide(
        harness({
          script: () => repeated(LINE, 1000),
          settings: { rails: { ...allRails, repetition: false } }
        })
      ),
      Effect.scoped
    )
  )
})

describe("an answer cut by the limit", () => {
  const cut = (said: string, reasoning?: string): ReadonlyArray<LlmEvent> => [
    ...(said === "" ? [] : [{ type: "text-delta" as const, text: said }]),
    { type: "usage", usage: { inputTokens: 10, outputTokens: 300 } },
    { type: "warning", code: "output_limit", message: { en: "cut", fr: "coupé" } },
    {
      type: "finish",
      reason: "max_tokens",
      ...(reasoning === undefined ? {} : { reasoning: { text: reasoning, field: "reasoning_content" as const } })
    }
  ]

  const played = (script: ScriptedLlm.Script, settings = {}) =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      const events = yield* play(conversation, { text: "go" })
      const last = conversation.messages.at(-1)
      return {
        shown: shown(events),
        kept: last?.role === "assistant" ? last.text : undefined,
        end: ofType(events, "finished")[0],
        warnings: ofType(events, "warning")
      }
    }).pipe(Effect.provide(harness({ script, settings })), Effect.scoped)

  it.effect("is marked in the history, on screen and in the result; one warning offers to go on", () =>
    Effect.gen(function* () {
      const { end, kept, shown: text, warnings } = yield* played([cut("Half a sent")], { MaxOutputTokens: 300 })
      const marked = "Half a sent\n\n[answer cut off at max_tokens (300)]"
      assert.deepStrictEqual([kept, text, end?.text, end?.reason], [marked, marked, marked, "done"])
      assert.deepStrictEqual(
        warnings.map(({ code }) => code),
        ["cut_answer"]
      )
      assert.include(warnings[0]?.message.en ?? "", "continue")
      assert.include(warnings[0]?.message.fr ?? "", "« continue »")
    })
  )

  it.effect("where no limit was set, the count of the server says where", () =>
    Effect.gen(function* () {
      assert.include((yield* played([cut("Half")])).kept ?? "", "[answer cut off at max_tokens (300)]")
    })
  )

  it.effect("reasoning that used up the limit is named as the cause", () =>
    Effect.gen(function* () {
      const { end, warnings } = yield* played([cut("", "hm ".repeat(100))], { MaxOutputTokens: 300 })
      assert.strictEqual(end?.text, "[answer cut off at max_tokens (300)]")
      assert.include(warnings[0]?.message.en ?? "", "reasoning used up the output limit (300 tokens)")
    })
  )

  it.effect("a whole answer is not marked, and cutCalls off marks none", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* played([answer({ text: "Whole." })])).kept, "Whole.")
      const rails = { rails: { ...allRails, cutCalls: false } }
      assert.strictEqual((yield* played([cut("Half")], rails)).kept, "Half")
    })
  )
})
