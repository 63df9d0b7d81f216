/**
 * Builds `Config` from flags, environment and both settings files (spec 01): flags, then environment, then the project's
 * file, then the user's, then defaults; what only the user may set is never taken from a project.
 */
import * as fs from "node:fs"
import * as path from "node:path"
import { Effect, Layer, Redacted, Schema } from "effect"
import { Text, text } from "../domain/text.ts"
import { Config, type Origin, type PermissionRuleSource } from "./Config.ts"
import { findPlaces } from "./launch.ts"
import { localeLanguage } from "./locale.ts"
import { modelName } from "./modelSettings.ts"
import { isRule } from "./ruleForm.ts"
import { defaultSettings, type ModelSettings, type Settings } from "./settings.ts"
import { readSettingsFile, type FileValue, type SettingsFile } from "./settingsFile.ts"

/** Settings that stop the start (exit 5): one line each. */
export class ConfigError extends Schema.TaggedError<ConfigError>()("ConfigError", {
  texts: Schema.Array(Text)
}) {
  override get message(): string {
    return this.texts.map(({ en }) => en).join("\n")
  }
}

export interface LaunchFlags {
  readonly cwd?: string | undefined
  readonly model?: string | undefined
  readonly maxIterations?: number | undefined
  readonly mode?: Settings["mode"] | undefined
  readonly allow?: ReadonlyArray<string>
  readonly ask?: ReadonlyArray<string>
  readonly deny?: ReadonlyArray<string>
}

export interface LaunchInput {
  readonly flags: LaunchFlags
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly version: string
}

type Layered = Map<string, { readonly value: unknown; readonly origin: Origin }>

/** Fails with one line per wrong setting: file, line, key, what was expected, an example. */
export const loadConfig = Effect.fn("Config.load")(function* (
  input: LaunchInput
): Effect.fn.Return<Config["Service"], ConfigError> {
  const places = findPlaces(input.env, input.flags.cwd)
  if ("missing" in places) {
    return yield* new ConfigError({
      texts: [
        text(
          `The folder ${places.missing} does not exist. Start maia in an existing folder, or name one with --cwd.`,
          `Le dossier ${places.missing} n'existe pas. Lancez maia dans un dossier existant, ou indiquez-en un avec --cwd.`
        )
      ]
    })
  }
  const userFile = path.join(places.userDir, "settings.json")
  const projectFile = path.join(places.projectDir, "settings.json")
  const files = [
    yield* readOptional(userFile, "user"),
    ...(projectFile === userFile ? [] : [yield* readOptional(projectFile, "project")])
  ]
  const problems = files.flatMap((file) => file.problems)
  if (problems.length > 0) return yield* new ConfigError({ texts: problems })

  const layered: Layered = new Map()
  for (const file of files) {
    for (const [key, found] of file.values) layered.set(key, { value: found.value, origin: fromFile(file, found) })
  }
  const models = mergeModels(files, layered)
  yield* readModelFiles(places, layered)
  applyEnvironment(input.env, layered)
  applyFlags(input.flags, layered)
  const badFlags = flagRules(input.flags).filter(({ rule }) => !isRule(rule))
  if (badFlags.length > 0) {
    return yield* new ConfigError({
      texts: badFlags.map(({ rule, kind }) =>
        text(
          `--${kind} ${JSON.stringify(rule)}: expected Tool or Tool(pattern), for example --${kind} "Bash(git status)"`,
          `--${kind} ${JSON.stringify(rule)} : la forme attendue est Outil ou Outil(motif), par exemple --${kind} "Bash(git status)"`
        )
      )
    })
  }
  const settings = toSettings(layered, models)
  const key = layered.get("LiteLLM_API_Key")?.value
  return {
    ...places,
    env: input.env,
    platform: input.platform,
    version: input.version,
    settings: settings.model === undefined ? settings : { ...settings, model: modelName(settings.model) },
    apiKey: typeof key === "string" ? Redacted.make(key, { label: "LiteLLM_API_Key" }) : undefined,
    origins: new Map([...layered].map(([name, { origin }]) => [name, origin])),
    rules: [...files.flatMap((file) => file.rules), ...flagRules(input.flags)],
    extensionSettings: files.flatMap((file) => file.extensions),
    warnings: files.flatMap((file) => file.warnings),
    language: language(layered.get("language")?.value, input.env)
  }
})

/** `loadConfig` as a layer. */
export const configLayer = (input: LaunchInput): Layer.Layer<Config, ConfigError> =>
  Layer.effect(Config, Effect.map(loadConfig(input), Config.of))

interface NamedFile extends SettingsFile {
  readonly file: string
}

const readOptional = Effect.fnUntraced(function* (
  file: string,
  scope: "user" | "project"
): Effect.fn.Return<NamedFile, ConfigError> {
  const source = yield* readText(file)
  return { ...fieldsOf(readSettingsFile(file, source ?? "", scope)), file }
})

