/** From a tool call to the result the main agent reads, with a script in the place of the sub-agent's process. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as fs from "node:fs"
import type { ToolContext, ToolReport } from "../../../src/domain/tool.ts"
import { AgentProgram, AgentRunner } from "../../../src/extensions/agents/AgentRunner.ts"
import { toConfig } from "../../../src/extensions/agents/child/childConfig.ts"
import type { AgentDefinition } from "../../../src/extensions/agents/definition.ts"
import { parseToChild, type Done, type Start } from "../../../src/extensions/agents/protocol.ts"
import { Approver } from "../../../src/permissions/Approver.ts"
import { permissionsLayer } from "../../../src/permissions/PermissionsLive.ts"
import { TrustState, TrustThisRun } from "../../../src/permissions/trust/TrustState.ts"
import { sessionsLayer } from "../../../src/sessions/SessionsLive.ts"
import { ScriptedLlm } from "../../../src/testing/index.ts"
import { FileLedger } from "../../../src/tools/files/FileLedger.ts"
import { ActiveModel } from "../../../src/tools/model/ActiveModel.ts"
import { ActiveSession } from "../../../src/tools/model/ActiveSession.ts"
import { testConfig, testConfigLayer, type TestConfig } from "../../support/testConfig.ts"
import { temporaryFolder } from "../../process/support/shell.ts"

const agent: AgentDefinition = {
  name: "tester",
  description: "x",
  file: "/nowhere/AGENT.md",
  omitMd: false,
  trace: true,
  rules: [{ kind: "deny", text: "Write", line: 4 }],
  instructions: "i",
  missions: "m",
  output: "o"
}

const done = (more: Partial<Done> = {}): string =>
  JSON.stringify({ type: "done", text: "the result", ended: "done", refused: [], toolCalls: 2, iterations: 3, ...more })

interface Trial {
  readonly config?: Partial<TestConfig>
  readonly agent?: Partial<AgentDefinition>
  readonly trust?: boolean
  readonly thisRun?: boolean
}

/** Runs the script as the sub-agent; gives the result, what was told, and the task it was sent. */
const run = (script: string, trial: Trial = {}) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    const told: Array<ToolReport> = []
    const context: ToolContext = {
      callId: "c",
      progress: () => Effect.void,
      report: (event) => Effect.sync(() => void told.push(event)),
      outputLimit: 30_000,
      model: { id: "main", images: false }
    }
    const layer = AgentRunner.layer.pipe(
      Layer.provideMerge(Layer.mergeAll(permissionsLayer, sessionsLayer)),
      Layer.provideMerge(
        Layer.mergeAll(
          FileLedger.layer,
          ActiveModel.layer,
          ActiveSession.layer,
          ScriptedLlm.layer([], { models: [{ id: "main" }, { id: "small-model" }] }),
          Layer.succeed(Approver, Approver.of({ ask: () => Effect.succeed({ answer: "unavailable" }) })),
          Layer.succeed(AgentProgram, ["/bin/sh", "-c", `read -r task; printf '%s' "$task" > task.json; ${script}`]),
          Layer.succeed(TrustState, Effect.succeed(trial.trust ?? false)),
          Layer.succeed(TrustThisRun, trial.thisRun ?? false),
          NodeServices.layer
        )
      ),
      Layer.provideMerge(testConfigLayer({ launchFolder: folder, env: { HOME: folder }, ...trial.config }))
    )
    return yield* Effect.gen(function* () {
      const session = yield* ActiveSession
      yield* session.set({ name: Effect.succeed("work"), save: true })
      const runner = yield* AgentRunner
      const output = yield* runner.run({ agent: { ...agent, ...trial.agent }, task: "do it", effort: "low" }, context)
      const sent = parseToChild(fs.readFileSync(`${folder}/task.json`, "utf8"))
      if (sent?.type !== "start") throw new Error("no task was sent")
      return { output, told, start: sent satisfies Start, folder }
    }).pipe(Effect.provide(layer))
  }).pipe(Effect.scoped)

