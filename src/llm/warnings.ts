/** What a person is told while an answer goes on (spec 01). Pure. */
import type { LlmEvent } from "../domain/llm.ts"
import { text, type Text } from "../domain/text.ts"

/** Closes a text that another sentence follows. */
export const closed = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`)

const warning = (code: string, message: Text): LlmEvent => ({ type: "warning", code, message })

export const outputLimit = warning(
  "output_limit",
  text(
    "The answer was cut by the output token limit. Raise MaxOutputTokens (or maxOutputTokens of the model) if this happens often.",
    "Réponse coupée par la limite de tokens de sortie. Augmentez MaxOutputTokens (ou maxOutputTokens du modèle) si cela arrive souvent."
  )
)

export const contentFilter = warning(
  "content_filter",
  text("The provider's content filter stopped the answer.", "Le filtre de contenu du fournisseur a arrêté la réponse.")
)

export const windowFull = warning(
  "context_window",
  text(
    "The answer was cut: the model's context window is full.",
    "Réponse coupée : la fenêtre de contexte du modèle est pleine."
  )
)

export const unclosedThinking = warning(
  "unclosed_thinking",
  text(
    "The model never closed its reasoning; it is shown as the answer.",
    "Le modèle n'a jamais refermé son raisonnement ; il est affiché comme réponse."
  )
)

const suspicious: ReadonlySet<number> = new Set([1024, 2048, 4096, 8192, 16_384, 32_768, 65_536])

/** Output of exactly a power of two: a server may have mended a call that was cut (MAIA §7.1). */
export const isSuspiciousCount = (tokens: number | undefined): boolean => tokens !== undefined && suspicious.has(tokens)

export const suspectedCut = (tokens: number): LlmEvent =>
  warning(
    "suspected_cut",
    text(
      `The answer was perhaps cut by the output token limit: it has exactly ${tokens} tokens. Check what the tool was given.`,
      `Réponse peut-être coupée par la limite de tokens de sortie : elle fait exactement ${tokens} tokens. Vérifiez ce que l'outil a reçu.`
    )
  )

export const retrying = (cause: Text, seconds: number, attempt: number, most: number): LlmEvent =>
  warning(
    "retry",
    text(
      `${closed(cause.en)} Trying again in ${seconds.toFixed(1)} s (${attempt}/${most}).`,
      `${closed(cause.fr)} Nouvel essai dans ${seconds.toFixed(1)} s (${attempt}/${most}).`
    )
  )

export const parametersRefused = (names: ReadonlyArray<string>): LlmEvent =>
  warning(
    "parameters_refused",
    text(
      `The server refuses ${names.join(", ")} for this model; left out from now on.`,
      `Le serveur refuse ${names.join(", ")} pour ce modèle ; désormais omis.`
    )
  )

export const hostGateway = (from: string, to: string): LlmEvent =>
  warning(
    "host_gateway",
    text(
      `${from} refuses connections inside this container; using ${to} instead.`,
      `${from} refuse les connexions dans ce conteneur ; ${to} est utilisé à la place.`
    )
  )
