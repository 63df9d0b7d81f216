/**
 * Finds the skills of all places (MAIA §11.3). Reads folders; what is wrong with one skill is a warning and leaves the
 * others. Decides nothing about trust: each skill says its level.
 */
import { Effect, FileSystem, Path } from "effect"
import type { Config } from "../../config/Config.ts"
import { skillFolders, type SkillFolder } from "../../config/skillFolders.ts"
import { text, type Text } from "../../domain/text.ts"
import { readSource } from "../readSource.ts"
import { isSkillName, parseSkill, type ParsedSkill, type Skill } from "./skill.ts"

/** Bytes of one `SKILL.md`. */
export const MAX_SKILL_BYTES = 1_000_000
/** Skills of one place. */
export const MAX_SKILLS = 200

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
    skills: found.flatMap(({ skills }) => skills),
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

interface PlaceContent {
  readonly skills: ReadonlyArray<Skill>
  readonly warnings: ReadonlyArray<Text>
}

const readPlace = Effect.fnUntraced(function* (place: SkillFolder): Effect.fn.Return<PlaceContent, never, Disk> {
  const fs = yield* FileSystem.FileSystem
  const listed = yield* Effect.result(fs.readDirectory(place.folder))
  if (listed._tag === "Failure") {
    const { message } = listed.failure
    return {
      skills: [],
      warnings: [
        text(`${place.folder}: cannot be read: ${message}`, `${place.folder} : ne peut pas être lu : ${message}`)
      ]
    }
  }
  const names = listed.success.filter((name) => !name.startsWith(".") && name !== "node_modules").sort()
  const warnings: Array<Text> = []
  if (names.length > MAX_SKILLS) {
    warnings.push(
      text(
        `${place.folder} holds ${names.length} entries; the first ${MAX_SKILLS} by name are used.`,
        `${place.folder} contient ${names.length} entrées ; les ${MAX_SKILLS} premières par nom sont utilisées.`
      )
    )
  }
  const read = yield* Effect.forEach(names.slice(0, MAX_SKILLS), (name) => readSkill(place, name), { concurrency: 16 })
  return {
    skills: read.flatMap(({ skill }) => (skill === undefined ? [] : [skill])),
    warnings: [...warnings, ...read.flatMap((one) => one.warnings)]
  }
})

const none: ParsedSkill = { skill: undefined, warnings: [] }
const warned = (en: string, fr: string): ParsedSkill => ({ skill: undefined, warnings: [text(en, fr)] })

const readSkill = Effect.fnUntraced(function* (
  { folder: place, level }: SkillFolder,
  name: string
): Effect.fn.Return<ParsedSkill, never, Disk> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.join(place, name)
  const info = yield* Effect.result(fs.stat(folder))
  if (info._tag === "Failure") {
    const why = info.failure.reason._tag
    return warned(`${folder}: cannot be read (${why}).`, `${folder} : ne peut pas être lu (${why}).`)
  }
  if (info.success.type !== "Directory") return notAFolder(folder, name)
  for (const fileName of ["SKILL.md", "skill.md"]) {
    const file = path.join(folder, fileName)
    const source = yield* readSource(file, MAX_SKILL_BYTES)
    if ("problem" in source) {
      if (source.missing) continue
      return warned(`${file}: ${source.problem.en}.`, `${file} : ${source.problem.fr}.`)
    }
    if (isSkillName(name)) return yield* parseSkill({ name, file, folder, level, content: source.content })
    return warned(
      `${folder}: the folder's name cannot name a skill: use letters, digits, _ . and -, at most 64.`,
      `${folder} : le nom du dossier ne peut pas nommer un skill : lettres, chiffres, _ . et -, 64 au plus.`
    )
  }
  return warned(
    `${folder}: there is no SKILL.md in this folder.`,
    `${folder} : il n'y a pas de SKILL.md dans ce dossier.`
  )
})

const notAFolder = (file: string, name: string): ParsedSkill => {
  if (!/\.md$/i.test(name) || /^readme\.md$/i.test(name)) return none
  const stem = name.replace(/\.md$/i, "")
  return warned(
    `${file}: a skill is a folder: move this file to ${stem}/SKILL.md.`,
    `${file} : un skill est un dossier : déplacez ce fichier dans ${stem}/SKILL.md.`
  )
}
