/** What a turn says to people, in both languages, and its one prompt of its own. Pure. */
import { text, type Text } from "../domain/text.ts"

export const LAST_CHANCE_PROMPT =
  "You have reached the limit of steps for this request, and no tool can be called any more. Say what was done and what remains."

export const maxIterations = (limit: number): Text =>
  text(`Stopped: more than ${limit} iterations.`, `Arrêt : plus de ${limit} itérations.`)

const tokens = (limit: number | undefined): string => (limit === undefined ? "" : ` (${limit} tokens)`)

/** Stands at the end of a cut answer, for the model and for people. */
export const cutMark = (limit: number | undefined): string =>
  `[answer cut off at max_tokens${limit === undefined ? "" : ` (${limit})`}]`

export const cutAnswer = (limit: number | undefined): Text =>
  text(
    `The answer was cut off at the output limit${tokens(limit)}. Say "continue" to get the rest, or raise MaxOutputTokens.`,
    `Réponse coupée à la limite de sortie${tokens(limit)}. Dites « continue » pour avoir la suite, ou augmentez MaxOutputTokens.`
  )

export const cutReasoning = (limit: number | undefined): Text =>
  text(
    `The model's reasoning used up the output limit${tokens(limit)} before any answer. Raise MaxOutputTokens, or lower --effort.`,
    `Le raisonnement du modèle a épuisé la limite de sortie${tokens(limit)} avant toute réponse. Augmentez MaxOutputTokens, ou baissez --effort.`
  )

export const cutCall = (limit: number | undefined): Text =>
  text(
    `A tool call was cut off at the output limit${tokens(limit)}; the model has been asked to send less at once.`,
    `Un appel d'outil a été coupé à la limite de sortie${tokens(limit)} ; le modèle a été prié d'en envoyer moins à la fois.`
  )

export const textCall: Text = text(
  "The model wrote its tool call as text; it was taken as the call it is. The server does not seem to read this model's calls (llama-server: --jinja; vLLM: --tool-call-parser).",
  "Le modèle a écrit son appel d'outil dans le texte ; il a été pris pour ce qu'il est. Le serveur ne semble pas lire les appels de ce modèle (llama-server : --jinja ; vLLM : --tool-call-parser)."
)

export const repeating = (where: "text" | "reasoning", times: number): Text =>
  where === "text"
    ? text(
        `Stopped: the model repeats the same text over and over (${times} times). Ask again, say it another way, or set a repeatPenalty for this model.`,
        `Arrêt : le modèle répète sans fin le même texte (${times} fois). Redemandez, reformulez, ou réglez repeatPenalty pour ce modèle.`
      )
    : text(
        `Stopped: the model repeats the same thought over and over (${times} times). Ask again, say it another way, or lower --effort.`,
        `Arrêt : le modèle répète sans fin la même pensée (${times} fois). Redemandez, reformulez, ou baissez --effort.`
      )

/** In place of the repeats in the history: a model that reads them goes on with them. */
export const repeatsNote = (times: number): string =>
  `\n[the same text ${times} more times; the generation was stopped]`

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

export const hookBlocked = (reason: string): Text =>
  text(
    `A hook stopped the request, so nothing was sent: ${reason}`,
    `Un hook a arrêté la demande, rien n'a été envoyé : ${reason}`
  )
