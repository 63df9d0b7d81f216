/** Judges what the server says of itself: is it there, does it take the key, does it have the model (spec 06). Pure. */
import { nearest } from "../config/nearest.ts"
import type { ModelInfo } from "../domain/llm.ts"
import { text, type Text } from "../domain/text.ts"
import type { LlmError } from "../llm/errors.ts"
import { shownUrl } from "../llm/serverUrl.ts"
import type { Probe } from "./probe.ts"
import { failure, ok, skipped, warning, type Finding } from "./report.ts"

export type ModelList = { readonly models: ReadonlyArray<ModelInfo> } | { readonly error: LlmError }

/** Failures that mean that nothing is there to talk to. */
const ABSENT: ReadonlySet<string> = new Set(["unreachable", "timeout", "stalled", "no_settings"])

export const isAbsent = (list: ModelList): boolean => "error" in list && ABSENT.has(list.error.code)

export const judgeServer = (url: string | undefined, list: ModelList, millis: number): Finding => {
  if (url === undefined) return failure(noUrl, { advice: setUrl })
  if ("error" in list && ABSENT.has(list.error.code)) return failure(list.error.text, { advice: whereFrom })
  const shown = shownUrl(url)
  return ok(text(`${shown} answers (${Math.round(millis)} ms)`, `${shown} répond (${Math.round(millis)} ms)`), {
    details: { url: shown, milliseconds: Math.round(millis) }
  })
}

export const judgeModels = (list: ModelList, model: string | undefined): Finding => {
  if ("error" in list) {
    if (ABSENT.has(list.error.code)) return skipped(noServer)
    if (list.error.code === "refused_key") return skipped(listRefused)
    return warning(list.error.text, { advice: checkListPath })
  }
  const ids = list.models.map(({ id }) => id)
  const details = { count: ids.length, models: ids.slice(0, 200), model: model ?? null }
  if (model === undefined) return failure(noModel(ids), { advice: chooseModel, details })
  if (ids.includes(model)) {
    return ok(text(`${count(ids.length).en}, ${model} among them`, `${count(ids.length).fr}, dont ${model}`), {
      details
    })
  }
  if (ids.length === 0) return warning(text("The list is empty.", "La liste est vide."), { advice: loadModel, details })
  const near = nearest(model, ids)
  const shown = (near.length === 0 ? ids.slice(0, 5) : near).join(", ")
  return warning(text(`${model} is not in the server's list`, `${model} n'est pas dans la liste du serveur`), {
    advice: text(`Check the name; the server has: ${shown}.`, `Vérifiez le nom ; le serveur propose : ${shown}.`),
    details
  })
}

/** Many servers show their list to anyone: what counts is whether a question is answered. */
export const judgeKey = (hasKey: boolean, list: ModelList, answer: Probe | undefined): Finding => {
  const refused =
    answer?.problem?.code === "refused_key"
      ? answer.problem.text
      : "error" in list && list.error.code === "refused_key"
        ? list.error.text
        : undefined
  if (refused !== undefined) return failure(refused, { advice: setKey })
  if (answer === undefined) return skipped(text("No question was put.", "Aucune question n'a été posée."))
  if (answer.problem !== undefined && answer.firstMillis === undefined) {
    return skipped(text("No answer that would tell.", "Aucune réponse n'a permis d'en juger."))
  }
  return ok(hasKey ? keyTaken : noKeyNeeded, { details: { set: hasKey } })
}

const noUrl = text("No server address is set", "Aucune adresse de serveur n'est définie")
const setUrl = text('Run "maia init", or set LITELLM_URL.', "Lancez « maia init », ou définissez LITELLM_URL.")
const whereFrom = text(
  '"maia config" shows where the address comes from.',
  "« maia config » montre d'où vient l'adresse."
)
const noServer = text("No server to ask.", "Aucun serveur à interroger.")
const listRefused = text("The list needs a key that is accepted.", "La liste demande une clé acceptée.")
const checkListPath = text(
  "Check LiteLLM_Models (the path of the list); without it maia cannot check model names.",
  "Vérifiez LiteLLM_Models (le chemin de la liste) ; sans elle maia ne peut pas vérifier les noms."
)
const chooseModel = text(
  'Choose one with --model NAME, MAIA_MODEL, or "model" in ~/.maia/settings.json.',
  'Choisissez-en un avec --model NOM, MAIA_MODEL, ou "model" dans ~/.maia/settings.json.'
)
const loadModel = text("Load a model in the server.", "Chargez un modèle dans le serveur.")
const setKey = text(
  "Set LITELLM_API_KEY, or LiteLLM_API_Key in ~/.maia/settings.json.",
  "Définissez LITELLM_API_KEY, ou LiteLLM_API_Key dans ~/.maia/settings.json."
)
const keyTaken = text("accepted", "acceptée")
const noKeyNeeded = text("none is set, and none is needed", "aucune n'est définie, et aucune n'est nécessaire")

const count = (models: number): Text =>
  models === 1 ? text("1 model", "1 modèle") : text(`${models} models`, `${models} modèles`)

const noModel = (ids: ReadonlyArray<string>): Text => {
  const list = ids.slice(0, 8).join(", ") + (ids.length > 8 ? ", …" : "")
  return ids.length === 0
    ? text("No model is chosen, and the server lists none", "Aucun modèle n'est choisi, et le serveur n'en liste aucun")
    : text(`No model is chosen; the server has: ${list}`, `Aucun modèle n'est choisi ; le serveur propose : ${list}`)
}
