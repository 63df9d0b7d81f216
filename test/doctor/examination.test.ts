import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  chunk,
  deadUrl,
  hang,
  json,
  rawBytes,
  sse,
  toolCalls,
  usageChunk,
  type ScriptedResponse
} from "../support/scriptedServer.ts"
import type { CheckName, Status } from "../../src/doctor/report.ts"
import { CHECKS } from "../../src/doctor/report.ts"
import { examined, refusal, said, topicOf, type Case } from "./support.ts"

/** The examination of `given` must judge `check` so, with words in the message or the advice. */
const judges = (symptom: string, given: Case, check: CheckName, status: Status, words: RegExp) =>
  it.live(symptom, () =>
    Effect.gen(function* () {
      const { of } = yield* examined(given)
      const result = of(check)
      assert.strictEqual(result.status, status, JSON.stringify(result))
      assert.match(`${result.message.en} ${result.advice?.en ?? ""}`, words)
      if (status !== "ok" && result.advice !== undefined) assert.notStrictEqual(result.advice.en, result.advice.fr)
    }).pipe(Effect.scoped)
  )

describe("maia doctor, all well", () => {
  it.live("every check is told once, in order, and none fails or warns", () =>
    Effect.gen(function* () {
      const { results } = yield* examined({ key: "sk-1" })
      assert.sameMembers(
        results.map(({ check }) => check),
        Object.keys(CHECKS)
      )
      const bad = results.filter(({ status }) => status === "failure" || status === "warning")
      assert.deepStrictEqual(bad, [])
    }).pipe(Effect.scoped)
  )
})

describe("maia doctor, the server", () => {
  it.live("a dead server is told at once, and nothing else is asked of it", () =>
    Effect.gen(function* () {
      const url = yield* Effect.promise(deadUrl)
      const { of, results, asked } = yield* examined({ url })
      assert.strictEqual(of("server").status, "failure")
      assert.deepStrictEqual(asked, [])
      for (const check of ["models", "key", "answer", "tools", "cache"] as const) {
        assert.strictEqual(of(check).status, "skipped", check)
      }
      assert.strictEqual(of("trust").status, "ok")
      assert.isBelow(
        results.reduce((sum, { seconds }) => sum + seconds, 0),
        2
      )
    }).pipe(Effect.scoped)
  )

  it.live("no address set", () =>
    Effect.gen(function* () {
      const { of } = yield* examined({ settings: { LiteLLM_URL: undefined } })
      assert.strictEqual(of("server").status, "failure")
      assert.include(of("server").advice?.en, "maia init")
    }).pipe(Effect.scoped)
  )

  judges(
    "a list that refuses the key",
    { server: { models: json(401, { error: { message: "bad key" } }) }, key: "sk-bad" },
    "key",
    "failure",
    /LITELLM_API_KEY/
  )
  judges(
    "a list open to anyone, a chat that refuses the key (llama.cpp)",
    { answers: { answer: () => refusal(401, "Invalid API Key") }, key: "sk-bad" },
    "key",
    "failure",
    /refused the API key/
  )
  judges("no key set, none needed", {}, "key", "ok", /none is needed/)
  judges(
    "a model the server does not list",
    { server: { models: ["test-modal", "other"] } },
    "models",
    "warning",
    /test-modal/
  )
  judges("no model chosen", { settings: { model: undefined } }, "models", "failure", /test-model.*--model/)
  judges("a server with an empty list", { server: { models: [] } }, "models", "warning", /empty/)
  judges(
    "a web page in place of the list",
    { server: { models: rawBytes("<html>hi</html>", { headers: { "content-type": "text/html" } }) } },
    "models",
    "warning",
    /LiteLLM_Models/
  )
  judges(
    "no list at all: the model is asked all the same",
    { server: { models: json(404, {}) } },
    "answer",
    "ok",
    /first token/
  )
})

