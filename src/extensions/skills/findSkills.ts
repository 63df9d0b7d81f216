/**
 * Finds the skills of all places (MAIA §11.3). Reads folders; what is wrong with one skill is a warning and leaves the
 * others. Decides nothing about trust: each skill says its level.
 */
import { Effect, FileSystem, Path } from "effect"
import type { Config } from "../../config/Config.ts"
import { skillFolders, type SkillFolder } from "../../config/skillFolders.ts"
import { text, type Text } from "../../domain/text.ts"
import { readDefinitions } from "../definitionFolders.ts"
import { isSkillName, parseSkill, type Skill } from "./skill.ts"

/** Bytes of one `SKILL.md`. */
const MAX_SKILL_BYTES = 1_000_000
/** Skills of one place. */
const MAX_SKILLS = 200

export interface FoundSkills {
  /** Most specific place first; a name may come more than once. */
  readonly skills: ReadonlyArray<Skill>
  /** Each with the level it is about. */
  readonly warnings: ReadonlyArray<{ readonly level: SkillFolder["level"]; readonly text: Text }>
}

type Disk = FileSystem.FileSystem | Path.Path

export const findSkills = Effect.fn("Skills.find")(function* (
  config: Config["Service"]
): Effect.fn.Return<FoundSkills, never, Disk> {
  const places = yield* existingPlaces(config)
  const found = yield* Effect.forEach(places, readPlace, { concurrency: "unbounded" })
  return {
    skills: found.flatMap(({ found: skills }) => skills),
    warnings: found.flatMap(({ warnings }, at) =>
      warnings.map((warning) => ({ level: places[at]?.level ?? "project", text: warning }))
    )
  }
})

/** Each folder once. The user's own is never taken for a project's, also when maia was started in the home folder. */
const existingPlaces = Effect.fnUntraced(function* (config: Config["Service"]) {
  const fs = yield* FileSystem.FileSystem
  const real = (folder: string) => fs.realPath(folder).pipe(Effect.orElseSucceed(() => undefined))
  const atHome = (yield* real(config.projectDir)) === (yield* real(config.userDir))
  const wanted = skillFolders(config).filter(({ level }) => level === "user" || !atHome)
  const reals = yield* Effect.forEach(wanted, ({ folder }) => real(folder), { concurrency: "unbounded" })
  const users = new Set(reals.filter((_, at) => wanted[at]?.level === "user"))
  const seen = new Set<string>()
  return wanted.filter(({ level }, at) => {
    const folder = reals[at]
    if (folder === undefined || seen.has(folder) || (level !== "user" && users.has(folder))) return false
    seen.add(folder)
    return true
  })
})

const readPlace = ({ folder: place, level }: SkillFolder) =>
  readDefinitions<Skill>(place, {
    noun: text("a skill", "un skill"),
    files: ["SKILL.md", "skill.md"],
    maxBytes: MAX_SKILL_BYTES,
    most: MAX_SKILLS,
    isName: isSkillName,
    parse: (definition) =>
      Effect.map(parseSkill({ ...definition, level }), ({ skill, warnings }) => ({ found: skill, warnings }))
  })
