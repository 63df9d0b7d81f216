import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { findCutPoint } from "../../src/context/cutPoint.ts"
import { livePath } from "../../src/context/livePath.ts"
import { filler, PathBuilder, quarter } from "./support.ts"

const cutOf = (path: PathBuilder, recent: number, most = recent, maxMessages?: number) => {
  const { items } = livePath(path.entries)
  const cut = findCutPoint({ items, limits: { recent, most }, maxMessages, count: quarter })
  return cut === undefined ? undefined : { ...cut, id: items[cut.index]?.entry.id }
}

describe("findCutPoint", () => {
  it("never cuts at a tool result: the calls come along or stay behind", () => {
    const path = new PathBuilder().user(filler(100)).call("Bash", {}, filler(100)).call("Bash", {}, filler(100))
    // Room for one result: its call is kept too.
    assert.deepInclude(cutOf(path, 100), { id: "e4", turnStart: 0 })
    // Room for less than the newest result: nothing of it can be kept.
    assert.deepInclude(cutOf(path, 60), { index: 5, keptTokens: 0, turnStart: undefined })
  })

  it("the newest group is kept beyond the wanted amount while it fits the window", () => {
    const path = new PathBuilder().user("u").call("Bash", {}, filler(50)).call("Bash", {}, filler(500))
    assert.deepInclude(cutOf(path, 60, 600), { id: "e4", keptTokens: 500 })
  })

  it("a cut between turns splits none, one inside a turn names its start", () => {
    const path = new PathBuilder().user("one").assistant(filler(50)).user("two").assistant(filler(50))
    assert.deepInclude(cutOf(path, 55), { id: "e3", turnStart: undefined })
    assert.deepInclude(cutOf(path, 50), { id: "e4", turnStart: 2 })
  })

  it("what is no message and stands right before the cut is kept with it", () => {
    const path = new PathBuilder().user("one").assistant(filler(50))
    path.add({ type: "label", targetId: "e1", label: "here" })
    path.add({ type: "model_change", model: "other" })
    path.user("two")
    assert.deepInclude(cutOf(path, 10), { id: "e3", turnStart: undefined })
  })

  it("a steering message between a call and its result is no place to cut", () => {
    const path = new PathBuilder().user(filler(100)).assistant("", [{ id: "c", name: "Bash", arguments: "{}" }])
    path.user("hurry", "steering").result("c", "Bash", filler(50)).assistant(filler(20))
    assert.deepInclude(cutOf(path, 60), { id: "e5" })
    assert.deepInclude(cutOf(path, 80), { id: "e2" })
  })

  it("everything fits: there is nothing to summarise", () => {
    assert.isUndefined(cutOf(new PathBuilder().user("one").assistant("two"), 1000))
    assert.isUndefined(cutOf(new PathBuilder(), 1000))
  })

  it("where the number of messages is the trigger, so many are kept at most", () => {
    const path = new PathBuilder()
    for (let turn = 0; turn < 30; turn++) path.user("u").assistant("a")
    assert.deepInclude(cutOf(path, 1000, 1000, 10), { id: "e51" })
  })

  it("after any cut the kept part has every result behind its call, within its limits", () => {
    const step = fc.oneof(
      fc.record({ kind: fc.constant("user" as const), tokens: fc.nat(200) }),
      fc.record({ kind: fc.constant("assistant" as const), tokens: fc.nat(200) }),
      fc.record({ kind: fc.constant("label" as const), tokens: fc.constant(0) }),
      fc.record({ kind: fc.constant("calls" as const), tokens: fc.nat(200), calls: fc.integer({ min: 1, max: 3 }) }),
      fc.record({ kind: fc.constant("steered" as const), tokens: fc.nat(200) })
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 25 }), fc.nat(800), fc.nat(800), (steps, recent, more) => {
        const path = new PathBuilder()
        for (const [n, one] of steps.entries()) {
          if (one.kind === "user") path.user(filler(one.tokens))
          else if (one.kind === "assistant") path.assistant(filler(one.tokens))
          else if (one.kind === "label") path.add({ type: "label", targetId: "e1", label: "l" })
          else {
            const calls = one.kind === "calls" ? one.calls : 1
            const names = Array.from({ length: calls }, (_, index) => `${n}_${index}`)
            path.assistant(
              "",
              names.map((id) => ({ id, name: "Bash", arguments: "{}" }))
            )
            if (one.kind === "steered") path.user("now", "steering")
            for (const id of names) path.result(id, "Bash", filler(one.tokens))
          }
        }
        const cut = cutOf(path, recent, recent + more)
        if (cut === undefined) return
        const kept = livePath(path.entries).items.slice(cut.index)
        const calls = new Set<string>()
        let tokens = 0
        for (const { message } of kept) {
          if (message === undefined) continue
          tokens += quarter(message)
          if (message.role === "assistant") for (const { id } of message.toolCalls) calls.add(id)
          if (message.role === "tool") assert.isTrue(calls.delete(message.toolCallId))
        }
        assert.strictEqual(calls.size, 0)
        assert.strictEqual(tokens, cut.keptTokens)
        assert.isAtMost(tokens, recent + more)
      }),
      { seed: 7, numRuns: 1000 }
    )
  })
})
