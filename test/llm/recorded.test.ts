/** Answers recorded from real servers (fixtures/README.md): each is read as a person would read it. */
import { assert, describe, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { judgeResponse } from "../../src/llm/classify.ts"
import { plainWords } from "../../src/llm/proxyWords.ts"
import { retryAfterSeconds } from "../../src/llm/retryAfter.ts"
import { kindOfList, modelsOf, windowOfProps } from "../../src/llm/serverPages.ts"
import { serverSaid } from "../../src/llm/serverSaid.ts"
import { decode } from "./support/decode.ts"
import { callsOf, finishOf, reasoningOf, textOf } from "./support/harness.ts"

const fixture = (path: string): string => readFileSync(join(import.meta.dirname, "fixtures", path), "utf8")

const read = (path: string) => {
  const bytes = new TextEncoder().encode(fixture(path))
  const whole = decode([bytes], new Set(["Read"]))
  const single = decode(
    Array.from(bytes, (byte) => Uint8Array.of(byte)),
    new Set(["Read"])
  )
  assert.deepStrictEqual(single, whole, "byte by byte")
  const { events, outcome } = whole
  const usage = events.find((event) => event.type === "usage")
  return {
    events,
    outcome: outcome.type,
    text: textOf(events),
    reasoning: reasoningOf(events),
    calls: callsOf(events).map((call) => `${call.name}(${call.arguments})`),
    finish: finishOf(events)?.reason,
    finished: finishOf(events),
    usage: usage?.usage
  }
}

describe("streams of llama.cpp", () => {
  it("tool calls under a grammar, with progress, cache and timings", () => {
    const answer = read("llama.cpp/call.sse")
    assert.deepStrictEqual(answer.calls.slice(0, 2), ['Read({"path": "notes.txt"})', 'Read({"path": "notes.txt"})'])
    assert.strictEqual(answer.finish, "tool_use")
    const progress = answer.events.filter((event) => event.type === "prompt-progress")
    assert.deepStrictEqual(progress.at(-1), { type: "prompt-progress", processed: 252, total: 252, cached: 42 })
    assert.strictEqual(answer.usage?.inputTokens, 252)
    assert.strictEqual(answer.usage?.cachedTokens, 42)
    assert.isAbove(answer.usage?.outputPerSecond ?? 0, 0)
  })

  it("text cut by the limit", () => {
    const answer = read("llama.cpp/cut-text.sse")
    assert.strictEqual(answer.finish, "max_tokens")
    assert.strictEqual(answer.usage?.completionTokens, 40)
    assert.isNotEmpty(answer.text)
  })

  it("the list and the properties of the server", () => {
    const models = JSON.parse(fixture("llama.cpp/models.json"))
    assert.strictEqual(kindOfList(models), "llama.cpp")
    assert.deepStrictEqual(modelsOf(models), [
      { id: "smollm2-135m", contextWindow: 8_192, contextWindowField: "n_ctx" }
    ])
    assert.strictEqual(windowOfProps(JSON.parse(fixture("llama.cpp/props.json"))), 8_192)
  })
})

describe("streams of LiteLLM", () => {
  it("tool calls of llama.cpp behind it are the same as without it", () => {
    const direct = read("llama.cpp/call.sse")
    const behind = read("litellm/llama-call.sse")
    assert.deepStrictEqual(behind.calls, direct.calls)
    assert.strictEqual(behind.finish, "tool_use")
    assert.strictEqual(behind.usage?.inputTokens, 252)
    assert.isAbove(behind.usage?.cachedTokens ?? 0, 200, "LiteLLM hands the cache on")
  })

  it("text of llama.cpp behind it is the same as without it", () => {
    assert.strictEqual(read("litellm/llama-cut-text.sse").text, read("llama.cpp/cut-text.sse").text)
    assert.strictEqual(read("litellm/llama-cut-text.sse").finish, "max_tokens")
  })

  it("OpenAI's tool calls", () => {
    const answer = read("litellm/tools.sse")
    assert.deepStrictEqual(answer.calls, ['Read({"path":"notes.txt"})'])
    assert.deepStrictEqual([answer.usage?.inputTokens, answer.usage?.completionTokens], [11, 7])
  })

  it("Anthropic's thinking comes back whole and signed, beside text and call", () => {
    const answer = read("litellm/thinking.sse")
    assert.strictEqual(answer.reasoning, "I should read the file.")
    assert.strictEqual(answer.text, "Reading.")
    assert.deepStrictEqual(answer.calls, ['Read({"path": "notes.txt"})'])
    assert.deepStrictEqual(answer.finished?.reasoning?.blocks, [
      { type: "thinking", thinking: "I should read the file.", signature: "c2lnbmF0dXJl" }
    ])
    assert.deepStrictEqual(
      [answer.usage?.inputTokens, answer.usage?.cachedTokens, answer.usage?.reasoningTokens],
      [32, 12, 6]
    )
  })

  it("DeepSeek's reasoning and cache", () => {
    const answer = read("litellm/deepthink.sse")
    assert.deepStrictEqual([answer.reasoning, answer.text], ["Think hard.", "Forty-two."])
    assert.deepStrictEqual([answer.usage?.cachedTokens, answer.usage?.reasoningTokens], [8, 4])
  })

  it("thinking in tags", () => {
    const answer = read("litellm/think-tags.sse")
    assert.deepStrictEqual([answer.reasoning.trim(), answer.text.trim()], ["Hmm.", "Yes."])
  })

  it("a cut answer, an empty one, and one that fails in the middle", () => {
    assert.strictEqual(read("litellm/cut-length.sse").finish, "max_tokens")
    assert.strictEqual(read("litellm/empty.sse").outcome, "empty")
    assert.strictEqual(read("litellm/mid-error.sse").outcome, "failed")
  })
})

interface RecordedError {
  readonly name: string
  readonly status: number
  readonly body: string
  readonly headers?: Readonly<Record<string, string>>
}

const errorsOf = (path: string): ReadonlyArray<RecordedError> => JSON.parse(fixture(path)).errors
const litellm = errorsOf("litellm/errors.json")
const llama = errorsOf("llama.cpp/errors.json")

const judge = (errors: ReadonlyArray<RecordedError>, name: string, hasKey = true) => {
  const found = errors.find((error) => error.name === name)
  if (found === undefined) throw new Error(`no recorded error ${name}`)
  const retryAfter = retryAfterSeconds(found.headers ?? {}, 0)
  return judgeResponse(
    { status: found.status, body: found.body, retryAfter },
    { url: "http://127.0.0.1:4000/v1/chat/completions", model: name, hasKey }
  )
}

describe("errors of LiteLLM", () => {
  const limits: ReadonlyArray<readonly [name: string, limit: number | undefined]> = [
    ["over-openai", 8_192],
    ["over-openai-new", undefined],
    ["over-azure", 272_000],
    ["over-anthropic", 200_000],
    ["over-anthropic-max", 200_000],
    ["over-anthropic-413", undefined],
    ["over-gemini", 1_048_575],
    ["over-mistral", 32_768],
    ["over-groq", undefined],
    ["over-deepseek", 65_536],
    ["over-xai", 131_072],
    ["over-openrouter", 32_768],
    ["over-together", 32_768],
    ["over-vllm", 32_768],
    ["over-lmstudio", 4_096],
    ["over-ollama", undefined],
    ["over-cohere", 128_000],
    ["over-bedrock", undefined],
    ["over-stream", 8_192],
    ["over-llama", 8_192]
  ]
  for (const [name, limit] of limits) {
    it(`${name}: a context overflow${limit === undefined ? "" : ` of ${limit} tokens`}`, () => {
      const { error, retry } = judge(litellm, name)
      assert.strictEqual(error.code, "context_overflow")
      assert.strictEqual(error.limit, limit)
      assert.strictEqual(retry, "never")
    })
  }

  it("every recorded overflow is in the table", () => {
    assert.deepStrictEqual(
      litellm.filter(({ name }) => name.startsWith("over-")).map(({ name }) => name),
      limits.map(([name]) => name)
    )
  })

  it("a wrong key of a proxy without a database is a refused key, not a bad request", () => {
    const { error, retry } = judge(litellm, "proxy-wrong-key")
    assert.strictEqual(error.code, "refused_key")
    assert.include(error.text.en, "LITELLM_API_KEY")
    assert.strictEqual(retry, "never")
  })

  it("a missing key of a proxy without a database is a missing key, not five retries of a failing server", () => {
    const { error, retry } = judge(litellm, "proxy-no-key", false)
    assert.strictEqual(error.code, "refused_key")
    assert.include(error.text.en, "none is set")
    assert.strictEqual(retry, "never")
    assert.strictEqual(judge(litellm, "proxy-no-key").error.code, "overloaded", "with a key it is the server's failure")
  })

  it("a key of the proxy that its provider refuses is not the user's", () => {
    const { error } = judge(litellm, "badkey")
    assert.strictEqual(error.code, "refused_key")
    assert.include(error.text.en, "the proxy's own key")
    assert.include(error.text.fr, "la clé du proxy")
    assert.notInclude(error.text.en, "LITELLM_API_KEY")
  })

  it("a provider's Retry-After under LiteLLM's name for it is honoured", () => {
    const { error } = judge(litellm, "busy")
    assert.strictEqual(error.code, "rate_limit")
    assert.strictEqual(error.retryAfter, 7_200)
  })

  it("deployments that the proxy lets cool down are waited for as long as it says", () => {
    const { error, retry } = judge(litellm, "cooldown")
    assert.deepStrictEqual([error.code, error.retryAfter, retry], ["rate_limit", 30, "status"])
    assert.deepStrictEqual(
      [judge(litellm, "limited").error.code, judge(litellm, "limited").retry],
      ["rate_limit", "status"]
    )
  })

  it("a used-up account is not retried", () => {
    assert.deepStrictEqual([judge(litellm, "broke").error.code, judge(litellm, "broke").retry], ["rate_limit", "never"])
  })

  it("an unknown model of the proxy, and one of the provider behind it", () => {
    assert.strictEqual(judge(litellm, "proxy-unknown-model").error.code, "unknown_model")
    assert.strictEqual(judge(litellm, "gone").error.code, "unknown_model")
  })

  it("failing, overloaded and cut-off providers are tried again", () => {
    for (const name of ["failing", "overloaded", "mid-overloaded", "early-cut", "cut"]) {
      assert.strictEqual(judge(litellm, name).retry, "status", name)
    }
  })

  const words: ReadonlyArray<readonly [name: string, message: string]> = [
    [
      "badkey",
      "OpenAI: Incorrect API key provided: none. You can find your API key at https://platform.openai.com/account/api-keys."
    ],
    ["over-anthropic", "Anthropic: prompt is too long: 210000 tokens > 200000 maximum"],
    ["over-gemini", "The input token count (1200000) exceeds the maximum number of tokens allowed (1048575)."],
    ["over-groq", "Groq: Please reduce the length of the messages or completion."],
    ["over-xai", "Xai: This model's maximum prompt length is 131072 but the request contains 140000 tokens."],
    ["over-ollama", "Ollama: prompt too long; exceeded max context length by 500 tokens"],
    [
      "over-azure",
      "Azure: Input tokens exceed the configured limit of 272000 tokens. Your messages resulted in 300000 tokens. Please reduce the length of the messages."
    ],
    ["over-llama", "OpenAI: request (9021 tokens) exceeds the available context size (8192 tokens), try increasing it"],
    ["overloaded", "Anthropic: Overloaded"],
    ["failing", "OpenAI: The server is overloaded or not ready yet."],
    [
      "cooldown",
      "No deployments available for selected model, Try again in 30 seconds. All deployments for selected model are in cooldown"
    ],
    [
      "fallback-failed",
      "OpenAI: The server is overloaded or not ready yet. Its fallback limited2 failed too: You passed in model=limited2. There are no healthy deployments for this model"
    ],
    ["filtered", "The response was filtered due to the prompt triggering Azure OpenAI's content management policy."]
  ]
  for (const [name, message] of words) {
    it(`${name}: what people read is the provider's sentence`, () => {
      assert.strictEqual(serverSaid(litellm.find((error) => error.name === name)?.body).message, message)
    })
  }

  it("a text that is not LiteLLM's stays as it is", () => {
    for (const message of ["Not Found", "Error: it broke", "TypeError: x is not a function", "a\n\nb", ""]) {
      assert.strictEqual(plainWords(message), message)
    }
  })
})

describe("errors of llama.cpp", () => {
  it("an overflow tells the window of the slot", () => {
    const { error } = judge(llama, "overflow")
    assert.deepStrictEqual([error.code, error.limit], ["context_overflow", 8_192])
  })
  it("an image for a model without sight is no failure of the server: not tried again", () => {
    const { error, retry } = judge(llama, "image")
    assert.deepStrictEqual([error.code, retry], ["bad_request", "never"])
    assert.include(error.text.en, "image input is not supported")
  })
  it("a wrong key and a wrong address", () => {
    assert.strictEqual(judge(llama, "wrong-key").error.code, "refused_key")
    assert.strictEqual(judge(llama, "wrong-address").error.code, "not_openai")
  })
})
