import { assert, describe, it } from "@effect/vitest"
import type { LlmEvent } from "../../../src/domain/llm.ts"
import { DeclaredTools } from "../../../src/llm/textCalls/DeclaredTools.ts"
import { TextCallFilter } from "../../../src/llm/textCalls/TextCallFilter.ts"
import { cases, specs } from "./support.ts"

const tools = new DeclaredTools(specs)
const delta = (text: string): LlmEvent => ({ type: "text-delta", text })
const finish = (reason: "end_turn" | "max_tokens" | "tool_use" = "end_turn"): LlmEvent => ({ type: "finish", reason })

const make = () => {
  let n = 0
  return new TextCallFilter(tools, () => `id${n++}`)
}

const run = (events: ReadonlyArray<LlmEvent>): ReadonlyArray<LlmEvent> => {
  const filter = make()
  return events.flatMap((event) => filter.take([event]))
}

const textOf = (events: ReadonlyArray<LlmEvent>) =>
  events.map((event) => (event.type === "text-delta" ? event.text : "")).join("")
const callsOf = (events: ReadonlyArray<LlmEvent>) =>
  events.flatMap((event) => (event.type === "tool-call-end" ? [event.call] : []))
const reasonOf = (events: ReadonlyArray<LlmEvent>) =>
  events.flatMap((event) => (event.type === "finish" ? [event.reason] : []))

const LS = '<tool_call>{"name":"Bash","arguments":{"command":"ls"}}</tool_call>'

describe("calls written as text, in the stream", () => {
  it("nothing of a call is ever shown, wherever it is cut; all of a text is", () => {
    for (const { fires, stays } of Object.values(cases)) {
      for (const { text, calls } of fires) {
        for (let at = 0; at <= text.length; at++) {
          const events = run([delta(text.slice(0, at)), delta(text.slice(at)), finish()])
          assert.strictEqual(textOf(events), "", text)
          assert.strictEqual(callsOf(events).length, calls.length)
          assert.deepStrictEqual(reasonOf(events), ["tool_use"])
        }
      }
      for (const text of stays) {
        for (let at = 0; at <= text.length; at++) {
          const events = run([delta(text.slice(0, at)), delta(text.slice(at)), finish()])
          assert.strictEqual(textOf(events), text)
          assert.deepStrictEqual(callsOf(events), [])
          assert.deepStrictEqual(reasonOf(events), ["end_turn"])
        }
      }
    }
  })

  it("a call looks like one that the server sent", () => {
    assert.deepStrictEqual(run([delta(LS), finish()]), [
      { type: "tool-call-start", index: 0, id: "id0", name: "Bash" },
      { type: "tool-call-delta", index: 0, delta: '{"command":"ls"}' },
      { type: "tool-call-end", index: 0, call: { id: "id0", name: "Bash", arguments: '{"command":"ls"}' } },
      { type: "finish", reason: "tool_use" }
    ])
  })

  it("plain text passes with the very event it came in", () => {
    const filter = make()
    for (const text of ["H", "ello", " [Bash", '(command="ls")]', LS]) {
      const events = [delta(text)]
      assert.deepStrictEqual(filter.take(events), events)
    }
  })

  it("once it is text, what is taken is what is given", () => {
    const filter = make()
    filter.take([delta("Hello")])
    const events = [delta("<tool_call>")]
    assert.strictEqual(filter.take(events), events)
  })

  it("held text is shown as soon as it cannot be a call any more", () => {
    const filter = make()
    assert.deepStrictEqual(filter.take([delta('{"na')]), [])
    assert.deepStrictEqual(filter.take([delta('me": "Ali')]), [delta('{"name": "Ali')])
    assert.deepStrictEqual(filter.take([delta('ce"}')]), [delta('ce"}')])
  })

  it("reasoning, usage and progress are not held", () => {
    const filter = make()
    const usage: LlmEvent = { type: "usage", usage: { inputTokens: 1, outputTokens: 1 } }
    const thought: LlmEvent = { type: "reasoning-delta", text: "hm" }
    assert.deepStrictEqual(filter.take([thought, delta("<tool_"), usage]), [thought, usage])
  })

  it("never where the server sent real calls: the text stays text, in order", () => {
    const start: LlmEvent = { type: "tool-call-start", index: 0, id: "c", name: "Read" }
    const end: LlmEvent = { type: "tool-call-end", index: 0, call: { id: "c", name: "Read", arguments: "{}" } }
    assert.deepStrictEqual(run([delta(LS), start, end, finish("tool_use")]), [
      delta(LS),
      start,
      end,
      finish("tool_use")
    ])
  })

  it("a discard makes what was held void, and the next try is looked at anew", () => {
    const discard: LlmEvent = { type: "discard", reason: "again" }
    const events = run([delta("Hello"), discard, delta(LS), finish()])
    assert.strictEqual(textOf(events), "Hello")
    assert.strictEqual(callsOf(events).length, 1)
    assert.strictEqual(textOf(run([delta("<tool_call>{"), discard, delta("Hi"), finish()])), "Hi")
  })

  it("an answer of blanks comes through at its end", () => {
    assert.deepStrictEqual(run([delta(" \n"), finish()]), [delta(" \n"), finish()])
  })

  it("a call cut by the limit keeps the reason", () => {
    const events = run([delta(LS.slice(0, 50)), finish("max_tokens")])
    assert.deepStrictEqual(
      callsOf(events).map(({ problem }) => problem?.kind),
      ["cut"]
    )
    assert.deepStrictEqual(reasonOf(events), ["max_tokens"])
  })
})
