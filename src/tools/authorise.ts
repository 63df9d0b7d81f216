/**
 * One call's way through the rules and, where they say so, past a person (spec 02, 03). Writes the rule of an "always".
 */
import { Effect } from "effect"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { ToolCall } from "../domain/message.ts"
import type { PreparedCall, Tool } from "../domain/tool.ts"
import type { Approver } from "../permissions/Approver.ts"
import type { Permissions } from "../permissions/Permissions.ts"

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
  permissions: Permissions["Service"],
  approver: Approver["Service"],
  tool: Tool,
  call: ToolCall,
  prepared: PreparedCall,
  emit: (event: AgentEvent) => Effect.Effect<void>
): Effect.fn.Return<Verdict> {
  const decision = yield* permissions.decide({ tool: tool.name, input: prepared.input, fallback: tool.permission })
  const rule = decision.rule?.text
  const allowed: Verdict =
    decision.realPath === undefined ? { allowed: true } : { allowed: true, judgedPath: decision.realPath }
  if (decision.decision === "allow") {
    yield* emit({ type: "permission", id: call.id, decision: "allow", ...(rule === undefined ? {} : { rule }) })
    return allowed
  }
  if (decision.decision === "deny") {
    yield* emit({ type: "permission", id: call.id, decision: "deny", ...(rule === undefined ? {} : { rule }) })
    return {
      allowed: false,
      unavailable: false,
      text: `[refused: the permission rules deny this${rule === undefined ? "" : ` (${rule})`}: ${decision.reason.en} Do not try it again as it is.]`
    }
  }
  const question = { reason: decision.reason, subject: decision.subject, suggestions: decision.suggestions }
  yield* emit({ type: "permission-asked", id: call.id, tool: tool.name, question })
  const answer = yield* approver.ask(tool.name, question)
  const [suggestion] = decision.suggestions
  switch (answer.answer) {
    case "yes":
      yield* emit({ type: "permission", id: call.id, decision: "allow" })
      return allowed
    case "always":
      yield* permissions.allow(answer.rule, answer.scope).pipe(
        Effect.catchTag("PermissionsError", (error) =>
          emit({
            type: "warning",
            code: "rule_not_written",
            message: { en: error.message, fr: error.message }
          })
        )
      )
      yield* emit({ type: "permission", id: call.id, decision: "allow", rule: answer.rule })
      return allowed
    case "no":
      yield* emit({ type: "permission", id: call.id, decision: "refused" })
      return {
        allowed: false,
        unavailable: false,
        text: `[refused: the user refused this action.${answer.reason === undefined || answer.reason === "" ? "" : ` Reason: ${answer.reason}`}]`
      }
    case "unavailable": {
      const named = suggestion ?? rule ?? tool.name
      yield* emit({ type: "permission", id: call.id, decision: "refused", rule: named })
      return {
        allowed: false,
        unavailable: true,
        text: `[refused: this needs the user's permission and no one can be asked in this run. The rule that would allow it: ${named}. Go on without it, or say what you would have done.]`
      }
    }
  }
})
