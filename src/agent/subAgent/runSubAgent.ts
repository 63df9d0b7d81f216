/**
 * Plays a sub-agent in its own process (MAIA §20.3): one task, one turn, then an answer that its main agent can use. Knows
 * nothing of the parent but what it is handed.
 */
import { Effect, Stream } from "effect"
import type { AgentEvent, TurnReason } from "../../domain/agent-event.ts"
import type { Usage } from "../../domain/message.ts"
import { cut, text, type Text } from "../../domain/text.ts"
import type { AgentDefinition } from "../../extensions/agents/definition.ts"
import { checkAnswer } from "../../extensions/agents/outputSchema.ts"
import { interrupted } from "../../extensions/agents/phrases.ts"
import type { Done } from "../../extensions/agents/protocol.ts"
import { FileLedger } from "../../tools/files/FileLedger.ts"
import { Agent, type TurnInput } from "../Agent.ts"
import type { Conversation } from "../Conversation.ts"
import { openConversation } from "../openConversation.ts"
import { callText } from "./callText.ts"
import { FINAL_ANSWER_PROMPT, FINAL_ANSWER_TOKENS, repairPrompt, subAgentPrompt } from "./prompt.ts"

export interface SubAgentTask {
  readonly agent: AgentDefinition
  readonly task: string
  readonly model: string
  readonly maxIterations: number
  /** Keep the conversation as a session of this name. */
  readonly trace?: { readonly name: string; readonly parentSession: string }
  /** Completes when it shall end. */
  readonly interrupt: Effect.Effect<void>
  readonly onProgress: (toolCalls: number, current: string) => Effect.Effect<void>
  readonly onUsage: (usage: Usage) => Effect.Effect<void>
  readonly onWarning: (warning: Text) => Effect.Effect<void>
  /** A file is about to be read or changed: whoever keeps files as they were is told. */
  readonly onFile: (path: string, noticed: "read" | "change") => Effect.Effect<void>
}

/** Characters of an answer. */
const MAX_ANSWER = 200_000
/** Rules that are named of calls that were refused. */
const MAX_REFUSED = 10

/** Never fails; the conversation is closed by the scope. */
export const runSubAgent = Effect.fn("SubAgent.run")(function* (task: SubAgentTask) {
  const { agent, maxIterations, model, trace } = task
  const opened = yield* openConversation({
    model,
    instructions: !agent.omitMd,
    prompt: subAgentPrompt(agent, maxIterations),
    session: trace === undefined ? { save: false } : { ...trace, fresh: true, save: true, agent: agent.name }
  })
  const ledger = yield* FileLedger
  // The parent keeps them: its user undoes what its sub-agents did, too.
  yield* ledger.onBefore(task.onFile)
  const service = yield* Agent
  const player = new Player(service, opened.conversation, task)
  const ended = yield* player.work
  const { session } = opened.conversation
  const kept = session.file() === undefined ? undefined : yield* session.name
  for (const warning of session.warnings()) yield* task.onWarning(warning)
  const done: Done = { ...ended, ...player.tally, ...(kept === undefined ? {} : { trace: kept }) }
  return done
})

type Ended = Pick<Done, "text" | "ended" | "failure">

class Player {
  private readonly agent: Agent["Service"]
  private readonly conversation: Conversation
  private readonly task: SubAgentTask
  private toolCalls = 0
  private iterations = 0
  private lastError: Text | undefined
  private readonly refused = new Set<string>()

  constructor(agent: Agent["Service"], conversation: Conversation, task: SubAgentTask) {
    this.agent = agent
    this.conversation = conversation
    this.task = task
  }

  get tally(): Pick<Done, "type" | "refused" | "toolCalls" | "iterations"> {
    const refused = [...this.refused].slice(0, MAX_REFUSED)
    return { type: "done", refused, toolCalls: this.toolCalls, iterations: this.iterations }
  }

