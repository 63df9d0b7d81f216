/**
 * The Agent tool (MAIA §20.2): hands one task to a sub-agent and waits for its summary. Rules speak of the agent's name.
 */
import { Effect, Schema } from "effect"
import { nearest } from "../../config/nearest.ts"
import { ToolFailure, type Tool } from "../../domain/tool.ts"
import { defineTool } from "../../tools/defineTool.ts"
import type { AgentRunner } from "./AgentRunner.ts"
import type { AgentDefinition } from "./definition.ts"
import { EFFORTS } from "./effort.ts"

const Input = Schema.Struct({
  agent: Schema.String,
  task: Schema.NonEmptyString,
  effort: Schema.optionalKey(Schema.Literals(EFFORTS))
})

export const makeAgentTool = (agents: ReadonlyArray<AgentDefinition>, runner: AgentRunner["Service"]): Tool => {
  const names = agents.map(({ name }) => name)
  const tool = defineTool({
    name: "Agent",
    description: `Hands a task to a sub-agent and returns its summary (${names.join(", ")}). It starts without this conversation: put everything it needs into the task. Several calls in one answer work at the same time.`,
    parameters: {
      type: "object",
      properties: {
        agent: { type: "string", enum: names },
        task: { type: "string", description: "The whole task: goal, files, what to return" },
        effort: { type: "string", enum: EFFORTS, description: "Steps it may take; medium when absent" }
      },
      required: ["agent", "task"]
    },
    schema: Input,
    permission: "ask",
    hints: {
      aliases: {
        agent: ["name", "agent_name", "agentName", "subagent", "subagent_type"],
        task: ["prompt", "instructions", "description", "request"]
      }
    },
    run: ({ agent: name, effort, task }, context) => {
      const agent = agents.find((one) => one.name === name)
      return agent === undefined
        ? Effect.fail(unknown(name, names))
        : runner.run({ agent, task, effort: effort ?? "medium" }, context)
    }
  })
  return {
    ...tool,
    // The name as it is known, so that a rule judges what will run.
    prepare: (raw) =>
      Effect.gen(function* () {
        const call = yield* tool.prepare(raw)
        const agent = find(String(call.input["agent"]), names)
        if (agent === undefined) return yield* unknown(String(call.input["agent"]), names)
        if (agent === call.input["agent"]) return call
        return { ...(yield* tool.prepare({ ...call.input, agent })), notes: call.notes }
      })
  }
}

/** As written, else the only one that differs by case. */
const find = (name: string, names: ReadonlyArray<string>): string | undefined => {
  const wanted = name.trim().normalize()
  if (names.includes(wanted)) return wanted
  const alike = names.filter((known) => known.toLowerCase() === wanted.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}

const unknown = (name: string, names: ReadonlyArray<string>): ToolFailure => {
  const [near] = nearest(name, names, 1)
  const hint = near === undefined ? "" : ` Is ${JSON.stringify(near)} meant?`
  return new ToolFailure({
    message: `There is no agent ${JSON.stringify(name)}.${hint} Call Agent with one of: ${names.join(", ")}.`
  })
}
