/** Each failure has its code and one line that says what to do. */
import { assert, describe, it } from "@effect/vitest"
import { judgeResponse, judgeTransport, unknownModel } from "../../src/llm/classify.ts"
import { oneLine, serverSaid } from "../../src/llm/serverSaid.ts"

const facts = { url: "http://127.0.0.1:4000/v1/chat/completions", model: "gpt-9", hasKey: true }
const judge = (status: number, body: unknown, more: Partial<typeof facts> = {}) =>
  judgeResponse(
    { status, body: typeof body === "string" ? body : JSON.stringify(body), retryAfter: undefined },
    { ...facts, ...more }
  )
const refused = Object.assign(new TypeError("Unable to connect"), { code: "ECONNREFUSED" })

describe("an answer that is an error", () => {
  it("401 with a key names the settings that hold it", () => {
    const { error, retry } = judge(401, { error: { message: "Invalid proxy server token" } })
    assert.strictEqual(error.code, "refused_key")
    assert.include(error.text.en, "LITELLM_API_KEY")
    assert.include(error.text.fr, "LITELLM_API_KEY")
    assert.include(error.text.en, "Invalid proxy server token")
    assert.strictEqual(retry, "never")
  })
  it("401 without a key says that none is set", () => {
    assert.include(judge(401, "", { hasKey: false }).error.text.en, "none is set")
  })
  it("Gemini's 400 for a wrong key is a refused key", () => {
    assert.strictEqual(
      judge(400, { error: { message: "API key not valid. Please pass a valid API key." } }).error.code,
      "refused_key"
    )
  })
  for (const [who, status, body] of [
    ["OpenAI", 404, { error: { message: "The model `gpt-9` does not exist", code: "model_not_found" } }],
    [
      "LiteLLM",
      400,
      { error: { message: "/chat/completions: Invalid model name passed in model=gpt-9. Call `/v1/models`" } }
    ],
    ["Ollama", 404, { error: { message: 'model "gpt-9" not found, try pulling it first' } }],
    ["vLLM", 404, { object: "error", message: "The model `gpt-9` does not exist.", type: "NotFoundError" }]
  ] as const) {
    it(`an unknown model: ${who}`, () => {
      const { error, retry } = judge(status, body)
      assert.strictEqual(error.code, "unknown_model")
      assert.include(error.text.en, "gpt-9")
      assert.strictEqual(retry, "never")
    })
  }
  it("an unknown model gives near names", () => {
    assert.include(unknownModel(facts, ["gpt-5", "gpt-4"]).text.fr, "gpt-5, gpt-4")
  })
  it("a bare 404 is a wrong address", () => {
    const { error } = judge(404, { detail: "Not Found" })
    assert.strictEqual(error.code, "not_openai")
    assert.include(error.text.en, "OpenAI_EndPoint")
    assert.include(error.text.en, "http://127.0.0.1:4000/v1/chat/completions")
  })
  it("a web page is no OpenAI server", () => {
    const { error } = judge(404, "<!DOCTYPE html><html><head><title>Welcome</title></head></html>")
    assert.strictEqual(error.code, "not_openai")
    assert.include(error.text.en, "web page")
    assert.include(error.text.en, "Welcome")
  })
  it("a gateway's web page with 502 may be tried again", () => {
    const { error, retry } = judge(502, "<html><title>502 Bad Gateway</title></html>")
    assert.strictEqual(error.code, "overloaded")
    assert.strictEqual(retry, "status")
  })
  it("429 may be tried again", () => {
    const { error, retry } = judge(429, { error: { message: "slow down" } })
    assert.strictEqual(error.code, "rate_limit")
    assert.strictEqual(retry, "status")
  })
  it("a request above the limit per minute is never tried again", () => {
    const { error, retry } = judge(429, {
      error: { message: "Request too large for gpt-x on tokens per min (TPM): Limit 3, Requested 4" }
    })
    assert.strictEqual(error.code, "rate_limit")
    assert.strictEqual(retry, "never")
    assert.include(error.text.en, "/compact")
  })
  it("a used-up account is never tried again", () => {
    assert.strictEqual(
      judge(429, { error: { code: "insufficient_quota", message: "You exceeded your current quota" } }).retry,
      "never"
    )
  })
  for (const status of [408, 409, 500, 502, 503, 529]) {
    it(`${status} may be tried again`, () => {
      assert.strictEqual(judge(status, "").retry, "status")
    })
  }
  it("other refusals are shown as they are, once", () => {
    const { error, retry } = judge(422, { detail: [{ loc: ["body"], msg: "field required" }] })
    assert.strictEqual(error.code, "bad_request")
    assert.include(error.text.en, "field required")
    assert.strictEqual(retry, "never")
  })
  it("a server without tool calls is told how to have them", () => {
    assert.include(judge(500, { error: { message: "tools param requires --jinja flag" } }).error.text.en, "--jinja")
    assert.include(judge(400, { error: { message: "m does not support tools" } }).error.text.en, "Ollama")
    assert.strictEqual(judge(500, { error: { message: "tools param requires --jinja flag" } }).retry, "never")
  })
  it("texts of the server cannot move the cursor", () => {
    const { error } = judge(400, { error: { message: "a\u001b[2Jb\r\nc\u202ed" } })
    assert.notMatch(error.text.en, /[\u0000-\u001f\u202e]/)
    assert.include(error.text.en, "ab c d")
  })
  it("texts of the server are cut at 500 characters", () => {
    assert.strictEqual(oneLine("x".repeat(600)).length, 500)
    assert.isBelow(judge(400, "y".repeat(90_000)).error.text.en.length, 700)
  })
  it("OpenRouter's hidden words of the provider are shown", () => {
    assert.include(
      serverSaid({ error: { message: "Provider returned error", metadata: { raw: "too hot" } } }).message,
      "too hot"
    )
  })
})

describe("no answer", () => {
  for (const [port, command] of [
    ["4000", "litellm"],
    ["8080", "llama-server"],
    ["11434", "ollama serve"],
    ["8000", "vllm serve"],
    ["1234", "lms server start"]
  ] as const) {
    it(`port ${port} refused names ${command}`, () => {
      const { error, retry } = judgeTransport(refused, {
        ...facts,
        url: `http://localhost:${port}/v1/chat/completions`
      })
      assert.strictEqual(error.code, "unreachable")
      assert.include(error.text.en, command)
      assert.include(error.text.fr, command)
      assert.strictEqual(retry, "connection")
    })
  }
  it("a far server that refuses is not one to start here", () => {
    assert.include(
      judgeTransport(refused, { ...facts, url: "https://llm.example.com:4000/v1" }).error.text.en,
      "LiteLLM_URL"
    )
  })
  it("an unknown name", () => {
    const cause = Object.assign(new TypeError("getaddrinfo ENOTFOUND nope"), { code: "ENOTFOUND" })
    assert.include(judgeTransport(cause, facts).error.text.en, "name is not known")
  })
  it("a certificate that is not trusted is not tried again", () => {
    const cause = Object.assign(new Error("self signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" })
    const { error, retry } = judgeTransport(cause, facts)
    assert.include(error.text.en, "NODE_EXTRA_CA_CERTS")
    assert.strictEqual(retry, "never")
  })
  it("an address with a password does not show it", () => {
    assert.notInclude(
      judgeTransport(refused, { ...facts, url: "http://me:secret@host:4000/v1" }).error.text.en,
      "secret"
    )
  })
})
