/** `maia agents list|show` (spec 08): the sub-agents of this folder and of the user, and what is wrong with them. */
import { Effect, Layer } from "effect"
import { Config } from "../../config/Config.ts"
import { nearest } from "../../config/nearest.ts"
import { text, type Text } from "../../domain/text.ts"
import { Agents, type ListedAgent } from "../../extensions/agents/Agents.ts"
import type { AgentDefinition } from "../../extensions/agents/definition.ts"
import { SECTION_TITLES } from "../../extensions/agents/sections.ts"
import { FolderTrust } from "../../permissions/trust/FolderTrust.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"

export interface AgentsFlags {
  readonly cwd: string | undefined
  readonly json: boolean
  readonly trust: boolean
}

const findAll = (config: Config["Service"], trust: boolean) =>
  Effect.flatMap(Agents, (service) => service.all).pipe(
    Effect.provide(
      Agents.layer.pipe(
        Layer.provide(FolderTrust.layer({ thisRun: trust })),
        Layer.provide(Layer.succeed(Config, Config.of(config)))
      )
    )
  )

export const listAgents = (flags: AgentsFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      const { agents, warnings } = yield* findAll(config, flags.trust)
      yield* reportErrors(warnings)
      if (flags.json) {
        yield* output.out(`${JSON.stringify(agents.map(described))}\n`)
        return EXIT.done
      }
      for (const found of agents) {
        const { agent, level } = found
        const line = `${agent.name}  ${level}  ${agent.description}${noteOf(found, config.language)}`
        yield* output.out(`${sanitizeForTerminal(line)}\n`)
      }
      return EXIT.done
    })
  )

export const showAgent = (flags: AgentsFlags & { readonly name: string }) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const output = yield* Output
      const { agents, warnings } = yield* findAll(config, flags.trust)
      const named = agents.filter(({ agent }) => agent.name === flags.name)
      const found = named.find(({ state }) => state === "active") ?? named[0]
      if (found === undefined) {
        yield* reportErrors([...warnings, unknownAgent(flags.name, agents)])
        return EXIT.error
      }
      yield* reportErrors(warnings.filter(({ en }) => en.startsWith(`${found.agent.file}:`)))
      if (flags.json) {
        const { instructions, missions, output: form } = found.agent
        yield* output.out(
          `${JSON.stringify({ ...described(found), sections: { instructions, missions, output: form } })}\n`
        )
        return EXIT.done
      }
      yield* output.out(`${sanitizeForTerminal(page(found, config.language))}\n`)
      return EXIT.done
    })
  )

const STATES = {
  hidden: text("the project has one of this name", "le projet en a un de ce nom"),
  untrusted: text("folder not trusted", "dossier non fiable")
}

const noteOf = ({ state }: ListedAgent, language: "en" | "fr"): string =>
  state === "active" ? "" : `  [${STATES[state][language]}]`

const page = (found: ListedAgent, language: "en" | "fr"): string => {
  const { agent } = found
  const lines = facts(agent).map(([name, value]) => `${`${name[language]}:`.padEnd(14)} ${value}`)
  const sections = (["instructions", "missions", "output"] as const).flatMap((name) => [
    "",
    `# ${SECTION_TITLES[name]}`,
    "",
    agent[name]
  ])
  return [`${agent.file}${noteOf(found, language)}`, agent.description, "", ...lines, ...sections].join("\n")
}

const facts = (agent: AgentDefinition): ReadonlyArray<readonly [Text, string]> => {
  const { model, omitMd, outputSchema, rules, skills, tools, trace } = agent
  const list = (names: ReadonlyArray<string> | undefined) => (names === undefined ? "*" : names.join(", ") || "-")
  return [
    ...(model === undefined ? [] : [[text("model", "modèle"), model] as const]),
    [text("tools", "outils"), list(tools)],
    [text("skills", "skills"), list(skills)],
    ...rules.map(({ kind, text: rule }) => [text(kind, kind), rule] as const),
    [text("instructions", "instructions"), omitMd ? "omitMd" : "MAIA.md"],
    [text("trace", "trace"), String(trace)],
    ...(outputSchema === undefined ? [] : [[text("schema", "schéma"), JSON.stringify(outputSchema)] as const])
  ]
}

const unknownAgent = (name: string, agents: ReadonlyArray<ListedAgent>): Text => {
  const names = [...new Set(agents.map(({ agent }) => agent.name))]
  if (names.length === 0) {
    return text(
      `There is no agent "${name}", and no other: agents are folders with an AGENT.md in .maia/agents or ~/.maia/agents.`,
      `Il n'y a pas d'agent « ${name} », ni aucun autre : un agent est un dossier avec un AGENT.md dans .maia/agents ou ~/.maia/agents.`
    )
  }
  const [near] = nearest(name, names, 1)
  const hint = near === undefined ? text("", "") : text(` Is ${near} meant?`, ` Est-ce ${near} ?`)
  return text(
    `There is no agent "${name}".${hint.en} Available: ${names.join(", ")}`,
    `Il n'y a pas d'agent « ${name} ».${hint.fr} Disponibles : ${names.join(", ")}`
  )
}

const described = ({ agent, level, state }: ListedAgent) => {
  const { instructions: _instructions, missions: _missions, output: _output, ...rest } = agent
  return { ...rest, level, state }
}
