/**
 * Summarises a branch that is being left (seed 001, "Pipeline de résumé de branche"; spec 04). Writes nothing: an error, Esc or
 * an interruption leaves everything as it is.
 */
import { Context, Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import type { EntryBody } from "../domain/entry.ts"
import type { Text } from "../domain/text.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import type { AnyEntry } from "../sessions/checkEntry.ts"
import { selectBranch } from "./branch/collectBranch.ts"
import { summaryTokens } from "./budget.ts"
import { ContextWindow } from "./ContextWindow.ts"
import { TreeHooks } from "./hooks.ts"
import { SummaryError } from "./summary/errors.ts"
import { fileTags } from "./summary/fileOperations.ts"
import { cancelled, maybeIncomplete, nothingToCompact } from "./summary/notices.ts"
import { BRANCH_SUMMARY_PREAMBLE, BRANCH_SUMMARY_PROMPT, mergingWith } from "./summary/prompts.ts"
import { serializeConversation } from "./summary/serialize.ts"
import { SummaryRun, type SummaryProgress } from "./summary/SummaryRun.ts"
import { TokenCounter } from "./TokenCounter.ts"

/** Where the window is unknown, in tokens. */
const UNKNOWN_WINDOW_BUDGET = 100_000

export interface BranchSummaryInput {
  /** Result of `collectAbandoned`. */
  readonly entries: ReadonlyArray<AnyEntry>
  readonly oldLeafId: string | null
  readonly newLeafId: string | null
  readonly model: string
  /** Tokens; undefined where unknown. */
  readonly window: number | undefined
  /** In place of the built-in prompt. */
  readonly instructions?: string
  /** Ends it when it completes (Esc). */
  readonly cancel?: Effect.Effect<unknown>
  readonly progress?: (event: SummaryProgress) => Effect.Effect<void>
}

export interface BranchSummaryResult {
  readonly body: Extract<EntryBody, { readonly type: "branch_summary" }>
  readonly summaryCalls: number
  readonly warnings: ReadonlyArray<Text>
}

export class BranchSummary extends Context.Service<
  BranchSummary,
  {
    /** Fails with `nothing` where no message is left behind, `cancelled`, or why no summary came. */
    readonly summarize: (input: BranchSummaryInput) => Effect.Effect<BranchSummaryResult, SummaryError>
  }
>()("maia/context/BranchSummary") {
  static readonly layer: Layer.Layer<BranchSummary, never, Config | LiteLlm | TokenCounter | ContextWindow> =
    Layer.effect(
      BranchSummary,
      Effect.gen(function* () {
        const services: Services = {
          config: yield* Config,
          llm: yield* LiteLlm,
          counter: yield* TokenCounter,
          windows: yield* ContextWindow
        }
        const summarize = Effect.fn("BranchSummary.summarize")(function* (input: BranchSummaryInput) {
          const hooks = yield* TreeHooks
          const work = summarizeWith(services, hooks, input)
          if (input.cancel === undefined) return yield* work
          return yield* Effect.raceFirst(work, Effect.andThen(input.cancel, Effect.fail(cancelled())))
        })
        return BranchSummary.of({ summarize })
      })
    )
}

interface Services {
  readonly config: Config["Service"]
  readonly llm: LiteLlm["Service"]
  readonly counter: TokenCounter["Service"]
  readonly windows: ContextWindow["Service"]
}

const summarizeWith = Effect.fnUntraced(function* (
  { config, llm, counter, windows }: Services,
  hooks: TreeHooks,
  input: BranchSummaryInput
): Effect.fn.Return<BranchSummaryResult, SummaryError> {
  const { entries, model, oldLeafId, newLeafId, window } = input
  yield* counter.ready
  const before = yield* hooks.before({ oldLeafId, newLeafId, entries, summarize: true })
  if (before !== undefined && "cancel" in before) return yield* cancelled()
  const fromId = oldLeafId ?? ""
  if (before !== undefined) {
    const { summary, details } = before.summary
    const body = { type: "branch_summary" as const, fromId, summary, fromExtension: true }
    return { body: details === undefined ? body : { ...body, details }, summaryCalls: 0, warnings: [] }
  }
  const budget = budgetOf(window, config.settings.branchSummary.reserveTokens)
  const { messages, files } = selectBranch(entries, budget, (message) => counter.message(message, model))
  if (messages.length === 0) return yield* nothingToCompact()
  const run = new SummaryRun({
    llm,
    counter,
    windows,
    candidates: [{ model, window, ratio: 1 }],
    settings: config.settings,
    progress: input.progress ?? (() => Effect.void)
  })
  const own = input.instructions?.trim() ?? ""
  const prompt = own === "" ? BRANCH_SUMMARY_PROMPT : own
  const { text, isIncomplete } = yield* run.summarize({
    kind: "branch",
    segments: serializeConversation(messages),
    prompts: { first: prompt, update: mergingWith(prompt) },
    maxTokens: summaryTokens(window)
  })
  const summary = `${BRANCH_SUMMARY_PREAMBLE}\n\n${text}${fileTags(files)}`
  return {
    body: { type: "branch_summary", fromId, summary, details: files },
    summaryCalls: run.calls,
    warnings: isIncomplete ? [maybeIncomplete()] : []
  }
})

/** The window without the reserve, which never takes more than half of a small one. */
const budgetOf = (window: number | undefined, reserve: number): number =>
  window === undefined ? UNKNOWN_WINDOW_BUDGET : window - Math.min(reserve, Math.floor(window / 2))
