/**
 * Bars of spec 10 for sessions: opening 5 000 messages under 200 ms, appending at a cost that does not depend on the length,
 * listing 1 000 sessions under 150 ms. Prints the figures (medians) and fails when a bar is missed.
 *
 *   bun scripts/bench/sessions.ts
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer } from "effect"
import { defaultSettings } from "../../src/config/settings.ts"
import { Config } from "../../src/config/Config.ts"
import type { EntryBody } from "../../src/domain/entry.ts"
import { ContextLog } from "../../src/sessions/buildContext.ts"
import type { SessionHandle } from "../../src/sessions/SessionHandle.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { sessionsLayer } from "../../src/sessions/SessionsLive.ts"

const ROUNDS = 7

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((left, right) => left - right)[Math.floor(values.length / 2)] ?? Number.NaN

const timed = Effect.fnUntraced(function* <A, E, R>(effect: Effect.Effect<A, E, R>) {
  const start = performance.now()
  yield* effect
  return performance.now() - start
})

const medianOf = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.all(Array.from({ length: ROUNDS }, () => timed(effect))), median)

const configOf = (launchFolder: string) =>
  Config.of({
    launchFolder,
    home: launchFolder,
    userDir: `${launchFolder}/.user`,
    projectDir: `${launchFolder}/.maia`,
    outputDir: launchFolder,
    cacheDir: launchFolder,
    env: {},
    platform: process.platform,
    settings: defaultSettings,
    apiKey: undefined,
    origins: new Map(),
    rules: [],
    extensionSettings: [],
    warnings: [],
    language: "en",
    version: "0"
  })

/** A turn of four messages, as long as they are in practice: a request, a call, 2 kB of result, an answer. */
const turn = (n: number): ReadonlyArray<EntryBody> => [
  { type: "message", message: { role: "user", text: `Request ${n}: what does the parser do with an empty line?` } },
  {
    type: "message",
    message: {
      role: "assistant",
      text: "I look at it.",
      toolCalls: [{ id: `call_${n}`, name: "Read", arguments: '{"path":"src/parser.ts"}' }],
      model: "bench"
    }
  },
  {
    type: "message",
    message: {
      role: "tool",
      toolCallId: `call_${n}`,
      toolName: "Read",
      text: "  12: const next = line.trim() // é\n".repeat(60),
      isError: false
    }
  },
  { type: "message", message: { role: "assistant", text: "It is skipped. ".repeat(20), toolCalls: [], model: "bench" } }
]

const fill = (session: SessionHandle, messages: number) =>
  Effect.gen(function* () {
    for (let n = 0; n < messages / 4; n++) for (const body of turn(n)) yield* session.append(body)
  })

/**
 * Microseconds per append to a short and to a long session, and per raw write of a line as long. In turns of a few each, because
 * what a write costs changes by a factor of five with the state of the machine: measured one after the other, the order decides.
 */
const appendCosts = Effect.fnUntraced(function* (short: SessionHandle, long: SessionHandle) {
  const fs = yield* FileSystem.FileSystem
  const body: EntryBody = { type: "message", message: { role: "user", text: "x".repeat(500) } }
  const line = new TextEncoder().encode(`${"x".repeat(620)}\n`)
  const file = yield* fs.open(`${yield* fs.makeTempDirectoryScoped()}/raw`, { flag: "a" })
  for (let n = 0; n < 20_000; n++) yield* long.append(body)
  const some = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    Effect.map(timed(Effect.repeat(effect, { times: 19 })), (time) => (time / 20) * 1000)
  const costs = { short: Array<number>(), long: Array<number>(), raw: Array<number>() }
  for (let round = 0; round < 200; round++) {
    costs.short.push(yield* some(short.append(body)))
    costs.long.push(yield* some(long.append(body)))
    costs.raw.push(yield* some(file.write(line)))
  }
  return { short: median(costs.short), long: median(costs.long), raw: median(costs.raw) }
})

const program = Effect.gen(function* () {
  const sessions = yield* Sessions
  // A figure counts only for the session that was meant: a copy of a locked one would be another measurement.
  const open = (name: string, atLeast = 0) =>
    Effect.tap(sessions.open({ name, save: true }), (session) =>
      Effect.gen(function* () {
        const length = session.entries().length
        if ((yield* session.name) === name && length >= atLeast && session.warnings().length === 0) return
        return yield* Effect.die(`"${name}" is not the session meant: ${yield* session.name}, ${length} entries`)
      })
    )

  yield* Effect.scoped(Effect.flatMap(open("long"), (session) => fill(session, 5_000)))
  const opening = yield* medianOf(Effect.scoped(open("long", 5_000)))
  const context = yield* medianOf(
    Effect.scoped(Effect.map(open("long", 5_000), (session) => new ContextLog(session.path()).messages.length))
  )

  const { short, long, raw } = yield* Effect.scoped(
    Effect.gen(function* () {
      return yield* appendCosts(yield* open("short"), yield* open("long", 5_000))
    })
  )

  for (let n = 0; n < 1_000; n++) {
    yield* Effect.scoped(Effect.flatMap(open(`listed ${n}`), (session) => fill(session, 20)))
  }
  const listing = yield* medianOf(sessions.list)

  const bars: ReadonlyArray<readonly [string, number, string, boolean]> = [
    ["open 5 000 messages", opening, "ms", opening < 200],
    ["open 5 000 messages and build the context", context, "ms", context < 200],
    ["one raw write of such a line, for comparison", raw, "µs", true],
    ["append to a short session", short, "µs", true],
    ["append after 20 000 messages more", long, "µs", long < short * 1.5],
    ["list 1 000 sessions", listing, "ms", listing < 150]
  ]
  for (const [name, value, unit, met] of bars) {
    yield* Effect.log(`${met ? "ok  " : "MISS"} ${name}: ${value.toFixed(1)} ${unit}`)
  }
  return bars.every(([, , , met]) => met)
})

const main = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const folder = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "maia-bench-" }), fs.realPath)
  return yield* program.pipe(Effect.provide(sessionsLayer.pipe(Layer.provide(Layer.succeed(Config, configOf(folder))))))
}).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

process.exitCode = (await Effect.runPromise(main)) ? 0 : 1
