/** Hooks in the turn loop, with hooks that are functions: what each answer changes, and that permissions judge after it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { text } from "../../src/domain/text.ts"
import { Hooks, type HookSaid, type HooksService } from "../../src/extensions/hooks/Hooks.ts"
import type { HookEvent } from "../../src/extensions/hooks/events.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { conversationWith, harness, ofType, play, tool } from "./support.ts"

type Said = (payload: Readonly<Record<string, unknown>>) => { readonly answer?: unknown; readonly blocked?: string }

interface Played extends HooksService {
  readonly calls: Array<readonly [event: HookEvent, payload: Readonly<Record<string, unknown>>]>
}

/** One function per event. */
const hooksOf = (said: Partial<Record<HookEvent, Said>>): Played => {
  const calls: Played["calls"] = []
  return {
    calls,
    has: (event) => said[event] !== undefined,
    run: (event, _name, payload, next) =>
      Effect.sync(() => {
        calls.push([event, payload])
        const { answer, blocked } = said[event]?.(payload) ?? {}
        // A test's own answers have the form of the event's.
        next({ answer, blocked } as HookSaid<typeof event>)
      }),
    notify: () => Effect.void,
    takeWarnings: Effect.succeed([])
  }
}

const echo = tool("Echo", (value) => Effect.succeed({ text: `said ${value}` }))
const call = (value: string) => ScriptedLlm.answer({ calls: [{ name: "Echo", input: { value } }] })
const done = ScriptedLlm.answer({ text: "done" })

const turn = (hooks: HooksService, options: Parameters<typeof harness>[0], typed = "go") =>
  Effect.gen(function* () {
    const conversation = yield* conversationWith([echo])
    const events = yield* play(conversation, { text: typed })
    const { all } = yield* ScriptedLlm.ScriptedRequests
    return { events, conversation, requests: all }
  }).pipe(Effect.provide(harness(options)), Effect.provideService(Hooks, hooks), Effect.scoped)

const reasonOf = (events: Effect.Success<ReturnType<typeof turn>>["events"]) => ofType(events, "finished")[0]?.reason

describe("user_prompt", () => {
  it.effect("changes the text and adds context", () =>
    Effect.gen(function* () {
      const hooks = hooksOf({ user_prompt: () => ({ answer: { prompt: "GO", context: "It is Monday." } }) })
      const { requests } = yield* turn(hooks, { script: [done] })
      assert.strictEqual(requests[0]?.messages[0]?.text, "GO\n\nIt is Monday.")
    })
  )

  it.effect("blocks: nothing is sent and nothing is in the session", () =>
    Effect.gen(function* () {
      const hooks = hooksOf({ user_prompt: () => ({ blocked: "a secret is in it" }) })
      const { conversation, events, requests } = yield* turn(hooks, { script: [done] })
      assert.deepStrictEqual([requests.length, conversation.messages.length, reasonOf(events)], [0, 0, "refused"])
      assert.include(ofType(events, "error")[0]?.message.en, "a secret is in it")
    })
  )
})

