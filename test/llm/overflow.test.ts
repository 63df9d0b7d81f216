/** A context overflow is recognised in every provider's words, and nothing else is taken for one. */
import { assert, describe, it } from "@effect/vitest"
import { judgeResponse, judgeStreamError } from "../../src/llm/classify.ts"
import { overflowOf } from "../../src/llm/overflow.ts"

const facts = { url: "http://127.0.0.1:4000/v1/chat/completions", model: "m", hasKey: true }

const rows: ReadonlyArray<readonly [who: string, status: number, message: string, limit?: number]> = [
  ["1 Anthropic", 400, "prompt is too long: 210000 tokens > 200000 maximum", 200_000],
  [
    "2 Anthropic with max_tokens",
    400,
    "input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000, decrease input length or `max_tokens` and try again",
    200_000
  ],
  ["3 Anthropic, bytes", 413, "request_too_large: Request exceeds the maximum size"],
  [
    "4 OpenAI",
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130000",
    128_000
  ],
  ["4 OpenAI, code alone", 400, '{"error":{"message":"Too much.","code":"context_length_exceeded"}}'],
  [
    "5 OpenAI, newer",
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again."
  ],
  [
    "6 Azure",
    400,
    "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages.",
    272_000
  ],
  ["7 LiteLLM", 400, "litellm.ContextWindowExceededError: it does not fit"],
  [
    "7 LiteLLM router",
    400,
    "Context Window exceeded for given call. No models have context window large enough for this call."
  ],
  [
    "8 LiteLLM, wrapped",
    400,
    `litellm.BadRequestError: AnthropicException - b'{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 210000 tokens > 200000 maximum"}}'. Received Model Group=claude\nAvailable Model Group Fallbacks=None`,
    200_000
  ],
  [
    "8 LiteLLM, wrapped three times",
    400,
    `litellm.BadRequestError: litellm.BadRequestError: OpenAIException - {"error":{"message":"{\\"error\\":{\\"message\\":\\"prompt is too long: 7 tokens > 5 maximum\\"}}"}}`,
    5
  ],
  [
    "10 Gemini",
    400,
    "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).",
    1_048_575
  ],
  ["11 Bedrock", 400, "Input is too long for requested model."],
  ["11 Bedrock, validation", 400, "ValidationException: prompt is too long: 210000 tokens > 200000 maximum", 200_000],
  ["11 Bedrock, tokens", 400, "too many input tokens"],
  [
    "12 vLLM",
    400,
    "This model's maximum context length is 32768 tokens. However, you requested 0 output tokens and your prompt contains at least 32769 input tokens, for a total of at least 32769 tokens.",
    32_768
  ],
  [
    "13 SGLang, Together",
    400,
    "The input (40000 tokens) is longer than the model's context length (32768 tokens).",
    32_768
  ],
  [
    "14 llama.cpp",
    400,
    "request (40000 tokens) exceeds the available context size (32768 tokens), try increasing it",
    32_768
  ],
  [
    "14 llama.cpp, fields",
    400,
    '{"error":{"code":400,"message":"too large","type":"exceed_context_size_error","n_prompt_tokens":40000,"n_ctx":32768}}',
    32_768
  ],
  [
    "15 LM Studio",
    400,
    "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length"
  ],
  ["16 Ollama", 400, "prompt too long; exceeded max context length by 12 tokens"],
  ["16 Ollama, crashed", 500, "llama-server process has terminated: exit status 2"],
  [
    "17 Mistral",
    400,
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    32_768
  ],
  ["18 Groq", 400, "Please reduce the length of the messages or completion."],
  [
    "19 Cerebras",
    400,
    "Please reduce the length of the messages or completion. Current length is 42000 while limit is 40000",
    40_000
  ],
  ["19 Cerebras, 413 without a body", 413, ""],
  ["19 Cerebras, 400 without a body", 400, ""],
  ["20 xAI", 400, "This model's maximum prompt length is 131072 but the request contains 140000 tokens.", 131_072],
  [
    "21 OpenRouter",
    400,
    "This endpoint's maximum context length is 65536 tokens. However, you requested about 70000 tokens",
    65_536
  ],
  ["21 OpenRouter, input", 400, "Input length 70000 exceeds the maximum allowed input length of 65536 tokens.", 65_536],
  ["22 Perplexity", 400, "The total length of all messages is too long."],
  ["23 MiniMax", 400, "invalid params, context window exceeds limit"],
  ["24 Kimi", 400, "Your request exceeded model token limit: 131072 (requested: 140000)", 131_072],
  ["25 GitHub Copilot", 400, "prompt token count of 70000 exceeds the limit of 65536", 65_536],
  ["26 TGI", 422, "`inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000", 4096],
  [
    "Cohere",
    400,
    "too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 130000",
    128_000
  ],
  ["DeepSeek", 400, "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens", 65_536]
]

