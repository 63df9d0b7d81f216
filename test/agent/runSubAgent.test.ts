/** The turn of a sub-agent and the answer it ends with (MAIA §20.3, spec 08 typed results). */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, FileSystem, Layer, Stream } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Agent } from "../../src/agent/Agent.ts"
import { runSubAgent, type SubAgentTask } from "../../src/agent/subAgent/runSubAgent.ts"
import { callText } from "../../src/agent/subAgent/callText.ts"
import { text } from "../../src/domain/text.ts"
import { Extensions, nothing } from "../../src/extensions/Extensions.ts"
import type { AgentDefinition } from "../../src/extensions/agents/definition.ts"
import { LlmError } from "../../src/llm/errors.ts"
import { Approver } from "../../src/permissions/Approver.ts"
import { Permissions } from "../../src/permissions/Permissions.ts"
import { Checkpoints } from "../../src/sessions/checkpoints/Checkpoints.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { sessionsLayer } from "../../src/sessions/SessionsLive.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { FileLedger } from "../../src/tools/files/FileLedger.ts"
import { ActiveModel } from "../../src/tools/model/ActiveModel.ts"
import { OutputStore } from "../../src/tools/output.ts"
import { TodoStore } from "../../src/tools/todo/TodoStore.ts"
import { ToolRunner } from "../../src/tools/ToolRunner.ts"
import { ToolSet } from "../../src/tools/ToolSet.ts"
import { testConfigLayer } from "../support/testConfig.ts"
import { tool } from "./support.ts"

const { answer, ScriptedRequests } = ScriptedLlm

const definition = (more: Partial<AgentDefinition> = {}): AgentDefinition => ({
  name: "tester",
  description: "Tests",
  file: "/nowhere/AGENT.md",
  omitMd: false,
  trace: false,
  rules: [],
  instructions: "Be exact.",
  missions: "Find faults.",
  output: "One line.",
  ...more
})

const echo = tool("Echo", (value) => Effect.succeed({ text: value }))
const call = (value: string) => ({ name: "Echo", input: { value } })

const noCheckpoints = Layer.mock(Checkpoints, {
  forSession: () =>
    Effect.succeed({
      capture: () => Effect.void,
      scan: () => Effect.succeed([]),
      planRestore: () => Effect.succeed({ files: [] }),
      restore: () => Effect.succeed({ restored: [], skipped: [] })
    })
})

interface Played {
  readonly agent?: Partial<AgentDefinition>
  readonly task?: Partial<SubAgentTask>
  readonly decide?: "allow" | "ask"
}

