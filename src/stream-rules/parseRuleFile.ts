/**
 * Reads one rule file: YAML between two lines of `---`, then the reminder (spec 05). Every fault is one warning that says
 * where it is and what was expected; a fault in an optional key leaves the rest of the rule in force. Pure, but for loading
 * the YAML library.
 */
import type { Node, YAMLMap } from "yaml"
import { nearest } from "../config/nearest.ts"
import { text, type Text } from "../domain/text.ts"
import { compileTrigger, type Program } from "./engine/program.ts"
import type { RuleLevel, RuleScope, StreamRule } from "./rule.ts"
import { DEFAULT_SCOPES, parseScope } from "./scope.ts"
import { testJsExpression } from "./engine/jsExpression.ts"
import type { CompiledRule } from "./RuleSet.ts"

export interface RuleFile {
  /** As shown to people. */
  readonly file: string
  /** The file's name without `.md`: the rule's name where none is given. */
  readonly stem: string
  readonly content: string
  readonly level: RuleLevel
}

export interface ParsedRule {
  /** Absent where there is no rule to be had. */
  readonly rule: CompiledRule | undefined
  readonly warnings: ReadonlyArray<Text>
}

const KEYS = [
  "name",
  "description",
  "trigger",
  "ttsr_trigger",
  "scope",
  "interrupt",
  "contextMode",
  "repeat",
  "repeatGap",
  "engine"
] as const

/** Longest name, in UTF-16 units. */
const LONGEST_NAME = 100

export const parseRuleFile = async (file: RuleFile): Promise<ParsedRule> => new RuleFileReader(file).read()

class RuleFileReader {
  private readonly file: RuleFile
  private readonly warnings: Array<Text> = []
  private lineAt: (offset: number) => number = () => 1

  constructor(file: RuleFile) {
    this.file = file
  }

  async read(): Promise<ParsedRule> {
    const rule = await this.rule()
    return { rule, warnings: this.warnings }
  }

