/**
 * One turn's state and steps. Everything that is shown or sent is in the session before the next request goes out, so a
 * turn can be stopped anywhere and the history stays valid.
 */
import { Effect } from "effect"
import type { Config } from "../config/Config.ts"
import { modelSettings } from "../config/modelSettings.ts"
import type { AgentEvent, TurnReason } from "../domain/agent-event.ts"
import type { LlmRequest } from "../domain/llm.ts"
import type { StopReason, ToolCall, ToolMessage, Usage } from "../domain/message.ts"
import type { LlmError } from "../llm/errors.ts"
import type { LiteLlm } from "../llm/LiteLlm.ts"
import { interruptedResult } from "../sessions/protocol.ts"
import type { ToolRunner } from "../tools/ToolRunner.ts"
import type { TurnInput } from "./Agent.ts"
import { addUsage, Answer } from "./answer.ts"
import type { ContextCare } from "./ContextCare.ts"
import type { Conversation } from "./Conversation.ts"
import * as notices from "./notices.ts"
import { todosOf } from "./restore.ts"
import { TurnRails } from "./turnRails.ts"
import type { TurnHooks } from "./turnHooks.ts"
import type { TurnRules } from "./turnRules.ts"

/** Answers with unusable calls (cut, malformed) a turn survives (spec 06). */
export const MAX_UNUSABLE_CALLS = 2

export interface TurnServices {
  readonly config: Config["Service"]
  readonly llm: LiteLlm["Service"]
  readonly runner: ToolRunner["Service"]
  readonly care: ContextCare
  readonly rules: TurnRules
  readonly hooks: TurnHooks
  readonly conversation: Conversation
  readonly input: TurnInput
  readonly emit: (event: AgentEvent) => Effect.Effect<void>
  readonly emitAll: (events: ReadonlyArray<AgentEvent>) => Effect.Effect<void>
}

export class Turn {
  private readonly services: TurnServices
  private readonly rails: TurnRails
  private readonly maxIterations: number
  private iterations = 0
  private usage: Usage = { inputTokens: 0, outputTokens: 0 }
  private lastText = ""
  private refused = false
  private unusable = 0
  /** The answer being streamed, until it is in the session. */
  private open: Answer | undefined
  /** Calls in the session that have no result there yet, in call order. */
  private pending: Array<ToolCall> = []
  /** Results that are there but wait for an earlier call's. */
  private readonly results = new Map<string, ToolMessage>()
  /** What was decided of the calls that run now. */
  private readonly decisions = new Map<string, Extract<AgentEvent, { type: "permission" }>>()

  constructor(services: TurnServices) {
    this.services = services
    this.rails = new TurnRails(services.conversation, services.config.settings, services.emit)
    this.maxIterations = services.input.maxIterations ?? services.config.settings.maxIterations
  }

  /** Never fails; ends with a `finished` event unless it is interrupted. */
  get run(): Effect.Effect<void> {
    return this.loop().pipe(
      Effect.catchTag("LlmError", (error) => this.failed(error)),
      Effect.tap(() => this.services.rules.tellNotes()),
      Effect.flatMap((reason) =>
        Effect.as(this.services.care.afterTurn(this.services.conversation, this.services.emit), reason)
      ),
      Effect.tap(() => Effect.andThen(this.tellSessionWarnings(), this.tellToolWarnings())),
      Effect.flatMap((reason) => this.services.emit(this.finished(reason))),
      Effect.onInterrupt(() => this.settle())
    )
  }

  finished(reason: TurnReason): AgentEvent {
    return { type: "finished", reason, text: this.lastText, iterations: this.iterations, usage: this.usage }
  }

  /** A bug of ours must not leave a front end waiting. */
  crashed(cause: string): ReadonlyArray<AgentEvent> {
    return [{ type: "error", code: "internal", message: notices.internalError(cause) }, this.finished("error")]
  }

