import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { Conversation } from "../../src/agent/Conversation.ts"
import { compactionThreshold } from "../../src/context/budget.ts"
import { ContextWindow } from "../../src/context/ContextWindow.ts"
import { TokenCounter } from "../../src/context/TokenCounter.ts"
import { defaultSettings } from "../../src/config/settings.ts"
import type { LlmRequest } from "../../src/domain/llm.ts"
import type { ToolMessage } from "../../src/domain/message.ts"
import type { Tool } from "../../src/domain/tool.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { llmError } from "../context/support.ts"
import { careHarness, factSummary, isSummaryRequest, longTask, outputTool, textOf } from "./careSupport.ts"
import { conversationWith, ofType, play } from "./support.ts"

const requests = Effect.map(ScriptedLlm.ScriptedRequests, ({ all }) => ({
  all,
  summaries: all.filter(isSummaryRequest),
  tasks: all.filter((request) => !isSummaryRequest(request))
}))

/** Every call has its result right behind it, in order, and no result is orphaned. */
const assertValid = (request: LlmRequest): void => {
  let open: Array<string> = []
  for (const message of request.messages) {
    if (message.role === "tool") {
      assert.include(open, message.toolCallId, "a result without a call before it")
      open = open.filter((id) => id !== message.toolCallId)
      continue
    }
    assert.deepStrictEqual(open, [], "a call without a result")
    if (message.role === "assistant") open = message.toolCalls.map(({ id }) => id)
  }
  assert.deepStrictEqual(open, [], "a call without a result at the end")
}

const countOf = (request: LlmRequest) =>
  Effect.map(TokenCounter, (counter) => counter.context({ ...request, model: "scripted" }).tokens)

const withSystem = (system: string, tools: ReadonlyArray<Tool>) =>
  Effect.gen(function* () {
    const sessions = yield* Sessions
    const session = yield* sessions.open({ save: false, model: "scripted" })
    return new Conversation({ session, model: "scripted", system, tools })
  })

const compactions = (conversation: Conversation) =>
  conversation.session.path().filter(({ type }) => type === "compaction")

