/** The bytes of a request, looked at without sending it. */
import { assert, describe, it } from "@effect/vitest"
import type { LlmRequest, ToolSpec } from "../../src/domain/llm.ts"
import type { AssistantMessage, Message, ToolCall, ToolMessage } from "../../src/domain/message.ts"
import { maxCompletionTokens } from "../../src/llm/quirks/maxCompletionTokens.ts"
import { noThinking } from "../../src/llm/quirks/noThinking.ts"
import { promptProgress } from "../../src/llm/quirks/promptProgress.ts"
import type { Server } from "../../src/llm/quirks/quirk.ts"
import { refusedIn } from "../../src/llm/quirks/refusedParameters.ts"
import { repetitionPenalty } from "../../src/llm/quirks/repetitionPenalty.ts"
import { requestBody } from "../../src/llm/request.ts"
import type { ChatBody } from "../support/scriptedServer.ts"
import { request } from "./support/harness.ts"

const cloud: Server = { url: "https://llm.example.com", kind: undefined }

const text = (more: Partial<LlmRequest>, server = cloud): string =>
  requestBody(request(more), { server, streaming: true, maxTokens: undefined })

/** The wire format of what a test has just built; another shape fails the assertions. */
const body = (more: Partial<LlmRequest>, server = cloud): ChatBody => JSON.parse(text(more, server)) as ChatBody

const messages = (history: ReadonlyArray<Message>) => body({ messages: history, system: "" }).messages ?? []

const user = (said: string, origin?: "steering" | "shell" | "context"): Message => ({
  role: "user",
  text: said,
  ...(origin === undefined ? {} : { origin })
})
const call = (id: string, more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  name: "Read",
  arguments: '{"path":"a"}',
  ...more
})
const assistant = (more: Partial<AssistantMessage>): AssistantMessage => ({
  role: "assistant",
  text: "",
  toolCalls: [],
  ...more
})
const result = (id: string, more: Partial<ToolMessage> = {}): ToolMessage => ({
  role: "tool",
  toolCallId: id,
  toolName: "Read",
  text: "content",
  isError: false,
  ...more
})
const tool = (name: string): ToolSpec => ({
  name,
  description: `${name}s`,
  parameters: { type: "object", properties: {} }
})

describe("parameters", () => {
  it("are no more than what was asked for", () => {
    assert.deepStrictEqual(body({}), {
      model: "test-model",
      messages: [
        { role: "system", content: "You help." },
        { role: "user", content: "hello" }
      ],
      stream: true,
      stream_options: { include_usage: true }
    })
  })
  it("have the wire's names", () => {
    const sent = body({
      sampling: {
        temperature: 0,
        topP: 0.9,
        topK: 40,
        minP: 0.05,
        frequencyPenalty: 0.1,
        presencePenalty: 0.2,
        repeatPenalty: 1.1
      },
      effort: "low",
      maxTokens: 100,
      parallelToolCalls: false,
      tools: [tool("Read")]
    })
    assert.deepInclude(sent, {
      temperature: 0,
      top_p: 0.9,
      top_k: 40,
      min_p: 0.05,
      frequency_penalty: 0.1,
      presence_penalty: 0.2,
      repeat_penalty: 1.1,
      reasoning_effort: "low",
      max_tokens: 100,
      parallel_tool_calls: false
    })
  })
  it("of the request win over the settings' limit", () => {
    const options = { server: cloud, streaming: true, maxTokens: 4096 }
    assert.include(requestBody(request(), options), '"max_tokens":4096')
    assert.include(requestBody(request({ maxTokens: 9 }), options), '"max_tokens":9')
  })
  it("none: tools stay declared although no call is wanted", () => {
    const sent = body({ tools: [tool("Read")], toolChoice: "none" })
    assert.strictEqual(sent["tool_choice"], "none")
    assert.lengthOf(sent.tools ?? [], 1)
  })
  it("one tool can be wanted by name", () => {
    assert.deepStrictEqual(body({ tools: [tool("Read")], toolChoice: { name: "Read" } })["tool_choice"], {
      type: "function",
      function: { name: "Read" }
    })
  })
  it("about tools are left out where there are none", () => {
    const sent = body({ toolChoice: "none", parallelToolCalls: true })
    assert.notProperty(sent, "tool_choice")
    assert.notProperty(sent, "parallel_tool_calls")
    assert.notProperty(sent, "tools")
  })
})

