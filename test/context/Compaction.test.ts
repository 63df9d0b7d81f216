import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { HttpClient, HttpClientResponse } from "effect/http"
import { defaultSettings } from "../../src/config/settings.ts"
import { Compaction, type CompactionInput } from "../../src/context/Compaction.ts"
import { ContextWindow } from "../../src/context/ContextWindow.ts"
import { CompactionHooks } from "../../src/context/hooks.ts"
import * as prompts from "../../src/context/summary/prompts.ts"
import type { SummaryProgress } from "../../src/context/summary/SummaryRun.ts"
import type { LlmRequest } from "../../src/domain/llm.ts"
import { buildContext } from "../../src/sessions/buildContext.ts"
import * as ScriptedLlm from "../../src/testing/ScriptedLlm.ts"
import { contextLayer, llmError, PathBuilder, stopped, type ContextLayerOptions } from "./support.ts"

const { answer } = ScriptedLlm

const words = (count: number, word = "lorem"): string => `${word} `.repeat(count)
const summaryOf = (text: string) => answer({ text: `## Current goal\n- ${text}` })
const short = answer({ text: "Fixing the parser." })

/** Two whole turns, then one whose end is near: about 3 000 tokens. */
const twoTurns = (): PathBuilder =>
  new PathBuilder()
    .user("Fix the parser in src/parser.ts; the secret code is 4711.")
    .call("Read", { path: "src/parser.ts" }, words(900))
    .assistant("Fixed.")
    .user("Now the tests.")
    .call("Edit", { path: "test/parser.test.ts" }, words(900))
    .assistant(words(500, "dolor"))

const compact = (path: PathBuilder, input: Partial<CompactionInput> = {}) =>
  Effect.flatMap(Compaction, (compaction) =>
    compaction.compact({
      path: path.entries,
      model: "m",
      window: 4_000,
      reason: "threshold",
      system: "sys",
      tools: [],
      ...input
    })
  )

const inPlace = (path: PathBuilder, input: Partial<CompactionInput> = {}) =>
  Effect.map(compact(path, input), (result) => {
    if (result.strategy !== "in-place") throw new Error("not in place")
    return result
  })

const requests = Effect.map(ScriptedLlm.ScriptedRequests, ({ all }) => all)
const promptOf = (request: LlmRequest | undefined): string => request?.messages[0]?.text ?? ""

const failure = (path: PathBuilder, input: Partial<CompactionInput> = {}) => Effect.flip(compact(path, input))

const compaction = (over: Partial<typeof defaultSettings.compaction>): ContextLayerOptions => ({
  settings: { compaction: { ...defaultSettings.compaction, ...over } }
})

