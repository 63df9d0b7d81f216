/**
 * What the server counted for a conversation that is opened again (spec README, "token count"): its last `prompt_tokens` is in
 * the session, so a vocabulary that differs from ours is known before the first request. Pure.
 */
import type { Message } from "../domain/message.ts"
import { isKnownEntry, type AnyEntry } from "../sessions/checkEntry.ts"

export interface ResumedCount {
  /** The server's count of a request of this model. */
  readonly promptTokens: number
  /** The messages of that request. */
  readonly messages: ReadonlyArray<Message>
}

/** After these the context is another one than the server counted. */
const CHANGES: ReadonlySet<string> = new Set(["compaction", "branch_summary", "prune", "clear", "model_change"])

export const resumedCount = (
  path: ReadonlyArray<AnyEntry>,
  messages: ReadonlyArray<Message>,
  model: string
): ResumedCount | undefined => {
  let since = 0
  for (let at = path.length - 1; at >= 0; at--) {
    const entry = path[at]
    if (entry === undefined || CHANGES.has(entry.type)) return undefined
    if (!isKnownEntry(entry) || entry.type !== "message") continue
    since++
    const { message } = entry
    if (message.role !== "assistant" || message.usage === undefined || message.usage.inputTokens <= 0) continue
    if (message.model !== undefined && message.model !== model) return undefined
    return {
      promptTokens: message.usage.inputTokens,
      messages: messages.slice(0, Math.max(0, messages.length - since))
    }
  }
  return undefined
}
