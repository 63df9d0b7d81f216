/** What people are told about summaries, in both languages. */
import { text, type Text } from "../../domain/text.ts"
import { SummaryError } from "./errors.ts"
import type { SummaryProblem } from "./judge.ts"

export const nothingToCompact = (): SummaryError =>
  new SummaryError({
    code: "nothing",
    text: text("There is nothing to compact yet.", "Il n'y a rien à compacter pour l'instant.")
  })

export const cancelled = (): SummaryError =>
  new SummaryError({ code: "cancelled", text: text("Cancelled: nothing was changed.", "Annulé : rien n'a changé.") })

const PROBLEMS: Readonly<Record<SummaryProblem, Text>> = {
  empty: text("is empty", "est vide"),
  "only-reasoning": text("holds only reasoning", "ne contient que du raisonnement"),
  template: text("is a form that was not filled in", "est un formulaire non rempli"),
  "tool-call": text("is a tool call in place of text", "est un appel d'outil au lieu de texte"),
  filtered: text("was stopped by the server's content filter", "a été arrêté par le filtre de contenu du serveur")
}

export const badSummary = (model: string, problem: SummaryProblem): SummaryError =>
  new SummaryError({
    code: "bad_summary",
    text: text(
      `The summary of ${model} ${PROBLEMS[problem].en}: nothing was changed.`,
      `Le résumé de ${model} ${PROBLEMS[problem].fr} : rien n'a changé.`
    )
  })

export const badRemote = (endpoint: string, cause: unknown): SummaryError =>
  new SummaryError({
    code: "remote",
    text: text(
      `compaction.remoteEndpoint (${endpoint}) gave no summary: nothing was changed.`,
      `compaction.remoteEndpoint (${endpoint}) n'a pas donné de résumé : rien n'a changé.`
    ),
    cause
  })

export const maybeIncomplete = (): Text =>
  text(
    "The summary was cut off by its token limit and may be incomplete.",
    "Le résumé a été coupé par sa limite de tokens et peut être incomplet."
  )

/** What the event of an automatic compaction that failed says (seed 001). */
export const compactionFailed = (reason: "threshold" | "overflow" | "manual", why: Text): Text => {
  if (reason === "overflow") {
    return text(
      `Context overflow recovery failed: ${why.en}`,
      `La reprise après dépassement du contexte a échoué : ${why.fr}`
    )
  }
  return reason === "manual"
    ? text(`Compaction failed: ${why.en}`, `Le compactage a échoué : ${why.fr}`)
    : text(`Auto-compaction failed: ${why.en}`, `Le compactage automatique a échoué : ${why.fr}`)
}

/** Said once, when compacting was no help (field case D2). */
export const stillTooLong = (isHopeless: boolean): Text =>
  isHopeless
    ? text(
        "The system prompt and the tools alone fill this model's window: compacting cannot help. Use a model with a larger window.",
        "Le prompt système et les outils remplissent à eux seuls la fenêtre de ce modèle : compacter n'y peut rien. Utilisez un modèle à plus grande fenêtre."
      )
    : text(
        "Compacting did not get the context under its threshold; it is not tried again until something changes.",
        "Le compactage n'a pas ramené le contexte sous son seuil ; il n'est pas retenté avant un changement."
      )
