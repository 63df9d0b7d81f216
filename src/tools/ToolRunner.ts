/**
 * Runs the calls of one answer (spec 02, "Tool runner"): authorised one by one in call order, each started at once, at
 * most 8 at a time, same key one after the other, results in call order. A failure is text for the model; nothing cancels
 * the others. Knows nothing of turns or sessions.
 */
import { Context, Deferred, Effect, Fiber, Layer, Semaphore } from "effect"
import { allRails, type Rails } from "../config/rails.ts"
import type { AgentEvent } from "../domain/agent-event.ts"
import type { ToolCall, ToolMessage } from "../domain/message.ts"
import { ToolFailure, type PreparedCall, type Tool, type ToolContext, type ToolOutput } from "../domain/tool.ts"
import { Permissions } from "../permissions/Permissions.ts"
import { Approver } from "../permissions/Approver.ts"
import { QuestionTurns } from "../permissions/QuestionTurns.ts"
import { authorise, type Verdict } from "./authorise.ts"
import { OutputStore } from "./output.ts"
import { ArgumentRails } from "./repairArguments.ts"
import { sameCall, unknownTool, unusableCall } from "./repairText.ts"

/** Tools that run at the same time. */
export const MAX_PARALLEL_TOOLS = 8

export interface RunRequest {
  readonly tools: ReadonlyMap<string, Tool>
  readonly calls: ReadonlyArray<ToolCall>
  readonly model: ToolContext["model"]
  /** Characters of result text each call may bring. */
  readonly outputLimit: number
  /** Tokens the answer was limited to, for the size hint of a cut call. */
  readonly maxTokens?: number
  /** Which repairs are made; all of them when absent. */
  readonly rails?: Rails
  readonly emit: (event: AgentEvent) => Effect.Effect<void>
  /** Asked for each call that was understood, before it is judged; told its arguments with the tool's own names. */
  readonly intercept?: (call: ToolCall, input: unknown) => Effect.Effect<Intercepted>
  /** May change the result of a call that has run, before it counts. */
  readonly revise?: (call: ToolCall, input: unknown, result: ToolMessage) => Effect.Effect<ToolMessage>
  /** Called as soon as a call has its result, in any order. */
  readonly onDone: (result: ToolMessage) => Effect.Effect<void>
  /** May add to a result before it is passed on; called in call order. */
  readonly review?: (call: ToolCall, result: ToolMessage) => ToolMessage
  /** Called once per call, in call order, as soon as all results before it are there. */
  readonly onResult: (result: ToolMessage) => Effect.Effect<void>
}

/** Other arguments, which are judged like the model's, or why the call must not run; undefined: it stays as it is. */
export type Intercepted = { readonly block: string } | { readonly input: unknown } | undefined

export interface RunReport {
  readonly results: ReadonlyArray<ToolMessage>
  /** A call, or something within one, was refused because no one could be asked. */
  readonly refused: boolean
  /** Calls whose arguments could not be used (cut, malformed, without a name). */
  readonly unusable: number
}

export class ToolRunner extends Context.Service<
  ToolRunner,
  {
    /** Never fails. Interruption ends every running tool; results that were there have been given to `onResult`. */
    readonly run: (request: RunRequest) => Effect.Effect<RunReport>
  }
