/**
 * `ContextCare` on the context room (spec 04): before a request the old tool results are pruned and the conversation is
 * compacted where the threshold is passed; an overflow compacts and tries once more. What it cannot do it says once.
 */
import { Effect, Layer } from "effect"
import { Config } from "../config/Config.ts"
import { modelSettings } from "../config/modelSettings.ts"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { Usage } from "../domain/message.ts"
import type { LlmError } from "../llm/errors.ts"
import { isLocal } from "../llm/serverUrl.ts"
import {
  clampRatio,
  compactionThreshold,
  contextTokens,
  pruningNumbers,
  shouldCompact,
  type ServerCount
} from "../context/budget.ts"
import { Compaction } from "../context/Compaction.ts"
import {
  afterAnswer,
  afterModelTurn,
  afterRound,
  mayCompact,
  openGuard,
  type CompactionGuard,
  type CompactionReason
} from "../context/CompactionGuard.ts"
import { ContextWindow } from "../context/ContextWindow.ts"
import { CompactionHooks } from "../context/hooks.ts"
import { planPruning } from "../context/pruning.ts"
import { compactionFailed, stillTooLong } from "../context/summary/notices.ts"
import { TokenCounter } from "../context/TokenCounter.ts"
import { ESTIMATE_MARGIN } from "../context/tokens/estimateTokens.ts"
import { limitFor } from "../tools/outputLimit.ts"
import { ContextCare } from "./ContextCare.ts"
import type { Conversation } from "./Conversation.ts"
import { resumedCount } from "./resumedCount.ts"

/** A conversation this small fits every window of a provider, so nobody is asked for its size. */
const ASK_SERVER_FROM = 3_000
/** A server at home may have been started with 2 048 tokens, and says so in milliseconds. */
const ASK_LOCAL_SERVER_FROM = 1_000
/** The question to the model is a request of its own: asked only where an unknown window could really be near. */
const ASK_MODEL_FROM = 24_000

type Emit = (event: AgentEvent) => Effect.Effect<void>

interface State {
  guard: CompactionGuard
  /** Local count of the last request; undefined before the first one. */
  local: number | undefined
  server: ServerCount | undefined
  /** The conversation's revision that all this is about. */
  revision: number
}

