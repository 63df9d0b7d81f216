/**
 * Runs rules with `engine: js` beside the stream (spec 05): the text goes to a thread in stretches, and what is found is
 * told when it is known; `settle` waits for the rest before any tool runs. A rule that takes longer than its budget is
 * disabled, and the stream goes on.
 */
import { Clock, Deferred, Effect, Option, Queue, type Scope } from "effect"
import { makeWorkerThread } from "../process/workerThread.ts"
import { text, type Text } from "../domain/text.ts"
import type { OnMatch } from "./engine/automaton.ts"
import type { JsRequest } from "./jsWorker.ts"
import type { RuleSet } from "./RuleSet.ts"
import type { PartSink, PartTap } from "./StreamRuleMonitor.ts"

/** Milliseconds one rule may think about one answer. JavaScriptCore gives up by itself, without a word, after about 800. */
export const JS_BUDGET = 300
/** Milliseconds the thread may take to start. */
const START_LIMIT = 10_000
/** UTF-16 units that are gathered before a look. */
const STRETCH = 4000
/** UTF-16 units before a stretch that are looked at again: a match may be no longer. */
const OVERLAP = 2000
/** UTF-16 units at the end of an unfinished stretch that are left for the next look, as look-ahead must see what follows. */
const UNDECIDED = 200

const ENTRY = { source: new URL("./jsWorker.ts", import.meta.url), fromSrc: "stream-rules/jsWorker.ts" }

/** A question that only waits for the thread. */
const NOTHING: JsRequest = { expressions: [], text: "", from: 0, after: 0, until: 0 }
const NOT_STARTED = "the thread did not start"

interface Look {
  readonly id: number
  readonly request: JsRequest
  /** UTF-16 units of the part before the request's text. */
  readonly base: number
  readonly found: OnMatch
  readonly generation: number
}

export interface JsRunnerOptions {
  readonly rules: RuleSet
  /** Rules that are switched off for this session, by place; grows. */
  readonly disabled: Set<number>
  readonly warn: (warning: Text) => void
}

export interface JsRunner extends PartSink {
  /** Completes when everything handed over so far was looked at. */
  readonly settle: Effect.Effect<void>
}

/** The thread in use ends with the scope. */
export const makeJsRunner = Effect.fnUntraced(function* (
  options: JsRunnerOptions
): Effect.fn.Return<JsRunner, never, Scope.Scope> {
  const { rules, disabled, warn } = options
  const queue = yield* Queue.unbounded<Look | { readonly settled: Deferred.Deferred<void> }>()
  const thread = yield* makeWorkerThread(ENTRY)
  const spent = new Map<number, number>()
  let generation = 0
  let isReady = false

  /** The start of the thread is no rule's fault. Undefined: it took too long; a text: why it failed. */
  const ask = Effect.fnUntraced(function* (request: JsRequest, limit: number) {
    const answer = yield* thread.ask(request).pipe(
      Effect.catch((error) => Effect.succeed(error.message)),
      Effect.timeoutOption(limit)
    )
    return Option.getOrUndefined(answer)
  })

  const look = Effect.fnUntraced(function* ({ id, request, base, found, generation: asked }: Look) {
    const rule = rules.rule(id)
    if (rule === undefined || disabled.has(id) || asked !== generation) return
    const start = isReady ? null : yield* ask(NOTHING, START_LIMIT)
    isReady = start === null
    const before = yield* Clock.currentTimeMillis
    const answer = isReady ? yield* ask(request, JS_BUDGET - (spent.get(id) ?? 0)) : (start ?? NOT_STARTED)
    spent.set(id, (spent.get(id) ?? 0) + (yield* Clock.currentTimeMillis) - before)
    if (answer === undefined || typeof answer === "string") {
      isReady = false
      disabled.add(id)
      warn(answer === undefined ? tooSlow(rule.name) : failed(rule.name, answer))
    } else if (typeof answer === "number" && asked === generation) found(id, base + answer)
  })

  yield* Effect.forkScoped(
    Effect.forever(
      Effect.flatMap(Queue.take(queue), (next) =>
        "settled" in next ? Deferred.succeed(next.settled, undefined) : look(next)
      )
    )
  )

  const begin = (ids: ReadonlyArray<number>, found: OnMatch): PartTap => {
    let kept = ""
    let base = 0
    let decided = 0
    const pieces: Array<string> = []
    let gathered = 0
    const ask = (isEnd: boolean) => {
      const whole = kept + pieces.join("")
      pieces.length = 0
      gathered = 0
      const until = isEnd ? whole.length : whole.length - UNDECIDED
      for (const id of ids) {
        // A line does not begin where the text was cut.
        const from = base === 0 ? 0 : 1
        const expressions = rules.rule(id)?.triggers ?? []
        const request = { expressions, text: whole, from, after: decided - base, until }
        Queue.offerUnsafe(queue, { id, request, base, found, generation })
      }
      decided = base + until
      kept = whole.slice(Math.max(0, whole.length - OVERLAP - UNDECIDED))
      base += whole.length - kept.length
    }
    return {
      piece: (piece) => {
        pieces.push(piece)
        gathered += piece.length
        if (gathered >= STRETCH) ask(false)
      },
      end: () => ask(true)
    }
  }

  return {
    begin,
    reset: () => {
      generation++
    },
    settle: Effect.gen(function* () {
      const settled = yield* Deferred.make<void>()
      yield* Queue.offer(queue, { settled })
      yield* Deferred.await(settled)
    })
  }
})

const tooSlow = (name: string): Text =>
  text(
    `The stream rule ${JSON.stringify(name)} took more than ${JS_BUDGET} ms on one answer and is off for this session. Simplify its expression, or write it without engine: js.`,
    `La règle de flux ${JSON.stringify(name)} a pris plus de ${JS_BUDGET} ms sur une réponse et est désactivée pour cette session. Simplifiez son expression, ou écrivez-la sans engine: js.`
  )

const failed = (name: string, why: string): Text =>
  text(
    `The stream rule ${JSON.stringify(name)} could not be run and is off for this session: ${why}`,
    `La règle de flux ${JSON.stringify(name)} n'a pas pu être exécutée et est désactivée pour cette session : ${why}`
  )
