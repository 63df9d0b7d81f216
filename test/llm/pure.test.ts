/** The small pure parts: waiting times, addresses, runaway arguments, usage, opaque fields, the key. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { KeyMask } from "../../src/llm/keyMask.ts"
import { ReasoningCollector } from "../../src/llm/reasoningCollector.ts"
import { retryAfterSeconds } from "../../src/llm/retryAfter.ts"
import { RunawayGuard } from "../../src/llm/runawayGuard.ts"
import { isLocal, isLoopback, joinUrl, onContainerHost, serverRoot } from "../../src/llm/serverUrl.ts"
import { usageOf } from "../../src/llm/usage.ts"
import { d, DONE, fin, line, tc } from "./corpus/build.ts"
import { bytesOf, decodeText } from "./support/decode.ts"
import { callsOf, finishOf } from "./support/harness.ts"

describe("Retry-After", () => {
  const now = Date.parse("Wed, 21 Oct 2026 07:27:00 GMT")
  const cases: ReadonlyArray<readonly [string, number | undefined]> = [
    ["3", 3],
    ["1.5", 1.5],
    [" 7 ", 7],
    ["86400", 86_400],
    ["Wed, 21 Oct 2026 07:28:00 GMT", 60],
    ["Wed, 21 Oct 2026 07:26:00 GMT", undefined],
    ["-5", undefined],
    ["0", undefined],
    ["abc", undefined],
    ["NaN", undefined],
    ["Infinity", undefined],
    ["1e9", undefined],
    ["", undefined]
  ]
  for (const [value, seconds] of cases) {
    it(`"${value}" is ${seconds ?? "nothing"}`, () => {
      assert.strictEqual(retryAfterSeconds({ "retry-after": value }, now), seconds)
    })
  }
  it("in milliseconds wins", () => {
    assert.strictEqual(retryAfterSeconds({ "retry-after-ms": "250", "retry-after": "9" }, now), 0.25)
  })
})

describe("addresses", () => {
  it("are joined without doubling or forgetting the slash", () => {
    for (const base of ["http://h:1", "http://h:1/", "http://h:1/v1", "http://h:1/v1/"]) {
      assert.strictEqual(joinUrl(base, "/v1/chat/completions"), "http://h:1/v1/chat/completions")
      assert.strictEqual(serverRoot(base), "http://h:1")
    }
    assert.strictEqual(joinUrl("http://h/api", "v1/models"), "http://h/api/v1/models")
    assert.strictEqual(joinUrl("http://h/v1", "/v11/models"), "http://h/v1/v11/models")
  })
  it("know what is local", () => {
    for (const url of [
      "http://localhost:1",
      "http://127.0.0.1",
      "http://[::1]:8080",
      "http://gpu-box:8000",
      "http://10.1.2.3",
      "http://nas.local",
      "http://host.docker.internal:1"
    ]) {
      assert.isTrue(isLocal(url), url)
    }
    for (const url of ["https://api.openai.com", "https://172.32.0.1", "https://10.example.com", "nonsense"])
      assert.isFalse(isLocal(url), url)
    assert.isTrue(isLoopback("http://127.8.9.1:4"))
    assert.isFalse(isLoopback("http://127.0.0.1.example.com"))
  })
  it("lead out of a container", () => {
    assert.strictEqual(onContainerHost("http://127.0.0.1:8080/v1/"), "http://host.docker.internal:8080/v1")
  })
})

const feed = (text: string, step: number): string | undefined => {
  const guard = new RunawayGuard()
  for (let at = 0; at < text.length; at += step) {
    const reason = guard.push(text.slice(at, at + step))
    if (reason !== undefined) return reason
  }
  return undefined
}

describe("runaway arguments", () => {
  it("that repeat a period of 4 to 64 are stopped, whatever the pieces", () => {
    for (const period of [4, 5, 17, 63, 64]) {
      const unit = Array.from({ length: period }, (_, i) => String.fromCharCode(97 + (i % 26))).join("")
      for (const step of [1, 7, 256, 300])
        assert.isDefined(feed(`{"content":"x${unit.repeat(200)}`, step), `${period}/${step}`)
    }
  })
  it("with a longer period are left alone", () => {
    const unit = Array.from({ length: 65 }, (_, i) => String.fromCharCode(33 + i)).join("")
    assert.isUndefined(feed(unit.repeat(20), 9))
  })
  it("blanks and rules of dashes in code are left alone up to 2 KiB", () => {
    assert.isUndefined(feed(`{"content":"${" ".repeat(1500)}x`, 10))
    assert.isUndefined(feed(`{"content":"${"-=".repeat(700)}x`, 10))
    assert.isDefined(feed(`{"content":"${" ".repeat(3000)}`, 10))
  })
  it("beyond 256 KiB are stopped, counted in bytes", () => {
    const varied = (size: number, letter: string) =>
      Array.from({ length: size }, (_, i) => `${i}${letter}`)
        .join("")
        .slice(0, size)
    assert.isUndefined(feed(varied(256 * 1024, "x"), 5000))
    assert.isDefined(feed(varied(257 * 1024, "x"), 5000))
    assert.isDefined(feed(Array.from({ length: 50_000 }, (_, i) => `é${i}`).join(""), 5000))
  })
  it("ordinary code is left alone", () => {
    const code = Array.from(
      { length: 400 },
      (_, i) => `  const value${i} = compute(${i * 7}, "${i.toString(36)}")\\n`
    ).join("")
    assert.isUndefined(feed(code, 11))
  })
})

describe("usage", () => {
  it("takes reasoning out of the output", () => {
    assert.deepStrictEqual(
      usageOf({
        usage: {
          prompt_tokens: 9,
          completion_tokens: 7,
          completion_tokens_details: { reasoning_tokens: 4 },
          prompt_tokens_details: { cached_tokens: 5 }
        }
      }),
      { inputTokens: 9, outputTokens: 3, reasoningTokens: 4, cachedTokens: 5, completionTokens: 7 }
    )
  })
  it("is found where Groq, Moonshot and DeepSeek put it", () => {
    const raw = { prompt_tokens: 9, completion_tokens: 7 }
    assert.strictEqual(usageOf({ x_groq: { usage: raw } })?.inputTokens, 9)
    assert.strictEqual(usageOf({ choices: [{ usage: raw }] })?.inputTokens, 9)
    assert.strictEqual(usageOf({ usage: { ...raw, prompt_cache_hit_tokens: 3 } })?.cachedTokens, 3)
  })
  it("comes with llama.cpp's speeds, or from them alone", () => {
    const timings = { prompt_n: 3, cache_n: 6, predicted_n: 7, prompt_per_second: 100, predicted_per_second: 20 }
    assert.deepStrictEqual(usageOf({ timings }), {
      inputTokens: 9,
      cachedTokens: 6,
      outputTokens: 7,
      completionTokens: 7,
      promptPerSecond: 100,
      outputPerSecond: 20
    })
  })
  it("on every chunk counts once, the last", () => {
    const chunks = [1, 2, 3].map((n) =>
      line({ choices: [{ delta: { content: "a" } }], usage: { prompt_tokens: 5, completion_tokens: n } })
    )
    const { events } = decodeText(chunks.join("") + DONE)
    const usage = events.flatMap((event) => (event.type === "usage" ? [event.usage] : []))
    assert.deepStrictEqual(usage, [{ inputTokens: 5, outputTokens: 3, completionTokens: 3 }])
  })
  it("progress of the prompt is told", () => {
    const { events } = decodeText(
      line({ choices: [], prompt_progress: { total: 100, cache: 10, processed: 40, time_ms: 5 } }) +
        d({ content: "a" }) +
        DONE
    )
    assert.deepStrictEqual(events[0], { type: "prompt-progress", processed: 40, total: 100, cached: 10 })
  })
})

describe("opaque fields of a call", () => {
  const longId = `call_ab__thought__${"QUJD".repeat(225)}`
  const stream =
    d(tc({ index: 0, id: longId, type: "function", function: { name: "ls", arguments: "{}" } })) +
    d(
      tc({
        index: 1,
        id: "c2",
        extra_content: { google: { thought_signature: "QUJD" } },
        function: { name: "ls", arguments: "{}" }
      })
    ) +
    d(
      tc({
        index: 2,
        id: "c3",
        function: { name: "ls", arguments: "{}", provider_specific_fields: { thought_signature: "QUJD" } }
      })
    ) +
    fin("tool_calls") +
    DONE
  it("survive unchanged", () => {
    const calls = callsOf(decodeText(stream).events)
    assert.strictEqual(calls[0]?.id, longId)
    assert.deepStrictEqual(calls[1]?.extra, { extra_content: { google: { thought_signature: "QUJD" } } })
    assert.deepStrictEqual(calls[2]?.functionExtra, { provider_specific_fields: { thought_signature: "QUJD" } })
    assert.notProperty(calls[0], "extra")
  })
})

describe("reasoning to send back", () => {
  it("keeps signed blocks apart and whole", () => {
    const collector = new ReasoningCollector()
    collector.add({ thinking_blocks: [{ type: "thinking", thinking: "a" }], reasoning_content: "a" })
    collector.add({ thinking_blocks: [{ type: "thinking", thinking: "b", signature: null }], reasoning_content: "b" })
    collector.add({ thinking_blocks: [{ type: "thinking", thinking: "", signature: "S1" }] })
    collector.add({ thinking_blocks: [{ type: "redacted_thinking", data: "R" }] })
    collector.add({ thinking_blocks: [{ type: "thinking", thinking: "c", signature: "S2" }], reasoning_content: "c" })
    assert.deepStrictEqual(collector.result, {
      text: "abc",
      field: "reasoning_content",
      blocks: [
        { type: "thinking", thinking: "ab", signature: "S1" },
        { type: "redacted_thinking", data: "R" },
        { type: "thinking", thinking: "c", signature: "S2" }
      ]
    })
  })
  it("joins the pieces of a detail and keeps encrypted ones", () => {
    const collector = new ReasoningCollector()
    collector.add({ reasoning: "a", reasoning_details: [{ type: "reasoning.text", text: "a", index: 0 }] })
    collector.add({
      reasoning: "b",
      reasoning_details: [{ type: "reasoning.text", text: "b", index: 0, signature: "S" }]
    })
    collector.add({ reasoning_details: [{ type: "reasoning.encrypted", data: "X", index: 1 }] })
    assert.deepStrictEqual(collector.result, {
      text: "ab",
      field: "reasoning",
      details: [
        { type: "reasoning.text", text: "ab", index: 0, signature: "S" },
        { type: "reasoning.encrypted", data: "X", index: 1 }
      ]
    })
  })
  it("comes with the end of the answer", () => {
    const { events } = decodeText(d({ reasoning_content: "r" }) + d({ content: "a" }) + fin("stop") + DONE)
    assert.deepStrictEqual(finishOf(events)?.reasoning, { text: "r", field: "reasoning_content" })
  })
})

describe("the key", () => {
  it("is masked wherever the pieces cut it", () => {
    const key = "sk-1234567890"
    const text = `a ${key} b ${key}${key} sk-123 c`
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }), (steps) => {
        const mask = new KeyMask(key)
        const bytes = bytesOf(text)
        let out = ""
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const step = steps[i % steps.length] ?? 1
          out += mask.push(bytes.subarray(at, at + step))
          at += step
        }
        assert.strictEqual(out + mask.end(), "a *** b ****** sk-123 c")
      }),
      { seed: 7 }
    )
  })
})
