/**
 * The stream rules of this launch folder (spec 05): read from `.maia/rules` of the project and of the user and from what
 * is built in, once, when first asked for. The expression engine and the YAML reader are loaded only where there is a rule.
 */
import { Context, Effect, FileSystem, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { nearest } from "../config/nearest.ts"
import { text, type Text } from "../domain/text.ts"
import { BUILTIN_RULES } from "./builtin/index.ts"
import { compileTrigger } from "./engine/program.ts"
import { parseRuleFile } from "./parseRuleFile.ts"
import type { RuleLevel } from "./rule.ts"
import { RuleSet, type CompiledRule } from "./RuleSet.ts"

/** Whether the project's own rules count now. Who knows what is trusted provides it (spec 03). */
export const StreamRulesTrust = Context.Reference<Effect.Effect<boolean>>("maia/stream-rules/StreamRulesTrust", {
  defaultValue: () => Effect.succeed(false)
})

export interface LoadedRules {
  readonly rules: RuleSet
  readonly warnings: ReadonlyArray<Text>
}

/** Bytes of one rule file: a reminder is a few lines. */
const LARGEST_FILE = 100_000
/** Files of one level. */
const MOST_FILES = 500

export class StreamRules extends Context.Service<
  StreamRules,
  {
    /**
     * Never fails: what is wrong with a rule is a warning, the others work. Empty where `streamRules.enabled` is off. The
     * same value until the trust changes.
     */
    readonly load: Effect.Effect<LoadedRules>
    /** The same whatever `enabled` and the trust say, for `maia rules`. */
    readonly loadAll: Effect.Effect<LoadedRules>
  }
>()("maia/stream-rules/StreamRules") {
  static readonly layer: Layer.Layer<StreamRules, never, Config | FileSystem.FileSystem> = Layer.effect(
    StreamRules,
    Effect.gen(function* () {
      const config = yield* Config
      const fs = yield* FileSystem.FileSystem
      const trusted = yield* StreamRulesTrust
      const provided = <A>(effect: Effect.Effect<A, never, FileSystem.FileSystem>) =>
        Effect.provideService(effect, FileSystem.FileSystem, fs)
      const all = yield* Effect.cached(provided(loadRules(config, { trusted: true })))
      const own = yield* Effect.cached(provided(loadRules(config, { trusted: false })))
      const none = Effect.succeed<LoadedRules>({ rules: new RuleSet([]), warnings: [] })
      return StreamRules.of({
        load: config.settings.streamRules.enabled ? Effect.flatMap(trusted, (yes) => (yes ? all : own)) : none,
        loadAll: all
      })
    })
  )
}

const loadRules = Effect.fn("StreamRules.load")(function* (
  config: Config["Service"],
  { trusted }: { readonly trusted: boolean }
) {
  const chosen = new Map<string, CompiledRule>()
  const warnings: Array<Text> = []
  const levels: ReadonlyArray<readonly [RuleLevel, string]> = [
    ...(trusted ? [["project", `${config.projectDir}/rules`] as const] : []),
    ...(config.userDir === config.projectDir ? [] : [["user", `${config.userDir}/rules`] as const])
  ]
  for (const [level, folder] of levels) {
    for (const name of yield* ruleFiles(folder, warnings)) {
      const file = `${folder}/${name}`
      const content = yield* readRule(file, warnings)
      if (content === undefined) continue
      const stem = name.replace(/\.md$/i, "")
      const parsed = yield* Effect.promise(() => parseRuleFile({ file, stem, content, level }))
      warnings.push(...parsed.warnings)
      if (parsed.rule !== undefined) add(parsed.rule, chosen, warnings)
    }
  }
  const builtin = yield* Effect.promise(() => builtinRules(config.settings.streamRules.builtin, warnings))
  for (const rule of builtin) if (!chosen.has(rule.rule.name)) chosen.set(rule.rule.name, rule)
  const loaded: LoadedRules = { rules: new RuleSet([...chosen.values()]), warnings }
  return loaded
})

/** Names in order; none where there is no folder. */
const ruleFiles = Effect.fnUntraced(function* (folder: string, warnings: Array<Text>) {
  const fs = yield* FileSystem.FileSystem
  const names = yield* fs.readDirectory(folder).pipe(
    Effect.catch((error) => {
      if (error.reason._tag !== "NotFound") warnings.push(unreadable(folder, error.message))
      return Effect.succeed<ReadonlyArray<string>>([])
    })
  )
  const rules = names.filter((name) => /\.md$/i.test(name)).sort()
  if (rules.length > MOST_FILES) {
    warnings.push(
      text(
        `${folder} holds ${rules.length} rule files; the first ${MOST_FILES} by name are used.`,
        `${folder} contient ${rules.length} fichiers de règles ; les ${MOST_FILES} premiers par nom sont utilisés.`
      )
    )
  }
  return rules.slice(0, MOST_FILES)
})

const readRule = Effect.fnUntraced(function* (file: string, warnings: Array<Text>) {
  const fs = yield* FileSystem.FileSystem
  return yield* Effect.gen(function* () {
    const info = yield* fs.stat(file)
    if (info.type === "File" && Number(info.size) <= LARGEST_FILE) return yield* fs.readFileString(file)
    warnings.push(
      text(
        `${file} is no rule: a file of at most ${LARGEST_FILE} bytes is expected.`,
        `${file} n'est pas une règle : un fichier d'au plus ${LARGEST_FILE} octets est attendu.`
      )
    )
    return undefined
  }).pipe(
    Effect.catch((error) => {
      warnings.push(unreadable(file, error.message))
      return Effect.undefined
    })
  )
})

const unreadable = (file: string, why: string): Text =>
  text(`${file} could not be read: ${why}`, `${file} n'a pas pu être lu : ${why}`)

/** The first rule of a name counts. That a project's stands in place of the user's is meant, and no fault. */
const add = (rule: CompiledRule, chosen: Map<string, CompiledRule>, warnings: Array<Text>): void => {
  const { name, level, file = "" } = rule.rule
  const first = chosen.get(name)?.rule
  if (first === undefined) chosen.set(name, rule)
  else if (first.level === level) {
    warnings.push(
      text(
        `${file}:1: a rule named ${JSON.stringify(name)} is already in ${first.file}; this one is not used. Give it another name.`,
        `${file}:1 : une règle nommée ${JSON.stringify(name)} est déjà dans ${first.file} ; celle-ci n'est pas utilisée. Donnez-lui un autre nom.`
      )
    )
  }
}

/** `wanted`: all, none, or by name. */
export const builtinRules = async (
  wanted: boolean | ReadonlyArray<string>,
  warnings: Array<Text> = []
): Promise<ReadonlyArray<CompiledRule>> => {
  if (wanted === false) return []
  const names = BUILTIN_RULES.map(({ name }) => name)
  for (const name of wanted === true ? [] : wanted) {
    if (names.includes(name)) continue
    const near = nearest(name, names, 1)
    const known = near.length > 0 ? near : names
    warnings.push(
      text(
        `streamRules.builtin: there is no built-in rule ${JSON.stringify(name)}; expected ${known.join(", ")}.`,
        `streamRules.builtin : il n'y a pas de règle intégrée ${JSON.stringify(name)} ; attendu : ${known.join(", ")}.`
      )
    )
  }
  const compiled: Array<CompiledRule> = []
  for (const rule of BUILTIN_RULES) {
    if (wanted !== true && !wanted.includes(rule.name)) continue
    const results = await Promise.all(rule.triggers.map(compileTrigger))
    compiled.push({
      rule,
      programs: results.map((result) => {
        if (result.ok) return result.program
        throw new Error(`built-in rule ${rule.name}: ${result.problem}`)
      })
    })
  }
  return compiled
}