describe("a turn on a window of known size", () => {
  for (const [window, lines, most] of [
    [8_192, 60, 14],
    [32_768, 60, 5],
    [200_000, 240, 8]
  ] as const) {
    it.effect(
      `${window} tokens: 300 iterations end, compaction in the middle, facts survive`,
      () =>
        Effect.gen(function* () {
          // What was read is not pruned: on a large window only that makes a compaction necessary.
          const name = window > 100_000 ? "Read" : "Run"
          const conversation = yield* conversationWith([outputTool(lines, name)])
          const events = yield* play(conversation, { text: "Do 300 steps. Remember FACT-0." })
          const end = ofType(events, "finished")[0]
          assert.strictEqual(end?.reason, "done")
          assert.strictEqual(end?.iterations, 301)
          const rounds = ofType(events, "compaction")
          const finished = rounds.filter(({ phase }) => phase === "finished")
          assert.isAtLeast(finished.length, 1)
          assert.isAtMost(finished.length, most)
          assert.strictEqual(rounds.length, finished.length * 2, "every round began and ended well")
          assert.deepStrictEqual(
            ofType(events, "warning").map(({ code }) => code),
            []
          )
          const { summaries, tasks } = yield* requests
          assert.strictEqual(
            finished.reduce((sum, { summaryCalls = 0 }) => sum + summaryCalls, 0),
            summaries.length
          )
          for (const { summaryCalls = 0 } of finished) assert.isAtMost(summaryCalls, 3)
          const last = tasks.at(-1)
          for (const fact of ["FACT-0", "FACT-1", "FACT-2", "FACT-3"])
            assert.include(textOf(last?.messages ?? []), fact)
          for (const request of tasks) {
            assertValid(request)
            assert.isAtMost(yield* countOf(request), window)
          }
        }).pipe(
          Effect.scoped,
          Effect.provide(
            careHarness({
              script: longTask(300, factSummary, window > 100_000 ? "Read" : "Run"),
              window,
              settings: { maxIterations: 400 }
            })
          )
        ),
      60_000
    )
  }

  it.effect("a request over the threshold is compacted before it is sent", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      for (let n = 0; n < 8; n++) {
        yield* conversation.say({ role: "user", text: `Earlier ${n}. ${"word ".repeat(900)}` })
        yield* conversation.say({ role: "assistant", text: `Answer ${n}.`, toolCalls: [] })
      }
      const events = yield* play(conversation, { text: "And now?" })
      const kinds = events.map((event) => (event.type === "compaction" ? event.phase : event.type))
      assert.deepStrictEqual(kinds.slice(0, 4), ["started", "started", "finished", "iteration"])
      const { all } = yield* requests
      assert.isTrue(isSummaryRequest(all[0] ?? assert.fail("no request")))
      const threshold = compactionThreshold(defaultSettings.compaction, 8_192) ?? 0
      assert.isAtMost(yield* countOf(all.at(-1) ?? assert.fail("no request")), threshold)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        careHarness({
          window: 8_192,
          script: (request) => (isSummaryRequest(request) ? factSummary(request) : ScriptedLlm.answer({ text: "Now." }))
        })
      )
    )
  )

  it.effect("pruning comes first: where it is enough no summary is asked for", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([outputTool(150)])
      const events = yield* play(conversation, { text: "Do 10 steps." })
      const { summaries, tasks } = yield* requests
      assert.strictEqual(summaries.length, 0)
      assert.deepStrictEqual(ofType(events, "compaction"), [])
      assert.isAtLeast(conversation.session.path().filter(({ type }) => type === "prune").length, 1)
      const sent = textOf(tasks.at(-1)?.messages ?? [])
      assert.match(sent, /\[Output truncated - \d+ tokens\] Run/)
      for (const request of tasks) assertValid(request)
    }).pipe(Effect.scoped, Effect.provide(careHarness({ window: 12_000, script: longTask(10) })))
  )

  it.effect("the server's larger count is the trigger", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([outputTool(10)])
      const events = yield* play(conversation, { text: "Do 2 steps." })
      assert.isAtLeast(ofType(events, "compaction").length, 2)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        careHarness({
          window: 8_192,
          settings: { pruning: { ...defaultSettings.pruning, enabled: false } },
          script: (request, n) =>
            isSummaryRequest(request)
              ? factSummary(request)
              : n === 0
                ? ScriptedLlm.answer({
                    calls: [{ name: "Run", input: { value: "1" } }],
                    usage: { inputTokens: 7_900, outputTokens: 5 }
                  })
                : ScriptedLlm.answer({ text: "done" })
        })
      )
    )
  )

  it.effect("D2: system prompt and tools at 95 % of the window: one round, said once, no loop", () =>
    Effect.gen(function* () {
      const conversation = yield* withSystem("You are maia. ".repeat(1_550), [outputTool(3)])
      const events = yield* play(conversation, { text: "Do 20 steps." })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
      const { summaries } = yield* requests
      assert.isAtMost(summaries.length, 3)
      const said = ofType(events, "warning").filter(({ code }) => code.startsWith("compaction"))
      assert.strictEqual(said.length, 1)
    }).pipe(Effect.scoped, Effect.provide(careHarness({ window: 8_192, script: longTask(20) })))
  )

  it.effect("compaction.enabled false: nothing is shortened and an overflow is the error", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([outputTool(60)])
      const events = yield* play(conversation, { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "error")
      assert.deepStrictEqual(ofType(events, "compaction"), [])
      assert.strictEqual((yield* requests).all.length, 1)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        careHarness({
          window: 8_192,
          settings: { compaction: { ...defaultSettings.compaction, enabled: false } },
          script: [llmError("context_overflow")]
        })
      )
    )
  )
})

describe("a summary that is none changes nothing", () => {
  for (const [name, step] of [
    ["empty", ScriptedLlm.answer({ text: "   " })],
    ["only reasoning", ScriptedLlm.answer({ reasoning: "Let me think about it." })],
    ["an error", llmError("server_error")]
  ] as const) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const conversation = yield* conversationWith([outputTool(60)])
        const events = yield* play(conversation, { text: "Do 15 steps." })
        assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
        assert.deepStrictEqual(compactions(conversation), [])
        const phases = ofType(events, "compaction").map(({ phase }) => phase)
        assert.deepStrictEqual(phases.slice(0, 2), ["started", "failed"])
        assert.isAtMost(phases.length, 4, "it is not tried again at each step")
        const codes = new Set(ofType(events, "warning").map(({ code }) => code))
        assert.deepStrictEqual([...codes], ["compaction_failed"])
        const { tasks } = yield* requests
        assert.include(textOf(tasks.at(-1)?.messages ?? []), "Do 15 steps.")
      }).pipe(
        Effect.scoped,
        Effect.provide(
          careHarness({
            window: 8_192,
            settings: { pruning: { ...defaultSettings.pruning, enabled: false } },
            script: longTask(15, () => step)
          })
        )
      )
    )
  }
})

