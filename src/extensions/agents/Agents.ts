/**
 * The agents that count now (MAIA §20.1): the project's replaces the user's of the same name, and counts only while its
 * folder is trusted (spec 03).
 */
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { Config } from "../../config/Config.ts"
import type { Text } from "../../domain/text.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import type { AgentDefinition } from "./definition.ts"
import { findAgents, type FoundAgent } from "./findAgents.ts"

export interface ListedAgent extends FoundAgent {
  /** `hidden`: the project has one of the same name that counts. */
  readonly state: "active" | "hidden" | "untrusted"
}

export class Agents extends Context.Service<
  Agents,
  {
    /** Takes what is on disk anew: those that count, in order of names. */
    readonly load: Effect.Effect<{
      readonly agents: ReadonlyArray<AgentDefinition>
      readonly warnings: ReadonlyArray<Text>
    }>
    /** All that there are, for `maia agents`. */
    readonly all: Effect.Effect<{
      readonly agents: ReadonlyArray<ListedAgent>
      readonly warnings: ReadonlyArray<Text>
    }>
  }
>()("maia/extensions/Agents") {
  static readonly layer: Layer.Layer<Agents, never, Config | FileSystem.FileSystem | Path.Path> = Layer.effect(
    Agents,
    Effect.suspend(() => make)
  )
}

const make = Effect.gen(function* () {
  const config = yield* Config
  const trusted = yield* TrustState
  const disk = yield* Effect.context<FileSystem.FileSystem | Path.Path>()
  const find = Effect.provide(findAgents(config), disk)

  const load = Effect.gen(function* () {
    const { agents, warnings } = yield* find
    const needsTrust = [...agents, ...warnings].some(({ level }) => level === "project")
    const trust = needsTrust && (yield* trusted)
    const counts = ({ level }: Pick<FoundAgent, "level">) => trust || level === "user"
    return {
      agents: firstOfEach(agents.filter(counts)).map(({ agent }) => agent),
      warnings: warnings.filter(counts).map((warning) => warning.text)
    }
  }).pipe(Effect.withSpan("Agents.load"))

  const all = Effect.gen(function* () {
    const { agents, warnings } = yield* find
    const trust = yield* trusted
    const counting = agents.filter(({ level }) => trust || level === "user")
    const active = new Set(firstOfEach(counting))
    const listed = agents.map((found): ListedAgent => {
      const state = active.has(found) ? "active" : counting.includes(found) ? "hidden" : "untrusted"
      return { ...found, state }
    })
    return { agents: listed.toSorted(byName), warnings: warnings.map((warning) => warning.text) }
  })

  return Agents.of({ load, all })
})

const firstOfEach = (agents: ReadonlyArray<FoundAgent>): ReadonlyArray<FoundAgent> => {
  const byNames = new Map<string, FoundAgent>()
  for (const found of agents) if (!byNames.has(found.agent.name)) byNames.set(found.agent.name, found)
  return [...byNames.values()].toSorted(byName)
}

const byName = (a: FoundAgent, b: FoundAgent): number =>
  a.agent.name < b.agent.name ? -1 : a.agent.name > b.agent.name ? 1 : 0