describe("maia doctor, the answer", () => {
  judges("a model that fails", { answers: { answer: () => refusal(400, "boom") } }, "answer", "failure", /boom.*log/)
  judges(
    "a model the server does not know",
    { answers: { answer: () => refusal(404, "model not found") }, server: { models: ["test-model-2"] } },
    "answer",
    "failure",
    /test-model-2/
  )
  judges(
    "a server that never ends its answer",
    { answers: { answer: () => hang() }, seconds: 0.3 },
    "answer",
    "failure",
    /0\.3 s.*--timeout/
  )
  judges(
    "a model that writes and does not come to an end",
    { answers: { answer: () => hang([chunk({ content: "one, two, " })]) }, seconds: 0.3 },
    "answer",
    "failure",
    /did not end within 0\.3 s.*MaxOutputTokens/
  )
  judges(
    "a proxy that holds the answer back and sends it in one piece",
    {
      answers: {
        answer: () =>
          sse([
            chunk({ content: "one, two, three, four, five, six, seven, eight" }),
            chunk({}, "stop"),
            usageChunk(9, 9)
          ])
      }
    },
    "answer",
    "warning",
    /one piece/
  )
  judges(
    "a template's control words in the text",
    { answers: { answer: () => said("one, two<|im_end|>") } },
    "answer",
    "warning",
    /<\|im_end\|>.*--jinja/
  )
  judges(
    "no token counts",
    { answers: { answer: () => sse([chunk({ content: "one, " }), chunk({ content: "two" }, "stop")]) } },
    "answer",
    "warning",
    /token counts/
  )
  judges(
    "a parameter the model refuses",
    {
      settings: { models: { "test-model": { temperature: 0 } } },
      answers: { answer: (n) => (n === 0 ? refusal(400, "Unsupported parameter: temperature") : said("one, two")) }
    },
    "answer",
    "warning",
    /temperature/
  )
  judges(
    "an output limit that the reasoning uses up",
    {
      settings: { MaxOutputTokens: 300 },
      answers: {
        answer: () =>
          sse([
            chunk({ reasoning_content: "so many" }),
            chunk({ reasoning_content: " thoughts" }, "length"),
            usageChunk(9, 300)
          ])
      }
    },
    "answer",
    "failure",
    /300 output tokens.*maxOutputTokens/
  )

  const thinking = (deltas: ReadonlyArray<object>) => () =>
    sse([...deltas.map((delta) => chunk(delta)), chunk({}, "stop"), usageChunk(9, 9)])
  const withReasoning = thinking([{ reasoning_content: "hm" }, { content: "one, " }, { content: "two" }])

  judges("reasoning in its own field", { answers: { answer: withReasoning } }, "reasoning", "ok", /reasoning_content/)
  judges(
    "reasoning inside the text",
    { answers: { answer: thinking([{ content: "<think>hm</think>" }, { content: "one" }, { content: ", two" }]) } },
    "reasoning",
    "ok",
    /<think>/
  )
  judges(
    "reasoning that never ends",
    { answers: { answer: thinking([{ content: "<think>one, " }, { content: "two, three" }]) } },
    "reasoning",
    "warning",
    /never closes.*reasoning-format/
  )
  judges(
    "reasoning that is only counted",
    { answers: { answer: () => said("one, two", { completion_tokens_details: { reasoning_tokens: 12 } }) } },
    "reasoning",
    "ok",
    /without showing/
  )
  judges(
    "a limit too low for a model that reasons",
    { settings: { MaxOutputTokens: 4_096 }, answers: { answer: withReasoning } },
    "output-limit",
    "warning",
    /4096 tokens are few.*16384/
  )
  judges("the same limit for one that does not", { settings: { MaxOutputTokens: 4_096 } }, "output-limit", "ok", /4096/)
  judges("a limit that cuts edits", { settings: { MaxOutputTokens: 512 } }, "output-limit", "warning", /512/)
  judges(
    "a limit that leaves no room for the question",
    { settings: { MaxOutputTokens: 30_000 } },
    "output-limit",
    "warning",
    /30000.*32768/
  )

  judges("the context size of a page", {}, "window", "ok", /32768 tokens \(llama\.cpp \/props\)/)
  judges("a small context", { server: { props: { n_ctx: 4_096 } } }, "window", "warning", /4096.*-c 16384/)
  judges(
    "a context size that only the model tells",
    { server: { props: {} } },
    "window",
    "warning",
    /own answer.*contextWindow/
  )
  judges(
    "a context size that nobody knows",
    { server: { props: {} }, answers: { window: () => said("It depends.") } },
    "window",
    "warning",
    /unknown.*contextWindow/
  )
})

