/** Sessions of sub-agents (MAIA §20.5): named, listed as such, and never gone on with by accident. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { agentSessionName, checkName } from "../../src/sessions/names.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { makePlace, message, user } from "./support.ts"

const trace = { name: "work-reviewer", fresh: true, save: true, agent: "reviewer", parentSession: "work" } as const

describe("sessions of sub-agents", () => {
  it("have a name however long the parent's is", () => {
    assert.strictEqual(agentSessionName("work", "reviewer"), "work-reviewer")
    assert.match(agentSessionName("é".repeat(100), "reviewer"), /^é+-reviewer$/)
    assert.property(checkName(agentSessionName("é".repeat(100), "字".repeat(64))), "name")
  })

  it.live("say whose they are, and a second one gets a name of its own", () =>
    Effect.gen(function* () {
      const place = yield* makePlace
      const names = yield* place.run(
        Effect.gen(function* () {
          const sessions = yield* Sessions
          const first = yield* sessions.open(trace)
          yield* first.append(message(user("check it")))
          const second = yield* sessions.open(trace)
          yield* second.append(message(user("once more")))
          return [yield* first.name, yield* second.name]
        }).pipe(Effect.scoped)
      )
      assert.deepStrictEqual(names, ["work-reviewer", "work-reviewer_2"])
      const listed = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.list))
      assert.deepStrictEqual(
        listed.map(({ agent }) => agent),
        ["reviewer", "reviewer"]
      )
      const { header } = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.read("work-reviewer")))
      assert.deepInclude(header, { agent: "reviewer", parentSession: "work" })
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("--continue goes on with the newest session of the main agent", () =>
    Effect.gen(function* () {
      const place = yield* makePlace
      const open = (options: Parameters<Sessions["Service"]["open"]>[0]) =>
        place.run(
          Effect.gen(function* () {
            const session = yield* Effect.flatMap(Sessions, (sessions) => sessions.open(options))
            yield* session.append(message(user("hello")))
            return yield* session.name
          }).pipe(Effect.scoped)
        )
      yield* open({ name: "work", save: true })
      yield* open(trace)
      assert.strictEqual(yield* open({ continueNewest: true, save: true }), "work")
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
