/**
 * Stream decoding (spec 10): chunks per second of the decoder alone and of `LiteLlm` over loopback, and the memory that
 * stays. Run: `bun scripts/bench/stream.ts [chunks]`. Exits 1 below 100 000 chunks/s or when memory grows with the stream.
 */
import { Effect, FileSystem, Layer, Path, Stream } from "effect"
import { AnswerDecoder } from "../../src/llm/answerDecoder.ts"
import { LiteLlm } from "../../src/llm/LiteLlm.ts"
import { layerFetch } from "../../src/llm/LiteLlmLive.ts"
import { chunk, data, rawBytes, startScriptedServer, usageChunk } from "../../test/support/scriptedServer.ts"
import { testConfigLayer } from "../../test/support/testConfig.ts"

const BAR = 100_000
const count = Number(process.argv[2] ?? 20_000)
const encoder = new TextEncoder()
const lines = Array.from({ length: count }, (_, i) => encoder.encode(data(chunk({ content: ` word${i}` }))))
const tail = encoder.encode(data(chunk({}, "stop")) + data(usageChunk(10, count)) + "data: [DONE]\n\n")

/** Network chunks of about `size` bytes. */
const packed = (size: number): ReadonlyArray<Uint8Array> => {
  const whole = Buffer.concat([...lines, tail])
  return Array.from({ length: Math.ceil(whole.length / size) }, (_, i) => whole.subarray(i * size, (i + 1) * size))
}

const decodeOnce = (pieces: ReadonlyArray<Uint8Array>): number => {
  const decoder = new AnswerDecoder({ declared: new Set(), newId: String })
  let events = 0
  for (const piece of pieces) {
    decoder.push(piece)
    events += decoder.take().length
  }
  decoder.end()
  return events + decoder.take().length
}

const median = (values: ReadonlyArray<number>): number => [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0

const report = (name: string, seconds: number): number => {
  const rate = count / seconds
  console.log(
    `${name.padEnd(44)} ${Math.round(rate).toLocaleString("en").padStart(12)} chunks/s  ${(seconds * 1000).toFixed(1)} ms`
  )
  return rate
}

const timeDecoder = (name: string, pieces: ReadonlyArray<Uint8Array>): number => {
  const times = Array.from({ length: 7 }, () => {
    const start = performance.now()
    if (decodeOnce(pieces) < count) throw new Error("events are missing")
    return (performance.now() - start) / 1000
  })
  return report(name, median(times))
}

const overLoopback = async (name: string, pieces: ReadonlyArray<Uint8Array>): Promise<number> => {
  const server = await startScriptedServer(() => rawBytes(pieces))
  const layer = layerFetch.pipe(
    Layer.provide(testConfigLayer({ launchFolder: "/nowhere", settings: { LiteLLM_URL: server.url } })),
    Layer.provide(FileSystem.layerNoop({})),
    Layer.provide(Path.layer)
  )
  const once = Effect.gen(function* () {
    const llm = yield* LiteLlm
    let events = 0
    const request = { model: "m", system: "", messages: [{ role: "user" as const, text: "go" }], tools: [] }
    yield* Stream.runForEachArray(llm.stream(request), (batch) => Effect.sync(() => void (events += batch.length)))
    if (events < count) throw new Error("events are missing")
  })
  const timed = Effect.gen(function* () {
    const times: Array<number> = []
    for (let i = 0; i < 5; i++) {
      const start = performance.now()
      yield* once
      times.push((performance.now() - start) / 1000)
    }
    return median(times)
  })
  const seconds = await Effect.runPromise(Effect.provide(timed, layer))
  await server.close()
  return report(name, seconds)
}

const settledHeap = (): number => {
  Bun.gc(true)
  return process.memoryUsage().heapUsed / 1024 / 1024
}

const rates = [
  timeDecoder("decoder, one event a network chunk", [...lines, tail]),
  timeDecoder("decoder, 16 KiB network chunks", packed(16_384)),
  timeDecoder("decoder, 7-byte network chunks", packed(7))
]
await overLoopback("LiteLlm over loopback, 16 KiB writes", packed(16_384))
await overLoopback("LiteLlm over loopback, one write an event", [...lines, tail])

const before = settledHeap()
for (let i = 0; i < 20; i++) decodeOnce([...lines, tail])
const grown = settledHeap() - before
console.log(
  `heap after 20 more streams: ${grown >= 0 ? "+" : ""}${grown.toFixed(1)} MiB; resident ${(process.memoryUsage.rss() / 1024 / 1024).toFixed(0)} MiB`
)

// Seven bytes a chunk is 27 pushes an event: told, not judged.
const failed = rates.slice(0, 2).some((rate) => rate < BAR) || grown > 8
process.exit(failed ? 1 : 0)
