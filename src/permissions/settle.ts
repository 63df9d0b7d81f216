/**
 * Brings a call to its end: what the rules say and, where they ask, what the person says (spec 03). Writes the rule of an
 * "always" before the next question is asked, so that it is honoured there.
 */
import { Effect } from "effect"
import type { PermissionQuestion } from "../domain/agent-event.ts"
import type { Text } from "../domain/text.ts"
import type { Approver } from "./Approver.ts"
import type { Decision, PermissionCall, Permissions, Rule } from "./Permissions.ts"
import type { QuestionTurns } from "./QuestionTurns.ts"

export interface Judges {
  readonly permissions: Permissions["Service"]
  readonly approver: Approver["Service"]
  readonly turns: QuestionTurns
}

export interface SettleOptions {
  /** Rules that can only forbid more; see `Permissions.decide`. */
  readonly more?: ReadonlyArray<Rule>
  /** Who asks, where it is not the main agent. */
  readonly asker?: Text
  /** The person is being asked now. */
  readonly onAsk?: (question: PermissionQuestion) => Effect.Effect<void>
  /** The rule of an "always" could not be written; the call runs all the same. */
  readonly onUnwritten?: (message: string) => Effect.Effect<void>
}

export type Settled =
  | {
      readonly outcome: "allow"
      readonly rule?: string
      /** The real path that was judged, for tools that take one. */
      readonly realPath?: string
    }
  | { readonly outcome: "deny"; readonly decision: Decision }
  | { readonly outcome: "no"; readonly reason?: string }
  /** No one could be asked; `rule` would allow it. With a rule that asks each time none would. */
  | { readonly outcome: "unavailable"; readonly rule: string }
  | { readonly outcome: "unavailable"; readonly askedBy: string }

/** Never fails. */
export const settle = Effect.fn("Permissions.settle")(function* (
  judges: Judges,
  call: PermissionCall,
  options: SettleOptions = {}
): Effect.fn.Return<Settled> {
  const { permissions, turns } = judges
  const before = turns.settled()
  const decision = yield* permissions.decide(call, options.more)
  const ruled = byRule(decision)
  if (ruled !== undefined) return ruled
  return yield* turns.take(
    Effect.gen(function* () {
      if (turns.settled() === before) return yield* ask(judges, call, decision, options)
      const anew = yield* permissions.decide(call, options.more)
      return byRule(anew) ?? (yield* ask(judges, call, anew, options))
    })
  )
})

const byRule = (decision: Decision): Settled | undefined => {
  if (decision.decision === "deny") return { outcome: "deny", decision }
  if (decision.decision === "ask") return undefined
  return allowed(decision, decision.rule?.text)
}

const allowed = ({ realPath }: Decision, rule: string | undefined): Settled => ({
  outcome: "allow",
  ...(rule === undefined ? {} : { rule }),
  ...(realPath === undefined ? {} : { realPath })
})

const ask = Effect.fnUntraced(function* (
  { permissions, approver }: Judges,
  call: PermissionCall,
  decision: Decision,
  options: SettleOptions
): Effect.fn.Return<Settled> {
  const { reason, rule, subject } = decision
  // A rule that asks wins over those that allow: "always" would be an empty promise.
  const askedBy = rule?.kind === "ask" ? rule.text : undefined
  const suggestions = askedBy === undefined ? decision.suggestions : []
  const asker = options.asker === undefined ? {} : { asker: options.asker }
  const question: PermissionQuestion = { ...asker, reason, subject, suggestions }
  if (options.onAsk !== undefined) yield* options.onAsk(question)
  const answer = yield* approver.ask(call.tool, question, call)
  switch (answer.answer) {
    case "yes":
      return allowed(decision, undefined)
    case "always":
      yield* permissions
        .allow(answer.rule, answer.scope)
        .pipe(Effect.catchTag("PermissionsError", (error) => options.onUnwritten?.(error.message) ?? Effect.void))
      return allowed(decision, answer.rule)
    case "no":
      return { outcome: "no", ...(answer.reason === undefined ? {} : { reason: answer.reason }) }
    case "unavailable":
      return askedBy === undefined
        ? { outcome: "unavailable", rule: suggestions[0] ?? rule?.text ?? call.tool }
        : { outcome: "unavailable", askedBy }
  }
})
