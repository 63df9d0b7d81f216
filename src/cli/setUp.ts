/** Writing the user's settings and trying the server: what `maia init` and the wizard of the first start have in common. */
import { Effect, FileSystem, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { loadConfig } from "../config/loadConfig.ts"
import { updateSettings } from "../config/writeSettings.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import { Launch } from "./Launch.ts"
import { llmLayer } from "./layers.ts"
import { STARTER_RULES } from "./starterRules.ts"

export interface Answers {
  readonly url: string
  readonly key: string | undefined
  readonly model: string | undefined
  /** Add the starter set of permission rules. */
  readonly rules: boolean
}

export const isHttpUrl = (url: string): boolean =>
  URL.canParse(url) && ["http:", "https:"].includes(new URL(url).protocol)

/** Keeps what the file already holds; it is readable by its owner only, since it may hold a key. The file's path. */
export const writeAnswers = Effect.fn("SetUp.write")(function* (answers: Answers) {
  const { env, platform, version } = yield* Launch
  const fs = yield* FileSystem.FileSystem
  const config = yield* loadConfig({ flags: {}, env, platform, version })
  const file = `${config.userDir}/settings.json`
  yield* fs.makeDirectory(config.userDir, { recursive: true, mode: 0o700 }).pipe(Effect.orDie)
  const existing = new Set(config.rules.map(({ rule }) => rule))
  const rules = answers.rules ? STARTER_RULES.filter((rule) => !existing.has(rule)) : []
  yield* updateSettings(file, [
    { path: ["LiteLLM_URL"], value: answers.url },
    ...(answers.key === undefined ? [] : [{ path: ["LiteLLM_API_Key"], value: answers.key }]),
    ...(answers.model === undefined ? [] : [{ path: ["model"], value: answers.model }]),
    ...rules.map((rule) => ({ path: ["permissions", "allow"], append: rule }))
  ])
  return file
})

/** The models of the server that the settings name now; fails as any request to it would. */
export const serverModels = Effect.fn("SetUp.models")(function* () {
  const { env, platform, version } = yield* Launch
  const config = yield* loadConfig({ flags: {}, env, platform, version })
  return yield* modelsOf(config)
})

/** The models of the server that a configuration names. */
export const modelsOf = (config: Config["Service"]) =>
  Effect.flatMap(LiteLlm, (llm) => llm.models).pipe(
    Effect.provide(Layer.provide(llmLayer, Layer.succeed(Config, Config.of(config))))
  )
