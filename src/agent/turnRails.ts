/**
 * The guard rails for small models in a turn (spec 06): loops and the temperature after them, calls written as text, texts
 * without end, and answers that were cut. What they recognise is in `loop/` and `llm/`; each can be switched off
 * (`config/rails.ts`).
 */
import { Effect, Stream } from "effect"
import type { Config } from "../config/Config.ts"
import type { ModelSettings } from "../config/settings.ts"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { LlmEvent, LlmRequest, ToolSpec } from "../domain/llm.ts"
import type { ToolCall, ToolMessage } from "../domain/message.ts"
import type { Text } from "../domain/text.ts"
import { callIds } from "../llm/callIds.ts"
import type { LlmError } from "../llm/errors.ts"
import { guardedAnswer, type Stopped } from "../llm/guardedAnswer.ts"
import { DeclaredTools } from "../llm/textCalls/DeclaredTools.ts"
import { TextCallFilter } from "../llm/textCalls/TextCallFilter.ts"
import type { Answer } from "./answer.ts"
import type { Conversation } from "./Conversation.ts"
import type { Loop } from "./loop/LoopDetector.ts"
import * as notices from "./notices.ts"
import { loopNotice, loopStopped, loopWarning } from "./loop/texts.ts"

/** What a loop adds to the usual temperature, and how far that goes. */
const HEAT = 0.3
const HOTTEST = 1
/** The temperature of most servers when nobody sets one. */
const UNSET = 0.7

export class TurnRails {
  private readonly conversation: Conversation
  private readonly settings: Config["Service"]["settings"]
  private readonly emit: (event: AgentEvent) => Effect.Effect<void>
  /** Loops found among the calls that run now. */
  private found: Array<Loop> = []
  /** What ended the last answer, when it repeated itself. */
  private repetition: Stopped | undefined
  /** A call written as text was told of in this turn. */
  private hasToldTextCall = false
  /** Tokens the last request asked for at most. */
  private maxTokens: number | undefined
  private textCalls: TextCallFilter | undefined

  constructor(
    conversation: Conversation,
    settings: Config["Service"]["settings"],
    emit: (event: AgentEvent) => Effect.Effect<void>
  ) {
    this.conversation = conversation
    this.settings = settings
    this.emit = emit
    conversation.loops.beginTurn()
  }

  /** Of the next request: higher for those that follow a loop. */
  temperature({ temperature, loopTemperature }: ModelSettings): number | undefined {
    if (!this.settings.rails.adaptiveTemperature || !this.conversation.loops.takeHeat()) return temperature
    const raised = Math.min(HOTTEST, Math.round(((temperature ?? UNSET) + HEAT) * 100) / 100)
    return Math.max(temperature ?? 0, loopTemperature ?? raised)
  }

  /** The events of an answer as the turn is to see them. */
  guard(answer: Stream.Stream<LlmEvent, LlmError>, request: LlmRequest): Stream.Stream<LlmEvent, LlmError> {
    const { repetition, textToolCalls } = this.settings.rails
    this.repetition = undefined
    this.textCalls = undefined
    this.maxTokens = request.maxTokens
    const onRepetition = (stopped: Stopped) => {
      this.repetition = stopped
    }
    const guards = repetition ? { onRepetition } : {}
    if (!textToolCalls || request.toolChoice === "none" || request.tools.length === 0) {
      return guardedAnswer(answer, guards)
    }
    return Stream.unwrap(
      Effect.map(callIds, (newId) => {
        let n = 0
        const textCalls = new TextCallFilter(declaredTools(request.tools), () => newId(n++))
        this.textCalls = textCalls
        return guardedAnswer(answer, { ...guards, textCalls })
      })
    )
  }

  /** The answer is there and not yet written: marks one that was cut, folds what was repeated. */
  complete(answer: Answer, calls: ReadonlyArray<ToolCall>): Effect.Effect<void> {
    const { repetition } = this
    if (repetition !== undefined) {
      this.conversation.loops.heat()
      if (repetition.where === "text") {
        answer.fold(repetition.before + 2 * repetition.period, notices.repeatsNote(repetition.times - 2))
      }
      return Effect.void
    }
    if (!this.settings.rails.cutCalls || calls.length > 0 || answer.finish?.reason !== "max_tokens") return Effect.void
    const mark = `${answer.text.trim() === "" ? "" : "\n\n"}${notices.cutMark(this.limitOf(answer))}`
    answer.add(mark)
    return this.emit({ type: "text", delta: mark })
  }

  /** Tells how an answer ended that did not end by itself: true when the turn must end as stuck. */
  tellEnd(answer: Answer): Effect.Effect<boolean> {
    const { repetition } = this
    if (repetition !== undefined) {
      const message = notices.repeating(repetition.where, repetition.times)
      return Effect.as(this.emit({ type: "error", code: "repetition", message }), true)
    }
    if (this.textCalls?.hasFound === true && !this.hasToldTextCall) {
      this.hasToldTextCall = true
      return Effect.andThen(this.warn("text_tool_call", notices.textCall), this.tellEnd(answer))
    }
    const reason = answer.finish?.reason
    if (reason === "content_filter") return this.warn("content_filter", notices.contentFilter)
    if (reason !== "max_tokens") return Effect.succeed(false)
    const limit = this.limitOf(answer)
    if (answer.toolCalls.length > 0) {
      // Calls that were whole before the cut run.
      const isCut = answer.toolCalls.some(({ problem }) => problem?.kind === "cut")
      return isCut ? this.warn("cut_call", notices.cutCall(limit)) : Effect.succeed(false)
    }
    const isThought = answer.hasReasoning && ["", notices.cutMark(limit)].includes(answer.text.trim())
    return this.warn("cut_answer", isThought ? notices.cutReasoning(limit) : notices.cutAnswer(limit))
  }

  /** Tokens at which an answer was cut: what was asked for, else what the server counted. */
  private limitOf({ usage }: Answer): number | undefined {
    return this.maxTokens ?? usage?.completionTokens ?? usage?.outputTokens
  }

  private warn(code: string, message: Text): Effect.Effect<false> {
    return Effect.as(this.emit({ type: "warning", code, message }), false as const)
  }

  /** Takes each result in call order; one that closes a circle says so to the model. */
  review(call: ToolCall, result: ToolMessage): ToolMessage {
    // Calls that cannot be used are counted by themselves.
    if (!this.settings.rails.loopDetector || call.problem !== undefined) return result
    const loop = this.conversation.loops.observe(call, result)
    if (loop === undefined) return result
    this.found.push(loop)
    return { ...result, text: `${result.text}\n${loopNotice(loop)}` }
  }

  /** All results of an answer are there: true when the turn must end. */
  afterTools(): Effect.Effect<boolean> {
    return Effect.gen({ self: this }, function* () {
      const { found } = this
      this.found = []
      this.conversation.loops.answered()
      const stuck = found.find(({ isStuck }) => isStuck)
      if (stuck !== undefined) {
        yield* this.emit({ type: "error", code: "loop", message: loopStopped(stuck) })
        return true
      }
      const fresh = found.find(({ isNew }) => isNew)
      if (fresh !== undefined) {
        yield* this.emit({ type: "warning", code: "loop_detected", message: loopWarning(fresh) })
      }
      return false
    })
  }
}

const known = new WeakMap<ReadonlyArray<ToolSpec>, DeclaredTools>()

/** The list stays the same from request to request. */
const declaredTools = (specs: ReadonlyArray<ToolSpec>): DeclaredTools => {
  const made = known.get(specs) ?? new DeclaredTools(specs)
  known.set(specs, made)
  return made
}
