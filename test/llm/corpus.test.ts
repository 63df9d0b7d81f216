/** Every stream of the corpus gives the right events, and the same ones wherever the network cuts it. */
import { assert, describe, it } from "@effect/vitest"
import type { CorpusCase } from "./corpus/build.ts"
import { callCases } from "./corpus/calls.ts"
import { textCases } from "./corpus/texts.ts"
import { bytesOf, decode, type Decoded } from "./support/decode.ts"
import { callsOf, finishOf, reasoningOf, textOf, warningsOf } from "./support/harness.ts"

const bytes = (one: CorpusCase): Uint8Array => (typeof one.stream === "string" ? bytesOf(one.stream) : one.stream)

const summary = ({ events, outcome }: Decoded) => ({
  text: textOf(events),
  reasoning: reasoningOf(events),
  calls: callsOf(events).map((call) =>
    call.problem === undefined
      ? `${call.id} ${call.name}(${call.arguments})`
      : `${call.id} ${call.name}!${call.problem.kind}`
  ),
  outcome: outcome.type,
  warnings: warningsOf(events)
})

const corpus = [...callCases, ...textCases]

describe("corpus", () => {
  for (const one of corpus) {
    it(one.name, () => {
      const decoded = decode([bytes(one)])
      assert.deepStrictEqual(summary(decoded), {
        text: one.text ?? "",
        reasoning: one.reasoning ?? "",
        calls: [...(one.calls ?? [])],
        outcome: one.outcome ?? "finished",
        warnings: [...(one.warnings ?? [])]
      })
      if (one.finish !== undefined) assert.strictEqual(finishOf(decoded.events)?.reason, one.finish)
    })
  }

  it("has a different name for each case", () => {
    assert.strictEqual(new Set(corpus.map((one) => one.name)).size, corpus.length)
  })
})

describe("corpus, cut anywhere", () => {
  for (const one of corpus) {
    it(one.name, () => {
      const whole = bytes(one)
      const expected = JSON.stringify(decode([whole]))
      for (let at = 1; at < whole.length; at++) {
        const cut = JSON.stringify(decode([whole.subarray(0, at), whole.subarray(at)]))
        if (cut !== expected) assert.strictEqual(cut, expected, `cut at byte ${at}`)
      }
      const single = decode(Array.from(whole, (byte) => Uint8Array.of(byte)))
      assert.strictEqual(JSON.stringify(single), expected, "byte by byte")
    })
  }
})

describe("calls as they arrive", () => {
  for (const one of callCases) {
    it(`start before their pieces and end whole: ${one.name}`, () => {
      const { events } = decode([bytes(one)])
      const started = new Map<number, string>()
      for (const event of events) {
        if (event.type === "tool-call-start") {
          assert.strictEqual(event.index, started.size)
          started.set(event.index, "")
        } else if (event.type === "tool-call-delta") {
          assert.isTrue(started.has(event.index))
          started.set(event.index, (started.get(event.index) ?? "") + event.delta)
        } else if (event.type === "tool-call-end") {
          assert.isTrue(started.has(event.index))
          JSON.parse(event.call.arguments)
          const shown = started.get(event.index)
          if (event.call.problem === undefined && shown !== "" && shown !== "null") {
            assert.strictEqual(shown, event.call.arguments)
          }
        }
      }
    })
  }
})
