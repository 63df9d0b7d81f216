/** Which model a sub-agent gets (MAIA §20.2): the exact name, else one that holds the fragment, else the main agent's. Pure. */
import { modelName } from "../../config/modelSettings.ts"
import { text, type Text } from "../../domain/text.ts"

export interface ResolvedModel {
  readonly model: string
  readonly warning?: Text
}

/** `models`: the server's list; undefined where it cannot be had. */
export const resolveModel = (
  wanted: string | undefined,
  main: string,
  models: ReadonlyArray<string> | undefined
): ResolvedModel => {
  if (wanted === undefined) return { model: main }
  const name = modelName(wanted)
  if (models === undefined) return { model: main, warning: noList(wanted, main) }
  if (models.includes(name)) return { model: name }
  const fragment = name.toLowerCase()
  const holding = models.filter((model) => model.toLowerCase().includes(fragment)).toSorted()
  const exact = holding.find((model) => model.toLowerCase() === fragment)
  const [first] = exact === undefined ? holding : [exact]
  return first === undefined ? { model: main, warning: notFound(wanted, main) } : { model: first }
}

const notFound = (wanted: string, main: string): Text =>
  text(
    `The server has no model "${wanted}": ${main} is used.`,
    `Le serveur n'a pas de modèle « ${wanted} » : ${main} est utilisé.`
  )

const noList = (wanted: string, main: string): Text =>
  text(
    `The server's models cannot be listed, so "${wanted}" cannot be found: ${main} is used.`,
    `La liste des modèles du serveur est indisponible, « ${wanted} » est introuvable : ${main} est utilisé.`
  )
