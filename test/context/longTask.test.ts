/**
 * One request of 300 iterations on small and large windows, with the parts of this room put together as a turn does: prune,
 * compact before a request, compact on overflow.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { defaultSettings } from "../../src/config/settings.ts"
import { compactionThreshold, contextTokens, pruningNumbers, shouldCompact } from "../../src/context/budget.ts"
import { Compaction, type CompactionResult } from "../../src/context/Compaction.ts"
import {
  afterAnswer,
  afterRound,
  mayCompact,
  openGuard,
  type CompactionReason
} from "../../src/context/CompactionGuard.ts"
import { planPruning } from "../../src/context/pruning.ts"
import { TokenCounter } from "../../src/context/TokenCounter.ts"
import type { LlmRequest } from "../../src/domain/llm.ts"
import { buildContext } from "../../src/sessions/buildContext.ts"
import * as ScriptedLlm from "../../src/testing/ScriptedLlm.ts"
import { contextLayer, llmError, PathBuilder } from "./support.ts"

const ITERATIONS = 300
const SYSTEM = "You are maia. ".repeat(100)
const FACTS = 8

/** A summarising model that keeps what is named like a fact, forgets the rest, and refuses what is too long for it. */
const summariser =
  (window: number) =>
  (request: LlmRequest): ScriptedLlm.ScriptedStep => {
    const prompt = request.messages[0]?.text ?? ""
    if (prompt.length / 4.5 + (request.maxTokens ?? 0) > window) return llmError("context_overflow")
    const facts = [...new Set(prompt.match(/FACT-\d+/g) ?? [])]
    return ScriptedLlm.answer({ text: `## Decisions and conclusions\n${facts.map((fact) => `- ${fact}`).join("\n")}` })
  }

interface Options {
  /** Tokens the server takes. */
  readonly window: number
  /** What we believe; `undefined`: unknown. */
  readonly believed: number | undefined
  /** The server's tokens by ours. */
  readonly ratio: number
  readonly system?: string
  /** Lines of each output. */
  readonly lines?: number
}

const run = ({ window, believed, ratio, system = SYSTEM, lines = 40 }: Options) =>
  Effect.gen(function* () {
    const compaction = yield* Compaction
    const counter = yield* TokenCounter
    yield* counter.ready
    const settings = defaultSettings.compaction
    const path = new PathBuilder().user("Do the long task. The first fact is FACT-0.")
    const local = () => {
      const messages = buildContext(path.entries).map(({ message }) => message)
      return { messages, tokens: counter.context({ system, tools: [], messages, model: "m" }).tokens }
    }
    const fixedTokens = counter.context({ system, tools: [], messages: [], model: "m" }).tokens
    const circumstances = { model: "m", window: believed, fixedTokens }
    const outcome = { summaryCalls: [] as Array<number>, prunings: 0, refused: 0, failures: 0 }
    let guard = openGuard
    let server: { promptTokens: number; localTokens: number } | undefined

    const compact = Effect.fnUntraced(function* (reason: CompactionReason, tokensBefore: number) {
      const result: CompactionResult | undefined = yield* compaction
        .compact({
          path: path.entries,
          model: "m",
          window: believed,
          reason,
          system,
          tools: [],
          tokensBefore,
          ...(server === undefined ? {} : { ratio: server.promptTokens / server.localTokens })
        })
        .pipe(Effect.orElseSucceed(() => undefined))
      const threshold = compactionThreshold(settings, believed)
      guard = afterRound(guard, { reason, circumstances, threshold, tokensBefore, tokensAfter: result?.tokensAfter })
      if (result?.strategy !== "in-place") {
        outcome.failures++
        return
      }
      path.add(result.body)
      server = undefined
      outcome.summaryCalls.push(result.summaryCalls)
      assert.closeTo(local().tokens, result.tokensAfter, 60)
    })

    for (let iteration = 1; iteration <= ITERATIONS; iteration++) {
      const numbers = pruningNumbers(defaultSettings.pruning, believed)
      const count = (message: Parameters<typeof counter.message>[0]) => counter.message(message, "m")
      const pruning = planPruning({ path: path.entries, ...numbers, count })
      if (pruning !== undefined) {
        outcome.prunings++
        path.add(pruning.body)
        server = undefined
      }
      const { messages, tokens } = local()
      const seen = contextTokens(tokens, server)
      const trigger = { settings, window: believed, tokens: seen, messages: messages.length }
      if (shouldCompact(trigger) && mayCompact(guard, "threshold", circumstances)) yield* compact("threshold", seen)
      if (local().tokens * ratio > window) {
        outcome.refused++
        if (!mayCompact(guard, "overflow", circumstances)) break
        yield* compact("overflow", local().tokens)
        if (local().tokens * ratio > window) break
      }
      const sent = local().tokens
      server = { promptTokens: Math.round(sent * ratio), localTokens: sent }
      guard = afterAnswer(guard)
      const fact = iteration < FACTS ? `Found FACT-${iteration}. ` : ""
      const output = `${fact}${`line of output ${iteration}\n`.repeat(lines)}[exit code: 0]`
      // What was read is never pruned: on a large window only that makes a compaction necessary.
      if (iteration % 2 === 0 && window > 100_000) path.call("Read", { path: `src/${iteration}.ts` }, output)
      else path.call("Bash", { command: `step ${iteration}` }, output)
      const last = buildContext(path.entries)
      assert.strictEqual(last[0]?.message.role, "user")
    }
    const context = buildContext(path.entries).map(({ message }) => message.text)
    const iterations = path.entries.filter((entry) => entry.type === "message" && entry.message.role === "tool").length
    return { ...outcome, iterations, context: context.join("\n"), rounds: outcome.summaryCalls.length }
  }).pipe(Effect.provide(contextLayer(summariser(window))))