/** The reader is a class: its fields, without its methods. */
const fieldsOf = ({ values, models, rules, extensions, problems, warnings }: SettingsFile): SettingsFile => ({
  values,
  models,
  rules,
  extensions,
  problems,
  warnings
})

/** Undefined where there is no such file; a file that cannot be read stops the start. */
const readText = (file: string): Effect.Effect<string | undefined, ConfigError> =>
  Effect.suspend(() => {
    try {
      return Effect.succeed(fs.readFileSync(file, "utf8"))
    } catch (cause) {
      // Node's file errors carry a string `code`.
      const code = cause instanceof Error && "code" in cause ? String(cause.code) : "unknown"
      if (code === "ENOENT" || code === "ENOTDIR") return Effect.undefined
      return Effect.fail(
        new ConfigError({
          texts: [text(`${file}: cannot be read (${code}).`, `${file} : lecture impossible (${code}).`)]
        })
      )
    }
  })

const fromFile = (file: NamedFile, found: FileValue): Origin => ({ from: "file", file: file.file, line: found.line })

const mergeModels = (files: ReadonlyArray<NamedFile>, layered: Layered): Record<string, ModelSettings> => {
  const merged: Record<string, ModelSettings> = {}
  for (const file of files) {
    for (const [pattern, values] of file.models) {
      merged[pattern] = {
        ...merged[pattern],
        ...Object.fromEntries([...values].map(([key, { value }]) => [key, value]))
      }
      for (const [key, found] of values) {
        layered.set(`models."${pattern}".${key}`, { value: found.value, origin: fromFile(file, found) })
      }
    }
  }
  return merged
}

/** `config.json` holds the model chosen last (seed §5.3): the project's wins over the user's, both over `settings.json`. */
const readModelFiles = Effect.fnUntraced(function* (
  places: { readonly userDir: string; readonly projectDir: string },
  layered: Layered
): Effect.fn.Return<void, ConfigError> {
  for (const folder of new Set([places.userDir, places.projectDir])) {
    const file = path.join(folder, "config.json")
    const source = yield* readText(file)
    if (source === undefined) continue
    const found = readSettingsFile(file, source, "user").values.get("model")
    if (found !== undefined) {
      layered.set("model", { value: found.value, origin: { from: "file", file, line: found.line } })
    }
  }
})

const applyEnvironment = (env: Readonly<Record<string, string | undefined>>, layered: Layered): void => {
  const set = (key: string, name: string, always: boolean): void => {
    const value = env[name]?.trim()
    if (value === undefined || value === "" || (!always && layered.has(key))) return
    layered.set(key, { value, origin: { from: "environment", name } })
  }
  set("LiteLLM_URL", "LITELLM_URL", true)
  set("LiteLLM_API_Key", "LITELLM_API_KEY", true)
  set("LiteLLM_URL", "OPENAI_BASE_URL", false)
  set("LiteLLM_API_Key", "OPENAI_API_KEY", false)
  set("model", "MAIA_MODEL", true)
}

const applyFlags = (flags: LaunchFlags, layered: Layered): void => {
  const set = (key: string, name: string, value: unknown): void => {
    if (value !== undefined) layered.set(key, { value, origin: { from: "flag", name } })
  }
  set("model", "--model", flags.model)
  set("maxIterations", "--max-iterations", flags.maxIterations)
  set("mode", "--mode", flags.mode)
}

const flagRules = (flags: LaunchFlags): ReadonlyArray<PermissionRuleSource> =>
  (["allow", "ask", "deny"] as const).flatMap((kind) =>
    (flags[kind] ?? []).map((rule) => ({ rule: rule.trim(), kind, scope: "flag" as const, file: `--${kind}`, line: 0 }))
  )

const toSettings = (layered: Layered, models: Record<string, ModelSettings>): Settings => {
  const root: Record<string, unknown> = { ...defaultSettings, models }
  for (const [key, { value }] of layered) {
    if (key.startsWith('models."') || key === "LiteLLM_API_Key" || key === "language") continue
    const dot = key.indexOf(".")
    if (dot === -1) root[key] = value
    else {
      const section = key.slice(0, dot)
      root[section] = { ...Object(root[section]), [key.slice(dot + 1)]: value }
    }
  }
  delete root["permissions"]
  if (typeof root["LiteLLM_URL"] === "string") root["LiteLLM_URL"] = withoutVersion(root["LiteLLM_URL"])
  // Each value was checked against `settingsKeys`, whose keys are those of `Settings`.
  return root as unknown as Settings
}

/** `OPENAI_BASE_URL` customarily ends in `/v1`, which the end points repeat. */
const withoutVersion = (url: string): string => url.replace(/\/+$/, "").replace(/\/v1$/, "")

const language = (wanted: unknown, env: Readonly<Record<string, string | undefined>>): "en" | "fr" => {
  if (wanted === "en" || wanted === "fr") return wanted
  return localeLanguage(env)
}
