/** The parent's side of a sub-agent against processes that do what they should not (MAIA §20.4; field cases E2, E3). */
import { assert, describe, it } from "@effect/vitest"
import { Clock, Deferred, Effect, Fiber, Layer } from "effect"
import { TestClock } from "effect/testing"
import * as fs from "node:fs"
import { runAgent, type AgentHost, type AgentResult } from "../../../src/extensions/agents/AgentProcess.ts"
import type { Start } from "../../../src/extensions/agents/protocol.ts"
import { ChildPrograms } from "../../../src/process/ChildPrograms.ts"
import { defaultSettings } from "../../../src/config/settings.ts"
import { testConfigLayer } from "../../support/testConfig.ts"
import { eventually, isAlive, readIfThere, temporaryFolder } from "../../process/support/shell.ts"

const DONE = JSON.stringify({
  type: "done",
  text: "the result",
  ended: "done",
  refused: [],
  toolCalls: 2,
  iterations: 3
})

const startIn = (folder: string): Start => ({
  type: "start",
  version: "0",
  config: {
    launchFolder: folder,
    home: folder,
    userDir: `${folder}/.maia`,
    projectDir: `${folder}/.maia`,
    outputDir: folder,
    cacheDir: folder,
    language: "en",
    settings: defaultSettings,
    extensionSettings: []
  },
  agent: {
    name: "tester",
    description: "x",
    file: "/nowhere/AGENT.md",
    omitMd: true,
    trace: false,
    rules: [],
    instructions: "i",
    missions: "m",
    output: "o"
  },
  task: "the task",
  model: "m",
  maxIterations: 10,
  trust: "no"
})

const quiet: AgentHost = {
  answer: () => Effect.succeed({ noted: true }),
  onWarning: () => Effect.void,
  onProgress: () => Effect.void,
  onUsage: () => Effect.void
}

const withPrograms = (folder: string) =>
  Effect.provide(
    ChildPrograms.layer.pipe(Layer.provide(testConfigLayer({ launchFolder: folder, env: { HOME: folder } })))
  )

/** Runs a shell script in the place of a sub-agent. */
const run = (folder: string, script: string, host: Partial<AgentHost> = {}) =>
  runAgent({ argv: ["/bin/sh", "-c", script], start: startIn(folder), host: { ...quiet, ...host } })

const result = (script: string, host: Partial<AgentHost> = {}) =>
  Effect.scoped(Effect.flatMap(temporaryFolder, (folder) => withPrograms(folder)(run(folder, script, host))))

const failureOf = (ended: AgentResult): string => ended.failure?.en ?? "no failure"

/** Lets the test's clock run until the fiber has ended, in step with the real processes. */
const runClock = <A, E>(fiber: Fiber.Fiber<A, E>) =>
  Effect.gen(function* () {
    while (fiber.pollUnsafe() === undefined) {
      yield* TestClock.adjust(50)
      yield* Effect.promise(() => new Promise((resolve) => void setImmediate(resolve)))
    }
    return yield* Fiber.join(fiber)
  })

