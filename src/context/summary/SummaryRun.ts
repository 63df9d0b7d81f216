/**
 * The model calls of one compaction or one branch summary: what does not fit is taken in parts, a bad answer gets one more try
 * over all calls, and the models are tried in order (spec 04, "Compaction"; field cases D2, D3, H6).
 */
import { Effect, Result } from "effect"
import type { Settings } from "../../config/settings.ts"
import type { Text } from "../../domain/text.ts"
import type { LlmError } from "../../llm/errors.ts"
import type { LiteLlm } from "../../llm/LiteLlm.ts"
import { clampRatio } from "../budget.ts"
import type { ContextWindow } from "../ContextWindow.ts"
import { readAnswer } from "../readAnswer.ts"
import type { TokenCounter } from "../TokenCounter.ts"
import { SummaryError } from "./errors.ts"
import { judgeSummary, type SummaryProblem, type Verdict } from "./judge.ts"
import { badSummary } from "./notices.ts"
import { takePart, type Segment } from "./parts.ts"
import { summarySampling } from "./sampling.ts"
import { SUMMARIZATION_SYSTEM_PROMPT } from "./prompts.ts"
import { defuse } from "./serialize.ts"

export type SummaryKind = "history" | "turn" | "short" | "branch"

export type SummaryProgress =
  /** A request is sent; `call` counts them from 1, `part` counts the parts of this summary. */
  | {
      readonly type: "request"
      readonly kind: SummaryKind
      readonly model: string
      readonly part: number
      readonly call: number
    }
  /** The answer was no summary, or was cut off, and is asked for once more. */
  | { readonly type: "retry"; readonly problem: SummaryProblem | "cut" | "repeats" }
  /** The next model is tried. */
  | { readonly type: "model-failed"; readonly model: string; readonly reason: Text }

export interface SummaryTask {
  readonly kind: SummaryKind
  readonly segments: ReadonlyArray<string>
  readonly previous?: string | undefined
  /** For the first part of a conversation without a summary before it, and for all others. */
  readonly prompts: { readonly first: string; readonly update: string }
  /** What the user asked to be looked at. */
  readonly instructions?: string | undefined
  /** Lines for `<additional-context>`. */
  readonly context?: ReadonlyArray<string> | undefined
  readonly maxTokens: number
}

export interface Summary {
  readonly text: string
  /** Cut off by the limit. */
  readonly isIncomplete: boolean
}

export interface Candidate {
  readonly model: string
  readonly window: number | undefined
  /** How many of the server's tokens are one of ours. */
  readonly ratio: number
}

/** Someone else who writes the summary: `compaction.remoteEndpoint`. */
export type Remote = (systemPrompt: string, prompt: string) => Effect.Effect<string, SummaryError>

export interface SummaryRunInput {
  readonly llm: LiteLlm["Service"]
  readonly counter: TokenCounter["Service"]
  readonly windows: ContextWindow["Service"]
  readonly candidates: ReadonlyArray<Candidate>
  readonly remote?: Remote | undefined
  readonly settings: Settings
  readonly progress: (event: SummaryProgress) => Effect.Effect<void>
}

/** Share of a window that a request may fill: the server's template adds to what is counted here. */
const FILL = 0.95
const LEAST_PART = 200
/** Tokens left for an answer in a window of a few thousand. */
const NARROW_ROOM = 2_048
/** Requests that overflow although they were made to fit, until it is given up. */
const MAX_OVERFLOWS = 3

export class SummaryRun {
  /** Requests so far. */
  calls = 0
  private readonly input: SummaryRunInput
  /** One more try over the whole run: an overflow costs one to three requests, not twice as many. */
  private retries = 1

  constructor(input: SummaryRunInput) {
    this.input = input
  }

