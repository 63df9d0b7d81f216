import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { allRails } from "../../../src/config/rails.ts"
import { ScriptedLlm } from "../../../src/testing/index.ts"
import { ScriptedRequests } from "../../../src/testing/ScriptedLlm.ts"
import { ToolFailure } from "../../../src/domain/tool.ts"
import { conversationWith, harness, ofType, play, tool } from "../support.ts"

const { answer } = ScriptedLlm
const echo = tool("Echo", (value) => Effect.succeed({ text: `<${value}>` }))
const refuses = tool("Edit", () => Effect.fail(new ToolFailure({ message: "refused" })))

/** A model that asks for the same thing again and again. */
const same =
  (name: string, values: ReadonlyArray<string> = ["x"]): ScriptedLlm.Script =>
  (_request, n) =>
    answer({ calls: [{ name, input: { value: values[n % values.length] }, id: `c${n}` }] })

describe("loops (seed 003: the same refused call, thirty times)", () => {
  it.effect("the third result tells the model, three more end the turn as stuck, with one line for the person", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo, refuses])
      const events = yield* play(conversation, { text: "go" })
      const results = ofType(events, "tool-finished").map(({ result }) => result.text)
      assert.deepStrictEqual(
        results.map((text) => text.includes("[LOOP_DETECTED:")),
        [false, false, true, true, true, true]
      )
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "stuck")
      assert.deepStrictEqual(
        ofType(events, "error").map(({ code }) => code),
        ["loop"]
      )
      assert.deepStrictEqual(
        ofType(events, "warning").map(({ code }) => code),
        ["loop_detected"]
      )
      assert.notInclude(ofType(events, "error")[0]?.message.en ?? "", "\n")
      // What the front ends were told is what the model reads.
      const kept = conversation.messages.flatMap((message) => (message.role === "tool" ? [message.text] : []))
      assert.deepStrictEqual(kept, results)
    }).pipe(Effect.provide(harness({ script: same("Edit"), maxIterations: 30 })), Effect.scoped)
  )

  it.effect("two calls that take turns are a loop too", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "stuck")
      assert.strictEqual(ofType(events, "tool-finished").length, 12)
    }).pipe(Effect.provide(harness({ script: same("Echo", ["a", "b"]) })), Effect.scoped)
  )

  it.effect("a model that changes course after being told goes on", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "done")
    }).pipe(
      Effect.provide(
        harness({
          script: ({ messages }, n) => {
            const last = messages.at(-1)
            return last?.role === "tool" && last.text.includes("LOOP_DETECTED")
              ? answer({ text: "I cannot." })
              : answer({ calls: [{ name: "Echo", input: { value: "x" }, id: `c${n}` }] })
          }
        })
      ),
      Effect.scoped
    )
  )

  it.effect("is not forgotten by compaction, nor by a new request; by a cleared conversation it is", () =>
    Effect.gen(function* () {
      const conversation = yield* conversationWith([echo])
      const turn = play(conversation, { text: "go", maxIterations: 2 })
      const told = Effect.map(turn, (events) =>
        ofType(events, "tool-finished").map(({ result }) => result.text.includes("LOOP_DETECTED"))
      )
      assert.deepStrictEqual(yield* told, [false, false])
      const last = conversation.items.at(-1)
      yield* conversation.append({
        type: "compaction",
        summary: "s",
        firstKeptEntryId: last?.entryId ?? "",
        tokensBefore: 1
      })
      assert.deepStrictEqual(yield* told, [true, true])
      yield* conversation.append({ type: "clear" })
      assert.deepStrictEqual(yield* told, [false, false])
    }).pipe(
      Effect.provide(
        harness({
          script: ({ toolChoice }, n) =>
            toolChoice === "none"
              ? answer({ text: "limit" })
              : answer({ calls: [{ name: "Echo", input: { value: "x" }, id: `c${n}` }] })
        })
      ),
      Effect.scoped
    )
  )

  it.effect("the two requests after a detection are hotter, then it is as before", () =>
    Effect.gen(function* () {
      yield* play(yield* conversationWith([echo]), { text: "go" })
      const { all } = yield* ScriptedRequests
      assert.deepStrictEqual(
        all.map(({ sampling }) => sampling?.temperature),
        [0.1, 0.1, 0.1, 0.4, 0.4, 0.1, 0.1]
      )
    }).pipe(
      Effect.provide(
        harness({
          script: (_request, n) =>
            n === 6
              ? answer({ text: "end" })
              : answer({ calls: [{ name: "Echo", input: { value: n < 3 ? "x" : `${n}` }, id: `c${n}` }] }),
          settings: { models: { scripted: { temperature: 0.1 } } }
        })
      ),
      Effect.scoped
    )
  )

  for (const [usual, given, expected] of [
    [undefined, undefined, 1],
    [0, undefined, 0.3],
    [0.9, undefined, 1],
    [1.3, undefined, 1.3],
    [0, 0.8, 0.8],
    [0.9, 0.5, 0.9]
  ] as const) {
    it.effect(`temperature ${usual}, loopTemperature ${given}: ${expected}`, () =>
      Effect.gen(function* () {
        yield* play(yield* conversationWith([echo]), { text: "go", maxIterations: 4 })
        const { all } = yield* ScriptedRequests
        assert.strictEqual(all[0]?.sampling?.temperature, usual)
        assert.strictEqual(all[3]?.sampling?.temperature, expected)
      }).pipe(
        Effect.provide(
          harness({
            script: same("Echo"),
            settings: {
              models: {
                scripted: {
                  ...(usual === undefined ? {} : { temperature: usual }),
                  ...(given === undefined ? {} : { loopTemperature: given })
                }
              }
            }
          })
        ),
        Effect.scoped
      )
    )
  }

  it.effect("both rails can be switched off", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go", maxIterations: 8 })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "max_iterations")
      assert.isFalse(ofType(events, "tool-finished").some(({ result }) => result.text.includes("LOOP")))
    }).pipe(
      Effect.provide(harness({ script: same("Echo"), settings: { rails: { ...allRails, loopDetector: false } } })),
      Effect.scoped
    )
  )

  it.effect("adaptiveTemperature off: told, but not hotter", () =>
    Effect.gen(function* () {
      const events = yield* play(yield* conversationWith([echo]), { text: "go" })
      assert.strictEqual(ofType(events, "finished")[0]?.reason, "stuck")
      const { all } = yield* ScriptedRequests
      assert.isTrue(all.every(({ sampling }) => sampling?.temperature === undefined))
    }).pipe(
      Effect.provide(
        harness({ script: same("Echo"), settings: { rails: { ...allRails, adaptiveTemperature: false } } })
      ),
      Effect.scoped
    )
  )
})
