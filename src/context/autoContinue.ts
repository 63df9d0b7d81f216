/** Whether the agent goes on by itself after a compaction (seed 001, `autoContinue`; spec 02, "Headless"). Pure. */
import type { CompactionReason } from "./CompactionGuard.ts"

export interface AutoContinueInput {
  /** Setting `compaction.autoContinue`. */
  readonly enabled: boolean
  readonly reason: CompactionReason
  /** `between-iterations`: the turn's loop goes on by itself; `after-turn`: the turn had its final answer. */
  readonly place: "between-iterations" | "after-turn"
  /** Someone is there to stop it. */
  readonly isInteractive: boolean
  /** The user has typed or queued something: that comes first. */
  readonly hasInput: boolean
}

/**
 * `retry`: the same request is sent again; `prompt`: `CONTINUE_PROMPT` begins a new answer; `none`: nothing is added. A final
 * answer in headless is final.
 */
export const autoContinue = (input: AutoContinueInput): "retry" | "prompt" | "none" => {
  if (input.reason === "overflow") return "retry"
  if (input.place === "between-iterations" || input.reason === "manual") return "none"
  return input.enabled && input.isInteractive && !input.hasInput ? "prompt" : "none"
}
