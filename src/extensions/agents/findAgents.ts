/**
 * Finds the agents of user and project (MAIA §20.1). Reads folders; what is wrong with one agent is a warning and leaves the
 * others. Decides nothing about trust: each agent says its level.
 */
import { Effect, FileSystem, Path } from "effect"
import type { Config } from "../../config/Config.ts"
import { text, type Text } from "../../domain/text.ts"
import { readSource } from "../readSource.ts"
import { isAgentName, type AgentDefinition, type AgentLevel } from "./definition.ts"
import { readAgent } from "./readAgent.ts"

/** Bytes of one `AGENT.md`. */
export const MAX_AGENT_BYTES = 200_000
/** Agents of one folder. */
export const MAX_AGENTS = 100

export interface FoundAgent {
  readonly agent: AgentDefinition
  readonly level: AgentLevel
}

export interface FoundAgents {
  /** Those of the project first; a name may come twice. */
  readonly agents: ReadonlyArray<FoundAgent>
  readonly warnings: ReadonlyArray<{ readonly level: AgentLevel; readonly text: Text }>
}

type Disk = FileSystem.FileSystem | Path.Path

export const findAgents = Effect.fn("Agents.find")(function* (
  config: Config["Service"]
): Effect.fn.Return<FoundAgents, never, Disk> {
  const path = yield* Path.Path
  const project = path.join(config.projectDir, "agents")
  const user = path.join(config.userDir, "agents")
  const isSame = yield* sameFolder(project, user)
  const places: ReadonlyArray<readonly [AgentLevel, string]> = isSame
    ? [["user", user]]
    : [
        ["project", project],
        ["user", user]
      ]
  const found = yield* Effect.forEach(places, ([, folder]) => readFolder(folder), { concurrency: "unbounded" })
  return {
    agents: found.flatMap(({ agents }, at) => agents.map((agent) => ({ agent, level: places[at]?.[0] ?? "project" }))),
    warnings: found.flatMap(({ warnings }, at) =>
      warnings.map((warning) => ({ level: places[at]?.[0] ?? "project", text: warning }))
    )
  }
})

/** maia may have been started in the home folder: what is there is the user's, and is read once. */
const sameFolder = Effect.fnUntraced(function* (one: string, other: string) {
  const fs = yield* FileSystem.FileSystem
  const real = (folder: string) => fs.realPath(folder).pipe(Effect.orElseSucceed(() => folder))
  return (yield* real(one)) === (yield* real(other))
})

interface FolderContent {
  readonly agents: ReadonlyArray<AgentDefinition>
  readonly warnings: ReadonlyArray<Text>
}

const readFolder = Effect.fnUntraced(function* (folder: string): Effect.fn.Return<FolderContent, never, Disk> {
  const fs = yield* FileSystem.FileSystem
  const listed = yield* Effect.result(fs.readDirectory(folder))
  if (listed._tag === "Failure") {
    const why = listed.failure.reason._tag
    if (why === "NotFound") return { agents: [], warnings: [] }
    return warned(`${folder}: cannot be read (${why}).`, `${folder} : ne peut pas être lu (${why}).`)
  }
  const names = listed.success.filter((name) => !name.startsWith(".") && name !== "node_modules").sort()
  const read = yield* Effect.forEach(names.slice(0, MAX_AGENTS), (name) => readEntry(folder, name), { concurrency: 16 })
  const tooMany =
    names.length <= MAX_AGENTS
      ? []
      : [
          text(
            `${folder} holds ${names.length} entries; the first ${MAX_AGENTS} by name are used.`,
            `${folder} contient ${names.length} entrées ; les ${MAX_AGENTS} premières par nom sont utilisées.`
          )
        ]
  return {
    agents: read.flatMap(({ agents }) => agents),
    warnings: [...tooMany, ...read.flatMap(({ warnings }) => warnings)]
  }
})

const warned = (en: string, fr: string): FolderContent => ({ agents: [], warnings: [text(en, fr)] })

const readEntry = Effect.fnUntraced(function* (
  place: string,
  name: string
): Effect.fn.Return<FolderContent, never, Disk> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(place, name)
  const info = yield* Effect.result(fs.stat(folder))
  if (info._tag === "Failure") {
    const why = info.failure.reason._tag
    return warned(`${folder}: cannot be read (${why}).`, `${folder} : ne peut pas être lu (${why}).`)
  }
  if (info.success.type !== "Directory") return notAFolder(folder, name)
  const file = path.join(folder, "AGENT.md")
  const source = yield* readSource(file, MAX_AGENT_BYTES)
  if ("problem" in source) {
    return source.missing
      ? warned(
          `${folder}: there is no AGENT.md in this folder.`,
          `${folder} : il n'y a pas de AGENT.md dans ce dossier.`
        )
      : warned(`${file}: ${source.problem.en}.`, `${file} : ${source.problem.fr}.`)
  }
  if (!isAgentName(name)) {
    return warned(
      `${folder}: the folder's name cannot name an agent: use letters, digits, _ . and -, at most 64.`,
      `${folder} : le nom du dossier ne peut pas nommer un agent : lettres, chiffres, _ . et -, 64 au plus.`
    )
  }
  const { agent, warnings } = yield* readAgent({ name, file, content: source.content })
  return { agents: agent === undefined ? [] : [agent], warnings }
})

const notAFolder = (file: string, name: string): FolderContent => {
  if (!/\.md$/i.test(name) || /^readme\.md$/i.test(name)) return { agents: [], warnings: [] }
  const stem = name.replace(/\.md$/i, "")
  return warned(
    `${file}: an agent is a folder: move this file to ${stem}/AGENT.md.`,
    `${file} : un agent est un dossier : déplacez ce fichier dans ${stem}/AGENT.md.`
  )
}
