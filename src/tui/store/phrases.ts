/** What the log says about a turn, in both languages. Pure. */
import type { AgentEvent } from "../../domain/agent-event.ts"
import { text, type Text } from "../../domain/text.ts"

export const interrupted: Text = text("Interrupted.", "Interrompu.")

export const discarded = (reason: string): Text =>
  text(`Answer discarded (${reason}), asking again.`, `Réponse écartée (${reason}), nouvelle demande.`)

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
