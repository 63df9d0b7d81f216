/** The scenarios of `upstream.ts`, and the LiteLLM models that stand in front of them. */
import { overflows } from "./overflows.ts"
import { chunk, endless, events, json, openAiError, STREAM_END, type Scenario, type UpstreamModel } from "./upstream.ts"

const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }

const anthropicEvent = (type: string, more: object = {}) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...more })}\n\n`

/** Thinks, says something and calls a tool; answers in words once it has a result. */
const anthropicThinking: Scenario = (response, seen) => {
  const hasResult = JSON.stringify(seen.body["messages"]).includes("tool_result")
  const start = anthropicEvent("message_start", {
    message: {
      id: "msg_1",
      type: "message",
      role: "assistant",
      model: "claude",
      content: [],
      stop_reason: null,
      usage: { input_tokens: 20, output_tokens: 1, cache_read_input_tokens: 12, cache_creation_input_tokens: 0 }
    }
  })
  const block = (index: number, content_block: object, deltas: ReadonlyArray<object>) => [
    anthropicEvent("content_block_start", { index, content_block }),
    ...deltas.map((delta) => anthropicEvent("content_block_delta", { index, delta })),
    anthropicEvent("content_block_stop", { index })
  ]
  const end = (stop_reason: string) => [
    anthropicEvent("message_delta", { delta: { stop_reason, stop_sequence: null }, usage: { output_tokens: 9 } }),
    anthropicEvent("message_stop")
  ]
  if (hasResult) {
    return events([
      start,
      ...block(0, { type: "text", text: "" }, [{ type: "text_delta", text: "It says heron." }]),
      ...end("end_turn")
    ])(response, seen)
  }
  return events([
    start,
    ...block(0, { type: "thinking", thinking: "", signature: "" }, [
      { type: "thinking_delta", thinking: "I should read " },
      { type: "thinking_delta", thinking: "the file." },
      { type: "signature_delta", signature: "c2lnbmF0dXJl" }
    ]),
    ...block(1, { type: "text", text: "" }, [{ type: "text_delta", text: "Reading." }]),
    anthropicEvent("ping"),
    ...block(2, { type: "tool_use", id: "toolu_01", name: "Read", input: {} }, [
      { type: "input_json_delta", partial_json: "" },
      { type: "input_json_delta", partial_json: '{"path": "no' },
      { type: "input_json_delta", partial_json: 'tes.txt"}' }
    ]),
    ...end("tool_use")
  ])(response, seen)
}

/** Calls a tool as OpenAI streams it, then answers. */
const openAiTools: Scenario = (response, seen) => {
  const messages = Array.isArray(seen.body["messages"]) ? seen.body["messages"] : []
  const hasResult = messages.some((message) => message.role === "tool")
  const part = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] })
  return events(
    hasResult
      ? [
          chunk({ role: "assistant", content: "" }),
          chunk({ content: "It says " }),
          chunk({ content: "heron." }),
          chunk({}, "stop"),
          chunk({}, null, { choices: [], usage }),
          STREAM_END
        ]
      : [
          chunk({ role: "assistant", content: null }),
          part({ id: "call_1", type: "function", function: { name: "Read", arguments: "" } }),
          part({ function: { arguments: '{"path"' } }),
          part({ function: { arguments: ':"notes.txt"}' } }),
          chunk({}, "tool_calls"),
          chunk({}, null, { choices: [], usage }),
          STREAM_END
        ]
  )(response, seen)
}

/** Neither text nor call, streamed or not. */
const emptyAnswer: Scenario = (response, seen) =>
  seen.body["stream"] === true
    ? events([chunk({ role: "assistant", content: "" }), chunk({}, "stop"), STREAM_END])(response, seen)
    : json(200, {
        id: "chatcmpl-up",
        object: "chat.completion",
        created: 1,
        model: "up",
        choices: [{ index: 0, message: { role: "assistant", content: "" }, finish_reason: "stop" }],
        usage
      })(response, seen)

export const upstreamModels: ReadonlyArray<UpstreamModel> = [
  { name: "tools", provider: "openai/gpt-x", base: "/v1", play: openAiTools },
  { name: "thinking", provider: "anthropic/claude-x", play: anthropicThinking },
  {
    name: "deepthink",
    provider: "deepseek/deepseek-reasoner",
    base: "/v1",
    play: events([
      chunk({ role: "assistant", content: null, reasoning_content: "" }),
      chunk({ content: null, reasoning_content: "Think " }),
      chunk({ content: null, reasoning_content: "hard." }),
      chunk({ content: "Forty-", reasoning_content: null }),
      chunk({ content: "two.", reasoning_content: null }),
      chunk({ content: "" }, "stop", {
        usage: {
          ...usage,
          prompt_cache_hit_tokens: 8,
          prompt_cache_miss_tokens: 3,
          completion_tokens_details: { reasoning_tokens: 4 }
        }
      }),
      STREAM_END
    ])
  },
  {
    name: "think-tags",
    provider: "openai/qwen",
    base: "/v1",
    play: events([
      chunk({ role: "assistant", content: "<think>" }),
      chunk({ content: "Hmm." }),
      chunk({ content: "</think>" }),
      chunk({ content: "\n\nYes." }),
      chunk({}, "stop"),
      STREAM_END
    ])
  },
  {
    name: "busy",
    provider: "openai/gpt-x",
    base: "/v1",
    play: openAiError(
      429,
      "Rate limit reached for gpt-x in organization org-1 on requests per min (RPM): Limit 3, Used 3, Requested 1. Please try again in 20s.",
      { type: "requests", code: "rate_limit_exceeded" },
      { "retry-after": "7200" }
    )
  },
  {
    name: "broke",
    provider: "openai/gpt-x",
    base: "/v1",
    play: openAiError(429, "You exceeded your current quota, please check your plan and billing details.", {
      type: "insufficient_quota",
      code: "insufficient_quota"
    })
  },
  {
    name: "failing",
    provider: "openai/gpt-x",
    base: "/v1",
    play: openAiError(503, "The server is overloaded or not ready yet.", { type: "server_error" })
  },
  {
    name: "badkey",
    provider: "openai/gpt-x",
    base: "/v1",
    play: openAiError(
      401,
      "Incorrect API key provided: none. You can find your API key at https://platform.openai.com/account/api-keys.",
      { code: "invalid_api_key" }
    )
  },
  {
    name: "gone",
    provider: "openai/gpt-x",
    base: "/v1",
    play: openAiError(404, "The model `gpt-x` does not exist or you do not have access to it.", {
      code: "model_not_found"
    })
  },
  {
    name: "cut",
    provider: "openai/gpt-x",
    base: "/v1",
    play: events([chunk({ role: "assistant", content: "Half an " }), chunk({ content: "answer" }), undefined])
  },
  { name: "early-cut", provider: "openai/gpt-x", base: "/v1", play: (response) => void response.socket?.destroy() },
  {
    name: "mid-error",
    provider: "openai/gpt-x",
    base: "/v1",
    play: events([
      chunk({ role: "assistant", content: "Half an " }),
      {
        error: {
          message: "The server had an error while processing your request. Sorry about that!",
          type: "server_error",
          param: null,
          code: null
        }
      }
    ])
  },
  {
    name: "empty",
    provider: "openai/gpt-x",
    base: "/v1",
    play: emptyAnswer
  },
  {
    name: "filtered",
    provider: "azure/gpt-x",
    params: { api_version: "2024-10-21" },
    play: json(400, {
      error: {
        message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
        type: null,
        param: "prompt",
        code: "content_filter",
        status: 400,
        innererror: { code: "ResponsibleAIPolicyViolation", content_filter_result: {} }
      }
    })
  },
  {
    name: "cut-length",
    provider: "anthropic/claude-x",
    play: events([
      anthropicEvent("message_start", {
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "claude",
          content: [],
          stop_reason: null,
          usage: { input_tokens: 5, output_tokens: 1 }
        }
      }),
      anthropicEvent("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
      anthropicEvent("content_block_delta", { index: 0, delta: { type: "text_delta", text: "Cut he" } }),
      anthropicEvent("content_block_stop", { index: 0 }),
      anthropicEvent("message_delta", { delta: { stop_reason: "max_tokens" }, usage: { output_tokens: 3 } }),
      anthropicEvent("message_stop")
    ])
  },
  {
    name: "overloaded",
    provider: "anthropic/claude-x",
    play: json(529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } })
  },
  {
    name: "mid-overloaded",
    provider: "anthropic/claude-x",
    play: events([
      anthropicEvent("message_start", {
        message: {
          id: "m",
          type: "message",
          role: "assistant",
          model: "claude",
          content: [],
          stop_reason: null,
          usage: { input_tokens: 5, output_tokens: 1 }
        }
      }),
      anthropicEvent("error", { error: { type: "overloaded_error", message: "Overloaded" } })
    ])
  },
  { name: "endless", provider: "openai/gpt-x", base: "/v1", play: endless },
  ...overflows
]

export const scenarios: ReadonlyMap<string, Scenario> = new Map(upstreamModels.map(({ name, play }) => [name, play]))
