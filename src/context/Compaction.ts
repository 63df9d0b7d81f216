/**
 * Makes the conversation shorter (seed 001; spec 04, "Compaction"): asks for summaries and gives the body of the entry, or the
 * start context of a new session. It writes nothing: an error or an interruption changes nothing.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { FetchHttpClient, HttpClient, HttpClientRequest, HttpClientResponse } from "effect/http"
import { Config } from "../config/Config.ts"
import { modelSettings } from "../config/modelSettings.ts"
import { modelName } from "../config/modelSettings.ts"
import type { EntryBody } from "../domain/entry.ts"
import type { ToolSpec } from "../domain/llm.ts"
import type { Text } from "../domain/text.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import { compactionSummaryText } from "../sessions/buildContext.ts"
import type { AnyEntry } from "../sessions/checkEntry.ts"
import { clampRatio, summaryTokens, type CompactionStrategy } from "./budget.ts"
import type { CompactionReason } from "./CompactionGuard.ts"
import { ContextWindow } from "./ContextWindow.ts"
import { CompactionHooks, type CompactionPreparation, type GivenCompaction } from "./hooks.ts"
import { prepareCompaction, type CompactionPlan } from "./prepareCompaction.ts"
import { SummaryError } from "./summary/errors.ts"
import { fileTags, withoutFileTags, type FileLists } from "./summary/fileOperations.ts"
import { badRemote, cancelled, maybeIncomplete, nothingToCompact } from "./summary/notices.ts"
import * as prompts from "./summary/prompts.ts"
import { serializeConversation } from "./summary/serialize.ts"
import { SummaryRun, type Candidate, type Remote, type SummaryProgress } from "./summary/SummaryRun.ts"
import { MESSAGE_TOKENS, TokenCounter } from "./TokenCounter.ts"

/** Seconds for `compaction.remoteEndpoint`. */
const REMOTE_SECONDS = 300
/** Room for two sentences, and for a model that thinks although it was asked not to. */
const SHORT_SUMMARY_TOKENS = 1_000
/** A beginning of a turn this short is kept as it is: no model makes it better. */
const VERBATIM_TOKENS = 300

export interface CompactionInput {
  /** From the first entry to the leaf, without a failed message at its end. */
  readonly path: ReadonlyArray<AnyEntry>
  readonly model: string
  /** Tokens; undefined where unknown. */
  readonly window: number | undefined
  readonly reason: CompactionReason
  /** What every request holds beside the conversation. */
  readonly system: string
  readonly tools: ReadonlyArray<ToolSpec>
  /** What made it necessary (the server's count included); the local count when absent. */
  readonly tokensBefore?: number
  /** The server's count of the last request by the local one. */
  readonly ratio?: number
  /** `/compact` with words of the user. */
  readonly instructions?: string
  /** The setting when absent. */
  readonly strategy?: CompactionStrategy
  /** Ends the compaction when it completes (Esc); interrupting the fiber does the same. */
  readonly cancel?: Effect.Effect<unknown>
  readonly progress?: (event: SummaryProgress) => Effect.Effect<void>
}

interface Common {
  readonly tokensBefore: number
  /** Local count of the next request. */
  readonly tokensAfter: number
  /** Requests to a summarising model. */
  readonly summaryCalls: number
  readonly warnings: ReadonlyArray<Text>
  /** The summary is an extension's. */
  readonly fromExtension: boolean
}

export type CompactionBody = Extract<EntryBody, { readonly type: "compaction" }>

export type CompactionResult = Common &
  (
    | { readonly strategy: "in-place"; readonly body: CompactionBody }
    /** The caller names the new session (`nextCompactedName`) and gives it this start context. */
    | { readonly strategy: "new-session"; readonly startContext: string; readonly details: FileLists }
  )

export class Compaction extends Context.Service<
  Compaction,
  {
    /** Fails with `nothing` where there is nothing to summarise, `cancelled`, or why no model gave a summary. */
    readonly compact: (input: CompactionInput) => Effect.Effect<CompactionResult, SummaryError>
  }
>()("maia/context/Compaction") {
  static readonly layer: Layer.Layer<
    Compaction,
    never,
    Config | LiteLlm | TokenCounter | ContextWindow | HttpClient.HttpClient
  > = Layer.effect(
    Compaction,
    Effect.gen(function* () {
      const services: Services = {
        config: yield* Config,
        llm: yield* LiteLlm,
        counter: yield* TokenCounter,
        windows: yield* ContextWindow,
        http: yield* HttpClient.HttpClient
      }
      const compact = Effect.fn("Compaction.compact")(function* (input: CompactionInput) {
        const hooks = yield* CompactionHooks
        const work = compactWith(services, hooks, input)
        if (input.cancel === undefined) return yield* work
        return yield* Effect.raceFirst(work, Effect.andThen(input.cancel, Effect.fail(cancelled())))
      })
      return Compaction.of({ compact })
    })
  )

  /** With an HTTP client of its own. */
  static readonly layerFetch = Compaction.layer.pipe(Layer.provide(FetchHttpClient.layer))
}

