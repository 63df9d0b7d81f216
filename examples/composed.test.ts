/**
 * maia's layers in a test of one's own: the turn loop, the tool runner and an unsaved session, with a script in place of a
 * model, a tool of one's own, and rules that are really judged. No server, no network.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema, Stream } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import {
  Agent,
  Approver,
  Conversation,
  defineTool,
  OutputStore,
  permissionsLayer,
  Sessions,
  sessionsLayer,
  ToolRunner
} from "maia"
import { ScriptedLlm, testConfigLayer } from "maia/testing"

const add = defineTool({
  name: "Add",
  description: "Adds two numbers.",
  parameters: {
    type: "object",
    properties: { a: { type: "number" }, b: { type: "number" } },
    required: ["a", "b"]
  },
  schema: Schema.Struct({ a: Schema.Finite, b: Schema.Finite }),
  permission: "ask",
  run: ({ a, b }) => Effect.succeed({ text: String(a + b) })
})

/** A model that asks for a sum and then says it. */
const script = ScriptedLlm.layer([
  ScriptedLlm.answer({ calls: [{ name: "Add", input: { a: 2, b: 3 } }] }),
  ScriptedLlm.answer({ text: "It is 5." })
])

/** Nobody is asked here: what no rule allows is refused. */
const nobody = Layer.succeed(Approver, Approver.of({ ask: () => Effect.succeed({ answer: "unavailable" }) }))

const composed = (allow: ReadonlyArray<string>) =>
  Agent.layer.pipe(
    Layer.provide(ToolRunner.layer),
    Layer.provide([permissionsLayer, nobody, OutputStore.layer]),
    Layer.provideMerge(Layer.mergeAll(script, sessionsLayer)),
    Layer.provideMerge(
      testConfigLayer({
        launchFolder: "/tmp",
        rules: allow.map((rule) => ({ rule, kind: "allow" as const, scope: "flag" as const, file: "test", line: 0 }))
      })
    ),
    Layer.provideMerge(NodeServices.layer)
  )

const turn = Effect.gen(function* () {
  const sessions = yield* Sessions
  const session = yield* sessions.open({ save: false })
  const conversation = new Conversation({ session, model: "scripted", system: "You add.", tools: [add] })
  const agent = yield* Agent
  const events = yield* Stream.runCollect(agent.turn(conversation, { text: "What is 2 + 3?" }))
  const { all } = yield* ScriptedLlm.ScriptedRequests
  return { events, requests: all }
}).pipe(Effect.scoped)

describe("a composition of one's own", () => {
  it.effect("runs the tool that a rule allows and sends its result back", () =>
    Effect.gen(function* () {
      const { events, requests } = yield* turn
      assert.deepStrictEqual(requests[1]?.messages.at(-1)?.text, "5")
      const last = events.at(-1)
      assert.deepStrictEqual(last?.type === "finished" && [last.reason, last.text], ["done", "It is 5."])
    }).pipe(Effect.provide(composed(["Add"])))
  )

  it.effect("refuses it where no rule does", () =>
    Effect.gen(function* () {
      const { events } = yield* turn
      const last = events.at(-1)
      assert.strictEqual(last?.type === "finished" && last.reason, "refused")
    }).pipe(Effect.provide(composed([])))
  )
})
