/**
 * The first start without settings (spec 07): asks for the server, tries it, offers its models and the starter rules, and writes
 * the file. Nothing is written before the last answer.
 */
import { Effect, Redacted } from "effect"
import type { Config } from "../config/Config.ts"
import { text, type Text } from "../domain/text.ts"
import type { ModelInfo } from "../domain/llm.ts"
import { stoppable } from "../tui/loop/stoppable.ts"
import { Ui } from "../tui/Ui.ts"
import { isHttpUrl, modelsOf, writeAnswers } from "./setUp.ts"
import { STARTER_RULES } from "./starterRules.ts"

interface Server {
  readonly url: string
  readonly key: string | undefined
  readonly models: ReadonlyArray<ModelInfo>
}

/** False: the user gave up, nothing was written. */
export const wizard = Effect.fn("Wizard")(function* (config: Config["Service"]) {
  const ui = yield* Ui
  yield* ui.info(welcome(config.userDir))
  const server = yield* askServer(config)
  if (server === undefined) return false
  const model = yield* askModel(server.models)
  const rules = yield* ui.confirm(
    text("Add a starter set of permission rules?", "Ajouter des règles de permission de départ ?"),
    STARTER_RULES.join("\n")
  )
  const file = yield* writeAnswers({ url: server.url, key: server.key, model, rules })
  yield* ui.info(text(`Written: ${file}`, `Écrit : ${file}`))
  return true
})

const welcome = (folder: string): Text =>
  text(
    `Welcome. maia needs an OpenAI-format server (LiteLLM, llama.cpp, vLLM, Ollama …). The answers go to ${folder}/settings.json.`,
    `Bienvenue. maia a besoin d'un serveur au format OpenAI (LiteLLM, llama.cpp, vLLM, Ollama…). Les réponses vont dans ${folder}/settings.json.`
  )

/** Asks until a server answers, or the user keeps one that does not. */
const askServer = Effect.fnUntraced(function* (config: Config["Service"]) {
  const ui = yield* Ui
  let initial = "http://localhost:4000"
  for (;;) {
    const typed = yield* ui.askLine(text("Server URL", "URL du serveur"), { initial })
    if (typed === undefined) return undefined
    // `localhost:4000` means what it says; what is corrected is not typed again.
    const url = typed.trim() === "" || typed.includes("://") ? typed.trim() : `http://${typed.trim()}`
    initial = url
    if (!isHttpUrl(url)) {
      yield* ui.warn(text("A URL starts with http:// or https://.", "Une URL commence par http:// ou https://."))
      continue
    }
    const key = yield* ui.askLine(text("API key (empty for none)", "Clé d'API (vide s'il n'y en a pas)"), {
      secret: true
    })
    if (key === undefined) return undefined
    const given = { url, key: key.trim() === "" ? undefined : key.trim() }
    const tried = yield* stoppable(
      text("Trying the server", "Essai du serveur"),
      Effect.result(modelsOf(withServer(config, given)))
    )
    if (tried._tag === "Some" && tried.value._tag === "Success") {
      const models = tried.value.success
      yield* ui.info(answers(url, models.length))
      const server: Server = { ...given, models }
      return server
    }
    if (tried._tag === "Some" && tried.value._tag === "Failure") yield* ui.fail(tried.value.failure.text)
    const choice = yield* ui.choose(text("What now?", "Que faire ?"), [
      { label: pick(ui, text("Change the answers", "Modifier les réponses")) },
      { label: pick(ui, text("Keep them all the same", "Les garder quand même")) }
    ])
    if (choice === undefined) return undefined
    if (choice === 1) {
      const server: Server = { ...given, models: [] }
      return server
    }
  }
})

const pick = (ui: Ui["Service"], label: Text): string => label[ui.store.current.language]

const answers = (url: string, count: number): Text =>
  count === 1
    ? text(`${url} answers: 1 model.`, `${url} répond : 1 modèle.`)
    : text(`${url} answers: ${count} models.`, `${url} répond : ${count} modèles.`)

const withServer = (
  config: Config["Service"],
  { key, url }: { readonly url: string; readonly key: string | undefined }
): Config["Service"] => ({
  ...config,
  settings: { ...config.settings, LiteLLM_URL: url },
  apiKey: key === undefined ? config.apiKey : Redacted.make(key, { label: "LiteLLM_API_Key" })
})

const askModel = Effect.fnUntraced(function* (models: ReadonlyArray<ModelInfo>) {
  const ui = yield* Ui
  if (models.length === 0) {
    const name = yield* ui.askLine(text("Default model (may be empty)", "Modèle par défaut (peut rester vide)"))
    return name === undefined || name.trim() === "" ? undefined : name.trim()
  }
  const choice = yield* ui.choose(
    text("Default model", "Modèle par défaut"),
    models.map(({ id }) => ({ label: id }))
  )
  return choice === undefined ? undefined : models[choice]?.id
})
