/** Ctrl+C and kill -9 at the moments that matter: no process left, the session readable, the next `--continue` works. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import type { ChildProcess } from "node:child_process"
import {
  chunk,
  gate,
  hang,
  scriptedServer,
  sse,
  textAnswer,
  toolCalls,
  type ScriptedResponse
} from "../support/scriptedServer.ts"
import { maia, noSurvivors, ofType, sandbox, type Sandbox } from "./support.ts"

const continues = (box: Sandbox) =>
  Effect.gen(function* () {
    const server = yield* scriptedServer([textAnswer("back")])
    const done = yield* maia(box, ["run", "-p", "again", "--continue", "-o", "stream-json"], { url: server.url })
    assert.strictEqual(done.code, 0, done.stdout + done.stderr)
    const messages = server.chats[0]?.body.messages ?? []
    const calls = messages.flatMap((message) => (Array.isArray(message["tool_calls"]) ? message["tool_calls"] : []))
    const results = messages.filter((message) => message.role === "tool").map((message) => message["tool_call_id"])
    assert.deepStrictEqual(
      results,
      calls.map((call: { readonly id: string }) => call.id),
      "each call has its result"
    )
    assert.strictEqual(messages.at(-1)?.role, "user")
    return messages
  })

const moments: ReadonlyArray<
  readonly [name: string, first: ScriptedResponse, ready: (child: ChildProcess, box: Sandbox) => Promise<void>]
> = [
  ["before the first byte", hang(), () => Promise.resolve()],
  ["in the middle of the text", hang([chunk({ content: "so far" })]), () => Promise.resolve()],
  [
    "in the middle of a call",
    hang([chunk({ tool_calls: [{ index: 0, id: "c", function: { name: "Bash", arguments: '{"comm' } }] })]),
    () => Promise.resolve()
  ],
  [
    "while a command runs",
    toolCalls([{ name: "Bash", args: { command: "sh -c 'echo started > started; sleep 300 & wait'" } }]),
    (_child, box) => whenWritten(box, "started")
  ],
  [
    "while a command ignores TERM",
    toolCalls([
      { name: "Bash", args: { command: "trap '' TERM; echo started > started; while :; do sleep 300; done" } }
    ]),
    (_child, box) => whenWritten(box, "started")
  ],
  [
    "while a background job runs",
    toolCalls([{ name: "Bash", args: { command: "echo started > started; sleep 300", run_in_background: true } }]),
    (_child, box) => whenWritten(box, "started")
  ]
]

const whenWritten = (box: Sandbox, name: string): Promise<void> =>
  Effect.runPromise(
    Effect.try(() => box.read(name)).pipe(
      Effect.retry({ schedule: Schedule.spaced("10 millis"), times: 1_000 }),
      Effect.asVoid
    )
  )

describe.each([
  ["SIGINT" as const, 130],
  ["SIGTERM" as const, 143],
  ["SIGKILL" as const, null]
])("%s", (signal, code) => {
  for (const [name, first, ready] of moments) {
    it.live(name, () =>
      Effect.gen(function* () {
        const box = yield* sandbox
        const mark = `MAIA_TEST_MARK=${box.root}`
        const server = yield* scriptedServer((n) => (n === 0 ? first : hang()))
        const done = yield* maia(box, ["run", "-p", "go", "-o", "stream-json", "--permissions", "allow"], {
          url: server.url,
          env: { MAIA_TEST_MARK: box.root },
          onStart: (child) =>
            void server
              .chat(0)
              .then(() => ready(child, box))
              .then(() => child.kill(signal))
        })
        if (code === null) assert.strictEqual(done.signal, "SIGKILL")
        else {
          assert.include([130, code], done.code, done.stderr)
          const last = done.lines.at(-1)
          assert.strictEqual(last?.["type"], "result")
          assert.strictEqual(last?.["reason"], "interrupted")
        }
        assert.deepStrictEqual(yield* noSurvivors(mark), [])
        yield* continues(box)
      }).pipe(Effect.scoped)
    )
  }
})

describe("the ends of a run", () => {
  it.live("a background job does not outlive a run that ends by itself", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([
        toolCalls([{ name: "Bash", args: { command: "sleep 300", run_in_background: true } }]),
        textAnswer("end")
      ])
      const done = yield* maia(box, ["run", "-p", "go", "--permissions", "allow"], {
        url: server.url,
        env: { MAIA_TEST_MARK: box.root }
      })
      assert.strictEqual(done.code, 0)
      assert.deepStrictEqual(yield* noSurvivors(`MAIA_TEST_MARK=${box.root}`), [])
    }).pipe(Effect.scoped)
  )

  it.live("a second Ctrl+C leaves at once", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([hang()])
      const done = yield* maia(box, ["run", "-p", "go"], {
        url: server.url,
        onStart: (child) =>
          void server.chat(0).then(() => {
            child.kill("SIGINT")
            child.kill("SIGINT")
          })
      })
      assert.strictEqual(done.code, 130)
    }).pipe(Effect.scoped)
  )

  it.live("a folder that cannot be written costs a warning, not the turn", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      // A file where the session's folder should be: nothing can be written there, whoever runs the test.
      box.write(".maia", "in the way")
      const server = yield* scriptedServer([textAnswer("fine")])
      const done = yield* maia(box, ["run", "-p", "go", "-o", "stream-json"], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.strictEqual(done.lines.at(-1)?.["text"], "fine")
      assert.isAbove(ofType(done, "warning").length, 0)
    }).pipe(Effect.scoped)
  )

  it.live("a reader that goes away ends it quietly", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const more = gate()
      const server = yield* scriptedServer([sse([chunk({ content: "a".repeat(200_000) }), more, chunk({}, "stop")])])
      const done = yield* maia(box, ["run", "-p", "go", "-o", "stream-json"], {
        url: server.url,
        onStart: (child) =>
          child.stdout?.once("data", () => {
            child.stdout?.destroy()
            more.open()
          })
      })
      assert.strictEqual(done.stderr, "")
    }).pipe(Effect.scoped)
  )
})
