/**
 * What the parent answers to its sub-agents: the rules and the mode as they are at that moment, the same person, one
 * question at a time, and the same keeping of files as they were. A sub-agent's own rules can only forbid more.
 */
import { Effect } from "effect"
import { Config } from "../../config/Config.ts"
import { text } from "../../domain/text.ts"
import type { ToolContext } from "../../domain/tool.ts"
import { Approver } from "../../permissions/Approver.ts"
import { Permissions, type Decision, type PermissionCall, type Rule } from "../../permissions/Permissions.ts"
import { QuestionTurns } from "../../permissions/QuestionTurns.ts"
import { settle, type Settled } from "../../permissions/settle.ts"
import { FileLedger } from "../../tools/files/FileLedger.ts"
import type { AgentHost } from "./AgentProcess.ts"
import type { AgentDefinition } from "./definition.ts"
import * as phrases from "./phrases.ts"
import type { Answer, Reply, Request } from "./protocol.ts"

export const makeAgentHost = Effect.gen(function* () {
  const { language } = yield* Config
  const permissions = yield* Permissions
  const judges = { permissions, approver: yield* Approver, turns: yield* QuestionTurns }
  const ledger = yield* FileLedger

  return (agent: AgentDefinition, context: ToolContext): AgentHost => {
    const { name } = agent
    const more = agent.rules.map((rule): Rule => ({
      text: rule.text,
      kind: rule.kind,
      scope: "session",
      file: agent.file,
      line: rule.line
    }))
    const report: NonNullable<ToolContext["report"]> = (event) => context.report?.(event) ?? Effect.void

    const person = (call: PermissionCall): Effect.Effect<Answer> =>
      settle(judges, call, {
        more,
        asker: phrases.asker(name),
        onUnwritten: (message) => report({ type: "warning", code: "rule_not_written", message: text(message, message) })
      }).pipe(Effect.map(toAnswer))

    const answer = (request: Request): Effect.Effect<Reply> => {
      switch (request.ask) {
        case "decision":
          return Effect.map(
            request.call.tool === "Agent" ? Effect.succeed(neverAgent) : permissions.decide(request.call, more),
            (decision) => ({ decision })
          )
        case "person":
          return Effect.map(person(request.call), (answered) => ({ person: answered }))
        case "rules":
          return Effect.map(permissions.rules, (rules) => ({ rules: [...rules, ...more] }))
        case "before":
          return Effect.as(ledger.before(request.path, request.noticed), { noted: true as const })
      }
    }

    return {
      answer,
      onWarning: (message) => report({ type: "warning", code: "sub_agent", message: phrases.warned(name, message) }),
      onProgress: (toolCalls, current) => context.progress(`${phrases.progress(toolCalls, current)[language]}\n`),
      onUsage: (usage) => report({ type: "usage", usage, agent: name })
    }
  }
})

const neverAgent: Decision = {
  decision: "deny",
  reason: text("A sub-agent starts no sub-agents.", "Un sous-agent n'en lance pas d'autres."),
  subject: "",
  suggestions: []
}

const toAnswer = (settled: Settled): Answer => {
  switch (settled.outcome) {
    case "allow":
      return { answer: "yes" }
    case "deny":
      return { answer: "no", reason: settled.decision.reason.en }
    case "no":
      return { answer: "no", ...(settled.reason === undefined ? {} : { reason: settled.reason }) }
    case "unavailable":
      return { answer: "unavailable" }
  }
}
