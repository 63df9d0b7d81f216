/**
 * Builds the body of a request (spec 01, "Requests"). Pure: what is sent can be looked at without sending it. The order is
 * model, tools, messages, then all that may change from one request to the next, so that the bytes up to the end of the
 * history stay the same.
 */
import type { LlmRequest, Sampling, ToolSpec } from "../domain/llm.ts"
import { wireMessages } from "./messages.ts"
import { quirks, refusedParameters, type Server } from "./quirks/index.ts"

export interface RequestOptions {
  readonly server: Server
  readonly streaming: boolean
  /** Tokens; the request's own limit wins. */
  readonly maxTokens: number | undefined
  /** Optional parameters this server has refused for this model. */
  readonly refused?: ReadonlySet<string>
}

/** The JSON text of the body. */
export const requestBody = (request: LlmRequest, options: RequestOptions): string => {
  const system = request.system === "" ? [] : [systemJson(request.system)]
  const messages = [...system, ...wireMessages(request.messages)]
  const tools = request.tools.length === 0 ? "" : `,"tools":${toolsJson(request.tools)}`
  const rest = JSON.stringify(parameters(request, options))
  return `{"model":${JSON.stringify(request.model)}${tools},"messages":[${messages.join(",")}],${rest.slice(1)}`
}

const parameters = (request: LlmRequest, options: RequestOptions): Record<string, unknown> => {
  const maxTokens = request.maxTokens ?? options.maxTokens
  const plain: Record<string, unknown> = {
    stream: options.streaming,
    ...(options.streaming ? { stream_options: { include_usage: true } } : {}),
    ...(maxTokens === undefined ? {} : { max_tokens: maxTokens }),
    ...sampling(request.sampling ?? {}),
    ...(request.effort === undefined ? {} : { reasoning_effort: request.effort }),
    ...(request.tools.length === 0 ? {} : toolParameters(request))
  }
  return [...quirks, refusedParameters(options.refused ?? new Set())]
    .filter((quirk) => quirk.applies(options.server, request))
    .reduce((parameters, quirk) => quirk.patch(parameters, options.server), plain)
}

const toolParameters = (request: LlmRequest): Record<string, unknown> => ({
  ...(request.toolChoice === undefined
    ? {}
    : {
        tool_choice:
          typeof request.toolChoice === "string"
            ? request.toolChoice
            : { type: "function", function: { name: request.toolChoice.name } }
      }),
  ...(request.parallelToolCalls === undefined ? {} : { parallel_tool_calls: request.parallelToolCalls })
})

const samplingNames: ReadonlyArray<readonly [keyof Sampling, string]> = [
  ["temperature", "temperature"],
  ["topP", "top_p"],
  ["topK", "top_k"],
  ["minP", "min_p"],
  ["frequencyPenalty", "frequency_penalty"],
  ["presencePenalty", "presence_penalty"],
  ["repeatPenalty", "repeat_penalty"]
]

const sampling = (given: Sampling): Record<string, number> => {
  const out: Record<string, number> = {}
  for (const [key, wire] of samplingNames) {
    const value = given[key]
    if (value !== undefined) out[wire] = value
  }
  return out
}

const toolTexts = new WeakMap<ReadonlyArray<ToolSpec>, string>()

const toolsJson = (tools: ReadonlyArray<ToolSpec>): string => {
  const known = toolTexts.get(tools)
  if (known !== undefined) return known
  const json = JSON.stringify(
    [...tools]
      .sort((left, right) => (left.name < right.name ? -1 : left.name > right.name ? 1 : 0))
      .map(({ name, description, parameters }) => ({
        type: "function",
        function: { name, description: description.toWellFormed(), parameters }
      }))
  )
  toolTexts.set(tools, json)
  return json
}

let lastSystem: readonly [system: string, json: string] = ["", ""]

/** The system prompt is the same text all session long: its JSON is kept. */
const systemJson = (system: string): string => {
  if (lastSystem[0] !== system) {
    lastSystem = [system, JSON.stringify({ role: "system", content: system.toWellFormed() })]
  }
  return lastSystem[1]
}
