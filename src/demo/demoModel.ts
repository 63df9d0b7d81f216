/**
 * The model `demo`: a script, not a language model. It looks only at how far the conversation has come and plays the next
 * step of one small job (read, search, edit, run the test, report), so that maia can be seen at work without a server.
 */
import { Effect, Layer, Stream } from "effect"
import type { LlmEvent, LlmRequest } from "../domain/llm.ts"
import type { ToolMessage } from "../domain/message.ts"
import { LiteLlm } from "../llm/LiteLlm.ts"
import { answer, type ScriptedAnswer } from "../testing/ScriptedLlm.ts"
import { BROKEN_LINE, FIXED_LINE } from "./sampleFolder.ts"

export const DEMO_MODEL = "demo"

const NOTICE = "(This is the demonstration model: a fixed script, not a language model.)"

/** `LiteLlm` in which the model `demo` is the script and every other model is `live`'s. */
export const withDemoModel = <E, R>(live: Layer.Layer<LiteLlm, E, R>): Layer.Layer<LiteLlm, E, R> =>
  Layer.effect(
    LiteLlm,
    Effect.map(LiteLlm, (service) =>
      LiteLlm.of({
        ...service,
        stream: (request) =>
          request.model === DEMO_MODEL ? Stream.fromIterable(playDemo(request)) : service.stream(request),
        contextWindow: (model) =>
          model === DEMO_MODEL
            ? Effect.succeed({ tokens: 128_000, source: "the demonstration script" })
            : service.contextWindow(model)
      })
    )
  ).pipe(Layer.provide(live))

/** The next answer of the script for a conversation. */
export const playDemo = (request: LlmRequest): ReadonlyArray<LlmEvent> => {
  const last = request.messages.findLastIndex((message) => message.role === "user")
  const results = request.messages.slice(last + 1).filter((message): message is ToolMessage => message.role === "tool")
  const next = request.toolChoice === "none" ? report("The demonstration stops here.") : nextStep(results)
  return answer({ ...next, usage: { inputTokens: 0, outputTokens: 0 } })
}

const nextStep = (results: ReadonlyArray<ToolMessage>): ScriptedAnswer => {
  const failure = results.find((result) => result.isError)
  if (failure !== undefined) {
    return report(
      `The demonstration could not go on: ${failure.toolName} answered "${firstLine(failure.text)}". Run "maia demo" for the whole job in a folder made for it.`
    )
  }
  const step = (n: number, text: string, name: string, input: unknown): ScriptedAnswer => ({
    text,
    calls: [{ id: `demo_${n}`, name, input }]
  })
  switch (results.length) {
    case 0:
      return step(1, "I look at the program first.", "Read", { path: "total.sh" })
    case 1:
      return step(2, "Now I look for every place that adds a price.", "Grep", {
        pattern: "sum=",
        output_mode: "content"
      })
    case 2:
      return step(3, "The loop keeps only the last price; I make it add.", "Edit", {
        path: "total.sh",
        edits: [{ old: BROKEN_LINE, new: FIXED_LINE }]
      })
    case 3:
      return step(4, "I run its test.", "Bash", { command: "bash test.sh" })
    default:
      return report(
        results.at(-1)?.text.includes("ok") === true
          ? "Done: total.sh added nothing up, it now does, and its test passes."
          : "The edit is in place, but the test did not say ok; see its output above."
      )
  }
}

const report = (text: string): ScriptedAnswer => ({ text: `${text}\n${NOTICE}` })

const firstLine = (text: string): string => text.split("\n", 1)[0] ?? ""