describe("the process of a sub-agent", () => {
  it.live("gives its result, having been sent the task", () =>
    Effect.gen(function* () {
      const script = `read task; case $MAIA_AGENT$task in tester*'"task":"the task"'*) echo '${DONE}' ;; esac`
      assert.deepInclude(yield* result(script), { text: "the result", toolCalls: 2 })
    })
  )

  it.live("tells tokens, progress and warnings as they come", () =>
    Effect.gen(function* () {
      const seen: Array<unknown> = []
      const note = (...what: ReadonlyArray<unknown>) => Effect.sync(() => void seen.push(what))
      const script = `read task
        echo '{"type":"warning","message":{"en":"w","fr":"a"}}'
        echo '{"type":"progress","toolCalls":1,"current":"Read a"}'
        echo '{"type":"usage","usage":{"inputTokens":1,"outputTokens":2}}'
        echo '${DONE}'`
      yield* result(script, { onWarning: note, onProgress: note, onUsage: note })
      assert.deepStrictEqual(seen, [[{ en: "w", fr: "a" }], [1, "Read a"], [{ inputTokens: 1, outputTokens: 2 }]])
    })
  )

  it.live("is answered what it asks, while other answers are still open", () =>
    Effect.gen(function* () {
      const gate = yield* Deferred.make<void>()
      const script = `read task
        echo '{"type":"request","id":7,"request":{"ask":"before","path":"/slow","noticed":"read"}}'
        echo '{"type":"request","id":8,"request":{"ask":"rules"}}'
        read first; read second
        case $first$second in *'"id":8'*'"id":7'* | *'"id":7'*'"id":8'*) echo '${DONE}' ;; *) echo "$first$second" >&2 ;; esac`
      const answered = yield* result(script, {
        answer: (request) =>
          request.ask === "rules"
            ? Effect.as(Deferred.succeed(gate, undefined), { rules: [] })
            : Effect.as(Deferred.await(gate), { noted: true as const })
      })
      assert.deepInclude(answered, { text: "the result" })
    })
  )

  it.live("that ends without a result: how it ended, and its last words", () =>
    Effect.gen(function* () {
      assert.match(failureOf(yield* result("read t; echo 'no such thing' >&2; exit 3")), /exit code 3 .*no such thing/s)
      assert.match(failureOf(yield* result("read t; kill -9 $$")), /by SIGKILL before it had a result/)
      assert.match(failureOf(yield* result("exit 0")), /exit code 0/)
    })
  )

  it.live("a result that was written just before a crash counts", () =>
    Effect.gen(function* () {
      assert.deepInclude(yield* result(`read t; echo '${DONE}'; kill -9 $$`), { text: "the result" })
    })
  )

  it.live("that cannot be started says why", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const start = { ...startIn(folder), config: { ...startIn(folder).config, launchFolder: "/nowhere/at/all" } }
      const ended = yield* runAgent({ argv: ["/bin/true"], start, host: quiet }).pipe(withPrograms(folder))
      assert.match(failureOf(ended), /cannot be started: .*ENOENT/)
      const missing = yield* runAgent({ argv: ["/nowhere/maia"], start: startIn(folder), host: quiet }).pipe(
        withPrograms(folder)
      )
      assert.match(failureOf(missing), /exit code 127 .*\/nowhere\/maia/s)
    }).pipe(Effect.scoped)
  )

  it.live("a little rubbish on its stdout does no harm", () =>
    Effect.gen(function* () {
      const script = `read t; echo hello; echo '{"type":"other"}'; printf '\\377\\376\\000\\n'; echo '[]'; echo '${DONE}'`
      assert.deepInclude(yield* result(script), { text: "the result" })
    })
  )

  it.live("lines of 10 MB are dropped, not held", () =>
    Effect.gen(function* () {
      const script = `read t; head -c 10000000 /dev/zero | tr '\\0' x; echo; head -c 10000000 /dev/zero; echo; echo '${DONE}'`
      assert.deepInclude(yield* result(script), { text: "the result" })
    })
  )

  it.live("rubbish without end is ended", () =>
    Effect.gen(function* () {
      assert.match(failureOf(yield* result("trap '' TERM; read t; yes rubbish")), /what is no message and was stopped/)
    })
  )

  it.live("one that reads nothing holds up nobody", () =>
    Effect.gen(function* () {
      const request = '{"type":"request","id":1,"request":{"ask":"rules"}}'
      const rules = Array.from({ length: 2_000 }, (_, line) => ({
        text: `Bash(${"x".repeat(200)})`,
        kind: "ask" as const,
        scope: "user" as const,
        file: "f",
        line
      }))
      const script = `i=0; while [ $i -lt 60 ]; do echo '${request}'; i=$((i+1)); done; echo '${DONE}'`
      assert.deepInclude(yield* result(script, { answer: () => Effect.succeed({ rules }) }), { text: "the result" })
    })
  )
})

describe("the end of a sub-agent", () => {
  it.live("interrupted: it is told, and comes to its end by itself", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const script = `read task; echo ready > ready; read abort; echo "$abort" > told`
      const fiber = yield* Effect.forkChild(withPrograms(folder)(run(folder, script)))
      yield* eventually("it runs", () => fs.existsSync(`${folder}/ready`))
      yield* Fiber.interrupt(fiber)
      assert.strictEqual(readIfThere(`${folder}/told`).trim(), '{"type":"abort"}')
    }).pipe(Effect.scoped)
  )

  it.effect("one that does not end is killed after 5 seconds, with what it started", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const script = `trap '' TERM INT HUP; sleep 300 & echo $! > inner; echo $$ > outer; while :; do sleep 300; done`
      const fiber = yield* Effect.forkChild(withPrograms(folder)(run(folder, script)))
      yield* Effect.promise(() => until(() => readIfThere(`${folder}/outer`) !== ""))
      const [inner, outer] = ["inner", "outer"].map((name) => Number(readIfThere(`${folder}/${name}`)))
      const begun = yield* Clock.currentTimeMillis
      const ending = yield* Effect.forkChild(Fiber.interrupt(fiber))
      yield* runClock(ending)
      const took = (yield* Clock.currentTimeMillis) - begun
      assert.isTrue(took >= 5_000 && took < 8_000, `${took} ms`)
      assert.deepStrictEqual([isAlive(inner ?? 0), isAlive(outer ?? 0)], [false, false])
    }).pipe(Effect.scoped)
  )

  it.effect("after 30 minutes it is over", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const fiber = yield* Effect.forkChild(
        withPrograms(folder)(run(folder, "read task; echo ready > ready; read abort; exit 0"))
      )
      yield* Effect.promise(() => until(() => fs.existsSync(`${folder}/ready`)))
      yield* TestClock.adjust("29 minutes")
      assert.isUndefined(fiber.pollUnsafe())
      yield* TestClock.adjust("1 minutes")
      assert.match(failureOf(yield* runClock(fiber)), /stopped after 30 minutes/)
    }).pipe(Effect.scoped)
  )

  it.live("a question that is open is taken back when the process is gone", () =>
    Effect.gen(function* () {
      const taken = yield* Deferred.make<void>()
      const asked = yield* Deferred.make<void>()
      const request = '{"type":"request","id":1,"request":{"ask":"rules"}}'
      const ended = yield* result(`read t; echo '${request}'; sleep 0.2; kill -9 $$`, {
        answer: () =>
          Effect.andThen(Deferred.succeed(asked, undefined), Effect.never).pipe(
            Effect.onInterrupt(() => Deferred.succeed(taken, undefined))
          )
      })
      assert.match(failureOf(ended), /SIGKILL/)
      yield* Deferred.await(asked)
      yield* Deferred.await(taken)
    })
  )
})

const until = async (isSo: () => boolean): Promise<void> => {
  while (!isSo()) await new Promise((resolve) => void setImmediate(resolve))
}