  private loop(): Effect.Effect<TurnReason, LlmError> {
    const { conversation, emit, input, care, hooks, rules } = this.services
    return Effect.gen({ self: this }, function* () {
      yield* emit({
        type: "started",
        session: yield* conversation.session.name,
        model: conversation.model,
        cwd: this.services.config.launchFolder
      })
      const prompt = yield* hooks.prompt(input.text)
      if ("blocked" in prompt) {
        yield* emit({ type: "error", code: "hook_blocked", message: notices.hookBlocked(prompt.blocked) })
        return "refused"
      }
      yield* conversation.say({
        role: "user",
        text: prompt.text,
        ...(input.attachments === undefined || input.attachments.length === 0 ? {} : { attachments: input.attachments })
      })
      if (conversation.checkpoints !== undefined) yield* conversation.checkpoints.scan("other")
      yield* this.tellSessionWarnings()
      yield* rules.begin()
      if (input.answerOnly !== undefined) {
        return yield* this.conclude(yield* this.ask({ toolChoice: "none", ...input.answerOnly }))
      }
      while (this.iterations < this.maxIterations) {
        yield* rules.tellNotes()
        yield* this.takeSteering()
        yield* conversation.refreshTools()
        yield* this.tellToolWarnings()
        const answer = yield* this.ask({})
        if (answer.toolCalls.length === 0) {
          const reason = yield* hooks.goOn(answer.text)
          if (reason === undefined) return yield* this.conclude(answer)
          yield* conversation.say({ role: "user", text: reason, origin: "continue" })
          continue
        }
        const outputLimit = yield* care.outputLimit(conversation)
        const ended = yield* this.runTools(answer, outputLimit)
        if (ended !== undefined) return ended
      }
      return yield* this.lastChance()
    })
  }

  /** One model call, its answer written to the session. An overflow is compacted away and asked again, once. */
  private ask(extra: Partial<LlmRequest>): Effect.Effect<Answer, LlmError> {
    const { care, conversation, emit } = this.services
    return Effect.gen({ self: this }, function* () {
      this.iterations++
      yield* care.beforeRequest(conversation, emit)
      yield* emit({ type: "iteration", n: this.iterations })
      const answer = yield* this.receive(extra).pipe(
        Effect.catchTag("LlmError", (error) =>
          error.code !== "context_overflow"
            ? Effect.fail(error)
            : Effect.flatMap(care.onOverflow(conversation, error, emit), (shortened) =>
                shortened ? this.again(extra) : Effect.fail(error)
              )
        )
      )
      yield* care.noteAnswer(conversation, answer.usage)
      return answer
    })
  }

  private again(extra: Partial<LlmRequest>): Effect.Effect<Answer, LlmError> {
    this.open = undefined
    return Effect.andThen(this.services.emit({ type: "discard", reason: "context_overflow" }), this.receive(extra))
  }

  /** One answer; where a stream rule stops it, the model is told and asked again, in the same iteration. */
  private receive(extra: Partial<LlmRequest>): Effect.Effect<Answer, LlmError> {
    const { conversation, emitAll, llm, rules } = this.services
    return Effect.gen({ self: this }, function* () {
      const answer = new Answer()
      this.open = answer
      const request = { ...this.request(), ...extra }
      const stopped = yield* rules.read(this.rails.guard(llm.stream(request), request), {
        take: (events) => {
          const shown: Array<AgentEvent> = []
          answer.take(events, shown)
          return shown.length === 0 ? Effect.void : emitAll(shown)
        },
        onDiscard: () => {
          this.open = undefined
        }
      })
      if (answer.usage !== undefined) {
        this.usage = addUsage(this.usage, answer.usage)
        const { model, revision, specs, system } = conversation
        conversation.prefix.note({ model, revision, specs, system }, answer.usage)
        yield* this.services.emit({ type: "usage", usage: answer.usage })
      }
      // Calls that come back from an answer that must have none are ignored, so that the history stays valid.
      const calls = extra.toolChoice === "none" ? [] : answer.toolCalls
      if (stopped !== undefined) {
        this.open = undefined
        yield* rules.stop(stopped, answer.toMessage(conversation.model, "interrupted", calls))
        return yield* this.receive(extra)
      }
      yield* this.rails.complete(answer, calls)
      const text = answer.text
      if (text !== "" || calls.length > 0) {
        yield* Effect.uninterruptible(
          Effect.map(
            conversation.say(answer.toMessage(conversation.model, answer.finish?.reason ?? "other", calls)),
            () => {
              this.open = undefined
              this.pending = [...calls]
            }
          )
        )
      }
      this.open = undefined
      if (text !== "") this.lastText = text
      return answer
    })
  }

