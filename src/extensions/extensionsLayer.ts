/**
 * The kinds of extensions this build has, in the order in which they win a name.
 */
import { Effect, Layer } from "effect"
import type { Text } from "../domain/text.ts"
import { AgentRunner } from "./agents/AgentRunner.ts"
import { Agents } from "./agents/Agents.ts"
import { agentsKind } from "./agents/agentsKind.ts"
import { filterExtensions, filterSkills, mayKeep } from "./agents/child/childExtensions.ts"
import type { AgentDefinition } from "./agents/definition.ts"
import { UserCommands } from "./commands/UserCommands.ts"
import { CustomTools } from "./customTools/CustomTools.ts"
import { ProjectEnvironment } from "./environment/ProjectEnvironment.ts"
import { Extensions } from "./Extensions.ts"
import { lspKind } from "./lsp/lspKind.ts"
import { LspServers } from "./lsp/LspServers.ts"
import { McpServers } from "./mcp/McpServers.ts"
import { Skills } from "./skills/Skills.ts"
import { skillsKind } from "./skills/skillsKind.ts"

const customToolsKind = Effect.map(CustomTools, ({ kind }) => kind)
const environmentKind = Effect.map(ProjectEnvironment, ({ kind }) => kind)
const commandsKind = Effect.map(UserCommands, ({ kind }) => kind)
const mcpKind = Effect.map(McpServers, ({ kind }) => kind)

/** Those that a sub-agent has, too; servers only where its tools can be among theirs. */
const commonKinds = [skillsKind, customToolsKind, lspKind, mcpKind] as const
const kindsFor = (agent: AgentDefinition) =>
  Effect.map(Effect.all(commonKinds), ([skills, customTools, lsp, mcp]) =>
    mayKeep(agent, "mcp__") ? [skills, customTools, lsp, mcp] : [skills, customTools, lsp]
  )

const services = Layer.mergeAll(
  Skills.layer,
  CustomTools.layer,
  McpServers.layer,
  LspServers.layer,
  Agents.layer,
  UserCommands.layer
)

export const extensionsLayer = Layer.unwrap(
  Effect.map(Effect.all([...commonKinds, agentsKind, commandsKind, environmentKind]), (kinds) =>
    Extensions.layer(kinds)
  )
).pipe(Layer.provide(AgentRunner.layer), Layer.provideMerge(services))

/** What its definition leaves a sub-agent; `warn` is told of names in it that are none. */
export const subAgentExtensions = (agent: AgentDefinition, warn: (warning: Text) => Effect.Effect<void>) => {
  const all = Layer.unwrap(Effect.map(kindsFor(agent), (kinds) => Extensions.layer(kinds)))
  const kept = Layer.effect(
    Extensions,
    Effect.map(Extensions, (extensions) => filterExtensions(agent, extensions, warn))
  )
  const skills = Layer.effect(
    Skills,
    Effect.map(Skills, (found) => filterSkills(agent, found, warn))
  )
  return kept.pipe(Layer.provide(all), Layer.provideMerge(skills.pipe(Layer.provideMerge(services))))
}