describe("a sub-agent for a tool call", () => {
  it.live("works under the settings of this run, flags and key included, whatever the files say", () =>
    Effect.gen(function* () {
      const settings = { sandbox: "required", mode: "plan", LiteLLM_URL: "http://server", maxIterations: 7 } as const
      const config = { settings, apiKey: Redacted.make("sk-1"), language: "fr" } as const
      const { start, folder } = yield* run(`echo '${done()}'`, { config })
      assert.deepInclude(start, {
        task: "do it",
        model: "main",
        maxIterations: 10,
        trust: "no",
        trace: { name: "work-tester", parentSession: "work" }
      })
      const facts = { env: {}, platform: "linux", version: "0" } as const
      const child = toConfig(start, facts)
      const parent = testConfig({ launchFolder: folder, env: { HOME: folder }, ...config })
      assert.deepStrictEqual(child.settings, {
        ...JSON.parse(JSON.stringify(parent.settings)),
        model: "main",
        maxIterations: 10
      })
      assert.deepInclude(child, {
        launchFolder: folder,
        language: "fr",
        userDir: parent.userDir,
        outputDir: parent.outputDir
      })
      assert.strictEqual(child.apiKey === undefined ? undefined : Redacted.value(child.apiKey), "sk-1")
    })
  )

  it.live("says how far the folder is trusted", () =>
    Effect.gen(function* () {
      const trust = (trial: Trial) => Effect.map(run(`echo '${done()}'`, trial), ({ start }) => start.trust)
      assert.strictEqual(yield* trust({}), "no")
      assert.strictEqual(yield* trust({ trust: true }), "check")
      assert.strictEqual(yield* trust({ trust: true, thisRun: true }), "run")
    })
  )

  it.live("gives the summary to the model, and a line to the person", () =>
    Effect.gen(function* () {
      const { output, told } = yield* run(`echo '${done({ trace: "work-tester" })}'`, { agent: { model: "small" } })
      assert.strictEqual(output.text, "Summary of sub-agent tester:\n\nthe result")
      assert.deepInclude(output.details, { agent: "tester", model: "small-model", toolCalls: 2, trace: "work-tester" })
      const [notice] = told
      assert.strictEqual(
        notice?.type === "notice" ? notice.message.fr : "",
        "Sous-agent « tester » terminé en 0 s (2 appels d'outil) (work-tester)."
      )
    })
  )

  it.live("a model that is not there: the main agent's, with a warning", () =>
    Effect.gen(function* () {
      const { start, told } = yield* run(`echo '${done()}'`, { agent: { model: "none" } })
      assert.strictEqual(start.model, "main")
      assert.match(told[0]?.type === "warning" ? told[0].message.en : "", /^\[sub-agent tester\] .*no model "none"/)
    })
  )

  it.live("notes for the model: used up, stuck, refused", () =>
    Effect.gen(function* () {
      const limit = yield* run(`echo '${done({ ended: "limit" })}'`)
      assert.match(limit.output.text, /\[note: it used up its steps/)
      const stuck = yield* run(`echo '${done({ ended: "stuck" })}'`)
      assert.match(stuck.output.text, /\[note: it was stopped because it repeated/)
      const refused = yield* run(`echo '${done({ refused: ["Bash(x)"] })}'`)
      assert.match(refused.output.text, /\[note: some of its calls were refused .*Bash\(x\)\]/)
      assert.isTrue(refused.output.refused)
      assert.isTrue(refused.told.some(({ type }) => type === "warning"))
    })
  )

  it.live("a failure: an error with what there was, and a warning", () =>
    Effect.gen(function* () {
      const failure = { en: "the server is down.", fr: "le serveur est arrêté." }
      const { output, told } = yield* run(`echo '${done({ ended: "failed", failure, text: "half of it" })}'`)
      assert.isTrue(output.isError)
      assert.match(output.text, /^\[sub-agent tester failed: the server is down\.\]\nWhat it had so far:\nhalf of it\n/)
      assert.strictEqual(
        told[0]?.type === "warning" ? told[0].message.en : "",
        'Sub-agent "tester" failed: the server is down.'
      )
    })
  )

  it.live("is judged by the rules of this run and its own, which only forbid", () =>
    Effect.gen(function* () {
      const ask = (id: number, tool: string, input: object) =>
        `echo '${JSON.stringify({ type: "request", id, request: { ask: "decision", call: { tool, input, fallback: "ask" } } })}'; read -r answer; echo "$answer" >> answers; `
      const rules = [{ rule: "Read(**)", kind: "allow" as const, scope: "user" as const, file: "f", line: 1 }]
      const script = [
        ask(1, "Read", { path: "a" }),
        ask(2, "Write", { path: "a", content: "x" }),
        ask(3, "Bash", { command: "ls" }),
        ask(4, "Agent", { agent: "tester", task: "x" }),
        `cat answers > /dev/null; printf '%s' "$(cat answers)" > kept; echo '${done()}'`
      ].join("")
      const answers = yield* Effect.gen(function* () {
        const folder = yield* temporaryFolder
        yield* run(`cd '${folder}'; ${script}`, { config: { rules } })
        return fs.readFileSync(`${folder}/kept`, "utf8").split("\n")
      }).pipe(Effect.scoped)
      assert.deepStrictEqual(
        answers.map((line) => {
          const message = parseToChild(line)
          return message?.type === "reply" && "decision" in message.reply ? message.reply.decision.decision : line
        }),
        ["allow", "deny", "ask", "deny"]
      )
    })
  )
})
