/**
 * Reads one `AGENT.md` (MAIA §20.1): the header's keys and the three sections. What an agent cannot do without refuses it;
 * any other fault is a warning that says where it is. Pure, but for loading the YAML library.
 */
import { Effect, Predicate } from "effect"
import { nearest } from "../../config/nearest.ts"
import { text, type Text } from "../../domain/text.ts"
import type { Definition, Parsed } from "../definitionFolders.ts"
import { type FrontMatter, oneLine, readFrontMatter } from "../frontMatter.ts"
import type { AgentDefinition } from "./definition.ts"
import { readRules } from "./readRules.ts"
import { checkSchema } from "./outputSchema.ts"
import { findSections, SECTION_TITLES, type SectionName } from "./sections.ts"

const KEYS = ["name", "description", "model", "tools", "skills", "omitmd", "trace", "permissions", "output"] as const

/** Characters of a description that are used: they are paid for with every request. */
const MAX_DESCRIPTION = 500

export const readAgent = Effect.fnUntraced(function* (source: Definition): Effect.fn.Return<Parsed<AgentDefinition>> {
  const read = yield* readFrontMatter(source.content)
  const reader = new AgentReader(source)
  return { found: reader.read(read), warnings: reader.warnings }
})

type Fields = FrontMatter["fields"]

class AgentReader {
  readonly warnings: Array<Text> = []
  private readonly source: Definition
  private fields: Fields = new Map()

  constructor(source: Definition) {
    this.source = source
  }

  read(read: Effect.Success<ReturnType<typeof readFrontMatter>>): AgentDefinition | undefined {
    if (read === undefined) {
      return this.refuse(
        1,
        "expected a header: a line ---, description: TEXT, a line ---, then the three sections",
        "un en-tête est attendu : une ligne ---, description: TEXTE, une ligne ---, puis les trois sections"
      )
    }
    if ("problem" in read) return this.refuse(read.line, read.problem.en, read.problem.fr)
    this.fields = read.fields
    this.checkKeys()
    const description = this.description()
    const sections = this.sections(read.body)
    if (!this.checkName() || description === undefined || sections === undefined) return undefined
    const model = this.words("model")
    const tools = this.list("tools")
    const skills = this.list("skills")
    const outputSchema = this.outputSchema()
    const { field, warn } = this.reporters("permissions")
    return {
      name: this.source.name.normalize(),
      description,
      file: this.source.file,
      ...(model === undefined ? {} : { model }),
      ...(tools === undefined ? {} : { tools: this.withoutAgent(tools) }),
      ...(skills === undefined ? {} : { skills }),
      omitMd: this.flag("omitmd", "omitMd"),
      trace: this.flag("trace", "trace"),
      rules: field === undefined ? [] : readRules(field, warn),
      ...sections,
      ...(outputSchema === undefined ? {} : { outputSchema })
    }
  }

  private checkKeys(): void {
    for (const [key, { line }] of this.fields) {
      if (KEYS.some((known) => known === key)) continue
      const [near] = nearest(key, KEYS, 1)
      const hint = near === undefined ? text("", "") : text(` (is ${near} meant?)`, ` (est-ce ${near} ?)`)
      this.warn(line, `unknown key ${key} is ignored${hint.en}`, `clé inconnue ${key}, ignorée${hint.fr}`)
    }
  }

  private checkName(): boolean {
    const { name: folder } = this.source
    const name = this.fields.get("name")
    if (name === undefined || name.value === null) {
      this.warn(
        name?.line ?? 1,
        `name is missing; the folder's name is used (write name: ${folder})`,
        `name manque ; le nom du dossier est utilisé (écrivez name: ${folder})`
      )
      return true
    }
    if (String(name.value).normalize() === folder.normalize()) return true
    const [is, called] = [JSON.stringify(name.value), JSON.stringify(folder)]
    this.refuse(
      name.line,
      `name is ${is}, but the folder is called ${called}: they must be equal`,
      `name vaut ${is} mais le dossier s'appelle ${called} : ils doivent être égaux`
    )
    return false
  }

  private description(): string | undefined {
    const field = this.fields.get("description")
    const description = typeof field?.value === "string" ? oneLine(field.value) : ""
    if (description === "") {
      return this.refuse(
        field?.line ?? 1,
        "description is missing: say in one sentence when to use this agent",
        "description manque : dites en une phrase quand utiliser cet agent"
      )
    }
    if (description.length <= MAX_DESCRIPTION) return description
    this.warn(
      field?.line ?? 1,
      `description has ${description.length} characters; the first ${MAX_DESCRIPTION} are used`,
      `description compte ${description.length} caractères ; les ${MAX_DESCRIPTION} premiers sont utilisés`
    )
    return `${description.slice(0, MAX_DESCRIPTION)}…`.toWellFormed()
  }