describe("Compaction, in place", () => {
  it.effect("summarises the old turns, keeps the recent messages, and the files are listed", () =>
    Effect.gen(function* () {
      const path = twoTurns()
      const result = yield* inPlace(path)
      const { body } = result
      assert.strictEqual(body.firstKeptEntryId, "e8")
      assert.strictEqual(body.shortSummary, "Fixing the parser.")
      assert.deepStrictEqual(body.details, { readFiles: ["src/parser.ts"], modifiedFiles: ["test/parser.test.ts"] })
      assert.strictEqual(
        body.summary,
        "## Current goal\n- parser\n\n---\n\n**Turn Context (split turn):**\n\n## Current goal\n- tests" +
          "\n\n<read-files>\nsrc/parser.ts\n</read-files>\n\n<modified-files>\ntest/parser.test.ts\n</modified-files>"
      )
      assert.strictEqual(result.summaryCalls, 3)
      assert.isBelow(result.tokensAfter, result.tokensBefore)
      path.add(body)
      const context = buildContext(path.entries)
      assert.deepStrictEqual(
        context.map(({ message }) => message.role),
        ["user", "assistant"]
      )
    }).pipe(Effect.provide(contextLayer([summaryOf("parser"), summaryOf("tests"), short])))
  )

  it.effect("H6: the request is one user message without tools, calls or reasoning, patient and limited", () =>
    Effect.gen(function* () {
      yield* compact(twoTurns())
      for (const request of yield* requests) {
        assert.strictEqual(request.system, prompts.SUMMARIZATION_SYSTEM_PROMPT)
        assert.deepStrictEqual(
          request.messages.map(({ role }) => role),
          ["user"]
        )
        assert.deepStrictEqual(request.tools, [])
        assert.isFalse(request.thinking)
        assert.strictEqual(request.patience, 2)
        assert.isAtMost(request.maxTokens ?? Infinity, 1_000)
      }
      const [history, turn, shortOne] = yield* requests
      assert.match(promptOf(history), /^<conversation>\n\[User\]: Fix the parser/)
      assert.match(promptOf(turn), /\[User\]: Now the tests\./)
      assert.isTrue(promptOf(history).endsWith(prompts.INITIAL_PROMPT))
      assert.isTrue(promptOf(turn).endsWith(prompts.TURN_PREFIX_PROMPT))
      assert.isTrue(promptOf(shortOne).endsWith(prompts.SHORT_SUMMARY_PROMPT))
    }).pipe(Effect.provide(contextLayer([summaryOf("parser"), summaryOf("tests"), short])))
  )

  it.effect("4 000 tokens of summary where the window has room for them", () =>
    Effect.gen(function* () {
      yield* compact(new PathBuilder().user(words(60_000)).assistant("a").user("b").assistant(words(25_000)), {
        window: 100_000
      })
      assert.strictEqual((yield* requests)[0]?.maxTokens, 4_000)
    }).pipe(Effect.provide(contextLayer([summaryOf("x"), short])))
  )

  it.effect("a previous summary is merged, with what the last compaction had kept, and files add up", () =>
    Effect.gen(function* () {
      const path = twoTurns()
      path.add((yield* inPlace(path)).body)
      path.user("And the docs.").call("Read", { path: "README.md" }, words(900)).assistant(words(700, "amet"))
      const { body } = yield* inPlace(path)
      const update = (yield* requests)[3]
      assert.match(promptOf(update), /<previous-summary>\n## Current goal\n- parser/)
      assert.notMatch(promptOf(update), /<read-files>/)
      // Kept by the first compaction: in no summary yet.
      assert.match(promptOf(update), /<conversation>\n\[Assistant\]: dolor/)
      assert.isTrue(promptOf(update).endsWith(prompts.UPDATE_PROMPT))
      assert.deepStrictEqual(body.details, {
        readFiles: ["src/parser.ts", "README.md"],
        modifiedFiles: ["test/parser.test.ts"]
      })
    }).pipe(
      Effect.provide(
        contextLayer([summaryOf("parser"), summaryOf("tests"), short, summaryOf("all"), summaryOf("docs"), short])
      )
    )
  )

  it.effect("a short beginning of a split turn is kept word for word and costs no call", () =>
    Effect.gen(function* () {
      const path = new PathBuilder().user("Count to 10; the code is 4711.").assistant(words(1_250))
      const result = yield* inPlace(path)
      assert.match(result.body.summary, /^No prior history\.\n\n---\n\n\*\*Turn Context[\s\S]*the code is 4711\./)
      assert.strictEqual(result.summaryCalls, 1)
    }).pipe(Effect.provide(contextLayer([short])))
  )

  it.effect("nothing old enough: an error that says so, and no request", () =>
    Effect.gen(function* () {
      const error = yield* failure(new PathBuilder().user("hello").assistant("hi"), { window: 200_000 })
      assert.strictEqual(error.code, "nothing")
      assert.strictEqual((yield* requests).length, 0)
    }).pipe(Effect.provide(contextLayer([])))
  )

  it.effect("/compact on a short conversation compacts it all the same, with the user's words", () =>
    Effect.gen(function* () {
      const path = new PathBuilder().user("hello").assistant("hi").user("more").assistant("yes")
      const { body } = yield* inPlace(path, { reason: "manual", window: 200_000, instructions: "Keep the greetings." })
      assert.strictEqual(body.firstKeptEntryId, "e4")
      const [first] = yield* requests
      assert.isTrue(promptOf(first).endsWith("Keep the greetings."))
    }).pipe(Effect.provide(contextLayer([summaryOf("greetings"), short])))
  )

  it.effect("a failed short summary is no failure", () =>
    Effect.gen(function* () {
      const { body, warnings } = yield* inPlace(twoTurns())
      assert.isUndefined(body.shortSummary)
      assert.deepStrictEqual(warnings, [])
    }).pipe(Effect.provide(contextLayer([summaryOf("a"), summaryOf("b"), llmError("server_error")])))
  )

  it.effect("an unknown window: a share of the conversation is kept", () =>
    Effect.gen(function* () {
      const path = new PathBuilder()
      for (let turn = 0; turn < 60; turn++) path.user(`question ${turn}`).assistant(words(10))
      const result = yield* inPlace(path, { window: undefined })
      path.add(result.body)
      assert.isAtMost(buildContext(path.entries).length, 51)
      assert.isBelow(result.tokensAfter, result.tokensBefore / 2)
    }).pipe(Effect.provide(contextLayer([summaryOf("chat"), short])))
  )

  it.effect("progress names each request", () =>
    Effect.gen(function* () {
      const seen: Array<SummaryProgress> = []
      yield* compact(twoTurns(), { progress: (event) => Effect.sync(() => seen.push(event)) })
      assert.deepStrictEqual(
        seen.map((event) => (event.type === "request" ? [event.kind, event.part, event.call] : event.type)),
        [
          ["history", 1, 1],
          ["turn", 1, 2],
          ["short", 1, 3]
        ]
      )
    }).pipe(Effect.provide(contextLayer([summaryOf("a"), summaryOf("b"), short])))
  )
})

describe("Compaction, bad summaries (D3)", () => {
  const bad: ReadonlyArray<readonly [name: string, step: ScriptedLlm.ScriptedStep]> = [
    ["only reasoning, cut by the limit", stopped(answer({ reasoning: "hmm" }), "max_tokens")],
    ["no content", answer({})],
    ["blanks", answer({ text: " \n " })],
    ["an unfilled template", answer({ text: "## Goal\n(none)\n## Next\n- [What remains]" })],
    ["a call in place of text", answer({ calls: [{ name: "Read", input: {} }] })],
    ["a content filter", stopped(answer({ text: "The" }), "content_filter")]
  ]

  for (const [name, step] of bad) {
    it.effect(`${name}: asked once more with a larger budget, then an error and nothing changes`, () =>
      Effect.gen(function* () {
        const path = twoTurns()
        const error = yield* failure(path)
        assert.strictEqual(error.code, "bad_summary")
        const [first, second, ...others] = yield* requests
        assert.strictEqual(others.length, 0)
        assert.strictEqual(promptOf(first), promptOf(second))
        assert.isAbove(second?.maxTokens ?? 0, first?.maxTokens ?? 0)
        assert.isFalse(second?.thinking)
      }).pipe(Effect.provide(contextLayer([step, step, summaryOf("too late")])))
    )

    it.effect(`${name}: a good second answer is taken`, () =>
      Effect.gen(function* () {
        const result = yield* inPlace(twoTurns())
        assert.match(result.body.summary, /- good/)
        assert.strictEqual(result.summaryCalls, 4)
      }).pipe(Effect.provide(contextLayer([step, summaryOf("good"), summaryOf("turn"), short])))
    )
  }

  it.effect("a summary cut twice is taken, with a warning that it may be incomplete", () =>
    Effect.gen(function* () {
      const result = yield* inPlace(twoTurns())
      assert.match(result.body.summary, /- second/)
      assert.match(result.warnings[0]?.en ?? "", /may be incomplete/)
    }).pipe(
      Effect.provide(
        contextLayer([
          stopped(summaryOf("first"), "max_tokens"),
          stopped(summaryOf("second"), "max_tokens"),
          summaryOf("turn"),
          short
        ])
      )
    )
  )

  it.effect("in a window of 2 048 the first of two cut summaries is taken: the second is only longer", () =>
    Effect.gen(function* () {
      const result = yield* inPlace(twoTurns(), { window: 2_048 })
      assert.match(result.body.summary, /- first/)
      assert.notMatch(result.body.summary, /- second/)
      assert.match(result.warnings[0]?.en ?? "", /may be incomplete/)
    }).pipe(
      Effect.provide(
        contextLayer([
          stopped(summaryOf("first"), "max_tokens"),
          stopped(summaryOf("second"), "max_tokens"),
          summaryOf("turn"),
          short
        ])
      )
    )
  )

  it.effect("one retry over the whole compaction, not one for each summary", () =>
    Effect.gen(function* () {
      const error = yield* failure(twoTurns())
      assert.strictEqual(error.code, "bad_summary")
      assert.strictEqual((yield* requests).length, 3)
    }).pipe(Effect.provide(contextLayer([answer({}), summaryOf("history"), answer({}), summaryOf("too late")])))
  )
})

describe("Compaction, what does not fit", () => {
  it.effect("a conversation larger than the window is summarised in parts, oldest first, merging", () =>
    Effect.gen(function* () {
      const path = new PathBuilder()
      for (let turn = 0; turn < 12; turn++) path.user(`question ${turn}`).assistant(words(400))
      const result = yield* inPlace(path)
      const sent = yield* requests
      const parts = sent.slice(0, -1)
      assert.isAbove(parts.length, 1)
      assert.match(promptOf(parts[0]), /question 0\n/)
      assert.notMatch(promptOf(parts[0]), /<previous-summary>/)
      assert.match(promptOf(parts[1]), /<previous-summary>\n## Current goal\n- part 0\n/)
      assert.match(result.body.summary, new RegExp(`- part ${parts.length - 1}`))
      for (const request of parts) assert.isBelow(promptOf(request).length / 5 + (request.maxTokens ?? 0), 4_000)
    }).pipe(
      Effect.provide(
        contextLayer((request, n) =>
          promptOf(request).endsWith(prompts.SHORT_SUMMARY_PROMPT) ? short : summaryOf(`part ${n}`)
        )
      )
    )
  )

  it.effect("a single message larger than the window is summarised in parts, and nothing of it is kept", () =>
    Effect.gen(function* () {
      const path = new PathBuilder().user(`START ${words(9_000)} END`)
      const result = yield* inPlace(path, { reason: "overflow" })
      assert.strictEqual(result.body.firstKeptEntryId, "")
      const sent = yield* requests
      assert.isAbove(sent.length, 3)
      assert.match(promptOf(sent[0]), /START/)
      assert.match(promptOf(sent.at(-2)), / END\n/)
      path.add(result.body)
      assert.strictEqual(buildContext(path.entries).length, 1)
    }).pipe(Effect.provide(contextLayer(() => summaryOf("merged"))))
  )

  it.effect("D2: the compaction request itself overflows: smaller parts, the server's limit is remembered", () =>
    Effect.gen(function* () {
      const path = new PathBuilder().user(words(6_000)).assistant("a").user("b").assistant(words(1_000))
      yield* inPlace(path, { window: 8_000 })
      const [first, second] = yield* requests
      assert.isBelow(promptOf(second).length, promptOf(first).length / 1.5)
      assert.deepInclude(yield* (yield* ContextWindow).known("m"), { tokens: 4_096, source: "refusal" })
    }).pipe(
      Effect.provide(
        contextLayer((request) =>
          promptOf(request).length / 6 > 4_096 ? llmError("context_overflow", 4_096) : summaryOf("x")
        )
      )
    )
  )

  it.effect("D2: requests that always overflow end in an error after a few", () =>
    Effect.gen(function* () {
      const error = yield* failure(twoTurns(), { reason: "overflow" })
      assert.strictEqual(error.code, "model")
      assert.isAtMost((yield* requests).length, 4)
    }).pipe(Effect.provide(contextLayer(() => llmError("context_overflow"))))
  )

  it.effect("after an overflow the window counts as smaller than what was refused", () =>
    Effect.gen(function* () {
      const result = yield* inPlace(twoTurns(), { reason: "overflow", window: 200_000 })
      assert.isBelow(result.tokensAfter, result.tokensBefore * 0.75)
      assert.isAtMost(result.summaryCalls, 3)
    }).pipe(Effect.provide(contextLayer([summaryOf("a"), summaryOf("b"), short])))
  )

  it.effect("a server that counts twice what we do is sent less", () =>
    Effect.gen(function* () {
      const path = new PathBuilder().user(words(3_000)).assistant("a").user("b").assistant(words(500))
      yield* inPlace(path, { ratio: 2 })
      const sent = yield* requests
      assert.isAbove(sent.length, 2)
      for (const request of sent) assert.isBelow((promptOf(request).length / 6) * 2 + (request.maxTokens ?? 0), 4_200)
    }).pipe(Effect.provide(contextLayer(() => summaryOf("x"))))
  )
})

describe("Compaction, models and endpoints", () => {
  it.effect("the models of the settings in order, then the session's own", () =>
    Effect.gen(function* () {
      const result = yield* inPlace(twoTurns())
      assert.deepStrictEqual(
        (yield* requests).map(({ model }) => model),
        ["first", "second", "m", "first", "first"]
      )
      assert.strictEqual(result.summaryCalls, 5)
    }).pipe(
      Effect.provide(
        contextLayer(
          [llmError("overloaded"), llmError("unknown_model"), summaryOf("a"), summaryOf("b"), short],
          compaction({ models: ["first", "litellm:second"] })
        )
      )
    )
  )

  it.effect("all fail: the last reason is the error", () =>
    Effect.gen(function* () {
      const error = yield* failure(twoTurns())
      assert.strictEqual(error.code, "model")
      assert.strictEqual(error.text.en, "failed: unreachable")
    }).pipe(Effect.provide(contextLayer([llmError("unreachable")])))
  )

  const http = (respond: (body: unknown) => Response): HttpClient.HttpClient =>
    HttpClient.make((request) =>
      Effect.sync(() => {
        const body = request.body._tag === "Uint8Array" ? JSON.parse(new TextDecoder().decode(request.body.body)) : {}
        return HttpClientResponse.fromWeb(request, respond(body))
      })
    )
  const remote = compaction({ remoteEndpoint: "http://127.0.0.1:9/summarise" })

  it.effect("remoteEndpoint gets {systemPrompt, prompt} and gives {summary}", () => {
    const bodies: Array<unknown> = []
    const client = http((body) => {
      bodies.push(body)
      return Response.json({ summary: `remote ${bodies.length}`, more: 1 })
    })
    return Effect.gen(function* () {
      const result = yield* inPlace(twoTurns())
      assert.match(result.body.summary, /^remote 1\n\n---[\s\S]*remote 2/)
      assert.strictEqual(result.body.shortSummary, "remote 3")
      assert.strictEqual(result.summaryCalls, 3)
      assert.hasAllKeys(bodies[0], ["systemPrompt", "prompt"])
      assert.strictEqual((yield* requests).length, 0)
    }).pipe(Effect.provide(contextLayer([], { ...remote, http: client })))
  })

  for (const [name, respond] of [
    ["an error", () => new Response("no", { status: 500 })],
    ["no JSON", () => new Response("summary")],
    ["no summary", () => Response.json({ text: "x" })],
    ["an empty summary", () => Response.json({ summary: " " })]
  ] as const) {
    it.effect(`remoteEndpoint answers with ${name}: nothing changes`, () =>
      Effect.gen(function* () {
        const error = yield* failure(twoTurns())
        assert.match(error.text.en, /nothing was changed/)
      }).pipe(Effect.provide(contextLayer([], { ...remote, http: http(respond) })))
    )
  }
})

describe("Compaction, new session", () => {
  it.effect("the whole conversation becomes the start context of a new session", () =>
    Effect.gen(function* () {
      const path = twoTurns()
      path.add({ type: "pending_context", text: "$ ls\na.txt" })
      const result = yield* compact(path, { strategy: "new-session", window: 100_000 })
      if (result.strategy !== "new-session") return assert.fail("wrong strategy")
      assert.match(result.startContext, /^## Current goal\n- everything\n\n<read-files>/)
      assert.strictEqual(result.summaryCalls, 1)
      const [request] = yield* requests
      assert.match(promptOf(request), /dolor[\s\S]*\[Context\]: \$ ls/)
    }).pipe(Effect.provide(contextLayer([summaryOf("everything")])))
  )

  it.effect("nothing to compact: no message and no pending context", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* failure(new PathBuilder(), { strategy: "new-session" })).code, "nothing")
    }).pipe(Effect.provide(contextLayer([])))
  )
})

