/**
 * The tools and skills that a sub-agent's definition leaves it (MAIA §20.3), out of what is on disk. Says which of the names
 * in the definition are none.
 */
import { Effect } from "effect"
import { nearest } from "../../../config/nearest.ts"
import { text, type Text } from "../../../domain/text.ts"
import type { Tool } from "../../../domain/tool.ts"
import { wildcard } from "../../../permissions/rules.ts"
import type { Extensions } from "../../Extensions.ts"
import { findSkill, UnknownSkill, type LoadedSkills, type Skills } from "../../skills/Skills.ts"
import { unknownSkill } from "../../skills/catalogue.ts"
import type { AgentDefinition } from "../definition.ts"

type Wanted = Pick<AgentDefinition, "tools" | "skills">

/** Case is ignored, `*` stands for anything. Skills that are named want the tool that loads them. */
export const keepsTool = (agent: Wanted, name: string): boolean => {
  if (name === "Agent") return false
  if (name === "Skill" && agent.skills !== undefined) return agent.skills.length > 0
  return agent.tools === undefined || agent.tools.some((pattern) => fits(pattern, name))
}

/** Whether a tool whose name begins so can be among those it keeps. */
export const mayKeep = (agent: Wanted, prefix: string): boolean =>
  agent.tools === undefined ||
  agent.tools.some((pattern) => {
    const start = (pattern.split("*")[0] ?? "").toLowerCase()
    return start.startsWith(prefix) || (pattern.includes("*") && prefix.startsWith(start))
  })

const fits = (pattern: string, name: string): boolean => wildcard(pattern.toLowerCase())(name.toLowerCase())

/** `warn` is told of each name without a tool. */
export const filterExtensions = (
  agent: Wanted,
  extensions: Extensions["Service"],
  warn: (warning: Text) => Effect.Effect<void>
): Extensions["Service"] => {
  let all: ReadonlyArray<Tool> = []
  let kept: ReadonlyArray<Tool> = []
  const tools = Effect.map(extensions.tools, (now) => {
    if (now !== all) {
      all = now
      kept = now.filter(({ name }) => keepsTool(agent, name))
    }
    return kept
  })
  const load = Effect.gen(function* () {
    const loaded = yield* extensions.load
    const names = (yield* extensions.tools).map(({ name }) => name)
    for (const pattern of agent.tools ?? []) {
      if (!names.some((name) => fits(pattern, name))) yield* warn(noTool(pattern, names))
    }
    // What is wrong with the folder's own extensions the main agent has said.
    return { ...loaded, tools: loaded.tools.filter(({ name }) => keepsTool(agent, name)), warnings: [] }
  })
  return { load, tools, takeWarnings: Effect.succeed([]) }
}

export const filterSkills = (
  agent: Wanted,
  skills: Skills["Service"],
  warn: (warning: Text) => Effect.Effect<void>
): Skills["Service"] => {
  const keep = ({ skills: all, warnings }: LoadedSkills): LoadedSkills => {
    if (!keepsTool(agent, "Skill")) return { skills: [], warnings }
    const { skills: wanted } = agent
    if (wanted === undefined) return { skills: all, warnings }
    const named = new Set(wanted.map((name) => findSkill(name, all)))
    return { skills: all.filter((skill) => named.has(skill)), warnings }
  }
  const load = Effect.gen(function* () {
    const loaded = yield* skills.load
    const names = loaded.skills.map(({ name }) => name)
    for (const wanted of agent.skills ?? []) {
      if (findSkill(wanted, loaded.skills) === undefined) yield* warn(noSkill(wanted, names))
    }
    return keep(loaded)
  })
  const current = Effect.map(skills.current, keep)
  return {
    ...skills,
    load,
    current,
    use: (name, args, options) =>
      Effect.flatMap(current, (left) =>
        findSkill(name, left.skills) === undefined
          ? Effect.fail(new UnknownSkill({ text: unknownSkill(name, left.skills) }))
          : skills.use(name, args, options)
      )
  }
}

const noTool = (name: string, names: ReadonlyArray<string>): Text =>
  text(
    `tools: there is no tool "${name}"${meant(name, names).en}.`,
    `tools : il n'y a pas d'outil « ${name} »${meant(name, names).fr}.`
  )

const noSkill = (name: string, names: ReadonlyArray<string>): Text =>
  text(
    `skills: there is no skill "${name}"${meant(name, names).en}.`,
    `skills : il n'y a pas de skill « ${name} »${meant(name, names).fr}.`
  )

const meant = (name: string, names: ReadonlyArray<string>): Text => {
  const [near] = nearest(name, names, 1)
  return near === undefined ? text("", "") : text(` (is ${near} meant?)`, ` (est-ce ${near} ?)`)
}
