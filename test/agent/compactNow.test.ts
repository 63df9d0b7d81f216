import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, Stream } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { compactNow } from "../../src/agent/compactNow.ts"
import { compactWhereFull } from "../../src/agent/compactWhereFull.ts"
import { navigate } from "../../src/agent/navigate.ts"
import { openConversation } from "../../src/agent/openConversation.ts"
import type { Conversation } from "../../src/agent/Conversation.ts"
import { defaultSettings } from "../../src/config/settings.ts"
import { CompactionHooks } from "../../src/context/hooks.ts"
import { TreeHooks, type TreeMove } from "../../src/context/hooks.ts"
import { Checkpoints } from "../../src/sessions/checkpoints/Checkpoints.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { FileLedger } from "../../src/tools/files/FileLedger.ts"
import { ActiveModel } from "../../src/tools/model/ActiveModel.ts"
import { TodoStore } from "../../src/tools/todo/TodoStore.ts"
import { Extensions } from "../../src/extensions/Extensions.ts"
import { ToolSet } from "../../src/tools/ToolSet.ts"
import { careHarness, factSummary, isSummaryRequest, textOf, type CareOptions } from "./careSupport.ts"
import { ofType, play } from "./support.ts"

const script: ScriptedLlm.Script = (request) =>
  isSummaryRequest(request) ? factSummary(request) : ScriptedLlm.answer({ text: "An answer." })

const noCheckpoints = Layer.succeed(
  Checkpoints,
  Checkpoints.of({
    forSession: () =>
      Effect.succeed({
        capture: () => Effect.void,
        scan: () => Effect.succeed([]),
        planRestore: () => Effect.succeed({ files: [] }),
        restore: () => Effect.succeed({ restored: [], skipped: [] })
      })
  })
)

/** A summarising model whose first answers are empty; then it never answers. */
const emptyThenSilent = (empty: number): ScriptedLlm.Script => {
  let summaries = 0
  return (request) => {
    if (!isSummaryRequest(request)) return ScriptedLlm.answer({ text: "An answer." })
    return summaries++ < empty ? ScriptedLlm.answer({ text: "" }) : Stream.never
  }
}

/** Runs with all that opening a conversation needs, in a temporary folder. */
const inFolder = <A, E, R>(test: Effect.Effect<A, E, R>, options: Partial<CareOptions> = {}) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const launchFolder = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "maia-agent-" }), fs.realPath)
    const tools = Layer.mergeAll(
      Extensions.layerNone.pipe(Layer.provide(Layer.mock(ToolSet, { tools: [] }))),
      FileLedger.layer,
      ActiveModel.layer,
      TodoStore.layer,
      noCheckpoints
    )
    const layer = tools.pipe(Layer.provideMerge(careHarness({ script, window: 32_768, ...options, launchFolder })))
    return yield* test.pipe(Effect.provide(layer))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const open = (name = "work") =>
  Effect.map(openConversation({ model: "scripted", session: { name, save: true } }), (opened) => opened.conversation)

/** Four turns; the first two name facts. */
const talk = Effect.fnUntraced(function* (conversation: Conversation) {
  for (let n = 0; n < 4; n++) {
    yield* play(conversation, { text: `Request ${n}. ${n < 2 ? `FACT-${n}` : ""} ${"word ".repeat(200)}` })
  }
})

