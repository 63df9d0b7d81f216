/**
 * Compaction that a person asks for (spec 04, `/compact`): in place, or into a new session that starts from the summary
 * (MAIA §14.4). An error, Esc or an interruption changes nothing.
 */
import { Effect } from "effect"
import { Config } from "../config/Config.ts"
import type { Entry } from "../domain/entry.ts"
import type { Text } from "../domain/text.ts"
import type { CompactionStrategy } from "../context/budget.ts"
import { Compaction } from "../context/Compaction.ts"
import { ContextWindow } from "../context/ContextWindow.ts"
import { CompactionHooks } from "../context/hooks.ts"
import type { SummaryProgress } from "../context/summary/SummaryRun.ts"
import { TokenCounter } from "../context/TokenCounter.ts"
import { isKnownEntry, type AnyEntry } from "../sessions/checkEntry.ts"
import { nextCompactedName } from "../sessions/names.ts"
import { TodoStore } from "../tools/todo/TodoStore.ts"
import type { Conversation } from "./Conversation.ts"
import { openConversation } from "./openConversation.ts"

export interface CompactNowOptions {
  /** What the summary should look at, in the user's words. */
  readonly instructions?: string
  /** The setting when absent. */
  readonly strategy?: CompactionStrategy
  /** Ends it when it completes (Esc). */
  readonly cancel?: Effect.Effect<unknown>
  readonly progress?: (event: SummaryProgress) => Effect.Effect<void>
}

export interface CompactedNow {
  /** The one to go on with: the same, or that of the new session, open until the scope closes. */
  readonly conversation: Conversation
  readonly tokensBefore: number
  readonly tokensAfter: number
  /** Requests to a summarising model. */
  readonly summaryCalls: number
  readonly warnings: ReadonlyArray<Text>
}

/** Fails with `SummaryError` (`nothing`, `cancelled`, or why no summary came), or `SessionError` for the new session. */
export const compactNow = Effect.fn("Agent.compactNow")(function* (
  conversation: Conversation,
  options: CompactNowOptions = {}
) {
  const { settings } = yield* Config
  const compaction = yield* Compaction
  const windows = yield* ContextWindow
  const { model, session, specs, system } = conversation
  const counter = yield* TokenCounter
  const window = yield* windows.get(model)
  yield* counter.ready
  const tokensBefore = counter.context({ model, system, tools: specs, messages: conversation.messages }).tokens
  const strategy = options.strategy ?? settings.compaction.strategy
  const result = yield* compaction.compact({
    path: session.path(),
    model,
    window: window?.tokens,
    reason: "manual",
    system,
    tools: specs,
    tokensBefore,
    strategy,
    ...(options.instructions === undefined ? {} : { instructions: options.instructions }),
    ...(options.cancel === undefined ? {} : { cancel: options.cancel }),
    ...(options.progress === undefined ? {} : { progress: options.progress })
  })
  const { summaryCalls, tokensAfter, warnings } = result
  const done = { tokensBefore, tokensAfter, summaryCalls }
  const hooks = yield* CompactionHooks
  if (result.strategy === "in-place") {
    yield* conversation.append(result.body).pipe(Effect.andThen(hooks.after(result.body, result.fromExtension)))
    const compacted: CompactedNow = { ...done, conversation, warnings }
    return compacted
  }
  const name = yield* session.name
  const next = yield* openConversation({
    model,
    effort: conversation.effort,
    append: conversation.opened.append,
    loops: conversation.loops,
    session: {
      name: nextCompactedName(name),
      fresh: true,
      save: conversation.opened.save,
      startContext: result.startContext,
      parentSession: name
    }
  })
  yield* carryTodos(session.path(), next.conversation)
  const { details, fromExtension, startContext } = result
  yield* hooks.after(
    {
      type: "compaction",
      summary: startContext,
      firstKeptEntryId: "",
      tokensBefore,
      tokensAfter,
      details,
      fromExtension
    },
    fromExtension
  )
  const compacted: CompactedNow = {
    ...done,
    conversation: next.conversation,
    warnings: [...warnings, ...next.warnings]
  }
  return compacted
})

/** What is still to be done goes along word for word: no summary is as exact. */
const carryTodos = Effect.fnUntraced(function* (path: ReadonlyArray<AnyEntry>, next: Conversation) {
  const todos = yield* TodoStore
  const last = path.findLast((entry): entry is Entry & { type: "todo" } => isKnownEntry(entry) && entry.type === "todo")
  if (last === undefined || last.items.length === 0) return
  yield* next.append({ type: "todo", items: last.items })
  yield* todos.set(last.items)
})