describe("the prefix", () => {
  const history: ReadonlyArray<Message> = [
    user("do it"),
    assistant({ text: "Reading.", toolCalls: [call("c1")] }),
    result("c1"),
    assistant({ toolCalls: [call("c2")] }),
    result("c2", { text: "é\ud800" })
  ]
  it("is the same bytes from one request to the next", () => {
    const tools = [tool("Write"), tool("Read")]
    for (let length = 1; length < history.length; length++) {
      const before = text({ messages: history.slice(0, length), tools })
      const after = text({
        messages: history.slice(0, length + 1),
        tools: [...tools],
        toolChoice: "none",
        maxTokens: 7
      })
      const prefix = before.slice(0, before.indexOf('],"stream"'))
      assert.isAbove(prefix.length, 100)
      assert.isTrue(after.startsWith(prefix), `${length}`)
    }
  })
  it("has the tools in the order of their names", () => {
    const sent = text({ tools: [tool("b"), tool("B"), tool("a")] })
    assert.deepStrictEqual(
      [...sent.matchAll(/"name":"(\w)"/g)].map((match) => match[1]),
      ["B", "a", "b"]
    )
  })
  it("is written once a message, however long the history", () => {
    let written = 0
    const counted = Array.from({ length: 5000 }, (_, i): Message => {
      const message = result(`c${i}`)
      return {
        ...message,
        get text() {
          written += 1
          return "x"
        }
      } satisfies Message
    })
    text({ messages: counted })
    const first = written
    assert.isAtLeast(first, 5000)
    text({ messages: [...counted, user("more")] })
    assert.strictEqual(written, first)
  })
})

