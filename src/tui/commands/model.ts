/** `/model` and `/effort`: who answers, and how long it thinks. */
import { Effect, Option } from "effect"
import { modelName } from "../../config/modelSettings.ts"
import { nearest } from "../../config/nearest.ts"
import { text, type Text } from "../../domain/text.ts"
import { LiteLlm } from "../../llm/LiteLlm.ts"
import { ActiveModel } from "../../tools/model/ActiveModel.ts"
import { lookUpWindow } from "../loop/contextUse.ts"
import { stoppable } from "../loop/stoppable.ts"
import { STAY, type Talk } from "../loop/Talk.ts"
import { shortNumber } from "../text/numbers.ts"
import { Ui } from "../Ui.ts"
import type { Command } from "./command.ts"

const loading = text("Loading the models", "Chargement des modèles")

/** The model chosen from the server's list; undefined: none. */
export const chooseModel = Effect.fn("Tui.chooseModel")(function* (current: string | undefined) {
  const ui = yield* Ui
  const llm = yield* LiteLlm
  const loaded = yield* stoppable(loading, llm.models)
  if (Option.isNone(loaded)) return undefined
  const found = loaded.value
  if (found.length === 0) {
    yield* ui.fail(text("The server lists no model.", "Le serveur ne liste aucun modèle."))
    return undefined
  }
  const selected = Math.max(
    0,
    found.findIndex(({ id }) => id === current)
  )
  const choice = yield* ui.choose(
    text("Model", "Modèle"),
    found.map(({ contextWindow, id }) => ({
      label: id,
      ...(contextWindow === undefined ? {} : { hint: `${shortNumber(contextWindow)} tokens` })
    })),
    selected
  )
  return choice === undefined ? undefined : found[choice]?.id
})

const useModel = Effect.fnUntraced(function* (talk: Talk, model: string) {
  const ui = yield* Ui
  const active = yield* ActiveModel
  talk.conversation.model = model
  yield* talk.conversation.session.setModel(model)
  yield* active.set(model)
  yield* lookUpWindow(talk)
  yield* ui.info(text(`Model: ${model}`, `Modèle : ${model}`))
})

/** A part of a name will do where only one model has it. Pure. */
export const meantModel = (wanted: string, ids: ReadonlyArray<string>): string | undefined => {
  const small = wanted.toLowerCase()
  const exact = ids.find((id) => id === wanted) ?? ids.find((id) => id.toLowerCase() === small)
  const having = ids.filter((id) => id.toLowerCase().includes(small))
  return exact ?? (having.length === 1 ? having[0] : undefined)
}

const modelCommand: Command = {
  name: "model",
  argument: text("[name]", "[nom]"),
  help: text("Change the model; the conversation goes on", "Changer de modèle ; la conversation continue"),
  run: Effect.fn("Tui.model")(function* (talk, argument) {
    const ui = yield* Ui
    const llm = yield* LiteLlm
    if (argument === "") {
      const chosen = yield* chooseModel(talk.conversation.model)
      if (chosen !== undefined) yield* useModel(talk, chosen)
      return STAY
    }
    const wanted = modelName(argument)
    const known = yield* stoppable(loading, llm.models)
    if (Option.isNone(known)) return STAY
    const ids = known.value.map(({ id }) => id)
    const found = meantModel(wanted, ids)
    if (found === undefined) yield* ui.fail(unknownModel(wanted, nearest(wanted, ids)))
    else yield* useModel(talk, found)
    return STAY
  })
}

const unknownModel = (name: string, near: ReadonlyArray<string>): Text =>
  text(
    `The server has no model ${name}.${near.length === 0 ? "" : ` Near names: ${near.join(", ")}`}`,
    `Le serveur n'a pas de modèle ${name}.${near.length === 0 ? "" : ` Noms proches : ${near.join(", ")}`}`
  )

const EFFORTS = ["low", "medium", "high"] as const
/** Levels that servers are known to take. */
const KNOWN_EFFORTS: ReadonlyArray<string> = ["none", "minimal", ...EFFORTS, "xhigh", "max"]

const strangeEffort = (level: string): Text =>
  text(
    `${level} is no usual effort (${KNOWN_EFFORTS.join(", ")}): the server may refuse it.`,
    `${level} n'est pas un effort courant (${KNOWN_EFFORTS.join(", ")}) : le serveur peut le refuser.`
  )

const effortCommand: Command = {
  name: "effort",
  argument: text("[level]", "[niveau]"),
  help: text("How long the model thinks (low, medium, high, none)", "Durée de réflexion (low, medium, high, none)"),
  run: Effect.fn("Tui.effort")(function* ({ conversation }, argument) {
    const ui = yield* Ui
    let level: string | undefined = argument
    if (argument === "") {
      const labels = [...EFFORTS, "none"]
      const choice = yield* ui.choose(
        text("Effort", "Effort"),
        labels.map((label) => ({ label })),
        Math.max(0, labels.indexOf(conversation.effort ?? "none"))
      )
      if (choice === undefined) return STAY
      level = labels[choice]
    }
    conversation.effort = level === "none" ? undefined : level
    yield* ui.info(text(`Effort: ${level}`, `Effort : ${level}`))
    if (level !== undefined && !KNOWN_EFFORTS.includes(level)) yield* ui.warn(strangeEffort(level))
    return STAY
  })
}

export const modelCommands: ReadonlyArray<Command> = [modelCommand, effortCommand]
