/** What the log says about a turn, in both languages. Pure. */
import type { AgentEvent } from "../../domain/agent-event.ts"
import { text, type Text } from "../../domain/text.ts"

export const interrupted: Text = text("Interrupted.", "Interrompu.")

/** A reason that is a sentence gives its first one: what follows is advice for whom nobody asks again. */
export const discarded = (reason: string): Text => {
  const known = REASONS[reason]
  const why = /^(.+?)\.(?:\s|$)/s.exec(reason)?.[1] ?? reason
  return known ?? text(`Answer so far discarded: ${why}.`, `Début de réponse écarté : ${why}.`)
}

const REASONS: Readonly<Record<string, Text>> = {
  context_overflow: text(
    "Answer so far discarded: the conversation no longer fits the model's window.",
    "Début de réponse écarté : la conversation dépasse la fenêtre du modèle."
  ),
  stream_rule: text("Answer so far discarded, asking again.", "Début de réponse écarté, nouvelle demande.")
}

export const streamRule = (rules: ReadonlyArray<string>, mode: "discard" | "keep" | "note"): Text => {
  const names = rules.join(", ")
  return mode === "note"
    ? text(`Stream rule noted: ${names}.`, `Règle de flux notée : ${names}.`)
    : text(`Stream rule stopped the answer: ${names}.`, `Règle de flux, réponse arrêtée : ${names}.`)
}

export const compacted = ({
  tokensAfter,
  tokensBefore
}: Pick<Extract<AgentEvent, { type: "compaction" }>, "tokensBefore" | "tokensAfter">): Text => {
  const after = tokensAfter ?? "?"
  return text(
    `Conversation compacted: ${tokensBefore} → ${after} tokens.`,
    `Conversation compactée : ${tokensBefore} → ${after} tokens.`
  )
}
