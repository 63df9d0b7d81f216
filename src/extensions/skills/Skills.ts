/**
 * The skills that count now (MAIA §11.3): the most specific place wins a name, those of a project only while its folder is
 * trusted (spec 03). Using one puts its steps, its arguments and the files it names together.
 */
import { Context, Effect, FileSystem, Layer, Path, Schema } from "effect"
import { Config } from "../../config/Config.ts"
import type { Attachment } from "../../domain/message.ts"
import { Text } from "../../domain/text.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { TrustState } from "../../permissions/trust/TrustState.ts"
import { resolveMentions } from "../../tools/mentions.ts"
import { cutMiddle } from "../../tools/mentionSyntax.ts"
import { withArguments } from "../expandBody.ts"
import { unknownSkill } from "./catalogue.ts"
import { findSkills } from "./findSkills.ts"
import type { FileReading } from "../fileReading.ts"
import { mayBring } from "../mayBring.ts"
import type { Skill } from "./skill.ts"

export interface LoadedSkills {
  /** Those that count, in order of names. */
  readonly skills: ReadonlyArray<Skill>
  readonly warnings: ReadonlyArray<Text>
}

export interface ListedSkill {
  readonly skill: Skill
  /** `hidden`: one of the same name in a more specific place counts. */
  readonly state: "active" | "hidden" | "untrusted"
}

export class UnknownSkill extends Schema.TaggedError<UnknownSkill>()("UnknownSkill", { text: Text }) {
  override get message(): string {
    return this.text.en
  }
}

export interface UsedSkill {
  readonly skill: Skill
  /** For the model. */
  readonly text: string
  readonly attachments: ReadonlyArray<Attachment>
  /** About files it names. */
  readonly warnings: ReadonlyArray<Text>
}

export interface UseOptions extends FileReading {
  /** Warn of what looks like a file and is none: for whoever writes the skill. */
  readonly checkFiles?: boolean
}

/** Characters of one body that the model gets. */
export const MAX_BODY = 50_000

export class Skills extends Context.Service<
  Skills,
  {
    /** Takes what is on disk anew. */
    readonly load: Effect.Effect<LoadedSkills>
    /** As of the last `load`. */
    readonly current: Effect.Effect<LoadedSkills>
    /** All that there are, for `maia skills`. */
    readonly all: Effect.Effect<{
      readonly skills: ReadonlyArray<ListedSkill>
      readonly warnings: ReadonlyArray<Text>
    }>
    readonly use: (name: string, args: string, options: UseOptions) => Effect.Effect<UsedSkill, UnknownSkill>
  }
>()("maia/extensions/Skills") {
  static readonly layer: Layer.Layer<Skills, never, Config | Permissions | FileSystem.FileSystem | Path.Path> =
    Layer.effect(
      Skills,
      Effect.suspend(() => make)
    )
}

const make = Effect.gen(function* () {
  const config = yield* Config
  const permissions = yield* Permissions
  const trusted = yield* TrustState
  const services = yield* Effect.context<FileSystem.FileSystem | Path.Path | Config>()
  const find = Effect.provide(findSkills(config), services)
  let loaded: LoadedSkills | undefined

  const load = Effect.gen(function* () {
    const found = yield* find
    const needsTrust = [...found.skills, ...found.warnings].some(({ level }) => level !== "user")
    const trust = needsTrust && (yield* trusted)
    const counts = ({ level }: { readonly level: Skill["level"] }) => trust || level === "user"
    loaded = {
      skills: winners(found.skills.filter(counts)),
      warnings: found.warnings.filter(counts).map((warning) => warning.text)
    }
    return loaded
  }).pipe(Effect.withSpan("Skills.load"))

  const current = Effect.suspend(() => (loaded === undefined ? load : Effect.succeed(loaded)))

  const all = Effect.gen(function* () {
    const found = yield* find
    const trust = yield* trusted
    const counting = found.skills.filter(({ level }) => trust || level === "user")
    const first = new Set(winners(counting))
    const skills = found.skills.map((skill): ListedSkill => {
      const state = first.has(skill) ? "active" : counting.includes(skill) ? "hidden" : "untrusted"
      return { skill, state }
    })
    return { skills: skills.toSorted(byName), warnings: found.warnings.map((warning) => warning.text) }
  })

  const use = Effect.fn("Skills.use")(function* (name: string, args: string, options: UseOptions) {
    const { skills } = yield* current
    const skill = findSkill(name, skills)
    if (skill === undefined) return yield* new UnknownSkill({ text: unknownSkill(name, skills) })
    // Before the arguments are put in: what they name is for whoever wrote them to bring.
    const mentions = yield* resolveMentions(skill.body, {
      mode: options.mode,
      images: options.images,
      ignoreMissing: options.checkFiles !== true,
      folders: [skill.folder, config.launchFolder],
      mayBring: mayBring(skill, config, permissions)
    }).pipe(Effect.provide(services))
    const steps = withArguments(cutMiddle(skill.body, MAX_BODY), args)
    const text = [
      `Skill ${skill.name} (its files are in ${skill.folder}). Carry out these steps yourself now, in this turn; do not just show them.`,
      steps,
      ...mentions.blocks
    ].join("\n\n")
    const used: UsedSkill = { skill, text, attachments: mentions.attachments, warnings: mentions.warnings }
    return used
  })

  return Skills.of({ load, current, all, use })
})

/** As written, else the only one that differs by case. */
export const findSkill = (name: string, skills: ReadonlyArray<Skill>): Skill | undefined => {
  const wanted = name.trim().normalize()
  const exact = skills.find((skill) => skill.name === wanted)
  if (exact !== undefined) return exact
  const alike = skills.filter((skill) => skill.name.toLowerCase() === wanted.toLowerCase())
  return alike.length === 1 ? alike[0] : undefined
}

/** The first of each name, in order of names. */
const winners = (skills: ReadonlyArray<Skill>): ReadonlyArray<Skill> => {
  const byNames = new Map<string, Skill>()
  for (const skill of skills) if (!byNames.has(skill.name)) byNames.set(skill.name, skill)
  return [...byNames.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

const byName = (a: ListedSkill, b: ListedSkill): number =>
  a.skill.name < b.skill.name ? -1 : a.skill.name > b.skill.name ? 1 : 0