  /** Never fails for a candidate as long as there is another one. */
  summarize(task: SummaryTask): Effect.Effect<Summary, SummaryError> {
    return Effect.gen({ self: this }, function* () {
      const { candidates, progress, remote } = this.input
      if (remote !== undefined) return yield* this.remotely(remote, task)
      const segments = yield* Effect.forEach(task.segments, (text) => this.segment(text))
      let failure: SummaryError | undefined
      for (const candidate of candidates) {
        const result = yield* Effect.result(this.inParts(task, segments, candidate))
        if (Result.isSuccess(result)) return result.success
        failure = result.failure
        if (candidate !== candidates.at(-1)) {
          yield* progress({ type: "model-failed", model: candidate.model, reason: failure.text })
        }
      }
      return yield* failure ?? badSummary("?", "empty")
    })
  }

  private segment(text: string): Effect.Effect<Segment> {
    return Effect.map(this.input.counter.count(text), (tokens) => ({ text, tokens }))
  }

  private remotely(remote: Remote, task: SummaryTask): Effect.Effect<Summary, SummaryError> {
    return Effect.gen({ self: this }, function* () {
      yield* this.sending(task.kind, "remoteEndpoint", 1)
      this.calls++
      const text = yield* remote(SUMMARIZATION_SYSTEM_PROMPT, promptOf(task, task.segments.join("\n\n"), task.previous))
      const answer = { text, hasReasoning: false, calls: 0, stop: "end_turn" as const, usage: undefined }
      const verdict = judgeSummary(answer)
      if (verdict.verdict === "bad") return yield* badSummary("remoteEndpoint", verdict.problem)
      return { text: verdict.text, isIncomplete: false }
    })
  }

  private inParts(
    task: SummaryTask,
    all: ReadonlyArray<Segment>,
    candidate: Candidate
  ): Effect.Effect<Summary, SummaryError> {
    return Effect.gen({ self: this }, function* () {
      const { counter, windows } = this.input
      const count = (text: string): number => counter.countNow(text)
      let segments = all
      let from = 0
      let window = candidate.window
      let overflows = 0
      let summary: Summary = { text: task.previous ?? "", isIncomplete: false }
      for (let part = 1; part === 1 || from < segments.length;) {
        const previous = summary.text === "" ? undefined : summary.text
        const overhead = count(promptOf(task, "", previous)) + count(SUMMARIZATION_SYSTEM_PROMPT)
        const budget = Math.max(LEAST_PART, roomFor(window, task.maxTokens, candidate.ratio) - overhead)
        const taken = takePart(segments, from, budget, count)
        const prompt = promptOf(task, taken.text, previous)
        const room = roomFor(window, 0, candidate.ratio) - count(prompt)
        yield* this.sending(task.kind, candidate.model, part)
        const asked = yield* Effect.result(this.ask(task, prompt, candidate.model, room))
        if (Result.isSuccess(asked)) {
          summary = { text: asked.success.text, isIncomplete: summary.isIncomplete || asked.success.isIncomplete }
          from += taken.taken
          if (taken.rest !== undefined) {
            segments = [yield* this.segment(taken.rest), ...segments.slice(from + 1)]
            from = 0
          }
          part++
          continue
        }
        const failure = asked.failure
        if (failure._tag === "SummaryError") return yield* failure
        if (failure.code !== "context_overflow" || ++overflows > MAX_OVERFLOWS) return yield* ofModel(failure)
        yield* windows.noteOverflow(candidate.model, failure.limit)
        window = smallerWindow(failure.limit, window, count(prompt) * candidate.ratio + task.maxTokens)
      }
      return summary
    })
  }

  private sending(kind: SummaryKind, model: string, part: number): Effect.Effect<void> {
    return this.input.progress({ type: "request", kind, model, part, call: this.calls + 1 })
  }

