/** What a server's `finish_reason` means (spec 01, MAIA §7.1). Pure. */
import type { StopReason } from "../domain/message.ts"

const table: ReadonlyMap<string, StopReason> = new Map([
  ["stop", "end_turn"],
  ["end_turn", "end_turn"],
  ["eos", "end_turn"],
  ["eos_token", "end_turn"],
  ["stop_sequence", "end_turn"],
  ["completed", "end_turn"],
  ["length", "max_tokens"],
  ["max_tokens", "max_tokens"],
  ["max_output_tokens", "max_tokens"],
  ["content_filter", "content_filter"],
  ["safety", "content_filter"],
  ["sensitive", "content_filter"],
  ["recitation", "content_filter"],
  ["prohibited_content", "content_filter"],
  ["blocklist", "content_filter"],
  ["refusal", "content_filter"],
  ["guardrail_intervened", "content_filter"],
  ["model_context_window_exceeded", "context_window"],
  ["error", "error"],
  ["network_error", "error"],
  ["insufficient_system_resource", "error"]
])

/** Labels that say something worse than the plain end of an answer; a later `stop` does not undo them. */
const strong: ReadonlySet<StopReason> = new Set(["max_tokens", "content_filter", "context_window", "error"])

const lookUp = (raw: string | undefined): StopReason | undefined =>
  raw === undefined ? undefined : table.get(raw.toLowerCase())

/** Which of two labels of one answer counts: the later one, unless the earlier one says more. */
export const strongerLabel = (earlier: string | undefined, later: string): string => {
  const before = lookUp(earlier)
  const after = lookUp(later)
  if (earlier === undefined || before === undefined || !strong.has(before)) return later
  return after !== undefined && strong.has(after) ? later : earlier
}

/** Decides by what was assembled: calls mean `tool_use` whatever the label says, unless it reports a cut or a refusal. */
export const stopReason = (raw: string | undefined, hasCalls: boolean): StopReason => {
  const named = lookUp(raw)
  if (named !== undefined && strong.has(named)) return named
  if (hasCalls) return "tool_use"
  return named ?? (raw === undefined ? "end_turn" : "other")
}