describe("compactNow", () => {
  it.effect("in place: the same conversation, shorter, with what the user wanted looked at", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        const done = yield* compactNow(conversation, { instructions: "Mind the parser.", strategy: "in-place" })
        assert.strictEqual(done.conversation, conversation)
        assert.isBelow(done.tokensAfter, done.tokensBefore)
        assert.isAtLeast(done.summaryCalls, 1)
        assert.include(textOf(conversation.messages), "FACT-0")
        assert.strictEqual(conversation.session.path().at(-1)?.type, "compaction")
        const { all } = yield* ScriptedLlm.ScriptedRequests
        const summary = all.find(isSummaryRequest)
        assert.include(textOf(summary?.messages ?? []), "Mind the parser.")
      })
    )
  )

  it.effect("after it the server's older count compacts nothing a second time", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        yield* compactNow(conversation, { strategy: "in-place" })
        const events = yield* play(conversation, { text: "And now?" })
        assert.deepStrictEqual(ofType(events, "compaction"), [])
      }),
      {
        // The server's count of the fourth request is over the threshold of the window.
        script: (request, n) =>
          isSummaryRequest(request)
            ? factSummary(request)
            : ScriptedLlm.answer({
                text: "An answer.",
                usage: { inputTokens: n === 3 ? 30_000 : 100, outputTokens: 5 }
              })
      }
    )
  )

  it.effect("new-session: a fresh session that starts from the summary, with the task list; the old one stays", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        yield* conversation.append({ type: "todo", items: [{ content: "write tests", status: "pending" }] })
        const before = conversation.session.entries().length
        const noted: Array<readonly [summary: string, fromExtension: boolean]> = []
        const done = yield* compactNow(conversation, { strategy: "new-session" }).pipe(
          Effect.provideService(CompactionHooks, {
            ...CompactionHooks.defaultValue(),
            after: ({ summary }, fromExtension) => Effect.sync(() => void noted.push([summary, fromExtension]))
          })
        )
        const next = done.conversation
        assert.deepStrictEqual(noted, [[next.session.header().startContext ?? "", false]], "session_compact")
        assert.notStrictEqual(next, conversation)
        assert.strictEqual(next.loops, conversation.loops, "a loop is not forgotten by compaction")
        assert.strictEqual(yield* next.session.name, "work__1")
        assert.strictEqual(next.session.header().parentSession, "work")
        assert.include(next.session.header().startContext, "FACT-1")
        assert.include(next.system, "FACT-1")
        assert.deepStrictEqual(next.messages, [])
        assert.strictEqual(conversation.session.entries().length, before)
        assert.deepStrictEqual(yield* Effect.flatMap(TodoStore, (todos) => todos.get), [
          { content: "write tests", status: "pending" }
        ])
        assert.isTrue(yield* Effect.flatMap(Sessions, (sessions) => sessions.exists("work__1")), "it is saved at once")
        const events = yield* play(next, { text: "Go on." })
        assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
        const again = yield* compactNow(next, { strategy: "new-session" })
        assert.strictEqual(yield* again.conversation.session.name, "work__2")
      })
    )
  )

  it.effect("cancelled, empty or failing: nothing changes", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        const before = conversation.session.entries().length
        const strategies = ["in-place", "new-session"] as const
        for (const strategy of strategies) {
          const empty = yield* Effect.flip(compactNow(conversation, { strategy }))
          assert.strictEqual(empty._tag === "SummaryError" ? empty.code : "", "bad_summary")
        }
        for (const strategy of strategies) {
          const cancelled = yield* Effect.flip(compactNow(conversation, { strategy, cancel: Effect.void }))
          assert.strictEqual(cancelled._tag === "SummaryError" ? cancelled.code : "", "cancelled")
        }
        assert.strictEqual(conversation.session.entries().length, before)
        assert.isFalse(yield* Effect.flatMap(Sessions, (sessions) => sessions.exists("work__1")))
      }),
      // Each empty answer is asked for once more.
      { script: emptyThenSilent(4) }
    )
  )

  it.effect("an empty conversation has nothing to compact", () =>
    inFolder(
      Effect.gen(function* () {
        const error = yield* Effect.flip(compactNow(yield* open()))
        assert.strictEqual(error._tag === "SummaryError" ? error.code : "", "nothing")
      })
    )
  )
})