describe("an overflow", () => {
  const fill = (conversation: Conversation) =>
    Effect.gen(function* () {
      for (let n = 0; n < 6; n++) {
        yield* conversation.say({ role: "user", text: `Earlier ${n}. FACT-${n} ${"word ".repeat(500)}` })
        yield* conversation.say({ role: "assistant", text: `Answer ${n}.`, toolCalls: [] })
      }
    })

  it.effect("is compacted away and the same request is sent once more", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      yield* fill(conversation)
      const events = yield* play(conversation, { text: "And now?" })
      const { summaries, tasks } = yield* requests
      assert.strictEqual(tasks.length, 2)
      assert.isAtLeast(summaries.length, 1)
      assert.isAtMost(summaries.length, 3)
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
      assert.strictEqual(ofType(events, "discard")[0]?.reason, "context_overflow")
      assert.deepStrictEqual(
        ofType(events, "compaction").map(({ phase, reason }) => `${reason} ${phase}`),
        ["overflow started", "overflow finished"]
      )
      const sent = textOf(tasks[1]?.messages ?? [])
      assert.include(sent, "And now?")
      assert.include(sent, "FACT-0")
      assert.isBelow(sent.length, textOf(tasks[0]?.messages ?? []).length / 2)
      assert.isFalse(conversation.messages.some((message) => message.role === "assistant" && "error" in message))
    }).pipe(
      Effect.scoped,
      Effect.provide(
        careHarness({
          script: (request) =>
            isSummaryRequest(request)
              ? factSummary(request)
              : textOf(request.messages).length > 12_000
                ? llmError("context_overflow", 6_000)
                : ScriptedLlm.answer({ text: "Now." })
        })
      )
    )
  )

  it.effect("that comes again after the retry is the turn's error", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      yield* fill(conversation)
      const events = yield* play(conversation, { text: "And now?" })
      const { summaries, tasks } = yield* requests
      assert.strictEqual(tasks.length, 2)
      assert.isAtMost(summaries.length, 3)
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "error")
      assert.strictEqual(ofType(events, "error")[0]?.code, "context_overflow")
    }).pipe(
      Effect.scoped,
      Effect.provide(
        careHarness({
          script: (request) => (isSummaryRequest(request) ? factSummary(request) : llmError("context_overflow"))
        })
      )
    )
  )

  it.effect("teaches the window: the next turns stay under it without another refusal", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      yield* fill(conversation)
      yield* play(conversation, { text: "And now?" })
      const windows = yield* ContextWindow
      assert.strictEqual((yield* windows.known("scripted"))?.tokens, 3_300)
      for (let n = 0; n < 6; n++) {
        const events = yield* play(conversation, { text: `Later ${n}. ${"word ".repeat(700)}` })
        assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
        assert.isFalse(ofType(events, "compaction").some(({ reason }) => reason === "overflow"))
      }
    }).pipe(
      Effect.scoped,
      Effect.provide(
        careHarness({
          script: (request) =>
            isSummaryRequest(request)
              ? factSummary(request)
              : textOf(request.messages).length > 14_000
                ? llmError("context_overflow", 3_300)
                : ScriptedLlm.answer({ text: "Now." })
        })
      )
    )
  )

  it.effect("whose summary fails leaves the history as it was", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      yield* fill(conversation)
      const before = conversation.session.path().length
      const events = yield* play(conversation, { text: "And now?" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "error")
      assert.strictEqual(ofType(events, "warning")[0]?.code, "compaction_failed")
      assert.include(ofType(events, "warning")[0]?.message.en, "Context overflow recovery failed")
      assert.strictEqual(conversation.session.path().length, before + 1)
      assert.deepStrictEqual(compactions(conversation), [])
    }).pipe(
      Effect.scoped,
      Effect.provide(
        careHarness({
          script: (request) =>
            isSummaryRequest(request) ? ScriptedLlm.answer({ text: "" }) : llmError("context_overflow")
        })
      )
    )
  )
})

describe("images", () => {
  it.effect("are counted: a turn with many of them is compacted although it has little text", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([])
      const image = { type: "image" as const, mediaType: "image/png", data: png(1024, 1024) }
      for (let n = 0; n < 10; n++) {
        yield* conversation.say({ role: "user", text: `Picture ${n}.`, attachments: [image, image] })
        yield* conversation.say({ role: "assistant", text: "Seen.", toolCalls: [] })
      }
      const events = yield* play(conversation, { text: "Which was the best?" })
      assert.strictEqual(ofType(events, "compaction").at(-1)?.phase, "finished")
      const kept = conversation.messages.filter(
        (message): message is Exclude<typeof message, ToolMessage> =>
          message.role === "user" && message.attachments !== undefined
      )
      assert.isBelow(kept.length, 10)
    }).pipe(
      Effect.scoped,
      Effect.provide(
        careHarness({
          window: 8_192,
          script: (request) => (isSummaryRequest(request) ? factSummary(request) : ScriptedLlm.answer({ text: "9." }))
        })
      )
    )
  )
})

/** The first bytes of a PNG of that size, base64: enough for whoever counts it. */
const png = (width: number, height: number): string => {
  const bytes = Buffer.alloc(33)
  Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13]).copy(bytes)
  bytes.write("IHDR", 12, "latin1")
  bytes.writeUInt32BE(width, 16)
  bytes.writeUInt32BE(height, 20)
  return bytes.toString("base64")
}