  private request(): LlmRequest {
    const { config, conversation } = this.services
    const settings = modelSettings(config.settings, conversation.model)
    const temperature = this.rails.temperature(settings)
    const { topP, topK, minP, frequencyPenalty, presencePenalty, repeatPenalty } = settings
    const sampling = { temperature, topP, topK, minP, frequencyPenalty, presencePenalty, repeatPenalty }
    const maxTokens = settings.maxOutputTokens ?? config.settings.MaxOutputTokens
    return {
      model: conversation.model,
      system: conversation.system,
      messages: conversation.messages,
      tools: conversation.specs,
      sampling: Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined)),
      ...(maxTokens === undefined ? {} : { maxTokens }),
      ...(settings.parallelToolCalls === undefined ? {} : { parallelToolCalls: settings.parallelToolCalls }),
      ...(settings.thinking === false ? { thinking: false } : {}),
      ...(conversation.effort === undefined ? {} : { effort: conversation.effort })
    }
  }

  private runTools(answer: Answer, outputLimit: number): Effect.Effect<TurnReason | undefined> {
    const { config, conversation, emit, hooks, runner } = this.services
    return Effect.gen({ self: this }, function* () {
      const settings = modelSettings(config.settings, conversation.model)
      const maxTokens = settings.maxOutputTokens ?? config.settings.MaxOutputTokens
      yield* this.rails.tellEnd(answer)
      const report = yield* runner.run({
        tools: conversation.tools,
        calls: answer.toolCalls,
        model: { id: conversation.model, images: settings.images ?? true },
        outputLimit,
        rails: config.settings.rails,
        ...hooks.aroundCalls,
        review: (call, result) => this.rails.review(call, result),
        ...(maxTokens === undefined ? {} : { maxTokens }),
        emit: (event) => {
          if (event.type === "permission") this.decisions.set(event.id, event)
          if (event.type === "usage") this.usage = addUsage(this.usage, event.usage)
          return emit(event)
        },
        onDone: (result) =>
          Effect.sync(() => {
            this.results.set(result.toolCallId, result)
          }),
        onResult: (result) =>
          Effect.uninterruptible(
            Effect.map(conversation.say(this.withDecision(result)), () => {
              this.pending.shift()
            })
          )
      })
      this.results.clear()
      this.decisions.clear()
      if (conversation.checkpoints !== undefined) yield* conversation.checkpoints.scan("turn")
      yield* this.keepTodos(report.results)
      if (report.refused) this.refused = true
      if (yield* this.rails.afterTools()) return "stuck" as const
      if (report.unusable > 0) this.unusable++
      if (this.unusable <= (config.settings.rails.cutCalls ? MAX_UNUSABLE_CALLS : 0)) return undefined
      yield* emit({ type: "error", code: "unusable_calls", message: notices.unusableCalls(maxTokens) })
      return "stuck" as const
    })
  }

  /** The decision is kept beside the result in the session, so that it can be looked up later. */
  private withDecision(result: ToolMessage): ToolMessage {
    const made = this.decisions.get(result.toolCallId)
    if (made === undefined) return result
    const permission = { decision: made.decision, ...(made.rule === undefined ? {} : { rule: made.rule }) }
    return { ...result, details: { ...result.details, permission } }
  }

  /** What went wrong with the session's file: said once, the turn goes on. */
  private tellSessionWarnings(): Effect.Effect<void> {
    return Effect.forEach(
      this.services.conversation.newWarnings(),
      (message) => this.services.emit({ type: "warning", code: "session", message }),
      { discard: true }
    )
  }

  private tellToolWarnings(): Effect.Effect<void> {
    const { conversation, emitAll } = this.services
    return Effect.flatMap(conversation.toolWarnings, (texts) =>
      texts.length === 0
        ? Effect.void
        : emitAll(texts.map((message) => ({ type: "warning", code: "extensions", message })))
    )
  }

  /** The task list lives in the session, so that a resumed one has it. */
  private keepTodos(results: ReadonlyArray<ToolMessage>): Effect.Effect<void> {
    const { conversation, emit } = this.services
    const items = todosOf(results)
    if (items === undefined) return Effect.void
    return Effect.andThen(conversation.append({ type: "todo", items }), emit({ type: "todo", items }))
  }

  private conclude(answer: Answer): Effect.Effect<TurnReason> {
    return Effect.map(this.rails.tellEnd(answer), (isStuck) => (isStuck ? "stuck" : this.refused ? "refused" : "done"))
  }

  /** At the limit: one last call with the tools declared but not to be used. */
  private lastChance(): Effect.Effect<TurnReason, LlmError> {
    const { conversation, emit, input } = this.services
    return Effect.gen({ self: this }, function* () {
      yield* conversation.say({ role: "user", text: input.lastRequest ?? notices.LAST_CHANCE_PROMPT, origin: "limit" })
      yield* this.rails.tellEnd(yield* this.ask({ toolChoice: "none" }))
      this.iterations = this.maxIterations
      yield* emit({ type: "warning", code: "max_iterations", message: notices.maxIterations(this.maxIterations) })
      return "max_iterations" as const
    })
  }

  private takeSteering(): Effect.Effect<void> {
    const { conversation, emit, hooks, input } = this.services
    if (input.steering === undefined) return Effect.void
    return Effect.flatMap(
      input.steering,
      Effect.forEach((typed) =>
        Effect.flatMap(hooks.prompt(typed), (prompt): Effect.Effect<unknown> =>
          "blocked" in prompt
            ? emit({ type: "warning", code: "hook_blocked", message: notices.hookBlocked(prompt.blocked) })
            : conversation.say({ role: "user", text: prompt.text, origin: "steering" })
        )
      )
    ).pipe(Effect.asVoid)
  }

  private failed(error: LlmError): Effect.Effect<TurnReason> {
    return this.keepPartial("error", error.message).pipe(
      Effect.andThen(this.services.emit({ type: "error", code: error.code, message: error.text })),
      Effect.as("error" as const)
    )
  }

  /** What was finished is kept; each call without a result gets one that says so. */
  private settle(): Effect.Effect<void> {
    const { conversation } = this.services
    return Effect.uninterruptible(
      Effect.andThen(
        this.keepPartial("interrupted", undefined),
        Effect.suspend(() => {
          const left = this.pending
          this.pending = []
          return Effect.forEach(
            left,
            (call) => conversation.say(this.results.get(call.id) ?? interruptedResult(call)),
            { discard: true }
          )
        })
      )
    )
  }

  /** Text that was shown stays in the history; half-built calls do not. */
  private keepPartial(stopReason: StopReason, error: string | undefined): Effect.Effect<void> {
    const answer = this.open
    this.open = undefined
    if (answer === undefined || answer.text === "") return Effect.void
    this.lastText = answer.text
    const message = answer.toMessage(this.services.conversation.model, stopReason, [])
    return Effect.asVoid(this.services.conversation.say(error === undefined ? message : { ...message, error }))
  }
}
