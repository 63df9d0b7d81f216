import { assert, describe, it } from "@effect/vitest"
import { judgeResponse, judgeStreamError } from "../../src/llm/classify.ts"

const facts = { url: "http://127.0.0.1:4000/v1/chat/completions", model: "tiny", hasKey: true }
const judge = (status: number, message: string) =>
  judgeResponse({ status, body: JSON.stringify({ error: { message } }), retryAfter: undefined }, facts)

describe("a server that takes no tools for the model", () => {
  for (const [name, status, message, advice] of [
    ["llama.cpp", 500, "tools param requires --jinja flag", "llama-server -m model.gguf --jinja"],
    ["llama.cpp before jinja", 500, "Unsupported param: tools", "--jinja"],
    ["Ollama", 400, "registry.ollama.ai/library/smollm2:135m does not support tools", "ollama show MODEL"],
    [
      "Ollama behind LiteLLM",
      500,
      "litellm.APIConnectionError: Ollama_chatException - gemma:2b does not support tools",
      "ollama show"
    ],
    [
      "vLLM",
      400,
      '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
      "--enable-auto-tool-choice"
    ],
    [
      "OpenRouter",
      404,
      "No endpoints found that support tool use. To learn more about provider routing, visit: x",
      "openrouter.ai/models"
    ],
    [
      "OpenRouter, tool_choice",
      404,
      "No endpoints found that support the provided 'tool_choice' value.",
      "openrouter.ai"
    ],
    [
      "LiteLLM",
      400,
      "litellm.UnsupportedParamsError: x does not support parameters: ['tools'], for model=tiny.",
      "another model"
    ],
    ["Groq", 400, "`tool calling` is not supported with this model", "another model"],
    ["DeepSeek", 400, "deepseek-reasoner does not support Function Calling", "another model"],
    ["Mistral", 400, "Function calling is not enabled for this model", "another model"],
    ["an older gateway", 422, "Unrecognized request argument supplied: tools", "another model"]
  ] as const) {
    it(`${name}: says what to do, quotes the server, and does not ask again`, () => {
      const { error, retry } = judge(status, message)
      assert.strictEqual(error.code, "bad_request")
      assert.strictEqual(retry, "never")
      assert.include(error.text.en, 'takes no tool calls for the model "tiny"')
      assert.include(error.text.en, advice)
      assert.include(error.text.en, message.slice(-12))
      assert.include(error.text.fr, "n'accepte pas les appels d'outils")
    })
  }

  it("is recognised in the middle of a stream", () => {
    const { error, retry } = judgeStreamError(
      { error: { message: "tools param requires --jinja flag", code: 500 } },
      facts
    )
    assert.include(error.text.en, "--jinja")
    assert.strictEqual(retry, "never")
  })

  for (const message of [
    "Unsupported parameter: 'parallel_tool_calls' is not supported with this model.",
    "The model tiny does not exist",
    "Invalid schema for function 'Bash': tools must have a name",
    "Message has tool role, but there was no previous assistant message with a tool call!",
    "tool_use ids were found without tool_result blocks",
    "temperature is not supported with this model"
  ]) {
    it(`is not meant by: ${message}`, () => {
      assert.notInclude(judge(400, message).error.text.en, "takes no tool calls")
    })
  }
})
