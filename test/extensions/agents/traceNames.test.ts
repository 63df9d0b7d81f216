import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { makeTraceNames } from "../../../src/extensions/agents/traceNames.ts"
import { Sessions } from "../../../src/sessions/Sessions.ts"
import { ActiveSession } from "../../../src/tools/model/ActiveSession.ts"

const withSessions = (existing: ReadonlyArray<string>) =>
  Effect.provide(
    Layer.mergeAll(
      ActiveSession.layer,
      Layer.mock(Sessions, { folder: "", exists: (name) => Effect.delay(Effect.succeed(existing.includes(name)), 0) })
    )
  )

describe("names of the sessions of sub-agents", () => {
  it.live("differ, however many start at the same time, and from those that are there", () =>
    Effect.gen(function* () {
      const active = yield* ActiveSession
      yield* active.set({ name: Effect.succeed("work"), save: true })
      const names = yield* makeTraceNames
      const given = yield* Effect.forEach(["a", "a", "b", "a"], names.next, { concurrency: "unbounded" })
      assert.deepStrictEqual(
        given.map((one) => one?.name),
        ["work-a", "work-a_3", "work-b", "work-a_4"]
      )
      assert.strictEqual(given[0]?.parentSession, "work")
    }).pipe(withSessions(["work-a_2"]))
  )

  it.live("there is none where the session is not kept", () =>
    Effect.gen(function* () {
      const active = yield* ActiveSession
      const names = yield* makeTraceNames
      assert.isUndefined(yield* names.next("a"))
      yield* active.set({ name: Effect.succeed("work"), save: false })
      assert.isUndefined(yield* names.next("a"))
    }).pipe(withSessions([]))
  )
})
