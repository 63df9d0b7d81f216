import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError } from "effect"
import * as fc from "fast-check"
import { TokenCounter } from "../../src/context/TokenCounter.ts"
import { ESTIMATE_MARGIN, estimateTokens } from "../../src/context/tokens/estimateTokens.ts"
import type { AssistantMessage, Message, UserMessage } from "../../src/domain/message.ts"

const layer = TokenCounter.layer.pipe(Layer.provide(NodeServices.layer))
const user = (text: string): UserMessage => ({ role: "user", text })
const base = { system: "You are maia.", tools: [], model: "m" }

describe("TokenCounter", () => {
  it.effect("before it is ready a count is an estimate, then it is exact", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      assert.isFalse(counter.isExact())
      assert.strictEqual(counter.countNow("hello world"), estimateTokens("hello world"))
      yield* counter.ready
      assert.isTrue(counter.isExact())
      assert.strictEqual(counter.countNow("hello world"), 2)
      assert.strictEqual(yield* counter.count("hello world"), 2)
    }).pipe(Effect.provide(layer))
  )

  it.effect("MAIA's sum: 4 per message, text, calls with their arguments, results, system, tools, pending", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      yield* counter.ready
      const count = counter.countNow
      const tools = [{ name: "Read", description: "Reads a file.", parameters: { type: "object" } }]
      const call = { id: "c1", name: "Read", arguments: '{"path":"a.txt"}' }
      const messages: ReadonlyArray<Message> = [
        user("read it"),
        { role: "assistant", text: "Reading.", toolCalls: [call] },
        { role: "tool", toolCallId: "c1", toolName: "Read", text: "hello", isError: false }
      ]
      const total = counter.context({ system: "sys", tools, messages, pending: ["note"], model: "m" })
      const texts = ["sys", JSON.stringify(tools), "read it", "Reading.", "Read", call.arguments, "hello", "note"]
      assert.deepStrictEqual(total, { tokens: texts.reduce((sum, text) => sum + count(text), 12), exact: true })
    }).pipe(Effect.provide(layer))
  )

  it.effect("adding a message never lowers the total", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      yield* counter.ready
      fc.assert(
        fc.property(fc.array(fc.string({ unit: "binary", maxLength: 40 }), { maxLength: 10 }), (texts) => {
          let last = 0
          for (let size = 0; size <= texts.length; size++) {
            const { tokens } = counter.context({ ...base, messages: texts.slice(0, size).map(user) })
            assert.isAbove(tokens, last)
            last = tokens
          }
        }),
        { seed: 5, numRuns: 50 }
      )
    }).pipe(Effect.provide(layer))
  )

  it.effect("a message is counted once: 5 000 steps of a long history cost what is new", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      yield* counter.ready
      let read = 0
      const watched = Array.from({ length: 500 }, (_, index): UserMessage => {
        const text = `message ${index}`
        return Object.defineProperty({ role: "user" as const, text }, "text", {
          get: () => {
            read++
            return text
          }
        })
      })
      for (let step = 0; step < 20; step++) counter.context({ ...base, messages: watched })
      assert.strictEqual(read, 500)
    }).pipe(Effect.provide(layer))
  )

  it.effect("an estimate of a message is counted again once the vocabulary is there", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      const message: AssistantMessage = { role: "assistant", text: "hello world", toolCalls: [] }
      assert.strictEqual(counter.message(message, "m"), 4 + estimateTokens("hello world"))
      yield* counter.ready
      assert.strictEqual(counter.message(message, "m"), 6)
    }).pipe(Effect.provide(layer))
  )

  it.effect("a short run never loads the vocabulary; one that comes near the limit does", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      const short = yield* counter.contextUpTo({ ...base, messages: [user("hello")] }, 8000)
      assert.isFalse(short.exact)
      assert.isFalse(counter.isExact())
      const long = yield* counter.contextUpTo({ ...base, messages: [user("hello world. ".repeat(2000))] }, 8000)
      assert.isTrue(long.exact)
    }).pipe(Effect.provide(layer))
  )

  it.effect("an image costs what its model's provider charges", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      const message: UserMessage = {
        role: "user",
        text: "",
        attachments: [{ type: "image", mediaType: "image/png", data: "AAAA" }]
      }
      assert.strictEqual(counter.message(message, "gpt-4o"), 4 + 765)
      assert.strictEqual(counter.message(message, "claude-opus"), 4 + 1399)
    }).pipe(Effect.provide(layer))
  )

  it.effect("a vocabulary that cannot be read leaves estimates and no error", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      yield* counter.ready
      assert.isFalse(counter.isExact())
      assert.strictEqual(yield* counter.count("hello"), estimateTokens("hello"))
    }).pipe(
      Effect.provide(
        TokenCounter.layer.pipe(
          Layer.provide(
            FileSystem.layerNoop({
              readFile: () =>
                Effect.fail(PlatformError.systemError({ _tag: "NotFound", module: "FileSystem", method: "readFile" }))
            })
          )
        )
      )
    )
  )

  it.effect("no text has more tokens than its estimate's margin allows for", () =>
    Effect.gen(function* () {
      const counter = yield* TokenCounter
      yield* counter.ready
      const texts = ["SGVsbG8gd29ybGQhIQ9876zZxXqQ".repeat(50), "語文字列".repeat(100), "{}[]();,".repeat(100)]
      for (const text of texts) assert.isAtMost(counter.countNow(text), estimateTokens(text) * ESTIMATE_MARGIN)
    }).pipe(Effect.provide(layer))
  )
})