describe("messages", () => {
  it("of the user that follow one another become one", () => {
    assert.deepStrictEqual(messages([user("a"), user("", "shell"), user("b", "steering")]), [
      { role: "user", content: "a\n\nb" }
    ])
  })
  it("of the user merge anew when another one follows", () => {
    const first = user("a")
    assert.deepStrictEqual(messages([first]), [{ role: "user", content: "a" }])
    assert.deepStrictEqual(messages([first, user("b")]), [{ role: "user", content: "a\n\nb" }])
    assert.deepStrictEqual(messages([first, user("c")]), [{ role: "user", content: "a\n\nc" }])
  })
  it("carry images and files as parts", () => {
    const message: Message = {
      role: "user",
      text: "look",
      attachments: [
        { type: "image", mediaType: "image/png", data: "QUJD" },
        { type: "file", mediaType: "application/pdf", data: "QUJD", name: "a.pdf" }
      ]
    }
    assert.deepStrictEqual(messages([message])[0]?.content, [
      { type: "text", text: "look" },
      { type: "image_url", image_url: { url: "data:image/png;base64,QUJD" } },
      { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,QUJD" } }
    ])
  })
  it("of tools give their images after all results of the answer", () => {
    const image = { attachments: [{ type: "image" as const, mediaType: "image/png", data: "QUJD" }] }
    const sent = messages([
      user("a"),
      assistant({ toolCalls: [call("1"), call("2")] }),
      result("1", image),
      result("2"),
      user("b", "steering")
    ])
    assert.deepStrictEqual(
      sent.map((message) => message.role),
      ["user", "assistant", "tool", "tool", "user"]
    )
    assert.include(JSON.stringify(sent[4]), "data:image/png;base64,QUJD")
    assert.include(JSON.stringify(sent[4]), "b")
  })
  it("that say nothing are left out", () => {
    assert.deepStrictEqual(messages([user("a"), assistant({}), user("b")]), [{ role: "user", content: "a\n\nb" }])
  })
  it("of tools are never empty", () => {
    assert.strictEqual(messages([result("1", { text: "" })])[0]?.content, "(no output)")
  })
  it("never hold half a surrogate pair", () => {
    const sent = text({
      system: "\ud800",
      messages: [user("a\udc00"), assistant({ text: "\ud83d" }), result("1", { text: "\ude00" })]
    })
    assert.notMatch(sent, /\\ud[89a-f]/i)
    assert.isTrue(sent.isWellFormed())
  })
})

describe("calls in the history", () => {
  const sentCall = (given: ToolCall): unknown => {
    const first = messages([assistant({ toolCalls: [given] })])[0]
    const calls = first?.["tool_calls"]
    return Array.isArray(calls) ? calls[0] : undefined
  }
  it("go back with id and opaque fields unchanged", () => {
    const id = `call_ab__thought__${"QUJD".repeat(225)}`
    assert.deepStrictEqual(
      sentCall(
        call(id, {
          extra: { extra_content: { google: { thought_signature: "S" } } },
          functionExtra: { provider_specific_fields: { x: 1 } }
        })
      ),
      {
        extra_content: { google: { thought_signature: "S" } },
        id,
        type: "function",
        function: { provider_specific_fields: { x: 1 }, name: "Read", arguments: '{"path":"a"}' }
      }
    )
    assert.strictEqual(messages([result(id)])[0]?.["tool_call_id"], id)
  })
  for (const args of ["", "null", "{", "[]", "5", '"x"', "{}{}"]) {
    it(`have a JSON object for arguments, also for ${JSON.stringify(args)}`, () => {
      assert.nestedPropertyVal(sentCall(call("1", { arguments: args })), "function.arguments", "{}")
    })
  }
  it("have a name that servers take back", () => {
    assert.nestedPropertyVal(sentCall(call("1", { name: "run shell!" })), "function.name", "run_shell_")
    assert.nestedPropertyVal(sentCall(call("1", { name: "" })), "function.name", "unnamed_tool")
    assert.nestedPropertyVal(sentCall(call("1", { name: "x".repeat(80) })), "function.name", "x".repeat(64))
  })
  it("come without text as null, not as an empty string", () => {
    assert.isNull(messages([assistant({ toolCalls: [call("1")] })])[0]?.content)
  })
})

describe("reasoning", () => {
  const thinking = (more: Partial<AssistantMessage>): AssistantMessage =>
    assistant({ text: "a", toolCalls: [call("1")], ...more })
  it("goes back in the field it came in within the turn", () => {
    for (const field of ["reasoning_content", "reasoning"] as const) {
      const [, sent] = messages([user("q"), thinking({ reasoning: { text: "why", field } }), result("1")])
      assert.strictEqual(sent?.[field], "why")
    }
  })
  it("goes back as signed blocks, byte for byte", () => {
    const blocks = [{ type: "thinking", thinking: "é\ud83d\ude00", signature: "S", z: 1, a: 2 }]
    const [, sent] = messages([
      user("q"),
      thinking({ reasoning: { text: "t", field: "thinking_blocks", blocks } }),
      result("1")
    ])
    assert.strictEqual(JSON.stringify(sent?.["thinking_blocks"]), JSON.stringify(blocks))
    assert.notProperty(sent, "reasoning_content")
  })
  it("goes back as details", () => {
    const details = [{ type: "reasoning.encrypted", data: "X" }]
    const [, sent] = messages([
      user("q"),
      thinking({ reasoning: { text: "", field: "reasoning_details", details } }),
      result("1")
    ])
    assert.deepStrictEqual(sent?.["reasoning_details"], details)
  })
  it("that came in tags goes back in tags", () => {
    const [, sent] = messages([user("q"), thinking({ reasoning: { text: "why", field: "think" } }), result("1")])
    assert.strictEqual(sent?.content, "<think>\nwhy\n</think>\n\na")
  })
  it("is not part of later turns; what the user steers in does not begin one", () => {
    const answer = thinking({ reasoning: { text: "why", field: "reasoning_content" } })
    const steered = messages([user("q"), answer, result("1"), user("also", "steering")])
    assert.strictEqual(steered[1]?.["reasoning_content"], "why")
    const later = messages([user("q"), answer, result("1"), user("next")])
    assert.notProperty(later[1], "reasoning_content")
    assert.strictEqual(messages([user("q"), answer])[1]?.["reasoning_content"], "why")
  })
})

describe("quirks", () => {
  const kinds = (kind: Server["kind"], url = "http://127.0.0.1:8080"): Server => ({ url, kind })
  it("prompt progress is asked of llama.cpp only", () => {
    assert.isTrue(promptProgress.applies(kinds("llama.cpp"), request()))
    assert.isFalse(promptProgress.applies(kinds(undefined), request()))
    assert.isFalse(promptProgress.applies(kinds("litellm"), request()))
    assert.strictEqual(body({}, kinds("llama.cpp"))["return_progress"], true)
    const plain = requestBody(request(), { server: kinds("llama.cpp"), streaming: false, maxTokens: undefined })
    assert.notInclude(plain, "return_progress")
  })
  it("no thinking is asked of servers with templates, and of local ones not known yet", () => {
    const quiet = request({ thinking: false })
    for (const server of [
      kinds("llama.cpp"),
      kinds("vllm", "https://far.example.com"),
      kinds("docker-model-runner"),
      kinds(undefined)
    ]) {
      assert.isTrue(noThinking.applies(server, quiet))
    }
    for (const server of [kinds("litellm"), kinds("ollama"), kinds(undefined, "https://api.openai.com")]) {
      assert.isFalse(noThinking.applies(server, quiet))
    }
    assert.isFalse(noThinking.applies(kinds("llama.cpp"), request()))
    assert.deepStrictEqual(body({ thinking: false }, kinds("llama.cpp"))["chat_template_kwargs"], {
      enable_thinking: false
    })
  })
  it("OpenAI's reasoning models get max_completion_tokens", () => {
    const openai: Server = { url: "https://api.openai.com", kind: undefined }
    assert.isTrue(maxCompletionTokens.applies(openai, request({ model: "o3-mini" })))
    assert.isTrue(maxCompletionTokens.applies(openai, request({ model: "gpt-5" })))
    assert.isFalse(maxCompletionTokens.applies(openai, request({ model: "gpt-4o" })))
    assert.isFalse(
      maxCompletionTokens.applies(
        { url: "https://api.openai.com.evil.example", kind: undefined },
        request({ model: "o3" })
      )
    )
    assert.deepStrictEqual(maxCompletionTokens.patch({ max_tokens: 5, stream: true }, openai), {
      max_completion_tokens: 5,
      stream: true
    })
    assert.deepStrictEqual(maxCompletionTokens.patch({ stream: true }, openai), { stream: true })
  })
  it("vLLM has its own name for the repetition penalty", () => {
    assert.isTrue(repetitionPenalty.applies(kinds("vllm"), request()))
    assert.isFalse(repetitionPenalty.applies(kinds("llama.cpp"), request()))
    assert.deepStrictEqual(repetitionPenalty.patch({ repeat_penalty: 1.1 }, cloud), { repetition_penalty: 1.1 })
    assert.deepStrictEqual(repetitionPenalty.patch({}, cloud), {})
  })
  it("parameters that the server refused by name are left out", () => {
    assert.deepStrictEqual(refusedIn("Unsupported parameter: 'temperature' is not supported"), ["temperature"])
    assert.deepStrictEqual(refusedIn("body.stream_options: Extra inputs are not permitted"), ["stream_options"])
    assert.deepStrictEqual(refusedIn("my_temperature and top_ps"), [])
    assert.deepStrictEqual(refusedIn("stream_options: Extra inputs are not permitted"), ["stream_options"])
    assert.deepStrictEqual(refusedIn("max_tokens is too large"), [])
    const options = { server: cloud, streaming: true, maxTokens: undefined, refused: new Set(["stream_options"]) }
    assert.notInclude(requestBody(request(), options), "stream_options")
  })
})