export const contextCareLayer = Layer.effect(
  ContextCare,
  Effect.gen(function* () {
    const { settings } = yield* Config
    const counter = yield* TokenCounter
    const windows = yield* ContextWindow
    const compaction = yield* Compaction
    const hooks = yield* CompactionHooks
    const states = new WeakMap<Conversation, State>()
    const askServerFrom = isLocal(settings.LiteLLM_URL ?? "") ? ASK_LOCAL_SERVER_FROM : ASK_SERVER_FROM

    const stateOf = (conversation: Conversation): State => {
      const known = states.get(conversation)
      if (known !== undefined) return known
      const state: State = { guard: openGuard, local: undefined, server: undefined, revision: conversation.revision }
      states.set(conversation, state)
      return state
    }

    const input = (conversation: Conversation) => ({
      system: conversation.system,
      tools: conversation.specs,
      messages: conversation.messages,
      model: conversation.model
    })

    /** Someone else has shortened the messages or moved in the tree: what was known of them says nothing any more. */
    const follow = (conversation: Conversation, state: State): void => {
      if (state.revision === conversation.revision) return
      state.revision = conversation.revision
      state.server = undefined
      state.guard = afterModelTurn(state.guard)
    }

    /** After a change of our own: the server's count was of the longer context. */
    const shortened = (conversation: Conversation, state: State): void => {
      state.revision = conversation.revision
      state.server = undefined
    }

    /** A session that is gone on with knows what the server counted last. */
    const resumed = (conversation: Conversation): ServerCount | undefined => {
      const { messages, model, session } = conversation
      const count = resumedCount(session.path(), messages, model)
      if (count === undefined) return undefined
      const local = counter.context({ ...input(conversation), messages: count.messages }).tokens
      return { promptTokens: count.promptTokens, localTokens: local }
    }

    /** Tokens of the next request, and the window as far as it had to be known. */
    const measure = Effect.fnUntraced(function* (conversation: Conversation, state: State) {
      follow(conversation, state)
      const rough = counter.context(input(conversation)).tokens
      const known = yield* windows.known(conversation.model)
      const window =
        known ??
        (rough < askServerFrom
          ? undefined
          : yield* windows.get(conversation.model, { askModel: rough >= ASK_MODEL_FROM }))
      const threshold = compactionThreshold(settings.compaction, window?.tokens)
      const local =
        threshold === undefined ? rough : (yield* counter.contextUpTo(input(conversation), threshold)).tokens
      if (state.local === undefined) state.server = resumed(conversation)
      state.local = local
      return { window: window?.tokens, threshold, tokens: contextTokens(local, state.server) }
    })

    const isOver = (
      conversation: Conversation,
      measured: { readonly window: number | undefined; readonly tokens: number }
    ) =>
      shouldCompact({
        settings: settings.compaction,
        window: measured.window,
        tokens: measured.tokens,
        messages: conversation.messages.length
      })

    const prune = Effect.fnUntraced(function* (conversation: Conversation, state: State, window: number | undefined) {
      if (!settings.pruning.enabled) return
      const planned = planPruning({
        path: conversation.session.path(),
        ...pruningNumbers(settings.pruning, window === undefined ? undefined : Math.floor(window / ratioOf(state))),
        count: (message) => counter.message(message, conversation.model)
      })
      if (planned === undefined) return
      yield* conversation.append(planned.body)
      shortened(conversation, state)
    })

    const compact = Effect.fnUntraced(function* (
      conversation: Conversation,
      state: State,
      reason: CompactionReason,
      measured: {
        readonly window: number | undefined
        readonly threshold: number | undefined
        readonly tokens: number
      },
      emit: Emit
    ) {
      const { model, specs, system } = conversation
      const { threshold, tokens, window } = measured
      const fixedTokens = counter.context({ system, tools: specs, messages: [], model }).tokens
      const circumstances = { model, window, fixedTokens }
      if (!mayCompact(state.guard, reason, circumstances, tokens)) return false
      yield* emit({ type: "compaction", phase: "started", reason, tokensBefore: tokens })
      const result = yield* Effect.result(
        compaction.compact({
          path: conversation.session.path(),
          model,
          window,
          reason,
          system,
          tools: specs,
          tokensBefore: tokens,
          // The running turn goes on in its own session; a new one is begun only between turns.
          strategy: "in-place",
          ratio: ratioOf(state)
        })
      )
      const round = { reason, circumstances, threshold, tokensBefore: tokens }
      if (result._tag === "Failure") {
        state.guard = afterRound(state.guard, { ...round, tokensAfter: undefined })
        yield* emit({ type: "compaction", phase: "failed", reason, tokensBefore: tokens })
        yield* emit({
          type: "warning",
          code: "compaction_failed",
          message: compactionFailed(reason, result.failure.text)
        })
        return false
      }
      const { body, summaryCalls, tokensAfter, warnings } = inPlace(result.success)
      yield* conversation.append({ ...body, tokensAfter })
      yield* hooks.after(body, result.success.fromExtension)
      shortened(conversation, state)
      state.guard = afterRound(state.guard, { ...round, tokensAfter })
      yield* emit({ type: "compaction", phase: "finished", reason, tokensBefore: tokens, tokensAfter, summaryCalls })
      for (const message of warnings) yield* emit({ type: "warning", code: "compaction", message })
      if (state.guard.blocked !== undefined && reason !== "manual") {
        yield* emit({ type: "warning", code: "compaction_no_help", message: stillTooLong(state.guard.isHopeless) })
      }
      return true
    })

    return {
      beforeRequest: Effect.fnUntraced(function* (conversation: Conversation, emit: Emit) {
        const state = stateOf(conversation)
        const measured = yield* measure(conversation, state)
        if (!isOver(conversation, measured)) return
        yield* prune(conversation, state, measured.window)
        const pruned = yield* measure(conversation, state)
        if (!isOver(conversation, pruned)) return
        yield* compact(conversation, state, "threshold", pruned, emit)
        yield* measure(conversation, state)
      }),
      onOverflow: Effect.fnUntraced(function* (conversation: Conversation, error: LlmError, emit: Emit) {
        const state = stateOf(conversation)
        yield* windows.noteOverflow(conversation.model, error.limit)
        if (!settings.compaction.enabled) return false
        const measured = yield* measure(conversation, state)
        return yield* compact(conversation, state, "overflow", measured, emit)
      }),
      noteAnswer: Effect.fnUntraced(function* (conversation: Conversation, usage: Usage | undefined) {
        const state = stateOf(conversation)
        state.guard = afterAnswer(state.guard)
        if (usage !== undefined && usage.inputTokens > 0 && state.local !== undefined) {
          state.server = { promptTokens: usage.inputTokens, localTokens: state.local }
        }
        yield* windows.noteAnswer(conversation.model)
      }),
      afterTurn: (conversation: Conversation) =>
        Effect.sync(() => {
          const state = stateOf(conversation)
          state.guard = afterModelTurn(state.guard)
        }),
      isFull: Effect.fnUntraced(function* (conversation: Conversation, next = "") {
        if (!settings.compaction.enabled) return false
        const state = stateOf(conversation)
        const { threshold, window, ...measured } = yield* measure(conversation, state)
        const rough = measured.tokens + counter.countNow(next) * ESTIMATE_MARGIN
        // Far from the threshold, or without one, nobody waits for the vocabulary.
        const isNear = threshold !== undefined && rough >= threshold
        const tokens = isNear ? measured.tokens + (yield* counter.count(next)) : rough
        const { strategy } = settings.compaction
        const messages = conversation.messages.length
        return shouldCompact({ settings: settings.compaction, window, strategy, tokens, messages })
      }),
      outputLimit: (conversation: Conversation) =>
        Effect.map(windows.known(conversation.model), (window) =>
          Math.min(
            limitFor(window?.tokens),
            modelSettings(settings, conversation.model).outputLimit ?? Number.POSITIVE_INFINITY
          )
        )
    }
  })
)

/** How many of the server's tokens one of ours is. */
const ratioOf = ({ server }: State): number =>
  server === undefined || server.localTokens === 0 ? 1 : clampRatio(server.promptTokens / server.localTokens)

/** The strategy is asked for by name above, so the other result cannot come. */
const inPlace = (result: Effect.Success<ReturnType<Compaction["Service"]["compact"]>>) => {
  if (result.strategy === "in-place") return result
  throw new Error("in-place compaction gave a start context")
}
