/** Which rules may fire: repeats, gaps, branches, compaction. */
import { assert, describe, it } from "@effect/vitest"
import type { Entry, EntryBody } from "../../src/domain/entry.ts"
import type { StreamRule } from "../../src/stream-rules/rule.ts"
import { MOST_INTERRUPTIONS, RulePolicy } from "../../src/stream-rules/RulePolicy.ts"

const rule = (name: string, more: Partial<StreamRule> = {}): StreamRule => ({
  name,
  description: "",
  triggers: ["x"],
  scopes: [{ kind: "text" }],
  interrupt: "always",
  engine: "re2",
  reminder: "Do not.",
  level: "user",
  ...more
})

const once = rule("once")
const gap = rule("gap", { repeat: "after-gap", repeatGap: 2 })

const policy = () => new RulePolicy({ contextMode: "discard", repeatMode: "once", repeatGap: 10 })

const path = (...bodies: ReadonlyArray<EntryBody>): ReadonlyArray<Entry> =>
  bodies.map((body, index) => ({ ...body, id: `e${index}`, parentId: `e${index - 1}`, time: "2026-01-01T00:00:00Z" }))

const ask: EntryBody = { type: "message", message: { role: "user", text: "go" } }
const reply: EntryBody = { type: "message", message: { role: "assistant", text: "ok", toolCalls: [] } }
const reminder: EntryBody = {
  type: "message",
  message: { role: "user", text: "<system-interrupt>", origin: "reminder" }
}
const injected = (turn: number, ...rules: ReadonlyArray<string>): EntryBody => ({
  type: "stream_rule_injection",
  rules,
  turn
})
const compaction = (firstKeptEntryId: string): EntryBody => ({
  type: "compaction",
  summary: "s",
  firstKeptEntryId,
  tokensBefore: 1
})

const may = (entries: ReadonlyArray<Entry>): ReadonlyArray<string> => {
  const state = policy()
  state.beginTurn(entries)
  return [once, gap].filter((candidate) => state.mayFire(candidate)).map(({ name }) => name)
}

describe("the policy of repeats", () => {
  it("counts the gap in completed turns", () => {
    const told = [ask, injected(1, "once", "gap"), reminder, reply]
    assert.deepStrictEqual(may(path(ask)), ["once", "gap"])
    assert.deepStrictEqual(may(path(...told)), [])
    assert.deepStrictEqual(may(path(...told, ask)), [])
    assert.deepStrictEqual(may(path(...told, ask, reply, ask)), ["gap"])
  })

  it("follows the branch: what was told on another one was not told", () => {
    assert.deepStrictEqual(may(path(ask, reply, ask)), ["once", "gap"])
  })

  it("counts steering and reminders as no turns", () => {
    const steer: EntryBody = { type: "message", message: { role: "user", text: "also", origin: "steering" } }
    assert.deepStrictEqual(may(path(ask, injected(1, "gap", "once"), reminder, reply, steer, steer, steer, reply)), [])
  })

  it("starts anew after a compaction only where the reminder is gone", () => {
    const told = [ask, injected(1, "once", "gap"), reminder, reply, ask, reply]
    assert.deepStrictEqual(may(path(...told, compaction("e4"), ask)), ["once", "gap"])
    assert.deepStrictEqual(may(path(...told, compaction("e2"))), [])
    assert.deepStrictEqual(may(path(...told, compaction("gone"))), ["once", "gap"])
    assert.deepStrictEqual(may(path(...told, compaction("e2"), reply, compaction("e5"))), ["once", "gap"])
  })

  it("starts anew after a clear", () => {
    assert.deepStrictEqual(may(path(ask, injected(1, "once", "gap"), reminder, { type: "clear" }, ask)), [
      "once",
      "gap"
    ])
  })

  it("counts a rule as told only when the model was told: killed in between, it may fire again", () => {
    assert.deepStrictEqual(may(path(ask, injected(1, "once", "gap"))), ["once", "gap"])
  })

  it("survives damaged entries", () => {
    const damaged = { ...injected(1, "once"), rules: "once" } as unknown as EntryBody
    assert.deepStrictEqual(may(path(ask, damaged, reminder)), ["once", "gap"])
  })

  it("allows five interruptions a turn", () => {
    const state = policy()
    state.beginTurn(path(ask))
    for (let i = 0; i < MOST_INTERRUPTIONS; i++) {
      assert.isTrue(state.mayInterrupt)
      state.note([rule(`r${i}`)], "interrupt")
    }
    assert.isFalse(state.mayInterrupt)
    // A compaction in the turn gives no new ones.
    state.restore(path(ask))
    assert.isFalse(state.mayInterrupt)
    state.beginTurn(path(ask, reply, ask))
    assert.isTrue(state.mayInterrupt)
  })

  it("discards when one of several rules wants it", () => {
    const keep = rule("keep", { contextMode: "keep" })
    assert.strictEqual(policy().contextMode([keep]), "keep")
    assert.strictEqual(policy().contextMode([keep, rule("other")]), "discard")
  })
})
