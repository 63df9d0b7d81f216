import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { defaultSettings } from "../../src/config/settings.ts"
import { livePath } from "../../src/context/livePath.ts"
import { prepareCompaction, type PrepareInput } from "../../src/context/prepareCompaction.ts"
import { planPruning } from "../../src/context/pruning.ts"
import { buildContext } from "../../src/sessions/buildContext.ts"
import { filler, PathBuilder, quarter } from "./support.ts"

const prepare = (path: PathBuilder, input: Partial<PrepareInput> = {}) =>
  prepareCompaction({
    path: path.entries,
    settings: defaultSettings.compaction,
    strategy: "in-place",
    reason: "threshold",
    window: 1_000,
    fixedTokens: 0,
    ratio: 1,
    count: quarter,
    ...input
  })

const compaction = (firstKeptEntryId: string) =>
  ({ type: "compaction", summary: "s", firstKeptEntryId, tokensBefore: 1 }) as const

describe("prepareCompaction", () => {
  it("what an earlier compaction kept is summarised next time, as no summary has it", () => {
    const path = new PathBuilder().user("old").user("kept")
    path.add(compaction("e2"))
    path.user(filler(100)).assistant(filler(295)).user(filler(10))
    const plan = prepare(path)
    assert.deepStrictEqual(
      plan?.history.map(({ text }) => text.slice(0, 4)),
      ["kept", "xxxx", "xxxx"]
    )
    assert.strictEqual(plan?.previous?.summary, "s")
  })

  it("after a clear nothing of before comes back, the summary neither", () => {
    const path = new PathBuilder().user("old")
    path.add(compaction("e1"))
    path.add({ type: "clear" })
    path.user(filler(100)).assistant(filler(295)).user(filler(10))
    const plan = prepare(path)
    assert.isUndefined(plan?.previous)
    assert.strictEqual(plan?.history.length, 2)
  })

  it("the conversation of a pruned result is summarised from its beginning and end", () => {
    const path = new PathBuilder().user("go").call("Bash", { command: "x" }, `FOUND 4711\n${filler(600)}\nLAST`)
    path.assistant("Seen.")
    const pruning = planPruning({ path: path.entries, protect: 0, minimum: 1, count: quarter })
    if (pruning === undefined) return assert.fail("nothing was pruned")
    path.add(pruning.body)
    path.user("next").assistant(filler(250))
    const texts = prepare(path, { window: 32_000, strategy: "new-session" })?.history.map(({ text }) => text) ?? []
    assert.match(texts.join("\n"), /FOUND 4711[\s\S]*left out[\s\S]*LAST/)
    assert.notMatch(
      livePath(path.entries)
        .items.map(({ message }) => message?.text)
        .join("\n"),
      /FOUND/
    )
  })

  it("after any prunings and compactions, at any point, every result stands behind its call", () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.record({ kind: fc.constant("call" as const), tokens: fc.nat(300) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("two" as const), tokens: fc.nat(300) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("turn" as const), tokens: fc.nat(300) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("steered" as const), tokens: fc.nat(300) }) },
      { weight: 1, arbitrary: fc.record({ kind: fc.constant("model" as const), tokens: fc.constant(0) }) },
      { weight: 2, arbitrary: fc.record({ kind: fc.constant("prune" as const), tokens: fc.nat(500) }) },
      {
        weight: 2,
        arbitrary: fc.record({
          kind: fc.constant("compact" as const),
          tokens: fc.constantFrom(500, 1_000, 4_000),
          reason: fc.constantFrom("threshold", "overflow", "manual")
        })
      }
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const path = new PathBuilder().user("go")
        for (const [n, one] of steps.entries()) {
          const output = filler(one.tokens)
          if (one.kind === "call") path.call("Bash", { command: "x" }, output)
          if (one.kind === "turn") path.assistant(output).user(output)
          if (one.kind === "model") path.add({ type: "model_change", model: "m" })
          if (one.kind === "two" || one.kind === "steered") {
            path.assistant(
              "",
              ["a", "b"].map((id) => ({ id: `${n}${id}`, name: "Bash", arguments: "{}" }))
            )
            path.result(`${n}b`, "Bash", output)
            if (one.kind === "steered") path.user("wait", "steering")
            path.result(`${n}a`, "Bash", output)
          }
          if (one.kind === "prune") {
            const pruning = planPruning({ path: path.entries, protect: one.tokens, minimum: 60, count: quarter })
            if (pruning !== undefined) path.add(pruning.body)
          }
          if (one.kind === "compact") {
            const plan = prepare(path, { window: one.tokens, reason: one.reason })
            if (plan === undefined) continue
            const all = livePath(path.entries).items.filter(({ message }) => message !== undefined).length
            path.add(compaction(plan.firstKeptEntryId))
            const kept = livePath(path.entries).items.filter(({ message }) => message !== undefined)
            assert.notStrictEqual(kept[0]?.message?.role, "tool")
            assert.strictEqual(kept.length + plan.history.length + plan.turnPrefix.length, all)
          }
          const open = new Set<string>()
          for (const { message } of livePath(path.entries).items) {
            if (message?.role === "assistant") for (const { id } of message.toolCalls) open.add(id)
            if (message?.role === "tool") assert.isTrue(open.delete(message.toolCallId), "a result without its call")
          }
          assert.strictEqual(open.size, 0, "a call without its result")
          // The context is made of the same messages: nothing had to be repaired.
          const repaired = buildContext(path.entries).filter(({ message }) => message.text.startsWith("[interrupted]"))
          assert.strictEqual(repaired.length, 0)
        }
      }),
      { seed: 9, numRuns: 400 }
    )
  })
})