  get work(): Effect.Effect<Ended> {
    return Effect.gen({ self: this }, function* () {
      const { maxIterations, task } = this.task
      const reason = yield* this.turn({ text: task, maxIterations, lastRequest: FINAL_ANSWER_PROMPT })
      const stopped = this.stopped(reason)
      if (stopped !== undefined) return stopped
      const ended = reason === "max_iterations" ? "limit" : reason === "stuck" ? "stuck" : "done"
      if (this.answer === "") {
        const again = this.stopped(
          yield* this.turn({ text: FINAL_ANSWER_PROMPT, answerOnly: { maxTokens: FINAL_ANSWER_TOKENS } })
        )
        if (again !== undefined) return again
      }
      if (this.answer === "") return { text: "", ended: "failed", failure: noAnswer }
      return yield* this.checked(ended)
    })
  }

  /** The answer as its schema wants it; one that does not fit is given back once. */
  private checked(ended: Done["ended"]): Effect.Effect<Ended> {
    const { outputSchema } = this.task.agent
    if (outputSchema === undefined) return Effect.succeed({ text: cut(this.answer, MAX_ANSWER), ended })
    return Effect.gen({ self: this }, function* () {
      const first = yield* Effect.promise(() => checkAnswer(outputSchema, this.answer))
      if ("json" in first) return { text: first.json, ended }
      const stopped = this.stopped(yield* this.turn({ text: repairPrompt(first.problems), answerOnly: {} }))
      if (stopped !== undefined) return stopped
      const second = yield* Effect.promise(() => checkAnswer(outputSchema, this.answer))
      if ("json" in second) return { text: second.json, ended }
      return { text: cut(this.answer, MAX_ANSWER), ended: "failed", failure: doesNotFit(second.problems) }
    })
  }

  /** Text of the last message, when it is an answer without calls; else empty. */
  private get answer(): string {
    const last = this.conversation.messages.at(-1)
    return last?.role === "assistant" && last.toolCalls.length === 0 ? last.text.trim() : ""
  }

  /** Undefined where there may be an answer. */
  private stopped(reason: TurnReason): Ended | undefined {
    const sofar = cut(this.answer, MAX_ANSWER)
    if (reason === "interrupted") return { text: sofar, ended: "interrupted", failure: interrupted }
    if (reason !== "error") return undefined
    return { text: sofar, ended: "failed", failure: this.lastError ?? unknownError }
  }

  private turn(input: Omit<TurnInput, "interrupt">): Effect.Effect<TurnReason> {
    return Effect.gen({ self: this }, function* () {
      let reason: TurnReason = "error"
      yield* this.agent.turn(this.conversation, { ...input, interrupt: this.task.interrupt }).pipe(
        Stream.runForEach((event) => {
          if (event.type === "finished") {
            reason = event.reason
            this.iterations += event.iterations
          }
          return this.see(event)
        })
      )
      return reason
    })
  }

  private see(event: AgentEvent): Effect.Effect<void> {
    switch (event.type) {
      case "tool-requested":
        this.toolCalls++
        return this.task.onProgress(this.toolCalls, callText(event.call.name, event.input))
      case "permission":
        if (event.decision === "refused" && event.rule !== undefined) this.refused.add(event.rule)
        if (event.askedBy !== undefined) this.refused.add(`${event.askedBy} (a rule that asks each time)`)
        return Effect.void
      case "usage":
        return this.task.onUsage(event.usage)
      case "error":
        this.lastError = event.message
        return Effect.void
      default:
        return Effect.void
    }
  }
}

const noAnswer = text("it gave no answer.", "il n'a pas donné de réponse.")
const unknownError = text("its turn ended in an error.", "son tour s'est terminé par une erreur.")

const doesNotFit = (problems: ReadonlyArray<string>): Text => {
  const list = problems.join("; ")
  return text(
    `its answer does not fit its output schema, also when it was asked again: ${list}`,
    `sa réponse ne respecte pas son schéma de sortie, même redemandée : ${list}`
  )
}