describe("navigate", () => {
  const firstAnswer = (conversation: Conversation): string =>
    conversation.session.path().find((entry) => JSON.stringify(entry).includes('"role":"assistant"'))?.id ?? ""

  it.effect("moves the leaf; the next request has the branch and nothing of what was left", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        const target = firstAnswer(conversation)
        const moved = yield* navigate(conversation, target, { summarize: false })
        assert.isUndefined(moved.summary)
        assert.strictEqual(conversation.session.leaf(), target)
        assert.strictEqual(conversation.messages.length, 2)
        yield* play(conversation, { text: "Another way." })
        const { all } = yield* ScriptedLlm.ScriptedRequests
        const sent = textOf(all.at(-1)?.messages ?? [])
        assert.include(sent, "FACT-0")
        assert.notInclude(sent, "FACT-1")
        assert.notInclude(sent, "Request 3")
      })
    )
  )

  it.effect("with a summary: it stands behind the target, and hooks see the move", () => {
    const seen: Array<TreeMove & { readonly summary: string | undefined }> = []
    return inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        const target = firstAnswer(conversation)
        const oldLeaf = conversation.session.leaf()
        const moved = yield* navigate(conversation, target, { summarize: true })
        assert.strictEqual(moved.summary?.parentId, target)
        assert.strictEqual(conversation.session.leaf(), moved.summary?.id)
        assert.strictEqual(moved.summaryCalls, 1)
        assert.include(conversation.messages.at(-1)?.text, "FACT-1")
        assert.deepStrictEqual(
          seen.map(({ oldLeafId, newLeafId, summary }) => [oldLeafId, newLeafId, summary]),
          [[oldLeaf, target, moved.summary?.id]]
        )
      }).pipe(
        Effect.provideService(TreeHooks, {
          before: () => Effect.undefined,
          after: (move, entry) => Effect.sync(() => void seen.push({ ...move, summary: entry?.id }))
        })
      )
    )
  })

  it.effect("cancelled by Esc or an extension, a bad summary, an unknown entry: nothing changes", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        const target = firstAnswer(conversation)
        const leaf = conversation.session.leaf()
        const codeOf = <R>(effect: Effect.Effect<unknown, { readonly code: string }, R>) =>
          Effect.map(Effect.flip(effect), ({ code }) => code)
        const refuse = { before: () => Effect.succeed({ cancel: true } as const), after: () => Effect.void }
        assert.strictEqual(yield* codeOf(navigate(conversation, target, { summarize: true })), "bad_summary")
        assert.strictEqual(
          yield* codeOf(navigate(conversation, target, { summarize: true, cancel: Effect.void })),
          "cancelled"
        )
        for (const summarize of [true, false]) {
          const refused = navigate(conversation, target, { summarize }).pipe(Effect.provideService(TreeHooks, refuse))
          assert.strictEqual(yield* codeOf(refused), "cancelled")
        }
        assert.strictEqual(yield* codeOf(navigate(conversation, "nowhere", { summarize: false })), "not_found")
        assert.strictEqual(conversation.session.leaf(), leaf)
        assert.strictEqual(conversation.messages.length, 8)
      }),
      { script: emptyThenSilent(2) }
    )
  )

  it.effect("to before the first entry, and back: the task list follows the branch", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        const todos = yield* TodoStore
        yield* talk(conversation)
        yield* conversation.append({ type: "todo", items: [{ content: "one", status: "pending" }] })
        const leaf = conversation.session.leaf()
        yield* navigate(conversation, null, { summarize: false })
        assert.deepStrictEqual(conversation.messages, [])
        assert.deepStrictEqual(yield* todos.get, [])
        yield* navigate(conversation, leaf, { summarize: true })
        assert.strictEqual(conversation.messages.length, 8)
        assert.strictEqual((yield* todos.get).length, 1)
      })
    )
  )
})

describe("compactWhereFull", () => {
  const full = (conversation: Conversation) =>
    conversation.say({ role: "user", text: `FACT-7 ${"word ".repeat(4_000)}` })

  it.effect("leaves a conversation with room as it is", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        const made = yield* compactWhereFull(conversation)
        assert.strictEqual(made.conversation, conversation)
        assert.deepStrictEqual(made.notes, [])
        const { all } = yield* ScriptedLlm.ScriptedRequests
        assert.isFalse(all.some(isSummaryRequest))
      })
    )
  )

  it.effect("goes on in a new session where the setting says so, and says which", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        for (let n = 0; n < 7; n++) yield* full(conversation)
        const made = yield* compactWhereFull(conversation)
        assert.strictEqual(yield* made.conversation.session.name, "work__1")
        assert.include(made.conversation.session.header().startContext ?? "", "FACT-7")
        assert.deepStrictEqual(
          made.notes.map(({ en }) => en),
          ["The conversation was near the end of its context: it goes on from a summary, in the session work__1."]
        )
        assert.isFalse(conversation.session.path().some(({ type }) => type === "compaction"))
      }),
      { settings: { compaction: { ...defaultSettings.compaction, strategy: "new-session" } } }
    )
  )

  it.effect("a summary that does not come is a note, and nothing changes", () =>
    inFolder(
      Effect.gen(function* () {
        const conversation = yield* open()
        yield* talk(conversation)
        for (let n = 0; n < 7; n++) yield* full(conversation)
        const before = conversation.session.path().length
        const made = yield* compactWhereFull(conversation)
        assert.strictEqual(made.conversation, conversation)
        assert.strictEqual(made.notes.length, 1)
        assert.strictEqual(conversation.session.path().length, before)
      }),
      {
        script: (request) => ScriptedLlm.answer({ text: isSummaryRequest(request) ? "" : "An answer." })
      }
    )
  )
})
