/** Stopping what runs, from the keyboard: no process is left, the session stays valid, and typing goes on at once (spec 07). */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { chunk, gate, hang, reset, sse, textAnswer, toolCalls } from "../../support/scriptedServer.ts"
import { noSurvivors } from "../support.ts"
import { CTRL_C, ENTER, ESC, input, talk, UP, type Talk } from "./support.ts"

const began = (now: Talk, file: string): Effect.Effect<void> =>
  Effect.try(() => now.box.read(file)).pipe(
    Effect.retry({ schedule: Schedule.spaced("10 millis"), times: 1_000 }),
    Effect.asVoid,
    Effect.orDie
  )

/** Each call of the request has its result, and the user speaks last. */
const isValid = (now: Talk): void => {
  const messages = now.lastRequest()?.body.messages ?? []
  const calls = messages.flatMap((message) => (Array.isArray(message["tool_calls"]) ? message["tool_calls"] : []))
  const results = messages.filter(({ role }) => role === "tool").map((message) => message["tool_call_id"])
  assert.deepStrictEqual(
    results,
    calls.map((call: { readonly id: string }) => call.id)
  )
  assert.strictEqual(messages.at(-1)?.role, "user")
}

/** A command with a process of its own that will not end by itself, and the mark of both. */
const stubborn = (now: Talk) => {
  const mark = `TOOL_OF=${now.box.root}`
  return { mark, command: `${mark} sh -c 'trap "" TERM; echo begun > begun; sleep 300 & wait; sleep 300'` }
}

describe("Ctrl+C and Esc", () => {
  for (const [name, key] of [
    ["Ctrl+C", CTRL_C],
    ["Esc", ESC]
  ] as const) {
    it.live(`${name} stops an answer; what came of it stays, typing goes on at once`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const now = yield* talk()
          now.answers(hang([chunk({ content: "A first paragraph.\n\nAnd half of a sec" })]), textAnswer("Back again."))
          yield* now.says("speak")
          yield* now.shows("And half of a sec")
          yield* now.types("a draft")
          now.send(key)
          yield* now.shows("Interrupted.")
          assert.isTrue(yield* Effect.promise(() => now.server.chats[0]?.aborted ?? Promise.resolve(false)))
          yield* now.types(" goes on")
          assert.deepStrictEqual(input(now), ["a draft goes on"], "the draft was kept")
          now.send(ENTER)
          yield* now.gets("Back again.")
          assert.include(now.screen().join("\n"), "And half of a sec")
          isValid(now)
        })
      )
    )

    it.live(`${name} stops a command with all it started`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const now = yield* talk({ args: ["--mode", "auto"] })
          const { command, mark } = stubborn(now)
          now.answers(toolCalls([{ name: "Bash", args: { command } }]), textAnswer("Back again."))
          yield* now.says("run it")
          yield* began(now, "begun")
          now.send(key)
          yield* now.shows("Interrupted.")
          assert.deepStrictEqual(yield* noSurvivors(mark), [])
          yield* now.says("and now?")
          yield* now.gets("Back again.")
          isValid(now)
        })
      )
    )
  }

  it.live("a second Ctrl+C leaves, also where a command will not end, and nothing of it stays", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({ args: ["--mode", "auto"] })
        const { command, mark } = stubborn(now)
        now.answers(toolCalls([{ name: "Bash", args: { command } }]))
        yield* now.says("run it")
        yield* began(now, "begun")
        now.send(CTRL_C + CTRL_C)
        assert.strictEqual(yield* now.exit, 0)
        assert.deepStrictEqual(yield* noSurvivors(mark), [])
      })
    )
  )

  it.live("Ctrl+C at a permission question ends the turn: nothing ran, and the question is gone", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk()
        now.answers(
          toolCalls([{ name: "Write", args: { path: "never.txt", content: "x" } }]),
          textAnswer("Back again.")
        )
        yield* now.says("write it")
        yield* now.shows("Allow Write?")
        now.send(CTRL_C)
        yield* now.shows("Interrupted.")
        yield* now.hides("Allow Write?")
        assert.throws(() => now.box.read("never.txt"))
        yield* now.says("and now?")
        yield* now.gets("Back again.")
        isValid(now)
      })
    )
  )

  it.live("!command is stopped by Esc", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk()
        const { command, mark } = stubborn(now)
        yield* now.says(`!${command}`)
        yield* began(now, "begun")
        now.send(ESC)
        yield* now.idle
        assert.deepStrictEqual(yield* noSurvivors(mark), [])
        now.answers(textAnswer("Back again."))
        yield* now.says("and now?")
        yield* now.gets("Back again.")
        assert.include(String(now.lastMessage()), "and now?")
      })
    )
  )
})

describe("typing while the model works", () => {
  it.live("Enter queues, ↑ takes back, what is left joins the next request of the same turn", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({ args: ["--mode", "auto"] })
        const held = gate()
        now.answers(
          sse([
            chunk({ content: "Working on it." }),
            held,
            chunk({
              tool_calls: [{ index: 0, id: "c", function: { name: "Bash", arguments: '{"command":"echo ran"}' } }]
            }),
            chunk({}, "tool_calls")
          ]),
          textAnswer("Both done.")
        )
        yield* now.says("first wish")
        yield* now.shows("Working on it.")
        yield* now.says("second wish")
        yield* now.shows("↳ second wish")
        yield* now.says("third wish")
        yield* now.shows("↳ third wish")
        now.send(UP)
        yield* now.hides("↳ third wish")
        assert.deepStrictEqual(input(now), ["third wish"])
        held.open()
        yield* now.shows("Both done.")
        const sent = now.lastRequest()?.body.messages?.map(({ content, role }) => `${role}: ${content}`) ?? []
        assert.include(sent.at(-1), "second wish")
        assert.notInclude(sent.join("\n"), "third wish")
        assert.deepStrictEqual(input(now), ["third wish"], "what was taken back is a draft")
      })
    )
  )
})

describe("a server that dies", () => {
  it.live("in the middle of an answer: what came stays, the turn goes on or says why, and typing goes on", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk()
        const read = gate()
        now.answers(reset([chunk({ content: "Half of what I wan" }), read]))
        yield* now.says("speak")
        yield* now.shows("Half of what I wan")
        read.open()
        yield* now.shows("FAIL")
        now.answers(textAnswer("Back again."))
        yield* now.says("and now?")
        yield* now.gets("Back again.")
        isValid(now)
      })
    )
  )
})