>()("maia/tools/ToolRunner") {
  static readonly layer = Layer.effect(
    ToolRunner,
    Effect.gen(function* () {
      const judges = { permissions: yield* Permissions, approver: yield* Approver, turns: yield* QuestionTurns }
      const outputs = yield* OutputStore
      const slots = yield* Semaphore.make(MAX_PARALLEL_TOOLS)

      const execute = Effect.fnUntraced(function* (
        request: RunRequest,
        call: ToolCall,
        { judgedPath, prepared }: Runnable,
        onRefused: () => void
      ): Effect.fn.Return<ToolMessage> {
        yield* request.emit({ type: "tool-started", id: call.id, name: call.name })
        const output = yield* prepared
          .run({
            callId: call.id,
            progress: (shown) => request.emit({ type: "tool-progress", id: call.id, text: shown }),
            report: request.emit,
            outputLimit: request.outputLimit,
            model: request.model,
            ...(judgedPath === undefined ? {} : { judgedPath })
          })
          .pipe(
            Effect.provideService(ArgumentRails, argumentRails(request)),
            Effect.catchTag("ToolFailure", (failure) => Effect.succeed(failed(told(request, call, failure.message)))),
            Effect.catchDefect((defect) =>
              Effect.succeed(failed(`The tool ${call.name} failed unexpectedly: ${describeDefect(defect)}`))
            )
          )
        if (output.refused === true) onRefused()
        const withNotes = { ...output, text: addNotes(output.text, prepared.notes) }
        const limited =
          output.limited === true ? withNotes.text : yield* outputs.limit(withNotes.text, request.outputLimit)
        const message = toMessage(call, { ...withNotes, text: limited })
        if (request.revise === undefined) return message
        const revised = yield* request.revise(call, prepared.input, message)
        return revised === message
          ? message
          : { ...revised, text: yield* outputs.limit(revised.text, request.outputLimit) }
      })

      const run = Effect.fn("ToolRunner.run")(function* (request: RunRequest): Effect.fn.Return<RunReport> {
        const tails = new Map<string, Deferred.Deferred<void>>()
        const { review = (_call, result) => result } = request
        const delivery = inOrder((raw, index) => {
          const call = request.calls[index]
          const result = call === undefined ? raw : review(call, raw)
          return Effect.andThen(request.onResult(result), request.emit({ type: "tool-finished", result }))
        })
        const fibers: Array<Fiber.Fiber<ToolMessage>> = []
        let refused = false
        let unusable = 0
        const isSecond = secondCalls(request)
        const onRefused = () => {
          refused = true
        }

        for (const [index, call] of request.calls.entries()) {
          const verdict = yield* authoriseCall(request, call, isSecond(call))
          if (verdict.refused === true) onRefused()
          if (verdict.unusable === true) unusable++
          const work =
            "prepared" in verdict
              ? keyed(
                  tails,
                  yield* verdict.prepared.lockKey,
                  slots.withPermit(execute(request, call, verdict, onRefused))
                )
              : Effect.succeed(toMessage(call, "told" in verdict ? { text: verdict.told } : failed(verdict.text)))
          const finished = work.pipe(
            Effect.tap((result) => request.onDone(result)),
            Effect.tap(() => request.emit({ type: "tool-done", id: call.id })),
            Effect.tap((result) => delivery(index, result))
          )
          fibers.push(yield* Effect.forkChild(finished, { startImmediately: true }))
        }
        const results = yield* Effect.forEach(fibers, Fiber.join)
        return { results, refused, unusable }
      })

      const authoriseCall = Effect.fnUntraced(function* (request: RunRequest, call: ToolCall, isSecond: boolean) {
        yield* request.emit({ type: "tool-requested", call, input: parseInput(call.arguments) })
        if (isSecond) return { told: sameCall } as CallVerdict
        if (call.problem !== undefined) {
          const verdict: CallVerdict = {
            text: unusableCall(call.name, call.problem, request.maxTokens),
            unusable: true
          }
          return verdict
        }
        const tool = request.tools.get(call.name)
        if (tool === undefined) {
          const { aliases } = argumentRails(request)
          return {
            text: told(request, call, unknownTool(call.name, [...request.tools.keys()], aliases))
          } as CallVerdict
        }
        const prepared = yield* prepare(request, tool, call)
        if (prepared instanceof ToolFailure) return { text: told(request, call, prepared.message) } as CallVerdict
        const verdict: Verdict = yield* authorise(judges, tool, call, prepared, request.emit)
        if (!verdict.allowed) return { text: verdict.text, refused: verdict.unavailable } as CallVerdict
        const { judgedPath } = verdict
        return (judgedPath === undefined ? { prepared } : { prepared, judgedPath }) as CallVerdict
      })

      return ToolRunner.of({ run })
    })
  )
}

