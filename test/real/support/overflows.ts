/** Requests too long for the window, refused in each provider's own words. */
import { events, json, openAiError, STREAM_END, type UpstreamModel } from "./upstream.ts"

/** Too long for the window, in each provider's own words; each is told to LiteLLM as that provider would. */
export const overflows: ReadonlyArray<UpstreamModel> = [
  {
    name: "over-openai",
    provider: "openai/gpt-x",
    base: "/v1",
    play: openAiError(
      400,
      "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens. Please reduce the length of the messages.",
      { code: "context_length_exceeded", param: "messages" }
    )
  },
  {
    name: "over-openai-new",
    provider: "openai/gpt-x",
    base: "/v1",
    play: openAiError(
      400,
      "Your input exceeds the context window of this model. Please adjust your input and try again.",
      { code: "context_length_exceeded" }
    )
  },
  {
    name: "over-azure",
    provider: "azure/gpt-x",
    params: { api_version: "2024-10-21" },
    play: openAiError(
      400,
      "Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages.",
      { code: "context_length_exceeded" }
    )
  },
  {
    name: "over-anthropic",
    provider: "anthropic/claude-x",
    play: json(400, {
      type: "error",
      error: { type: "invalid_request_error", message: "prompt is too long: 210000 tokens > 200000 maximum" }
    })
  },
  {
    name: "over-anthropic-max",
    provider: "anthropic/claude-x",
    play: json(400, {
      type: "error",
      error: {
        type: "invalid_request_error",
        message:
          "input length and `max_tokens` exceed context limit: 180000 + 32000 > 200000, decrease input length or `max_tokens` and try again"
      }
    })
  },
  {
    name: "over-anthropic-413",
    provider: "anthropic/claude-x",
    play: json(413, {
      type: "error",
      error: { type: "request_too_large", message: "Request exceeds the maximum size" }
    })
  },
  {
    name: "over-gemini",
    provider: "gemini/gemini-x",
    play: json(400, {
      error: {
        code: 400,
        message: "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575).",
        status: "INVALID_ARGUMENT"
      }
    })
  },
  {
    name: "over-mistral",
    provider: "mistral/mistral-x",
    base: "/v1",
    play: json(400, {
      object: "error",
      message: "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
      type: "invalid_request_prompt_too_long",
      param: null,
      code: "3051"
    })
  },
  {
    name: "over-groq",
    provider: "groq/llama-x",
    base: "/openai/v1",
    play: openAiError(400, "Please reduce the length of the messages or completion.", {
      code: "context_length_exceeded",
      param: "messages"
    })
  },
  {
    name: "over-deepseek",
    provider: "deepseek/deepseek-x",
    base: "/v1",
    play: openAiError(
      400,
      "This model's maximum context length is 65536 tokens. However, you requested 70000 tokens (66000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion."
    )
  },
  {
    name: "over-xai",
    provider: "xai/grok-x",
    base: "/v1",
    play: json(400, {
      code: "Client specified an invalid argument",
      error: "This model's maximum prompt length is 131072 but the request contains 140000 tokens."
    })
  },
  {
    name: "over-openrouter",
    provider: "openrouter/some/model",
    base: "/v1",
    play: json(400, {
      error: {
        message:
          'This endpoint\'s maximum context length is 32768 tokens. However, you requested about 40000 tokens (40000 of text input). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
        code: 400,
        metadata: { provider_name: null }
      }
    })
  },
  {
    name: "over-together",
    provider: "together_ai/some/model",
    base: "/v1",
    play: openAiError(422, "The input (40000 tokens) is longer than the model's context length (32768 tokens).")
  },
  {
    name: "over-vllm",
    provider: "hosted_vllm/some-model",
    base: "/v1",
    play: json(400, {
      error: {
        message:
          "This model's maximum context length is 32768 tokens. However, you requested 0 output tokens and your prompt contains at least 32769 input tokens, for a total of at least 32769 tokens. Please reduce the length of the input prompt or the number of requested output tokens.",
        type: "BadRequestError",
        param: "input_tokens",
        code: 400
      }
    })
  },
  {
    name: "over-lmstudio",
    provider: "lm_studio/some-model",
    base: "/v1",
    play: json(400, {
      error:
        "The number of tokens to keep from the initial prompt is greater than the context length of 4096. Try to load the model with a larger context length, or provide a shorter input"
    })
  },
  {
    name: "over-ollama",
    provider: "ollama_chat/some-model",
    play: json(400, { error: "prompt too long; exceeded max context length by 500 tokens" })
  },
  {
    name: "over-cohere",
    provider: "cohere_chat/command-x",
    play: json(400, {
      message:
        "too many tokens: total number of tokens in the prompt cannot exceed 128000 - received 140000. Try using a shorter prompt, or enabling prompt truncating. See https://docs.cohere.com/reference/chat for more details."
    })
  },
  {
    name: "over-bedrock",
    provider: "bedrock/converse/anthropic.claude-3-5-sonnet-20241022-v2:0",
    params: { aws_access_key_id: "x", aws_secret_access_key: "x", aws_region_name: "us-east-1" },
    play: json(
      400,
      { message: "Input is too long for requested model." },
      { "x-amzn-errortype": "ValidationException" }
    )
  },
  {
    name: "over-stream",
    provider: "openai/gpt-x",
    base: "/v1",
    play: events([
      {
        error: {
          message:
            "This model's maximum context length is 8192 tokens. However, your messages resulted in 9120 tokens.",
          type: "invalid_request_error",
          code: "context_length_exceeded"
        }
      },
      STREAM_END
    ])
  }
]