const facts = Array.from({ length: FACTS }, (_, index) => `FACT-${index}`)

describe("a task of 300 iterations", () => {
  for (const [window, lines, most] of [
    [8_192, 40, 12],
    [32_768, 40, 4],
    [200_000, 250, 6]
  ] as const) {
    it.effect(`on ${window} tokens: facts of the first steps survive, nothing overflows, no loop`, () =>
      Effect.gen(function* () {
        const result = yield* run({ window, believed: window, ratio: 1, lines })
        assert.strictEqual(result.iterations, ITERATIONS)
        assert.strictEqual(result.refused, 0)
        assert.strictEqual(result.failures, 0)
        assert.isAbove(result.prunings, 0)
        assert.isAtLeast(result.rounds, 1)
        assert.isAtMost(result.rounds, most)
        // History, split turn, short.
        for (const calls of result.summaryCalls) assert.isAtMost(calls, 3)
        for (const fact of facts) assert.include(result.context, fact)
      })
    )
  }

  it.effect("a server that counts 1.6 times what we do: its count is the trigger, nothing overflows", () =>
    Effect.gen(function* () {
      const result = yield* run({ window: 32_768, believed: 32_768, ratio: 1.6 })
      assert.strictEqual(result.iterations, ITERATIONS)
      assert.strictEqual(result.refused, 0)
      for (const fact of facts) assert.include(result.context, fact)
    })
  )

  it.effect("an unknown window: by number of messages, and by overflow", () =>
    Effect.gen(function* () {
      const result = yield* run({ window: 16_384, believed: undefined, ratio: 1 })
      assert.strictEqual(result.iterations, ITERATIONS)
      assert.isBelow(result.rounds, 40)
      for (const fact of facts) assert.include(result.context, fact)
    })
  )

  it.effect("a window believed too large: each overflow is answered once and the work goes on", () =>
    Effect.gen(function* () {
      const result = yield* run({ window: 16_384, believed: 131_072, ratio: 1 })
      assert.strictEqual(result.iterations, ITERATIONS)
      assert.isAbove(result.refused, 0)
      assert.isBelow(result.rounds, 30)
      for (const fact of facts) assert.include(result.context, fact)
    })
  )

  it.effect("D2: system prompt and tools alone at 95 % of the window: one round, then it is left alone", () =>
    Effect.gen(function* () {
      const result = yield* run({ window: 8_192, believed: 8_192, ratio: 1, system: "You are maia. ".repeat(1_550) })
      assert.isAtMost(result.rounds + result.failures, 2)
    })
  )
})