/** The call as it will be judged and run: as the model sent it, or as `intercept` wants it. */
const prepare = Effect.fnUntraced(function* (
  request: RunRequest,
  tool: Tool,
  call: ToolCall
): Effect.fn.Return<PreparedCall | ToolFailure> {
  const read = (raw: unknown) =>
    tool.prepare(raw).pipe(
      Effect.catchTag("ToolFailure", (failure) => Effect.succeed(failure)),
      Effect.provideService(ArgumentRails, argumentRails(request))
    )
  const prepared = yield* read(parseInput(call.arguments))
  if (prepared instanceof ToolFailure || request.intercept === undefined) return prepared
  const wanted = yield* request.intercept(call, prepared.input)
  if (wanted === undefined) return prepared
  if ("block" in wanted) return new ToolFailure({ message: `[blocked by a hook of the user: ${wanted.block}]` })
  const changed = yield* read(wanted.input)
  if (changed instanceof ToolFailure) {
    const message = `[a hook of the user changed the arguments so that nothing could be run: ${changed.message}]`
    return new ToolFailure({ message })
  }
  const note = `A hook of the user changed the arguments; what ran is ${JSON.stringify(wanted.input)}.`
  return { ...changed, notes: [...changed.notes, note] }
})

interface Runnable {
  readonly prepared: PreparedCall
  readonly judgedPath?: string
}

/** What became of a call before it could start. */
type CallVerdict = { readonly refused?: boolean; readonly unusable?: boolean } & (
  | Runnable
  /** Why it failed before it ran. */
  | { readonly text: string }
  /** Why it need not run. */
  | { readonly told: string }
)

/** Says of each call in turn whether the same one stood before it in this answer. */
const secondCalls = ({ rails = allRails }: RunRequest): ((call: ToolCall) => boolean) => {
  const seen = new Set<string>()
  return (call) => {
    if (!rails.duplicateCalls || call.problem !== undefined) return false
    const key = `${call.name}\n${call.arguments}`
    if (seen.has(key)) return true
    seen.add(key)
    return false
  }
}

const argumentRails = ({ rails = allRails }: RunRequest) => ({
  aliases: rails.aliases,
  types: rails.argumentRepair,
  looseEdits: rails.looseEdits
})

/** What the model reads of a failure. */
const told = ({ rails = allRails }: RunRequest, { name }: ToolCall, message: string): string =>
  rails.repairTexts ? message : `[error: the call of ${name} failed]`

const failed = (message: string): ToolOutput => ({ text: message, isError: true })

const toMessage = (call: ToolCall, output: ToolOutput): ToolMessage => ({
  role: "tool",
  toolCallId: call.id,
  toolName: call.name,
  text: output.text,
  isError: output.isError ?? false,
  ...(output.attachments === undefined ? {} : { attachments: output.attachments }),
  ...(output.details === undefined ? {} : { details: output.details })
})

const addNotes = (body: string, notes: ReadonlyArray<string>): string =>
  notes.length === 0 ? body : `${body}\n${notes.map((note) => `[note: ${note}]`).join("\n")}`

const parseInput = (json: string): unknown => {
  try {
    return JSON.parse(json)
  } catch {
    return json
  }
}

const describeDefect = (defect: unknown): string => (defect instanceof Error ? defect.message : String(defect))

/**
 * Runs after the last work of the same key, and takes a slot only then: those that wait hold none. Called in call order.
 */
const keyed = <A>(
  tails: Map<string, Deferred.Deferred<void>>,
  key: string | undefined,
  work: Effect.Effect<A>
): Effect.Effect<A> => {
  if (key === undefined) return work
  const before = tails.get(key)
  const done = Deferred.makeUnsafe<void>()
  tails.set(key, done)
  const turn = before === undefined ? work : Effect.andThen(Deferred.await(before), work)
  return Effect.ensuring(turn, Deferred.succeed(done, undefined))
}

/** Passes results on in call order, each as soon as those before it have been passed. */
const inOrder = (deliver: (result: ToolMessage, index: number) => Effect.Effect<void>) => {
  const waiting = new Map<number, ToolMessage>()
  let next = 0
  let delivering = false
  return Effect.fnUntraced(function* (index: number, result: ToolMessage) {
    waiting.set(index, result)
    if (delivering) return
    delivering = true
    for (let ready = waiting.get(next); ready !== undefined; ready = waiting.get(next)) {
      waiting.delete(next)
      yield* deliver(ready, next++)
    }
    delivering = false
  })
}
