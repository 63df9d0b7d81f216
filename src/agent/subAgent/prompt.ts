/**
 * What a sub-agent is told (MAIA §20.3): its fixed text, and what it is asked when its steps are used up or its answer does
 * not do. Pure, English, written to be followed.
 */
import type { AgentDefinition } from "../../extensions/agents/definition.ts"
import { SHORT_WORK_RULES, WORK_RULES, type SystemPromptInput } from "../systemPrompt.ts"

type Told = Pick<AgentDefinition, "name" | "instructions" | "missions" | "output" | "outputSchema">

export const subAgentPrompt = (agent: Told, maxIterations: number) => (input: SystemPromptInput) => {
  const parts = [
    `You are ${agent.name}, a sub-agent of MAIA, an AI assistant that works in a terminal. The main agent gives you one task. You act through tools in the user's folder; the user's permission rules decide what may run.

RULES
- Work on your own: nobody can answer a question. Decide, and say in your final answer what you assumed.
- You have at most ${maxIterations} steps (answers with tool calls). Plan for that; call several tools in one answer when they do not need each other.
- Your final answer is the only thing the main agent sees of your work. It follows the section Output below, and is complete in itself.
${input.variant === "short" ? SHORT_WORK_RULES : WORK_RULES}

Working folder: ${input.launchFolder} (${input.platform}). Relative paths start there.`,
    `# Instructions\n\n${agent.instructions}`,
    `# Missions\n\n${agent.missions}`,
    `# Output\n\n${agent.output}${schemaText(agent)}`
  ]
  for (const { path, content } of input.instructions) parts.push(`# Project instructions (${path})\n\n${content}`)
  parts.push(...(input.sections ?? []))
  return parts.join("\n\n").toWellFormed()
}

const schemaText = ({ outputSchema }: Told): string =>
  outputSchema === undefined
    ? ""
    : `\n\nThe final answer is one JSON value that fits this schema, and nothing else:\n\n${JSON.stringify(outputSchema)}`

/** Asked for when there is no final answer: the steps are used up, or it was empty. */
export const FINAL_ANSWER_PROMPT =
  "The work stops here, and no tool can be called any more. Write your final answer now, in the form that your section Output asks for. Say what is done, and what is not."

/** Tokens of an answer that is asked for like that. */
export const FINAL_ANSWER_TOKENS = 4_000

export const repairPrompt = (problems: ReadonlyArray<string>): string =>
  [
    "Your final answer does not fit the schema of your section Output:",
    ...problems.map((problem) => `- ${problem}`),
    "Give it again, corrected: one JSON value that fits the schema, and nothing else. No tool can be called any more."
  ].join("\n")