interface Services {
  readonly config: Config["Service"]
  readonly llm: LiteLlm["Service"]
  readonly counter: TokenCounter["Service"]
  readonly windows: ContextWindow["Service"]
  readonly http: HttpClient.HttpClient
}

const compactWith = Effect.fnUntraced(function* (
  services: Services,
  hooks: CompactionHooks,
  input: CompactionInput
): Effect.fn.Return<CompactionResult, SummaryError> {
  const { config, counter } = services
  yield* counter.ready
  const settings = config.settings.compaction
  const strategy = input.strategy ?? settings.strategy
  const count = counter.message
  const fixed = counter.context({ system: input.system, tools: input.tools, messages: [], model: input.model }).tokens
  const ratio = clampRatio(input.ratio ?? 1)
  const prepare = (window: number | undefined) =>
    prepareCompaction({
      path: input.path,
      settings,
      strategy,
      reason: input.reason,
      window,
      fixedTokens: fixed,
      ratio,
      count: (message) => count(message, input.model)
    })
  const first = prepare(input.window)
  if (first === undefined) return yield* nothingToCompact()
  const previousTokens = first.previous === undefined ? 0 : summaryCost(counter, first.previous.summary)
  const tokensBefore = input.tokensBefore ?? fixed + previousTokens + first.conversationTokens
  // A request of this size was refused: whatever the window is said to be, it is smaller.
  const window = input.reason === "overflow" ? Math.min(input.window ?? tokensBefore, tokensBefore) : input.window
  const plan = window === input.window ? first : (prepare(window) ?? first)
  const preparation = describe(input, strategy, plan, tokensBefore)

  const before = yield* hooks.before(preparation)
  if (before !== undefined && "cancel" in before) return yield* cancelled()
  if (before !== undefined) return given(before.compaction, plan, { counter, fixed, strategy, tokensBefore })

  const customised = yield* hooks.compacting(preparation)
  const run = new SummaryRun({
    llm: services.llm,
    counter,
    windows: services.windows,
    candidates: yield* candidates(services, input.model, input.window, ratio),
    remote: settings.remoteEndpoint === undefined ? undefined : remote(services.http, settings.remoteEndpoint),
    settings: services.config.settings,
    progress: input.progress ?? (() => Effect.void)
  })
  const summary = yield* summarizePlan(run, counter, plan, {
    window,
    instructions: input.instructions,
    prompt: customised?.prompt,
    context: customised?.context
  })
  const text = summary.text + fileTags(plan.files, shownFiles(window))
  // A conversation with a small model waits too long as it is.
  const isSlow = modelSettings(services.config.settings, input.model).prompt === "short"
  const shortSummary = strategy === "in-place" && !isSlow ? yield* shorten(run, summary.text) : undefined
  return finish(
    plan,
    { counter, fixed, strategy, tokensBefore },
    {
      summary: text,
      shortSummary,
      preserveData: customised?.preserveData ?? plan.previous?.preserveData,
      summaryCalls: run.calls,
      warnings: summary.isIncomplete ? [maybeIncomplete()] : []
    }
  )
})

const summaryCost = (counter: TokenCounter["Service"], summary: string): number =>
  MESSAGE_TOKENS + counter.countNow(compactionSummaryText(summary))

/** Paths named in the summary: a small window has no room for a hundred. */
const shownFiles = (window: number | undefined): number =>
  window === undefined ? 100 : Math.max(10, Math.min(100, Math.floor(window / 800)))

const describe = (
  input: CompactionInput,
  strategy: CompactionStrategy,
  plan: CompactionPlan,
  tokensBefore: number
): CompactionPreparation => ({
  reason: input.reason,
  strategy,
  model: input.model,
  instructions: input.instructions,
  previousSummary: plan.previous?.summary,
  preserveData: plan.previous?.preserveData,
  messagesToSummarize: plan.history,
  turnPrefixMessages: plan.turnPrefix,
  firstKeptEntryId: plan.firstKeptEntryId,
  tokensBefore,
  files: plan.files
})

/** The models of the settings in order, the session's own last. */
const candidates = Effect.fnUntraced(function* (
  { config, windows }: Services,
  model: string,
  window: number | undefined,
  ratio: number
) {
  const wanted = config.settings.compaction.models.map(modelName).filter((name) => name !== model)
  const others = yield* Effect.forEach(
    wanted,
    Effect.fnUntraced(function* (name) {
      const size = yield* windows.get(name, { askModel: false })
      return { model: name, window: size?.tokens, ratio: 1 } satisfies Candidate
    })
  )
  return [...others, { model, window, ratio }] satisfies ReadonlyArray<Candidate>
})

interface SummaryOptions {
  readonly window: number | undefined
  readonly instructions: string | undefined
  /** Replaces the base prompt. */
  readonly prompt: string | undefined
  readonly context: ReadonlyArray<string> | undefined
}

