/** What a skill is, and reading one from its file (MAIA §11.3, seed 003 "Skills"). Pure, but for loading the YAML library. */
import { Effect } from "effect"
import { nearest } from "../../config/nearest.ts"
import type { SkillFolder } from "../../config/skillFolders.ts"
import { text, type Text } from "../../domain/text.ts"
import { oneLine, readFrontMatter } from "../frontMatter.ts"

export interface Skill {
  /** The folder's name. */
  readonly name: string
  /** One line. */
  readonly description: string
  /** At most `MAX_KEYWORDS`. */
  readonly keywords: ReadonlyArray<string>
  readonly body: string
  /** Absolute. */
  readonly file: string
  readonly folder: string
  readonly level: SkillFolder["level"]
}

/** The catalogue is paid for with every request. */
export const MAX_KEYWORDS = 8
const MAX_KEYWORD_LENGTH = 40
/** Characters of a description in the catalogue. */
export const MAX_DESCRIPTION = 500
const MAX_NAME = 64

export interface SkillFile {
  readonly name: string
  readonly file: string
  readonly folder: string
  readonly level: SkillFolder["level"]
  /** With `\n` line ends, without byte order mark. */
  readonly content: string
}

export interface ParsedSkill {
  /** Undefined where there is no skill to be had. */
  readonly skill: Skill | undefined
  readonly warnings: ReadonlyArray<Text>
}

/** A name can be typed behind `§` and stand in a rule. */
export const isSkillName = (name: string): boolean =>
  name.length <= MAX_NAME && /^[\p{L}\p{N}_][\p{L}\p{N}_.-]*$/u.test(name)

export const parseSkill = Effect.fnUntraced(function* (source: SkillFile): Effect.fn.Return<ParsedSkill> {
  const warnings: Array<Text> = []
  const warn = (line: number, en: string, fr: string): void => {
    warnings.push(text(`${source.file}:${line}: ${en}.`, `${source.file}:${line} : ${fr}.`))
  }
  const refuse = (line: number, en: string, fr: string): ParsedSkill => {
    warn(line, en, fr)
    return { skill: undefined, warnings }
  }
  const read = yield* readFrontMatter(source.content)
  if (read === undefined) {
    return refuse(
      1,
      "expected front matter: a line ---, description: TEXT, a line ---, then the steps",
      "un en-tête est attendu : une ligne ---, description: TEXTE, une ligne ---, puis les étapes"
    )
  }
  if ("problem" in read) return refuse(read.line, read.problem.en, read.problem.fr)
  const { body, fields } = read

  const name = fields.get("name")
  if (name !== undefined && String(name.value).normalize() !== source.name.normalize()) {
    return refuse(
      name.line,
      `name is ${JSON.stringify(name.value)}, but the folder is called ${JSON.stringify(source.name)}: they must be equal`,
      `name vaut ${JSON.stringify(name.value)} mais le dossier s'appelle ${JSON.stringify(source.name)} : ils doivent être égaux`
    )
  }
  const described = fields.get("description")
  const description = typeof described?.value === "string" ? oneLine(described.value) : ""
  if (description === "") {
    const [near] = described === undefined ? nearest("description", [...fields.keys()], 1) : []
    const hint = near === undefined ? text("", "") : text(` (is ${near} meant?)`, ` (est-ce ${near} ?)`)
    return refuse(
      described?.line ?? 1,
      `description is missing: say in one sentence what the skill is for${hint.en}`,
      `description manque : dites en une phrase à quoi sert le skill${hint.fr}`
    )
  }
  if (body === "") {
    return refuse(
      1,
      "the steps are missing: write below the front matter what to do",
      "les étapes manquent : écrivez sous l'en-tête ce qu'il faut faire"
    )
  }
  if (description.length > MAX_DESCRIPTION) {
    warn(
      described?.line ?? 1,
      `description has ${description.length} characters; the catalogue shows the first ${MAX_DESCRIPTION}`,
      `description compte ${description.length} caractères ; le catalogue montre les ${MAX_DESCRIPTION} premiers`
    )
  }
  const given = fields.get("keywords")
  const { keywords, problem } = readKeywords(given?.value)
  if (problem !== undefined) warn(given?.line ?? 1, problem.en, problem.fr)
  const { file, folder, level } = source
  return { skill: { name: source.name.normalize(), description, keywords, body, file, folder, level }, warnings }
})

/** A list, or a text with commas. */
const readKeywords = (value: unknown): { readonly keywords: ReadonlyArray<string>; readonly problem?: Text } => {
  if (value === undefined || value === null || value === "") return { keywords: [] }
  const given: ReadonlyArray<unknown> =
    typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [undefined]
  const words = given.map((word) => (typeof word === "string" || typeof word === "number" ? oneLine(String(word)) : ""))
  const usable = [...new Set(words.filter((word) => word !== "" && word.length <= MAX_KEYWORD_LENGTH))]
  const keywords = usable.slice(0, MAX_KEYWORDS)
  if (words.some((word) => word.length > MAX_KEYWORD_LENGTH) || (usable.length === 0 && given.length > 0)) {
    return {
      keywords,
      problem: text(
        `keywords: expected a list of words of at most ${MAX_KEYWORD_LENGTH} characters, for example [release, publish]`,
        `keywords : une liste de mots d'au plus ${MAX_KEYWORD_LENGTH} caractères est attendue, par exemple [release, publier]`
      )
    }
  }
  if (usable.length <= MAX_KEYWORDS) return { keywords }
  return {
    keywords,
    problem: text(
      `keywords has ${usable.length} entries; the first ${MAX_KEYWORDS} are used`,
      `keywords compte ${usable.length} entrées ; les ${MAX_KEYWORDS} premières sont utilisées`
    )
  }
}
