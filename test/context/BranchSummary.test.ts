import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer, Stream } from "effect"
import { collectAbandoned, selectBranch } from "../../src/context/branch/collectBranch.ts"
import { BranchSummary, type BranchSummaryInput } from "../../src/context/BranchSummary.ts"
import { TreeHooks } from "../../src/context/hooks.ts"
import { BRANCH_SUMMARY_PREAMBLE, BRANCH_SUMMARY_PROMPT } from "../../src/context/summary/prompts.ts"
import type { AnyEntry } from "../../src/sessions/checkEntry.ts"
import * as ScriptedLlm from "../../src/testing/ScriptedLlm.ts"
import { contextLayer, filler, ids, PathBuilder, quarter } from "./support.ts"

const { answer } = ScriptedLlm
const requests = Effect.map(ScriptedLlm.ScriptedRequests, ({ all }) => all)

/** A ─ B ─ C ─ D (old leaf), A ─ E ─ F (target). */
const tree = (): ReadonlyMap<string, AnyEntry> => {
  const entry = (id: string, parentId: string): AnyEntry => ({
    id,
    parentId,
    time: "2026-11-30T00:00:00Z",
    type: "message",
    message: { role: "user", text: id }
  })
  const list = [entry("A", "root"), entry("B", "A"), entry("C", "B"), entry("D", "C"), entry("E", "A"), entry("F", "E")]
  return new Map(list.map((one) => [one.id, one]))
}

describe("collectAbandoned", () => {
  const collect = (from: string | null, to: string | null) => ids(collectAbandoned((id) => tree().get(id), from, to))

  it("from the old leaf to the common ancestor, oldest first", () => {
    assert.deepStrictEqual(collect("D", "F"), ["B", "C", "D"])
    assert.deepStrictEqual(collect("D", "B"), ["C", "D"])
    assert.deepStrictEqual(collect("D", null), ["A", "B", "C", "D"])
  })

  it("a move forward, or to the same place, leaves nothing behind", () => {
    assert.deepStrictEqual(collect("B", "D"), [])
    assert.deepStrictEqual(collect("D", "D"), [])
    assert.deepStrictEqual(collect(null, "F"), [])
  })
})

describe("selectBranch", () => {
  it("the newest messages up to the budget, the files of all", () => {
    const path = new PathBuilder()
      .call("Read", { path: "old.ts" }, filler(50))
      .user(filler(40))
      .call("Edit", { path: "new.ts" }, filler(40))
    const { messages, files } = selectBranch(path.entries, 100, quarter)
    assert.deepStrictEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "tool"]
    )
    assert.deepStrictEqual(files, { readFiles: ["old.ts"], modifiedFiles: ["new.ts"] })
  })

  it("a summary beyond the budget still comes in, unless the budget is nearly used up", () => {
    const path = (newest: number) => {
      const builder = new PathBuilder().user("older")
      builder.add({ type: "compaction", summary: filler(200), firstKeptEntryId: "", tokensBefore: 1 })
      return builder.user(filler(newest)).entries
    }
    assert.strictEqual(selectBranch(path(50), 100, quarter).messages.length, 2)
    assert.strictEqual(selectBranch(path(95), 100, quarter).messages.length, 1)
  })

  it("a single message larger than the budget is not lost", () => {
    assert.strictEqual(selectBranch(new PathBuilder().user(filler(500)).entries, 100, quarter).messages.length, 1)
  })
})

describe("BranchSummary", () => {
  const path = () =>
    new PathBuilder().user("Try another parser").call("Write", { path: "p2.ts" }, "ok").assistant("Slower.")
  const summarize = (input: Partial<BranchSummaryInput> = {}) =>
    Effect.flatMap(BranchSummary, (branches) =>
      branches.summarize({
        entries: path().entries,
        oldLeafId: "e4",
        newLeafId: "root",
        model: "m",
        window: 32_000,
        ...input
      })
    )

  it.effect("preamble, summary and files, attached to the branch it is from", () =>
    Effect.gen(function* () {
      const { body, summaryCalls } = yield* summarize()
      assert.deepStrictEqual(body, {
        type: "branch_summary",
        fromId: "e4",
        summary: `${BRANCH_SUMMARY_PREAMBLE}\n\nA slower parser.\n\n<modified-files>\np2.ts\n</modified-files>`,
        details: { readFiles: [], modifiedFiles: ["p2.ts"] }
      })
      assert.strictEqual(summaryCalls, 1)
      const prompt = (yield* requests)[0]?.messages[0]?.text ?? ""
      assert.match(prompt, /^<conversation>\n\[User\]: Try another parser/)
      assert.isTrue(prompt.endsWith(BRANCH_SUMMARY_PROMPT))
    }).pipe(Effect.provide(contextLayer([answer({ text: "A slower parser." })])))
  )

  it.effect("instructions of the user stand in place of the prompt", () =>
    Effect.gen(function* () {
      yield* summarize({ instructions: "Only the timings." })
      assert.match((yield* requests)[0]?.messages[0]?.text ?? "", /<\/conversation>\n\nOnly the timings\.$/)
    }).pipe(Effect.provide(contextLayer([answer({ text: "12 ms." })])))
  )

  it.effect("the window without the reserve is the budget, newest first", () =>
    Effect.gen(function* () {
      const long = new PathBuilder().user(`OLD ${"lorem ".repeat(3_000)}`).user(`NEW ${"ipsum ".repeat(900)}`)
      yield* summarize({ entries: long.entries, window: 4_000 })
      const prompt = (yield* requests)[0]?.messages[0]?.text ?? ""
      assert.match(prompt, /NEW/)
      assert.notMatch(prompt, /OLD/)
    }).pipe(Effect.provide(contextLayer(() => answer({ text: "New." }))))
  )

  it.effect("Esc cancels it", () =>
    Effect.gen(function* () {
      const esc = yield* Deferred.make<void>()
      const fiber = yield* Effect.forkChild(Effect.flip(summarize({ cancel: Deferred.await(esc) })))
      yield* Deferred.succeed(esc, undefined)
      assert.strictEqual((yield* Fiber.join(fiber)).code, "cancelled")
    }).pipe(Effect.provide(contextLayer([Stream.never])))
  )

  it.effect("an empty summary is an error after one more try", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(summarize())).code, "bad_summary")
      assert.strictEqual((yield* requests).length, 2)
    }).pipe(Effect.provide(contextLayer(() => answer({ reasoning: "hmm" }))))
  )

  it.effect("no message left behind: nothing to summarise", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* Effect.flip(summarize({ entries: [] }))).code, "nothing")
    }).pipe(Effect.provide(contextLayer([])))
  )

  it.effect("session_before_tree can cancel the move or give the summary", () =>
    Effect.gen(function* () {
      const hooks = (result: Effect.Success<ReturnType<TreeHooks["before"]>>): TreeHooks => ({
        before: () => Effect.succeed(result),
        after: () => Effect.void
      })
      const given = yield* summarize().pipe(Effect.provideService(TreeHooks, hooks({ summary: { summary: "mine" } })))
      assert.deepStrictEqual(given.body, { type: "branch_summary", fromId: "e4", summary: "mine", fromExtension: true })
      const error = yield* Effect.flip(summarize().pipe(Effect.provideService(TreeHooks, hooks({ cancel: true }))))
      assert.strictEqual(error.code, "cancelled")
      assert.strictEqual((yield* requests).length, 0)
    }).pipe(Effect.provide(Layer.merge(contextLayer([]), Layer.empty)))
  )
})