  private sections(body: string): Pick<AgentDefinition, SectionName> | undefined {
    const { found, repeated } = findSections(body)
    const offset = this.source.content.slice(0, this.source.content.indexOf(body)).split("\n").length - 1
    for (const { name, line } of repeated) {
      const title = SECTION_TITLES[name]
      this.warn(
        offset + line,
        `there is a second section "${title}"; the first one counts`,
        `il y a une deuxième section « ${title} » ; la première compte`
      )
    }
    const { instructions = "", missions = "", output = "" } = found
    const sections = { instructions, missions, output }
    const missing = (["instructions", "missions", "output"] as const).filter((name) => sections[name] === "")
    if (missing.length === 0) return sections
    const titles = missing.map((name) => `"# ${SECTION_TITLES[name]}"`)
    const [isEmpty] = missing.filter((name) => found[name] === "")
    return this.refuse(
      offset + 1,
      `${isEmpty === undefined ? "missing" : "missing or empty"} section: write ${titles.join(", ")} with text below`,
      `section ${isEmpty === undefined ? "manquante" : "manquante ou vide"} : écrivez ${titles.join(", ")} suivi de texte`
    )
  }

  private outputSchema(): Readonly<Record<string, unknown>> | undefined {
    const field = this.fields.get("output")
    if (field === undefined || field.value === null) return undefined
    const checked = checkSchema(field.value)
    if ("schema" in checked) return checked.schema
    this.warn(
      field.line,
      `output is no JSON schema, so the answer is not checked: ${checked.problem.en}`,
      `output n'est pas un schéma JSON, la réponse n'est donc pas vérifiée : ${checked.problem.fr}`
    )
    return undefined
  }

  private withoutAgent(tools: ReadonlyArray<string>): ReadonlyArray<string> {
    const kept = tools.filter((name) => name.toLowerCase() !== "agent")
    if (kept.length < tools.length) {
      this.warn(
        this.fields.get("tools")?.line ?? 1,
        "tools: a sub-agent cannot start sub-agents; Agent is left out",
        "tools : un sous-agent ne peut pas lancer de sous-agents ; Agent est écarté"
      )
    }
    return kept
  }

  private words(key: string): string | undefined {
    const field = this.fields.get(key)
    if (field === undefined || field.value === null || field.value === "") return undefined
    if (typeof field.value === "string" || typeof field.value === "number") return oneLine(String(field.value))
    this.warn(field.line, `${key}: expected a text; it is ignored`, `${key} : un texte est attendu ; ignoré`)
    return undefined
  }

  /** A list, or a text with commas. A list that cannot be read is an empty one: it must not give more than it says. */
  private list(key: string): ReadonlyArray<string> | undefined {
    const field = this.fields.get(key)
    if (field === undefined || field.value === null) return undefined
    const { value } = field
    const items: ReadonlyArray<unknown> =
      typeof value === "string" ? value.split(",") : Array.isArray(value) ? value : [undefined]
    const words = items.map((item) => (typeof item === "string" || typeof item === "number" ? String(item).trim() : ""))
    const isWrong = items.some((item) => typeof item !== "string" && typeof item !== "number")
    if (isWrong) {
      this.warn(
        field.line,
        `${key}: expected a list of names, for example [a, b]; what is no name is left out`,
        `${key} : une liste de noms est attendue, par exemple [a, b] ; ce qui n'est pas un nom est écarté`
      )
    }
    return [...new Set(words.filter((word) => word !== ""))]
  }

  private flag(key: string, shown: string): boolean {
    const field = this.fields.get(key)
    if (field === undefined || field.value === null) return false
    if (Predicate.isBoolean(field.value)) return field.value
    const word = String(field.value).toLowerCase()
    if (/^(?:true|yes|on|oui)$/.test(word)) return true
    if (/^(?:false|no|off|non)$/.test(word)) return false
    this.warn(
      field.line,
      `${shown}: expected true or false; false is used`,
      `${shown} : true ou false est attendu ; false est utilisé`
    )
    return false
  }

  private reporters(key: string) {
    const field = this.fields.get(key)
    const warn = (en: string, fr: string): void => this.warn(field?.line ?? 1, en, fr)
    return { field: field?.value === null ? undefined : field, warn }
  }

  private warn(line: number, en: string, fr: string): void {
    this.warnings.push(text(`${this.source.file}:${line}: ${en}.`, `${this.source.file}:${line} : ${fr}.`))
  }

  private refuse(line: number, en: string, fr: string): undefined {
    this.warn(line, `${en}. The agent is left out`, `${fr}. L'agent est écarté`)
    return undefined
  }
}
