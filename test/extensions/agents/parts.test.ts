/** Small parts of sub-agents: which model, which tools and skills, what the Agent tool takes. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { nothing, type Contribution, type Extensions } from "../../../src/extensions/Extensions.ts"
import { Agents } from "../../../src/extensions/agents/Agents.ts"
import { agentList, agentsKind } from "../../../src/extensions/agents/agentsKind.ts"
import { AgentRunner, type AgentTask } from "../../../src/extensions/agents/AgentRunner.ts"
import { makeAgentTool } from "../../../src/extensions/agents/agentTool.ts"
import { filterExtensions, keepsTool, mayKeep } from "../../../src/extensions/agents/child/childExtensions.ts"
import type { AgentDefinition } from "../../../src/extensions/agents/definition.ts"
import { resolveModel } from "../../../src/extensions/agents/resolveModel.ts"
import type { Tool } from "../../../src/domain/tool.ts"
import { defineTool } from "../../../src/tools/defineTool.ts"

const agent = (name: string): AgentDefinition => ({
  name,
  description: `does ${name}`,
  file: "/nowhere/AGENT.md",
  omitMd: false,
  trace: false,
  rules: [],
  instructions: "i",
  missions: "m",
  output: "o"
})

describe("the model of a sub-agent", () => {
  const models = ["gpt-5", "gpt-5-mini", "qwen3-8b", "Qwen3-32b"]
  const rows: ReadonlyArray<readonly [wanted: string | undefined, model: string, warns: boolean]> = [
    [undefined, "main", false],
    ["gpt-5", "gpt-5", false],
    ["litellm:gpt-5", "gpt-5", false],
    ["mini", "gpt-5-mini", false],
    ["QWEN3-32B", "Qwen3-32b", false],
    ["qwen", "Qwen3-32b", false],
    ["claude", "main", true]
  ]
  for (const [wanted, model, warns] of rows) {
    it(`${wanted ?? "none named"}: ${model}`, () => {
      const resolved = resolveModel(wanted, "main", models)
      assert.deepStrictEqual([resolved.model, resolved.warning !== undefined], [model, warns])
    })
  }

  it("without a list: the main agent's, with a warning", () => {
    const resolved = resolveModel("gpt-5", "main", undefined)
    assert.strictEqual(resolved.model, "main")
    assert.match(resolved.warning?.en ?? "", /cannot be listed/)
  })
})

describe("the tools of a sub-agent", () => {
  it("are those it names, in any case, and never Agent", () => {
    const wanted = { tools: ["read", "GREP", "mcp__git__*"] }
    const names = ["Read", "Write", "Grep", "mcp__git__log", "mcp__web__get", "Agent", "Skill"]
    assert.deepStrictEqual(
      names.filter((name) => keepsTool(wanted, name)),
      ["Read", "Grep", "mcp__git__log"]
    )
    assert.deepStrictEqual(
      names.filter((name) => keepsTool({}, name)),
      names.filter((name) => name !== "Agent")
    )
    assert.isFalse(keepsTool({ tools: ["*", "Agent"] }, "Agent"))
    assert.isFalse(keepsTool({ tools: [] }, "Read"))
  })

  it("MCP servers are left alone where none of their tools can be among them", () => {
    const may = (...tools: ReadonlyArray<string>) => mayKeep({ tools }, "mcp__")
    assert.deepStrictEqual(
      [
        may("Read"),
        may("mcp__git__log"),
        may("MCP__*"),
        may("*"),
        may("m*"),
        may("Read*"),
        may(),
        mayKeep({}, "mcp__")
      ],
      [false, true, true, true, true, false, false, true]
    )
  })

  it("skills that are named bring the tool that loads them; none take it away", () => {
    assert.isTrue(keepsTool({ tools: ["Read"], skills: ["style"] }, "Skill"))
    assert.isFalse(keepsTool({ skills: [] }, "Skill"))
    assert.isFalse(keepsTool({ tools: ["Read"] }, "Skill"))
    assert.isTrue(keepsTool({ tools: ["Skill"] }, "Skill"))
  })

  it.effect("a name that is no tool is told, near names with it; the same array until something changes", () =>
    Effect.gen(function* () {
      let now: ReadonlyArray<Tool> = ["Read", "Write"].map(plain)
      const loaded: Contribution = { ...nothing, warnings: [{ en: "of the folder", fr: "du dossier" }] }
      const all: Extensions["Service"] = {
        load: Effect.succeed(loaded),
        tools: Effect.sync(() => now),
        takeWarnings: Effect.succeed([])
      }
      const warnings: Array<string> = []
      const extensions = filterExtensions({ tools: ["read", "Reed", "Nonsense"] }, all, ({ en }) =>
        Effect.sync(() => void warnings.push(en))
      )
      assert.deepStrictEqual((yield* extensions.load).warnings, [])
      assert.deepStrictEqual(warnings, [
        'tools: there is no tool "Reed" (is Read meant?).',
        'tools: there is no tool "Nonsense".'
      ])
      const before = yield* extensions.tools
      assert.deepStrictEqual(
        before.map(({ name }) => name),
        ["Read"]
      )
      assert.strictEqual(yield* extensions.tools, before)
      now = [...now, plain("READ")]
      assert.lengthOf(yield* extensions.tools, 2)
    })
  )
})

const plain = (name: string): Tool =>
  defineTool({
    name,
    description: "",
    parameters: { type: "object", properties: {} },
    schema: Schema.Struct({}),
    permission: "ask",
    run: () => Effect.succeed({ text: name })
  })

describe("agents as a kind of extension", () => {
  const load = (agents: ReadonlyArray<AgentDefinition>) =>
    Effect.flatMap(agentsKind, (kind) => kind.load).pipe(
      Effect.provide(
        Layer.mergeAll(
          Layer.mock(Agents, { load: Effect.succeed({ agents, warnings: [{ en: "w", fr: "a" }] }) }),
          Layer.mock(AgentRunner, {})
        )
      )
    )

  it.effect("brings the tool, the list and a notice of those that were loaded; without agents, nothing", () =>
    Effect.gen(function* () {
      const some = yield* load([agent("cleaner"), agent("reviewer")])
      assert.deepStrictEqual(
        some.tools.map(({ name }) => name),
        ["Agent"]
      )
      assert.deepStrictEqual(
        some.prompt.map(({ kind }) => kind),
        ["agents"]
      )
      assert.deepStrictEqual(some.notices, [
        { en: "Agents loaded:\n  cleaner\n  reviewer", fr: "Agents chargés :\n  cleaner\n  reviewer" }
      ])
      const none = yield* load([])
      assert.deepStrictEqual(none, { ...nothing, warnings: [{ en: "w", fr: "a" }] })
    })
  )
})

describe("the Agent tool", () => {
  const started: Array<AgentTask> = []
  const tool = makeAgentTool([agent("cleaner"), agent("Réviseur")], {
    run: (task) =>
      Effect.sync(() => {
        started.push(task)
        return { text: task.agent.name }
      })
  })
  const context = {
    callId: "c",
    progress: () => Effect.void,
    outputLimit: 30_000,
    model: { id: "m", images: false }
  }
  const prepare = (input: unknown) => Effect.result(tool.prepare(input))

  it("names the agents, and which there are", () => {
    assert.deepInclude(tool.parameters["properties"], { agent: { type: "string", enum: ["cleaner", "Réviseur"] } })
    assert.include(tool.description, "(cleaner, Réviseur)")
    const list = agentList([agent("cleaner")])
    assert.match(list, /^# Sub-agents\n\n.*\n- cleaner: does cleaner$/s)
  })

  it.effect("takes near names of its parameters, and a name in another case", () =>
    Effect.gen(function* () {
      const prepared = yield* tool.prepare({ subagent_type: "RÉVISEUR", prompt: "look", effort: "high" })
      assert.deepStrictEqual(prepared.input, { agent: "Réviseur", task: "look", effort: "high" })
      assert.deepStrictEqual(yield* prepared.run(context), { text: "Réviseur" })
      const plainOne = yield* tool.prepare({ agent: "cleaner", task: "tidy" })
      yield* plainOne.run(context)
      assert.deepStrictEqual(
        started.map(({ effort, task }) => [task, effort]),
        [
          ["look", "high"],
          ["tidy", "medium"]
        ]
      )
    })
  )

  it.effect("refuses what it cannot run, with what would work", () =>
    Effect.gen(function* () {
      const unknown = yield* prepare({ agent: "cleanr", task: "x" })
      const said = unknown._tag === "Failure" ? unknown.failure.message : ""
      assert.strictEqual(
        said,
        'There is no agent "cleanr". Is "cleaner" meant? Call Agent with one of: cleaner, Réviseur.'
      )
      for (const input of [{ agent: "cleaner" }, { agent: "cleaner", task: "" }, { task: "x" }, "cleaner"]) {
        assert.strictEqual((yield* prepare(input))._tag, "Failure", JSON.stringify(input))
      }
      assert.strictEqual((yield* prepare({ agent: "cleaner", task: "x", effort: "max" }))._tag, "Failure")
    })
  )
})
