/** Ten thousand damaged streams: no crash, no hang, no call that runs on what was not whole. Seeded. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { AnswerDecoder } from "../../src/llm/answerDecoder.ts"
import { LlmError } from "../../src/llm/errors.ts"
import { callCases } from "./corpus/calls.ts"
import { textCases } from "./corpus/texts.ts"
import { bytesOf, declared } from "./support/decode.ts"
import { collect, mockedLayer } from "./support/harness.ts"
import { mockHttp } from "./support/mockHttp.ts"
import { cpuTime } from "../support/cpuTime.ts"

/** A small generator of its own, so that a failing case can be played again from its number. */
const randomFrom = (seed: number) => {
  let state = seed >>> 0
  return (below: number): number => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 12), 0x297a2d39)
    mixed = (mixed ^ (mixed >>> 15)) >>> 0
    return mixed % below
  }
}

const sources = [...callCases, ...textCases].map((one) =>
  typeof one.stream === "string" ? bytesOf(one.stream) : one.stream
)

const splices = [
  "\n",
  "\r",
  "\n\n",
  "data: ",
  "{",
  "}",
  '"',
  "\\",
  "null",
  "[DONE]",
  "event: error\n",
  '"error":{}',
  "\u0000",
  "<think>",
  "</think>",
  "99999999999999999999"
]

const mutate = (bytes: Uint8Array, random: (below: number) => number): Uint8Array => {
  const out = Array.from(bytes)
  const times = 1 + random(6)
  for (let i = 0; i < times; i++) {
    const at = random(out.length + 1)
    switch (random(5)) {
      case 0:
        out[Math.min(at, Math.max(0, out.length - 1))] = random(256)
        break
      case 1:
        out.splice(at, 1 + random(20))
        break
      case 2:
        out.splice(at, 0, ...bytesOf(splices[random(splices.length)] ?? ""))
        break
      case 3:
        out.splice(at, 0, ...out.slice(at, at + random(80)))
        break
      default:
        out.length = at
    }
  }
  return Uint8Array.from(out)
}

describe("damaged streams", () => {
  it("10 000 of them are decoded to an outcome, the same however they are cut", () => {
    for (let n = 0; n < 10_000; n++) {
      const random = randomFrom(n + 1)
      const bytes = mutate(sources[random(sources.length)] ?? new Uint8Array(), random)
      const play = (pieces: ReadonlyArray<Uint8Array>) => {
        const decoder = new AnswerDecoder({ declared, newId: (at) => `made_${at}` })
        const events = []
        for (const piece of pieces) {
          decoder.push(piece)
          events.push(...decoder.take())
        }
        const outcome = decoder.end()
        events.push(...decoder.take())
        return { outcome, events }
      }
      const whole = play([bytes])
      const at = random(bytes.length + 1)
      const cut = play([bytes.subarray(0, at), bytes.subarray(at)])
      if (JSON.stringify(whole) !== JSON.stringify(cut)) assert.deepStrictEqual(cut, whole, `case ${n}, cut at ${at}`)
      for (const event of whole.events) {
        if (event.type !== "tool-call-end") continue
        assert.strictEqual(whole.outcome.type, "finished", `case ${n}`)
        JSON.parse(event.call.arguments)
        assert.isTrue(event.call.problem !== undefined || event.call.name !== "", `case ${n}`)
      }
    }
  }, 60_000)

  it.live("fail a request with a typed error or not at all", () =>
    Effect.gen(function* () {
      let bytes = new Uint8Array()
      const http = mockHttp(() => new Response(bytes, { headers: { "content-type": "text/event-stream" } }))
      yield* Effect.gen(function* () {
        for (let n = 0; n < 500; n++) {
          const random = randomFrom(n + 77_001)
          bytes = Uint8Array.from(mutate(sources[random(sources.length)] ?? new Uint8Array(), random))
          // Streams that say "too busy" wait a second before the second try; the test does not.
          if (/overload|429|rate/.test(new TextDecoder().decode(bytes))) continue
          const { events, error } = yield* collect()
          if (error === undefined) assert.strictEqual(events.at(-1)?.type, "finish", `case ${n}`)
          else assert.instanceOf(error, LlmError, `case ${n}`)
        }
      }).pipe(Effect.provide(mockedLayer({ url: "https://llm.example.com" }).pipe(Layer.provide(http.layer))))
    })
  )

  it("a megabyte in one line, in small pieces, takes linear time", () => {
    const time = (size: number): number => {
      const line = bytesOf(`data: {"choices":[{"delta":{"content":"${"x".repeat(size)}"}}]}\n\n`)
      const decoder = new AnswerDecoder({ declared, newId: String })
      const start = cpuTime()
      for (let at = 0; at < line.length; at += 64) decoder.push(line.subarray(at, at + 64))
      decoder.end()
      return cpuTime() - start
    }
    time(100_000)
    const [small, large] = [Math.min(time(250_000), time(250_000)), Math.min(time(2_000_000), time(2_000_000))]
    // Eight times the bytes: quadratic time would be 64 times as long.
    assert.isBelow(large, small * 32 + 50)
  })

  it("a call in twenty thousand pieces takes linear time", () => {
    const time = (pieces: number): number => {
      const start = cpuTime()
      const decoder = new AnswerDecoder({ declared, newId: String })
      for (let i = 0; i < pieces; i++) {
        const args = i === 0 ? '{"content":"' : `${i.toString(36)},`
        const call = { index: 0, id: "c", function: { name: "write", arguments: args } }
        decoder.push(bytesOf(`data: ${JSON.stringify({ choices: [{ delta: { tool_calls: [call] } }] })}\n\n`))
        decoder.take()
      }
      decoder.end()
      return cpuTime() - start
    }
    time(2000)
    const [small, large] = [Math.min(time(2500), time(2500)), Math.min(time(20_000), time(20_000))]
    assert.isBelow(large, small * 32 + 50)
  })
})
