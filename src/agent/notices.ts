/** What a turn says to people, in both languages, and its one prompt of its own. Pure. */
import { text, type Text } from "../domain/text.ts"

export const LAST_CHANCE_PROMPT =
  "You have reached the limit of steps for this request, and no tool can be called any more. Say what was done and what remains."

export const maxIterations = (limit: number): Text =>
  text(`Stopped: more than ${limit} iterations.`, `Arrêt : plus de ${limit} itérations.`)

export const cutAnswer = (limit: number | undefined): Text =>
  text(
    `[answer cut off at max_tokens${limit === undefined ? "" : ` (${limit})`}] Raise MaxOutputTokens, or ask to continue.`,
    `Réponse coupée par la limite de tokens de sortie${limit === undefined ? "" : ` (${limit})`} : augmentez MaxOutputTokens, ou demandez la suite.`
  )

export const contentFilter: Text = text(
  "The server's content filter stopped the answer; it may be incomplete.",
  "Le filtre de contenu du serveur a arrêté la réponse ; elle peut être incomplète."
)

export const unusableCalls = (limit: number | undefined): Text =>
  text(
    `Stopped: the model sent three tool calls that could not be used${limit === undefined ? "" : ` (max_tokens is ${limit})`}. Raise MaxOutputTokens, ask for smaller pieces, or try another model.`,
    `Arrêt : le modèle a envoyé trois appels d'outils inutilisables${limit === undefined ? "" : ` (max_tokens vaut ${limit})`}. Augmentez MaxOutputTokens, demandez de plus petits morceaux, ou essayez un autre modèle.`
  )

export const internalError = (cause: string): Text =>
  text(
    `An unexpected fault in maia ended the turn: ${cause}`,
    `Une erreur inattendue de maia a mis fin au tour : ${cause}`
  )