describe("context overflow", () => {
  for (const [who, status, message, limit] of rows) {
    it(`${who}, as a body`, () => {
      const body = message.startsWith("{") || message === "" ? message : JSON.stringify({ error: { message } })
      const { error, retry } = judgeResponse({ status, body, retryAfter: undefined }, facts)
      assert.strictEqual(error.code, "context_overflow")
      assert.strictEqual(error.limit, limit)
      assert.strictEqual(retry, "never")
    })
    if (message !== "") {
      it(`${who}, inside a stream`, () => {
        const { error, retry } = judgeStreamError({ error: { message } }, facts)
        assert.strictEqual(error.code, "context_overflow")
        assert.strictEqual(error.limit, limit)
        assert.strictEqual(retry, "never")
      })
    }
  }

  it("9 LiteLLM in mid-stream", () => {
    const message = "litellm.MidStreamFallbackError: litellm.BadRequestError: prompt is too long: 9 tokens > 8 maximum"
    assert.strictEqual(judgeStreamError({ error: { message, code: "400" } }, facts).error.limit, 8)
  })

  it("tells the limit to people", () => {
    const body = JSON.stringify({ error: { message: rows[0]?.[2] } })
    assert.include(judgeResponse({ status: 400, body, retryAfter: undefined }, facts).error.text.en, "200000 tokens")
  })
})

describe("no context overflow", () => {
  const others: ReadonlyArray<readonly [name: string, status: number, message: string]> = [
    ["Bedrock throttling", 429, "ThrottlingException: Too many tokens, please wait before trying again."],
    ["Bedrock throttling as 400", 400, "ThrottlingException: Too many tokens, please wait before trying again."],
    [
      "OpenAI tokens per minute",
      429,
      "litellm.RateLimitError: RateLimitError: OpenAIException - Request too large for gpt-x in organization org on tokens per min (TPM): Limit 30000, Requested 40000."
    ],
    ["a lone number", 400, "unexpected token near 429 in your message"],
    [
      "a long user field",
      400,
      "Invalid 'user': string too long. Expected a string with maximum length 64 (string_above_max_length)"
    ],
    ["a plain rate limit", 429, "Rate limit reached for requests"],
    ["overload", 503, "Service Unavailable"],
    ["an unknown parameter", 400, "Unrecognized request argument supplied: context_length"]
  ]
  for (const [name, status, message] of others) {
    it(name, () => {
      assert.isUndefined(overflowOf(status, message))
      const body = JSON.stringify({ error: { message } })
      assert.notStrictEqual(
        judgeResponse({ status, body, retryAfter: undefined }, facts).error.code,
        "context_overflow"
      )
      assert.notStrictEqual(judgeStreamError({ error: { message } }, facts).error.code, "context_overflow")
    })
  }

  it("an empty body with a status of the server", () => {
    assert.isUndefined(overflowOf(500, ""))
    assert.isUndefined(overflowOf(401, ""))
  })
})