/** One summary of the history, and one of a split turn's beginning; merged as seed 001 says. */
const summarizePlan = Effect.fnUntraced(function* (
  run: SummaryRun,
  counter: TokenCounter["Service"],
  plan: CompactionPlan,
  options: SummaryOptions
) {
  const { instructions, context, prompt } = options
  const previous = plan.previous === undefined ? undefined : withoutFileTags(plan.previous.summary)
  const maxTokens = summaryTokens(options.window)
  const history =
    plan.history.length === 0
      ? { text: previous ?? "No prior history.", isIncomplete: false }
      : yield* run.summarize({
          kind: "history",
          segments: serializeConversation(plan.history),
          previous,
          prompts:
            prompt === undefined
              ? { first: prompts.INITIAL_PROMPT, update: prompts.UPDATE_PROMPT }
              : { first: prompt, update: prompts.mergingWith(prompt) },
          instructions,
          context,
          maxTokens
        })
  const prefix = serializeConversation(plan.turnPrefix)
  if (prefix.length === 0) return history
  const verbatim = prefix.join("\n\n")
  const turn =
    counter.countNow(verbatim) <= VERBATIM_TOKENS
      ? { text: verbatim, isIncomplete: false }
      : yield* run.summarize({
          kind: "turn",
          segments: prefix,
          prompts: { first: prompts.TURN_PREFIX_PROMPT, update: prompts.TURN_PREFIX_UPDATE_PROMPT },
          instructions,
          context,
          maxTokens: Math.ceil(maxTokens / 2)
        })
  return {
    text: `${history.text}\n\n---\n\n${prompts.SPLIT_TURN_HEADING}\n\n${turn.text}`,
    isIncomplete: history.isIncomplete || turn.isIncomplete
  }
})

/** A compaction without it is as good: what goes wrong here is no failure. */
const shorten = (run: SummaryRun, summary: string): Effect.Effect<string | undefined> =>
  run
    .summarize({
      kind: "short",
      segments: [],
      previous: summary,
      prompts: { first: prompts.SHORT_SUMMARY_PROMPT, update: prompts.SHORT_SUMMARY_PROMPT },
      maxTokens: SHORT_SUMMARY_TOKENS
    })
    .pipe(
      Effect.map(({ text }) => text.replaceAll(/\s+/g, " ").trim()),
      Effect.orElseSucceed(() => undefined)
    )

const RemoteAnswer = Schema.Struct({ summary: Schema.String })

/** `compaction.remoteEndpoint`: POST `{ systemPrompt, prompt }`, JSON with at least `{ summary }`. */
const remote =
  (http: HttpClient.HttpClient, endpoint: string): Remote =>
  (systemPrompt, prompt) =>
    http
      .execute(HttpClientRequest.post(endpoint).pipe(HttpClientRequest.bodyJsonUnsafe({ systemPrompt, prompt })))
      .pipe(
        Effect.flatMap(HttpClientResponse.filterStatusOk),
        Effect.flatMap(HttpClientResponse.schemaBodyJson(RemoteAnswer)),
        Effect.timeout(REMOTE_SECONDS * 1000),
        Effect.map(({ summary }) => summary),
        Effect.mapError((cause) => badRemote(endpoint, cause))
      )

interface Frame {
  readonly counter: TokenCounter["Service"]
  /** Tokens of system prompt and tools. */
  readonly fixed: number
  readonly strategy: CompactionStrategy
  readonly tokensBefore: number
}

interface Outcome {
  readonly summary: string
  readonly shortSummary: string | undefined
  readonly preserveData: unknown
  readonly summaryCalls: number
  readonly warnings: ReadonlyArray<Text>
  readonly given?: GivenCompaction
}

const given = (compaction: GivenCompaction, plan: CompactionPlan, frame: Frame): CompactionResult =>
  finish(plan, frame, {
    summary: compaction.summary,
    shortSummary: compaction.shortSummary,
    preserveData: compaction.preserveData,
    summaryCalls: 0,
    warnings: [],
    given: compaction
  })

const finish = (plan: CompactionPlan, frame: Frame, outcome: Outcome): CompactionResult => {
  const { counter, fixed, strategy, tokensBefore } = frame
  const { summary, shortSummary, preserveData, summaryCalls, warnings } = outcome
  const common = { tokensBefore, summaryCalls, warnings, fromExtension: outcome.given !== undefined }
  const details = outcome.given?.details ?? plan.files
  if (strategy === "new-session") {
    const tokensAfter = fixed + counter.countNow(summary)
    return { ...common, strategy, startContext: summary, details, tokensAfter }
  }
  const tokensAfter = fixed + summaryCost(counter, summary) + plan.keptTokens
  const body: CompactionBody = {
    type: "compaction",
    summary,
    ...(shortSummary === undefined || shortSummary === "" ? {} : { shortSummary }),
    firstKeptEntryId: outcome.given?.firstKeptEntryId ?? plan.firstKeptEntryId,
    tokensBefore,
    tokensAfter,
    details,
    ...(preserveData === undefined ? {} : { preserveData }),
    ...(outcome.given === undefined ? {} : { fromExtension: true })
  }
  return { ...common, strategy, body, tokensAfter }
}
