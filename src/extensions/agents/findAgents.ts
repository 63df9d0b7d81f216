/**
 * Finds the agents of user and project (MAIA §20.1). Decides nothing about trust: each agent says its level.
 */
import { Effect, FileSystem, Path } from "effect"
import type { Config } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"
import { readDefinitions, type DefinitionKind } from "../definitionFolders.ts"
import { isAgentName, type AgentDefinition, type AgentLevel } from "./definition.ts"
import { readAgent } from "./readAgent.ts"

export interface FoundAgent {
  readonly agent: AgentDefinition
  readonly level: AgentLevel
}

export interface FoundAgents {
  /** Those of the project first; a name may come twice. */
  readonly agents: ReadonlyArray<FoundAgent>
  readonly warnings: ReadonlyArray<{ readonly level: AgentLevel; readonly text: Text }>
}

const KIND: DefinitionKind<AgentDefinition> = {
  noun: text("an agent", "un agent"),
  files: ["AGENT.md"],
  maxBytes: 200_000,
  most: 100,
  isName: isAgentName,
  parse: readAgent
}

export const findAgents = Effect.fn("Agents.find")(function* (
  config: Config["Service"]
): Effect.fn.Return<FoundAgents, never, FileSystem.FileSystem | Path.Path> {
  const path = yield* Path.Path
  const project = path.join(config.projectDir, "agents")
  const user = path.join(config.userDir, "agents")
  const isSame = yield* sameFolder(project, user)
  const places: ReadonlyArray<readonly [AgentLevel, string]> = [
    ...(isSame ? [] : [["project", project] as const]),
    ["user", user]
  ]
  const read = yield* Effect.forEach(
    places,
    ([level, folder]) =>
      Effect.map(readDefinitions(folder, KIND), ({ found, warnings }) => ({
        agents: found.map((agent): FoundAgent => ({ agent, level })),
        warnings: warnings.map((warning) => ({ level, text: warning }))
      })),
    { concurrency: "unbounded" }
  )
  return { agents: read.flatMap(({ agents }) => agents), warnings: read.flatMap(({ warnings }) => warnings) }
})

/** maia may have been started in the home folder: what is there is the user's, and is read once. */
const sameFolder = Effect.fnUntraced(function* (one: string, other: string) {
  const fs = yield* FileSystem.FileSystem
  const real = (folder: string) => fs.realPath(folder).pipe(Effect.orElseSucceed(() => folder))
  return (yield* real(one)) === (yield* real(other))
})
