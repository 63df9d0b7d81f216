/**
 * A provider that plays a script in place of a server, for tests of anything above `llm/` (spec 08, "Library").
 *
 * ```ts
 * const llm = ScriptedLlm.layer([
 *   ScriptedLlm.answer({ calls: [{ name: "Read", input: { path: "a.txt" } }] }),
 *   ScriptedLlm.answer({ text: "It says hello." })
 * ])
 * ```
 */
import { Context, Effect, Layer, Stream } from "effect"
import type { LlmEvent, LlmRequest, ModelInfo } from "../domain/llm.ts"
import type { ToolCall, Usage } from "../domain/message.ts"
import { LlmError } from "../llm/errors.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import { text } from "../domain/text.ts"

export interface ScriptedCall {
  readonly name: string
  readonly input: unknown
  /** `call_1`, `call_2` … when absent. */
  readonly id?: string
}

export interface ScriptedAnswer {
  /** Given as one delta, or one per item. */
  readonly text?: string | ReadonlyArray<string>
  readonly reasoning?: string
  readonly calls?: ReadonlyArray<ScriptedCall>
  readonly usage?: Usage
}

/** Events of one answer, an error, or a stream of one's own. */
export type ScriptedStep = ReadonlyArray<LlmEvent> | LlmError | Stream.Stream<LlmEvent, LlmError>

/** The steps in order, or a function of the request and its number (from 0). */
export type Script = ReadonlyArray<ScriptedStep> | ((request: LlmRequest, n: number) => ScriptedStep)

/** The requests a scripted provider was given, oldest first. */
export class ScriptedRequests extends Context.Service<ScriptedRequests, { readonly all: Array<LlmRequest> }>()(
  "maia/testing/ScriptedRequests"
) {}

/** Events of a well-formed answer. */
export const answer = (scripted: ScriptedAnswer): ReadonlyArray<LlmEvent> => {
  const events: Array<LlmEvent> = []
  if (scripted.reasoning !== undefined) events.push({ type: "reasoning-delta", text: scripted.reasoning })
  const pieces = typeof scripted.text === "string" ? [scripted.text] : (scripted.text ?? [])
  for (const piece of pieces) events.push({ type: "text-delta", text: piece })
  for (const [index, scriptedCall] of (scripted.calls ?? []).entries()) {
    const call: ToolCall = {
      id: scriptedCall.id ?? `call_${index + 1}`,
      name: scriptedCall.name,
      arguments: JSON.stringify(scriptedCall.input)
    }
    events.push({ type: "tool-call-start", index, id: call.id, name: call.name })
    events.push({ type: "tool-call-delta", index, delta: call.arguments })
    events.push({ type: "tool-call-end", index, call })
  }
  events.push({ type: "usage", usage: scripted.usage ?? { inputTokens: 10, outputTokens: 5 } })
  const reasoning = scripted.reasoning
  events.push({
    type: "finish",
    reason: (scripted.calls ?? []).length > 0 ? "tool_use" : "end_turn",
    ...(reasoning === undefined ? {} : { reasoning: { text: reasoning, field: "reasoning_content" as const } })
  })
  return events
}

export interface ScriptedOptions {
  readonly models?: ReadonlyArray<ModelInfo>
  /** Tokens. */
  readonly contextWindow?: number
}

/** `LiteLlm` that plays `script`; a request after the last step fails as a server error. */
export const layer = (script: Script, options: ScriptedOptions = {}): Layer.Layer<LiteLlm | ScriptedRequests> => {
  const build = Effect.sync(() => {
    const all: Array<LlmRequest> = []
    const step = (request: LlmRequest, n: number): ScriptedStep =>
      typeof script === "function" ? script(request, n) : (script[n] ?? scriptEnded(n))
    const llm = LiteLlm.of({
      stream: (request) =>
        Stream.suspend(() => {
          const n = all.length
          // The conversation's list goes on growing: what was sent is kept.
          all.push({ ...request, messages: [...request.messages] })
          const played = step(request, n)
          if (played instanceof LlmError) return Stream.fail(played)
          return Stream.isStream(played) ? played : Stream.fromIterable(played)
        }),
      models: Effect.succeed(options.models ?? [{ id: "scripted" }]),
      prices: () => Effect.undefined,
      contextWindow: () =>
        Effect.succeed(
          options.contextWindow === undefined ? undefined : { tokens: options.contextWindow, source: "the script" }
        ),
      templateHasTools: Effect.undefined
    })
    return Context.make(LiteLlm, llm).pipe(Context.add(ScriptedRequests, ScriptedRequests.of({ all })))
  })
  return Layer.effectContext(build)
}

const scriptEnded = (n: number): LlmError =>
  new LlmError({
    code: "server_error",
    text: text(`The script has no answer number ${n + 1}.`, `Le script n'a pas de réponse numéro ${n + 1}.`)
  })
