/**
 * Moves a conversation to another point of its session's tree (spec 04, "Branch summary"; seed 001), with a summary of what is
 * left behind where one is asked for. An error, Esc or an interruption changes nothing.
 */
import { Effect } from "effect"
import { collectAbandoned } from "../context/branch/collectBranch.ts"
import { BranchSummary, type BranchSummaryResult } from "../context/BranchSummary.ts"
import { ContextWindow } from "../context/ContextWindow.ts"
import { TreeHooks } from "../context/hooks.ts"
import { cancelled } from "../context/summary/notices.ts"
import type { SummaryProgress } from "../context/summary/SummaryRun.ts"
import type { Entry } from "../domain/entry.ts"
import type { Text } from "../domain/text.ts"
import { entryNotFound } from "../sessions/errors.ts"
import type { Conversation } from "./Conversation.ts"
import { restore } from "./restore.ts"

export interface NavigateOptions {
  /** The caller has asked, or the setting `branchSummary.enabled` says so. */
  readonly summarize: boolean
  /** In place of the built-in prompt. */
  readonly instructions?: string
  /** Ends it when it completes (Esc). */
  readonly cancel?: Effect.Effect<unknown>
  readonly progress?: (event: SummaryProgress) => Effect.Effect<void>
}

export interface Navigated {
  /** The summary, behind the target; undefined where none was asked for or there was nothing to summarise. */
  readonly summary: Entry | undefined
  readonly summaryCalls: number
  readonly warnings: ReadonlyArray<Text>
}

/**
 * `target` is the new leaf; `null` stands before the first entry. Fails with `SessionError` (`not_found`), or with `SummaryError`
 * (`cancelled`, also by an extension, or why no summary came).
 */
export const navigate = Effect.fn("Agent.navigate")(function* (
  conversation: Conversation,
  target: string | null,
  options: NavigateOptions
) {
  const { session } = conversation
  if (target !== null && session.entry(target) === undefined) return yield* entryNotFound(target)
  const hooks = yield* TreeHooks
  const oldLeafId = session.leaf()
  const entries = collectAbandoned(session.entry, oldLeafId, target)
  const move = { oldLeafId, newLeafId: target, entries, summarize: options.summarize }
  const summarised = options.summarize ? yield* summarise(conversation, move, options) : undefined
  if (!options.summarize) {
    const answer = yield* hooks.before(move)
    if (answer !== undefined && "cancel" in answer) return yield* cancelled()
  }
  const summary = yield* Effect.uninterruptible(
    Effect.gen(function* () {
      yield* session.moveTo(target)
      const entry = summarised === undefined ? undefined : yield* session.append(summarised.body)
      conversation.reload()
      yield* restore(session.path())
      return entry
    })
  )
  yield* hooks.after(move, summary)
  const navigated: Navigated = {
    summary,
    summaryCalls: summarised?.summaryCalls ?? 0,
    warnings: summarised?.warnings ?? []
  }
  return navigated
})

/** Undefined where the move leaves no message behind. */
const summarise = Effect.fnUntraced(function* (
  conversation: Conversation,
  move: Pick<Parameters<BranchSummary["Service"]["summarize"]>[0], "entries" | "oldLeafId" | "newLeafId">,
  options: NavigateOptions
) {
  const branches = yield* BranchSummary
  const windows = yield* ContextWindow
  const { model } = conversation
  const window = yield* windows.get(model)
  const { entries, oldLeafId, newLeafId } = move
  return yield* branches
    .summarize({
      entries,
      oldLeafId,
      newLeafId,
      model,
      window: window?.tokens,
      ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
      ...(options.cancel === undefined ? {} : { cancel: options.cancel }),
      ...(options.progress === undefined ? {} : { progress: options.progress })
    })
    .pipe(
      Effect.map((result): BranchSummaryResult | undefined => result),
      Effect.catchTag("SummaryError", (error) => (error.code === "nothing" ? Effect.undefined : Effect.fail(error)))
    )
})