describe("Compaction, cancelling", () => {
  it.effect("Esc ends it with an error that says that nothing changed", () =>
    Effect.gen(function* () {
      const esc = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(failure(twoTurns(), { cancel: Deferred.await(esc) }))
      yield* Deferred.succeed(esc, undefined)
      assert.strictEqual((yield* Fiber.join(fiber)).code, "cancelled")
    }).pipe(Effect.provide(contextLayer([Stream.never])))
  )

  it.effect("an interrupted fiber stops the request to the model", () => {
    let stoppedStreams = 0
    const hanging = Stream.never.pipe(Stream.ensuring(Effect.sync(() => stoppedStreams++)))
    return Effect.gen(function* () {
      const started = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(
        compact(twoTurns(), { progress: () => Effect.asVoid(Deferred.succeed(started, undefined)) })
      )
      yield* Deferred.await(started)
      while ((yield* requests).length === 0) yield* Effect.yieldNow
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(stoppedStreams, 1)
    }).pipe(Effect.provide(contextLayer([hanging])))
  })
})

describe("Compaction hooks", () => {
  const nothing = { before: () => Effect.undefined, compacting: () => Effect.undefined, after: () => Effect.void }
  const hooked = (hooks: Partial<CompactionHooks>, script: ScriptedLlm.Script) =>
    Layer.merge(contextLayer(script), Layer.succeed(CompactionHooks, { ...nothing, ...hooks }))

  it.effect("session_before_compact can cancel, before any request", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* failure(twoTurns())).code, "cancelled")
      assert.strictEqual((yield* requests).length, 0)
    }).pipe(Effect.provide(hooked({ before: () => Effect.succeed({ cancel: true as const }) }, [])))
  )

  it.effect("session_before_compact can give the result", () =>
    Effect.gen(function* () {
      const { body, fromExtension, summaryCalls } = yield* inPlace(twoTurns())
      assert.deepInclude(body, { summary: "mine", fromExtension: true, firstKeptEntryId: "e8", preserveData: { a: 1 } })
      assert.isTrue(fromExtension)
      assert.strictEqual(summaryCalls, 0)
    }).pipe(
      Effect.provide(
        hooked({ before: () => Effect.succeed({ compaction: { summary: "mine", preserveData: { a: 1 } } }) }, [])
      )
    )
  )

  it.effect("session_compacting replaces the prompt, adds context lines and data to keep", () =>
    Effect.gen(function* () {
      const { body } = yield* inPlace(twoTurns())
      const [first] = yield* requests
      assert.match(
        promptOf(first),
        /<additional-context>\n- branch: main\n- ci: red\n<\/additional-context>\n\nMy prompt$/
      )
      assert.deepStrictEqual(body.preserveData, { keep: true })
      assert.isUndefined(body.fromExtension)
    }).pipe(
      Effect.provide(
        hooked(
          {
            compacting: () =>
              Effect.succeed({
                prompt: "My prompt",
                context: ["branch: main", "ci: red"],
                preserveData: { keep: true }
              })
          },
          [summaryOf("a"), summaryOf("b"), short]
        )
      )
    )
  )

  it.effect("data kept by an earlier compaction stays where nobody replaces it", () =>
    Effect.gen(function* () {
      const path = new PathBuilder().user("old")
      path.add({ type: "compaction", summary: "s", firstKeptEntryId: "", tokensBefore: 1, preserveData: [1, 2] })
      path.user(words(900)).assistant("a").user("b").assistant(words(700))
      assert.deepStrictEqual((yield* inPlace(path)).body.preserveData, [1, 2])
    }).pipe(Effect.provide(contextLayer([summaryOf("a"), short])))
  )
})