  /** One answer, and one more where it is no summary or was cut off. `room`: tokens left for the answer. */
  private ask(
    task: SummaryTask,
    prompt: string,
    model: string,
    room: number
  ): Effect.Effect<Summary, SummaryError | LlmError> {
    return Effect.gen({ self: this }, function* () {
      const first = yield* this.send(prompt, model, task.maxTokens, false)
      if (first.verdict === "good") return { text: first.text, isIncomplete: false }
      const repeats = first.verdict === "cut" && first.repeats === true
      // More room only makes a longer circle.
      const wanted = repeats ? task.maxTokens : task.maxTokens * 2
      const larger = Math.max(task.maxTokens, Math.floor(Math.min(wanted, room)))
      const mayRetry = this.retries > 0 && (first.verdict === "bad" || repeats || larger > task.maxTokens)
      if (mayRetry) {
        this.retries--
        const problem = first.verdict === "bad" ? first.problem : repeats ? "repeats" : "cut"
        yield* this.input.progress({ type: "retry", problem })
        const again = yield* Effect.result(this.send(prompt, model, larger, problem !== "cut"))
        const isNoBetter =
          first.verdict === "cut" && Result.isSuccess(again) && again.success.verdict === "cut" && isNarrow(room)
        if (isNoBetter) return { text: first.text, isIncomplete: true }
        if (Result.isSuccess(again) && again.success.verdict !== "bad") {
          return { text: again.success.text, isIncomplete: again.success.verdict === "cut" }
        }
        if (first.verdict === "bad") {
          if (Result.isFailure(again)) return yield* again.failure
          if (again.success.verdict === "bad") return yield* badSummary(model, again.success.problem)
        }
      }
      if (first.verdict === "bad") return yield* badSummary(model, first.problem)
      return { text: first.text, isIncomplete: true }
    })
  }

  private send(prompt: string, model: string, maxTokens: number, hotter: boolean): Effect.Effect<Verdict, LlmError> {
    return Effect.suspend(() => {
      this.calls++
      return readAnswer(
        this.input.llm.stream({
          model,
          system: SUMMARIZATION_SYSTEM_PROMPT,
          messages: [{ role: "user", text: prompt }],
          tools: [],
          sampling: summarySampling(this.input.settings, model, hotter),
          maxTokens,
          thinking: false,
          patience: 2
        })
      ).pipe(Effect.map(judgeSummary))
    })
  }
}

/** Tokens of ours that a request may have beside an answer of `answer` tokens. */
const roomFor = (window: number | undefined, answer: number, ratio: number): number =>
  window === undefined ? Number.POSITIVE_INFINITY : Math.floor((window * FILL - answer) / clampRatio(ratio))

/** The server's own limit where it says one, else half of what it refused. */
const smallerWindow = (limit: number | undefined, window: number | undefined, refused: number): number => {
  const half = Math.floor(refused / 2)
  if (limit === undefined || limit <= 0 || limit >= (window ?? refused)) return half
  return limit
}

/**
 * Where two requests of this size would hardly fit, a second summary that is cut too is only longer: the first has the size that
 * was planned for. `room`: tokens left for the answer.
 */
const isNarrow = (room: number): boolean => room < NARROW_ROOM

const ofModel = (error: LlmError): SummaryError => new SummaryError({ code: "model", text: error.text, cause: error })

const promptOf = (task: SummaryTask, conversation: string, previous: string | undefined): string => {
  const blocks = conversation === "" ? [] : [`<conversation>\n${conversation}\n</conversation>`]
  if (previous !== undefined) blocks.push(`<previous-summary>\n${defuse(previous)}\n</previous-summary>`)
  const context = task.context ?? []
  if (context.length > 0) {
    blocks.push(`<additional-context>\n${context.map((line) => `- ${defuse(line)}`).join("\n")}\n</additional-context>`)
  }
  blocks.push(previous === undefined ? task.prompts.first : task.prompts.update)
  const instructions = task.instructions?.trim() ?? ""
  if (instructions !== "") blocks.push(`What the user wants this summary to look at: ${defuse(instructions)}`)
  return blocks.join("\n\n")
}
