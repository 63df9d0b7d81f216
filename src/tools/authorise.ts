/**
 * One call's way through the rules and, where they say so, past a person (spec 02, 03), told as events.
 */
import { Effect } from "effect"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { ToolCall } from "../domain/message.ts"
import type { PreparedCall, Tool } from "../domain/tool.ts"
import { settle, type Judges } from "../permissions/settle.ts"

export type Verdict =
  | {
      readonly allowed: true
      /** The real path that was judged, for tools that take one. */
      readonly judgedPath?: string
    }
  | {
      readonly allowed: false
      /** For the model. */
      readonly text: string
      /** No one could be asked. */
      readonly unavailable: boolean
    }

/** Emits one `permission` event for each call that is judged. */
export const authorise = Effect.fnUntraced(function* (
  judges: Judges,
  tool: Tool,
  call: ToolCall,
  prepared: PreparedCall,
  emit: (event: AgentEvent) => Effect.Effect<void>
): Effect.fn.Return<Verdict> {
  const { id } = call
  const settled = yield* settle(
    judges,
    { tool: tool.name, input: prepared.input, fallback: tool.permission },
    {
      onAsk: (question) => emit({ type: "permission-asked", id, tool: tool.name, question }),
      onUnwritten: (message) =>
        emit({ type: "warning", code: "rule_not_written", message: { en: message, fr: message } })
    }
  )
  switch (settled.outcome) {
    case "allow":
      yield* emit({ type: "permission", id, decision: "allow", ...named(settled.rule) })
      return { allowed: true, ...(settled.realPath === undefined ? {} : { judgedPath: settled.realPath }) }
    case "deny": {
      const rule = settled.decision.rule?.text
      yield* emit({ type: "permission", id, decision: "deny", ...named(rule) })
      return refusal(
        `the permission rules deny this${rule === undefined ? "" : ` (${rule})`}: ${settled.decision.reason.en} Do not try it again as it is.`
      )
    }
    case "no": {
      const { reason } = settled
      yield* emit({ type: "permission", id, decision: "refused" })
      return refusal(
        `the user refused this action.${reason === undefined || reason === "" ? "" : ` Reason: ${reason}`}`
      )
    }
    case "unavailable": {
      const { outcome: _outcome, ...rules } = settled
      yield* emit({ type: "permission", id, decision: "refused", ...rules })
      const why =
        "askedBy" in settled
          ? `The rule ${settled.askedBy} asks each time`
          : `The rule that would allow it: ${settled.rule}`
      return {
        ...refusal(
          `this needs the user's permission and no one can be asked in this run. ${why}. Go on without it, or say what you would have done.`
        ),
        unavailable: true
      }
    }
  }
})

const named = (rule: string | undefined) => (rule === undefined ? {} : { rule })

const refusal = (why: string) => ({ allowed: false, unavailable: false, text: `[refused: ${why}]` }) as const