describe("maia doctor, tools", () => {
  const text = (answer: string) => ({ tool: () => said(answer), forced: () => said(answer) })

  judges("called, answered, used", {}, "tools", "ok", /called, answered and used/)
  judges(
    "llama-server without --jinja",
    { answers: { tool: () => refusal(500, "tools param requires --jinja flag") } },
    "tools",
    "failure",
    /--jinja/
  )
  judges(
    "calls written as text",
    { answers: text('<tool_call>{"name": "maia_check", "arguments": {"colour": "blue"}}</tool_call>') },
    "tools",
    "warning",
    /as text.*--jinja/
  )
  judges(
    "a model that writes about the tool instead of calling it",
    { answers: text('```python\ndef maia_check(colour):\n    return {"name": "maia_check"}\n```\nThis prints it.') },
    "tools",
    "failure",
    /no tool call/
  )
  const props = (supports_tools: boolean) => ({
    props: { default_generation_settings: { n_ctx: 32_768 }, chat_template_caps: { supports_tools } }
  })
  judges(
    "llama.cpp and a chat template without tools, which it drops in silence",
    { answers: text("Blue is a colour."), server: props(false) },
    "tools",
    "failure",
    /no place for tools.*--chat-template-file/
  )
  judges(
    "llama.cpp, which parses calls, and a model that leaves out their marks",
    { answers: text('{"name": "maia_check", "arguments": {"colour": "blue"}}'), server: props(true) },
    "tools",
    "warning",
    /without the marks/
  )
  judges(
    "a model that only calls when forced",
    { answers: { tool: () => said("I cannot.") } },
    "tools",
    "warning",
    /forced/
  )
  judges("a model that never calls", { answers: text("I cannot call tools.") }, "tools", "failure", /no tool call/)
  judges(
    "a server that takes no tool_choice",
    { answers: { tool: () => said("I cannot."), forced: () => refusal(400, "tool_choice is not supported") } },
    "tools",
    "failure",
    /tool_choice is not supported/
  )
  judges(
    "arguments that are no JSON",
    { answers: { tool: () => toolCalls([{ name: "maia_check", args: '{"colour": blue' }]) } },
    "tools",
    "warning",
    /not JSON/
  )
  judges(
    "a tool that does not exist",
    { answers: { tool: () => toolCalls([{ name: "python", args: {} }]) } },
    "tools",
    "warning",
    /python/
  )
  judges(
    "other arguments than asked for",
    { answers: { tool: () => toolCalls([{ name: "maia_check", args: { color_name: "x" } }]) } },
    "tools",
    "warning",
    /not what was asked/
  )
  judges("a result that is not used", { answers: { result: () => said("Done.") } }, "tools", "warning", /does not use/)
  judges(
    "a template that cannot take results",
    { answers: { result: () => refusal(400, "roles must alternate") } },
    "tools",
    "failure",
    /not taken: .*roles must alternate/
  )
})

describe("maia doctor, images and cache", () => {
  it.live("a model that does not reason gets little room for short answers, one that does gets its own", () =>
    Effect.gen(function* () {
      const limits = (answer: () => ScriptedResponse) =>
        Effect.gen(function* () {
          const { requests } = yield* examined({ answers: { answer } })
          return requests.filter((body) => topicOf(body) === "tool").map((body) => body["max_tokens"])
        }).pipe(Effect.scoped)
      assert.deepStrictEqual(yield* limits(() => said("one, two, three")), [512])
      const thinking = () =>
        sse([chunk({ reasoning_content: "hm" }), chunk({ content: "one" }, "stop"), usageChunk(9, 9)])
      assert.deepStrictEqual(yield* limits(thinking), [undefined])
    })
  )

  judges("a picture that is seen", {}, "images", "ok", /understood/)
  judges(
    "a server that refuses pictures is no fault",
    { answers: { image: () => refusal(400, "image input is not supported") } },
    "images",
    "ok",
    /not supported.*"images": false/
  )
  judges(
    "llama-server without a projector says 500, which is not asked again",
    {
      answers: {
        image: () => refusal(500, "image input is not supported - hint: if this is unexpected, provide the mmproj")
      }
    },
    "images",
    "ok",
    /not supported/
  )
  judges("a picture that is not seen", { answers: { image: () => said("None.") } }, "images", "ok", /does not see/)
  judges(
    "a picture that is refused although the settings promise it",
    { settings: { models: { "test-model": { images: true } } }, answers: { image: () => refusal(400, "no images") } },
    "images",
    "warning",
    /not supported/
  )
  it.live("no picture is sent where the settings say so", () =>
    Effect.gen(function* () {
      const { of, asked } = yield* examined({ settings: { models: { "test-model": { images: false } } } })
      assert.strictEqual(of("images").status, "skipped")
      assert.notInclude(asked, "image")
    }).pipe(Effect.scoped)
  )

  judges("a beginning that is kept", {}, "cache", "ok", /1380\/1400/)
  judges(
    "a beginning that is read anew",
    { answers: { cache: () => said("x", { prompt_tokens_details: { cached_tokens: 3 } }) } },
    "cache",
    "warning",
    /3\/1400.*-np 1/
  )
  judges("a server that does not tell", { answers: { cache: () => said("x") } }, "cache", "skipped", /does not say/)
})