  private async rule(): Promise<CompiledRule | undefined> {
    const parts = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)([\s\S]*)$/.exec(this.file.content)
    if (parts === null) {
      this.warn(
        1,
        "expected front matter: a line ---, keys such as trigger, a line ---, then the reminder",
        "un en-tête est attendu : une ligne ---, des clés comme trigger, une ligne ---, puis le rappel"
      )
      return undefined
    }
    const map = await this.frontMatter(parts[1] ?? "")
    if (map === undefined) return undefined
    for (const { key } of map.items) this.checkKey(key)
    const reminder = (parts[2] ?? "").trim()
    if (reminder === "") {
      this.warn(
        this.lineAt(parts[1]?.length ?? 0) + 1,
        "the reminder is missing: write below the front matter what the model should do",
        "le rappel manque : écrivez sous l'en-tête ce que le modèle doit faire"
      )
      return undefined
    }
    const engine = this.choice(map, "engine", ["re2", "js"]) ?? "re2"
    const compiled = await this.triggers(map, engine)
    if (compiled === undefined) return undefined
    const contextMode = this.choice(map, "contextMode", ["discard", "keep"])
    const repeat = this.choice(map, "repeat", ["once", "after-gap"])
    const repeatGap = this.gap(map)
    const rule: StreamRule = {
      name: this.line(map, "name") ?? this.file.stem,
      description: this.line(map, "description") ?? "",
      triggers: compiled.map(({ trigger }) => trigger),
      scopes: this.scopes(map),
      interrupt: this.choice(map, "interrupt", ["always", "never"]) ?? "always",
      ...(contextMode === undefined ? {} : { contextMode }),
      ...(repeat === undefined ? {} : { repeat }),
      ...(repeatGap === undefined ? {} : { repeatGap }),
      engine,
      reminder,
      level: this.file.level,
      file: this.file.file
    }
    return { rule, programs: compiled.flatMap(({ program }) => (program === undefined ? [] : [program])) }
  }

  private async frontMatter(yaml: string): Promise<YAMLMap | undefined> {
    const { isMap, LineCounter, parseDocument } = await import("yaml")
    const counter = new LineCounter()
    const document = parseDocument(yaml, { lineCounter: counter, prettyErrors: false })
    // The first line of the file is the `---`.
    this.lineAt = (offset) => counter.linePos(offset).line + 1
    const [error] = document.errors
    if (error !== undefined) {
      const said = error.message.split("\n")[0] ?? ""
      this.warn(
        this.lineAt(error.pos[0]),
        `the front matter is not valid YAML: ${said}. Put an expression between single quotes`,
        `l'en-tête n'est pas du YAML valide : ${said}. Mettez une expression entre apostrophes`
      )
      return undefined
    }
    if (!isMap(document.contents)) {
      this.warn(
        2,
        "expected keys with values, at least trigger",
        "des clés et des valeurs sont attendues, au moins trigger"
      )
      return undefined
    }
    return document.contents as YAMLMap
  }

  private checkKey(node: unknown): void {
    const key = scalarOf(node)
    if (KEYS.some((known) => known === key)) return
    const [near] = nearest(String(key), KEYS, 1)
    this.warn(
      this.lineOf(node),
      `unknown key ${JSON.stringify(key)}${near === undefined ? `; known keys: ${KEYS.join(", ")}` : `; did you mean ${near}?`}`,
      `clé inconnue ${JSON.stringify(key)}${near === undefined ? ` ; clés connues : ${KEYS.join(", ")}` : ` ; vouliez-vous dire ${near} ?`}`
    )
  }

  private async triggers(map: YAMLMap, engine: "re2" | "js") {
    const key = map.has("trigger") ? "trigger" : "ttsr_trigger"
    const found = this.textsOf(map, key)
    if (found === undefined || found.length === 0) {
      this.warn(
        found === undefined ? 2 : this.lineOf(map.get(key, true)),
        "expected trigger: an expression, or a list of them",
        "trigger est attendu : une expression, ou une liste"
      )
      return undefined
    }
    const compiled: Array<{ readonly trigger: string; readonly program: Program | undefined }> = []
    for (const { value: trigger, line } of found) {
      const result = engine === "js" ? testJsExpression(trigger) : await compileTrigger(trigger)
      if (result.ok) {
        compiled.push({ trigger, program: result.program })
        continue
      }
      const help = result.needsJs
        ? text(
            ". Look-around and back-references need `engine: js`",
            ". Les assertions avant/arrière et les références demandent `engine: js`"
          )
        : text("", "")
      this.warn(
        line,
        `the expression ${JSON.stringify(trigger)} cannot be used: ${result.problem}${help.en}`,
        `l'expression ${JSON.stringify(trigger)} est inutilisable : ${result.problem}${help.fr}`
      )
    }
    return compiled.length === 0 ? undefined : compiled
  }

  private scopes(map: YAMLMap): ReadonlyArray<RuleScope> {
    const scopes: Array<RuleScope> = []
    for (const { value, line } of this.textsOf(map, "scope") ?? []) {
      // One text may name several, as in "text, tool:Edit(*.ts)".
      for (const written of value.split(/,(?![^({]*[)}])/)) {
        const scope = parseScope(written)
        if (scope !== undefined) scopes.push(scope)
        else {
          this.warn(
            line,
            `unknown scope ${JSON.stringify(written.trim())}: expected text, thinking, tool, tool:Edit or tool:Edit(*.ts)`,
            `portée inconnue ${JSON.stringify(written.trim())} : text, thinking, tool, tool:Edit ou tool:Edit(*.ts) attendu`
          )
        }
      }
    }
    return scopes.length === 0 ? DEFAULT_SCOPES : scopes
  }

  private choice<const Choice extends string>(
    map: YAMLMap,
    key: string,
    choices: ReadonlyArray<Choice>
  ): Choice | undefined {
    const node = map.get(key, true)
    if (node === undefined) return undefined
    const value = scalarOf(node)
    const found = choices.find((choice) => choice === value)
    if (found === undefined) {
      this.warn(
        this.lineOf(node),
        `${key}: expected ${choices.join(" or ")}, got ${JSON.stringify(value)}`,
        `${key} : ${choices.join(" ou ")} attendu, reçu ${JSON.stringify(value)}`
      )
    }
    return found
  }

  private gap(map: YAMLMap): number | undefined {
    const node = map.get("repeatGap", true)
    if (node === undefined) return undefined
    const value = scalarOf(node)
    if (typeof value === "number" && Number.isInteger(value) && value > 0) return value
    this.warn(
      this.lineOf(node),
      `repeatGap: expected a number of turns from 1, got ${JSON.stringify(value)}`,
      `repeatGap : un nombre de tours à partir de 1 est attendu, reçu ${JSON.stringify(value)}`
    )
    return undefined
  }

  private line(map: YAMLMap, key: string): string | undefined {
    const node = map.get(key, true)
    if (node === undefined) return undefined
    const value = scalarOf(node)
    const line = typeof value === "string" || typeof value === "number" ? String(value).trim() : ""
    if (line !== "" && (key !== "name" || (line.length <= LONGEST_NAME && !/\p{Cc}/u.test(line)))) return line
    this.warn(this.lineOf(node), `${key}: expected one short line`, `${key} : une courte ligne est attendue`)
    return undefined
  }

  /** A text or a list of texts; undefined where the key is absent. */
  private textsOf(
    map: YAMLMap,
    key: string
  ): ReadonlyArray<{ readonly value: string; readonly line: number }> | undefined {
    const node = map.get(key, true)
    if (node === undefined) return undefined
    const items: ReadonlyArray<unknown> = "items" in node && Array.isArray(node.items) ? node.items : [node]
    return items.flatMap((item) => {
      const value = scalarOf(item)
      if (typeof value === "string" && value !== "") return [{ value, line: this.lineOf(item) }]
      this.warn(
        this.lineOf(item),
        `${key}: expected a text between single quotes, got ${JSON.stringify(value ?? null)}`,
        `${key} : un texte entre apostrophes est attendu, reçu ${JSON.stringify(value ?? null)}`
      )
      return []
    })
  }

  private lineOf(node: unknown): number {
    // Every node of a parsed document has its place in the text.
    const { range } = node as Node
    return range === undefined || range === null ? 2 : this.lineAt(range[0])
  }

  private warn(line: number, en: string, fr: string): void {
    this.warnings.push(text(`${this.file.file}:${line}: ${en}.`, `${this.file.file}:${line} : ${fr}.`))
  }
}

const scalarOf = (node: unknown): unknown =>
  typeof node === "object" && node !== null && "value" in node ? node.value : undefined