/** Plays a sub-agent against the script; gives what came of it and what was sent. */
const play = (script: ScriptedLlm.Script, played: Played = {}) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const launchFolder = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "maia-sub-" }), fs.realPath)
    yield* fs.writeFileString(`${launchFolder}/MAIA.md`, "Project words.")
    const extensions = Layer.succeed(
      Extensions,
      Extensions.of({
        load: Effect.succeed({ ...nothing, tools: [echo], prompt: [{ kind: "skills", text: "# Skills\n- one" }] }),
        tools: Effect.succeed([echo]),
        takeWarnings: Effect.succeed([])
      })
    )
    const permissions = Layer.mock(Permissions, {
      decide: ({ tool: name }) =>
        Effect.succeed({
          decision: played.decide ?? "allow",
          reason: text("test", "test"),
          subject: name,
          suggestions: [`${name}(x)`]
        })
    })
    const approver = Layer.succeed(Approver, Approver.of({ ask: () => Effect.succeed({ answer: "unavailable" }) }))
    const layer = Agent.layer.pipe(
      Layer.provide(ToolRunner.layer),
      Layer.provide([permissions, approver, OutputStore.layer]),
      Layer.provideMerge(
        Layer.mergeAll(
          ScriptedLlm.layer(script),
          sessionsLayer,
          extensions,
          FileLedger.layer,
          ActiveModel.layer,
          TodoStore.layer,
          Layer.mock(ToolSet, { tools: [] }),
          noCheckpoints
        )
      ),
      Layer.provideMerge(testConfigLayer({ launchFolder }))
    )
    return yield* Effect.gen(function* () {
      const task: SubAgentTask = {
        agent: definition(played.agent),
        task: "the task",
        model: "scripted",
        maxIterations: 10,
        interrupt: Effect.never,
        onProgress: () => Effect.void,
        onUsage: () => Effect.void,
        onWarning: () => Effect.void,
        onFile: () => Effect.void,
        ...played.task
      }
      const done = yield* Effect.scoped(runSubAgent(task))
      const requests = (yield* ScriptedRequests).all
      const sessions = yield* Effect.flatMap(Sessions, (service) => service.list)
      const said = (n: number) => requests[n]?.messages.findLast(({ role }) => role === "user")?.text ?? ""
      return { done, requests, said, sessions }
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

describe("a sub-agent", () => {
  it.effect("is told who it is, its sections, its steps and the project's words, and gives its last answer", () =>
    Effect.gen(function* () {
      const { done, requests, said } = yield* play([
        answer({ text: "I look.", calls: [call("a"), call("b")] }),
        answer({ text: " the result \n" })
      ])
      assert.deepStrictEqual(done, {
        type: "done",
        text: "the result",
        ended: "done",
        refused: [],
        toolCalls: 2,
        iterations: 2
      })
      const system = requests[0]?.system ?? ""
      for (const part of [
        "You are tester, a sub-agent of MAIA",
        "at most 10 steps",
        "# Instructions\n\nBe exact.",
        "# Missions\n\nFind faults.",
        "# Output\n\nOne line.",
        "Project words.",
        "# Skills\n- one"
      ]) {
        assert.include(system, part)
      }
      assert.strictEqual(said(0), "the task")
    })
  )

  it.effect("omitMd leaves the project's words out", () =>
    Effect.gen(function* () {
      const { requests } = yield* play([answer({ text: "x" })], { agent: { omitMd: true } })
      assert.notInclude(requests[0]?.system ?? "", "Project words.")
    })
  )

  it.effect("out of steps: it is asked for its answer in the form of its Output", () =>
    Effect.gen(function* () {
      const { done, requests, said } = yield* play(
        [answer({ text: "I look.", calls: [call("a")] }), answer({ calls: [call("b")] }), answer({ text: "so far" })],
        { task: { maxIterations: 2 } }
      )
      assert.deepInclude(done, { text: "so far", ended: "limit", toolCalls: 2 })
      assert.match(said(2), /Write your final answer now, in the form that your section Output asks for/)
      assert.deepInclude(requests[2], { toolChoice: "none" })
      assert.lengthOf(requests[2]?.tools ?? [], 1)
    })
  )

  it.effect("an empty answer: asked for once more, without tools, with 4000 tokens", () =>
    Effect.gen(function* () {
      const { done, requests } = yield* play([
        answer({ text: "I look.", calls: [call("a")] }),
        answer({ text: "" }),
        answer({ text: "the result" })
      ])
      assert.deepInclude(done, { text: "the result", ended: "done" })
      assert.deepInclude(requests[2], { toolChoice: "none", maxTokens: 4000 })
    })
  )

  it.effect("no answer at all is a failure, never the words before a tool call", () =>
    Effect.gen(function* () {
      const { done } = yield* play([
        answer({ text: "I look.", calls: [call("a")] }),
        answer({ text: "" }),
        answer({ text: "", calls: [call("b")] })
      ])
      assert.deepInclude(done, { text: "", ended: "failed" })
      assert.match(done.failure?.en ?? "", /gave no answer/)
    })
  )

  it.effect("an error of the server is its failure", () =>
    Effect.gen(function* () {
      const error = new LlmError({ code: "server_error", text: text("The server is down.", "Le serveur est arrêté.") })
      const { done } = yield* play([answer({ calls: [call("a")] }), error])
      assert.deepInclude(done, { ended: "failed", toolCalls: 1 })
      assert.strictEqual(done.failure?.en, "The server is down.")
    })
  )

  it.effect("interrupted in the middle, it settles and says so", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const { done } = yield* play((_request, n) => (n === 0 ? answer({ calls: [call("a")] }) : Stream.never), {
        task: {
          interrupt: Deferred.await(stop),
          onProgress: () => Effect.asVoid(Deferred.succeed(stop, undefined))
        }
      })
      assert.deepInclude(done, { ended: "interrupted" })
    })
  )

  it.effect("what was refused because no one could be asked is named", () =>
    Effect.gen(function* () {
      const { done } = yield* play([answer({ calls: [call("a"), call("b")] }), answer({ text: "could not" })], {
        decide: "ask"
      })
      assert.deepInclude(done, { text: "could not", ended: "done", refused: ["Echo(x)"] })
    })
  )

  it.effect("its conversation is kept when it is asked for, also after a failure", () =>
    Effect.gen(function* () {
      const error = new LlmError({ code: "server_error", text: text("down", "arrêté") })
      const { done, sessions } = yield* play([error], {
        task: { trace: { name: "work-tester", parentSession: "work" } }
      })
      assert.deepInclude(done, { ended: "failed", trace: "work-tester" })
      assert.deepStrictEqual(
        sessions.map(({ agent, name }) => [name, agent]),
        [["work-tester", "tester"]]
      )
      const without = yield* play([answer({ text: "x" })])
      assert.deepStrictEqual([without.sessions, without.done.trace], [[], undefined])
    })
  )
})

describe("a typed answer", () => {
  const outputSchema = { type: "object", required: ["ok"], properties: { ok: { type: "boolean" } } }

  it.effect("comes back as its JSON alone, and the schema is in the prompt", () =>
    Effect.gen(function* () {
      const { done, requests } = yield* play([answer({ text: 'Here: ```json\n{ "ok": true }\n```' })], {
        agent: { outputSchema }
      })
      assert.deepInclude(done, { text: '{"ok":true}', ended: "done" })
      assert.include(requests[0]?.system ?? "", JSON.stringify(outputSchema))
    })
  )

  it.effect("one that does not fit is given back once, with what is wrong", () =>
    Effect.gen(function* () {
      const { done, requests, said } = yield* play(
        [answer({ text: '{"ok":"yes"}' }), answer({ text: '{"ok":false}' })],
        { agent: { outputSchema } }
      )
      assert.deepInclude(done, { text: '{"ok":false}', ended: "done" })
      assert.match(said(1), /does not fit the schema.*#\/ok/s)
      assert.deepInclude(requests[1], { toolChoice: "none" })
    })
  )

  it.effect("the second one that does not fit is a failure with what there is", () =>
    Effect.gen(function* () {
      const { done, requests } = yield* play([answer({ text: "yes" }), answer({ text: "really yes" })], {
        agent: { outputSchema }
      })
      assert.deepInclude(done, { text: "really yes", ended: "failed" })
      assert.match(done.failure?.en ?? "", /does not fit its output schema.*not JSON/)
      assert.lengthOf(requests, 2)
    })
  )
})

describe("a call in a few words", () => {
  it("is one safe line", () => {
    assert.strictEqual(callText("Bash", { command: "npm\n\ttest \u001b[31m" }), "Bash npm test [31m")
    assert.strictEqual(callText("TodoWrite", { items: [] }), "TodoWrite")
    assert.strictEqual(callText("Odd", "text"), "Odd")
    assert.isAtMost(callText("Write", { path: "é".repeat(500) }).length, 81)
  })
})