describe("before_tool and after_tool", () => {
  it.effect("changed arguments are judged by the rules and told to the model", () =>
    Effect.gen(function* () {
      const judged: Array<unknown> = []
      const hooks = hooksOf({ before_tool: () => ({ answer: { input: { value: "b" } } }) })
      const { requests } = yield* turn(hooks, {
        script: [call("a"), done],
        decide: ({ input, tool: name }) => {
          judged.push(input["value"])
          return { decision: "allow", reason: text("", ""), subject: name, suggestions: [] }
        }
      })
      assert.deepStrictEqual(judged, ["b"])
      const result = requests[1]?.messages.at(-1)?.text ?? ""
      assert.match(
        result,
        /^said b\n\[note: A hook of the user changed the arguments; what ran is \{"value":"b"\}\.\]$/
      )
    })
  )

  it.effect("arguments that no tool takes run nothing", () =>
    Effect.gen(function* () {
      const hooks = hooksOf({ before_tool: () => ({ answer: { input: { other: 1 } } }) })
      const { requests } = yield* turn(hooks, { script: [call("a"), done] })
      const result = requests[1]?.messages.at(-1)
      assert.isTrue(result?.role === "tool" && result.isError)
      assert.include(result?.text, "so that nothing could be run")
    })
  )

  it.effect("a block is the result, nobody is asked, and the turn goes on", () =>
    Effect.gen(function* () {
      const hooks = hooksOf({
        before_tool: ({ input }) => (JSON.stringify(input).includes("bad") ? { blocked: "not that" } : {})
      })
      const script = [
        ScriptedLlm.answer({
          calls: [
            { name: "Echo", input: { value: "bad" } },
            { name: "Echo", input: { value: "good" } }
          ]
        }),
        done
      ]
      const { events, requests } = yield* turn(hooks, { script })
      assert.deepStrictEqual(
        requests[1]?.messages.slice(-2).map((message) => message.text),
        ["[blocked by a hook of the user: not that]", "said good"]
      )
      assert.lengthOf(ofType(events, "permission"), 1)
      assert.strictEqual(reasonOf(events), "done")
    })
  )

  it.effect("after_tool replaces the text, adds to it, and its complaint goes to the model", () =>
    Effect.gen(function* () {
      const results: Array<Record<string, unknown>> = [
        { answer: { text: "hidden" } },
        { answer: { context: "and formatted" } },
        { blocked: "the tests fail now" },
        { answer: { block: true, reason: "style" } }
      ]
      const hooks = hooksOf({ after_tool: () => results.shift() ?? {} })
      const { requests } = yield* turn(hooks, { script: [call("1"), call("2"), call("3"), call("4"), done] })
      assert.deepStrictEqual(
        requests[4]?.messages.filter(({ role }) => role === "tool").map((message) => message.text),
        [
          "hidden",
          "said 2\nand formatted",
          "said 3\n[a hook of the user says: the tests fail now]",
          "said 4\n[a hook of the user says: style]"
        ]
      )
    })
  )

  it.effect("a call that was not understood or does not exist reaches no hook", () =>
    Effect.gen(function* () {
      const hooks = hooksOf({ before_tool: () => ({}), after_tool: () => ({}) })
      const script = [
        ScriptedLlm.answer({
          calls: [
            { name: "Nothing", input: {} },
            { name: "Echo", input: {} }
          ]
        }),
        done
      ]
      yield* turn(hooks, { script })
      assert.deepStrictEqual(hooks.calls, [])
    })
  )
})

describe("before_stop", () => {
  it.effect("the model goes on, three times at most", () =>
    Effect.gen(function* () {
      const hooks = hooksOf({ before_stop: ({ continued }) => ({ blocked: `test ${String(continued)} fails` }) })
      const { events, requests } = yield* turn(hooks, { script: () => done })
      assert.lengthOf(requests, 4)
      assert.deepStrictEqual(
        requests[3]?.messages.filter(({ role }) => role === "user").map((message) => message.text),
        ["go", "test 0 fails", "test 1 fails", "test 2 fails"]
      )
      assert.strictEqual(reasonOf(events), "done")
    })
  )

  it.effect("ends where it has nothing to say, and never goes past the limit of iterations", () =>
    Effect.gen(function* () {
      const quiet = yield* turn(hooksOf({ before_stop: () => ({}) }), { script: [done] })
      assert.lengthOf(quiet.requests, 1)
      const hooks = hooksOf({ before_stop: () => ({ answer: { continue: true } }) })
      const limited = yield* turn(hooks, { script: () => done, maxIterations: 2 })
      assert.strictEqual(reasonOf(limited.events), "max_iterations")
      assert.strictEqual(limited.requests.at(-1)?.toolChoice, "none")
    })
  )
})
