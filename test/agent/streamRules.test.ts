/**
 * Stream rules in a turn (spec 05): the answer is stopped where a rule matches, the model is told, and the turn goes on.
 */
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Stream } from "effect"
import { Agent } from "../../src/agent/Agent.ts"
import type { Conversation } from "../../src/agent/Conversation.ts"
import type { LlmEvent } from "../../src/domain/llm.ts"
import type { Message } from "../../src/domain/message.ts"
import { text } from "../../src/domain/text.ts"
import { LlmError } from "../../src/llm/errors.ts"
import { isKnownEntry } from "../../src/sessions/checkEntry.ts"
import { parseRuleFile } from "../../src/stream-rules/parseRuleFile.ts"
import { RuleSet } from "../../src/stream-rules/RuleSet.ts"
import { StreamRules } from "../../src/stream-rules/StreamRules.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { conversationWith, harness, ofType, play, start, tool, until } from "./support.ts"

const { answer } = ScriptedLlm

/** Rules by name: front matter below the name, and the reminder "Do not <name>.". */
const rulesOf = async (frontMatter: Readonly<Record<string, string>>): Promise<RuleSet> => {
  const rules = []
  for (const [stem, keys] of Object.entries(frontMatter)) {
    const content = `---\n${keys}\n---\nDo not ${stem}.\n`
    const { rule, warnings } = await parseRuleFile({ file: `/rules/${stem}.md`, stem, content, level: "user" })
    assert.deepStrictEqual(warnings, [])
    if (rule !== undefined) rules.push(rule)
  }
  return new RuleSet(rules)
}

const withRules = (frontMatter: Readonly<Record<string, string>>, script: ScriptedLlm.Script) => {
  const rules = Layer.effect(
    StreamRules,
    Effect.map(
      Effect.promise(() => rulesOf(frontMatter)),
      (set) => {
        const load = Effect.succeed({ rules: set, warnings: [] })
        return StreamRules.of({ load, loadAll: load })
      }
    )
  )
  return Effect.provide(Layer.provide(harness({ script }), rules))
}

const ran: Array<string> = []
const echo = tool("Echo", (value) =>
  Effect.sync(() => {
    ran.push(value)
    return { text: `echo ${value}` }
  })
)
const fresh = Effect.suspend(() => {
  ran.length = 0
  return conversationWith([echo])
})

const told = (conversation: Conversation): ReadonlyArray<string> =>
  conversation.messages.map((message) => `${message.role}: ${message.text}${callsOf(message)}`)

const callsOf = (message: Message): string =>
  message.role === "assistant" && message.toolCalls.length > 0
    ? ` [${message.toolCalls.map(({ arguments: json }) => json).join()}]`
    : ""

const block = (rule: string, path = "", element = "interrupt"): string =>
  `<system-${element} reason="rule_violation" rule="${rule}"${path}>\nDo not ${rule}.\n</system-${element}>`

const injections = (conversation: Conversation) =>
  conversation.session
    .path()
    .flatMap((entry) =>
      isKnownEntry(entry) && entry.type === "stream_rule_injection" ? [{ rules: entry.rules, turn: entry.turn }] : []
    )

describe("a stream rule in a turn", () => {
  it.effect("stops the text, takes it back, tells the model and goes on in the same iteration", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      const events = yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(told(conversation), ["user: go", `user: ${block("shout")}`, "assistant: quiet"])
      assert.deepStrictEqual(injections(conversation), [{ rules: ["shout"], turn: 1 }])
      assert.deepStrictEqual(ofType(events, "stream-rule"), [
        { type: "stream-rule", rules: ["shout"], mode: "discard" }
      ])
      assert.strictEqual(ofType(events, "iteration").length, 1)
      assert.strictEqual(ofType(events, "discard").length, 1)
      // What came after the match is not shown.
      assert.strictEqual(
        ofType(events, "text")
          .map(({ delta }) => delta)
          .join("|"),
        "now I |SHO|UT|quiet"
      )
      assert.strictEqual(events.at(-1)?.type, "finished")
    }).pipe(
      withRules({ shout: "trigger: SHOUT" }, [
        answer({ text: ["now I ", "SHO", "UT and more", "never"] }),
        answer({ text: "quiet" })
      ])
    )
  )

  it.effect("a rule for a tool holds for its calls written as text too; a rule for text does not see them", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      const events = yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(
        ofType(events, "stream-rule").map(({ rules }) => rules),
        [["call"]]
      )
      assert.strictEqual(ofType(events, "finished")[0]?.text, "quiet")
    }).pipe(
      withRules({ call: "trigger: danger\nscope: tool:Echo", said: "trigger: danger\nscope: text" }, [
        answer({ text: ['<tool_call>{"name":"Echo","argu', 'ments":{"value":"danger"}}</tool_call>'] }),
        answer({ text: "quiet" })
      ])
    )
  )

  it.effect("stops a call in its arguments: no tool of that answer runs, not even a finished call", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(ran, ["fine"])
      assert.deepStrictEqual(told(conversation), [
        "user: go",
        `user: ${block("any")}`,
        'assistant:  [{"value":"fine"}]',
        "tool: echo fine",
        "assistant: done"
      ])
    }).pipe(
      withRules({ any: "trigger: 'x as any'\nscope: tool:Echo" }, [
        answer({
          calls: [
            { name: "Echo", input: { value: "innocent" } },
            { name: "Echo", input: { value: "const y = x as any" } }
          ]
        }),
        answer({ calls: [{ name: "Echo", input: { value: "fine" } }] }),
        answer({ text: "done" })
      ])
    )
  )

  it.effect("stops an answer at its last character, before its calls run", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(ran, [])
      assert.deepStrictEqual(told(conversation), ["user: go", `user: ${block("end")}`, "assistant: other"])
    }).pipe(
      // Only the end of the text decides.
      withRules({ end: "trigger: 'bye\\z'\nscope: text" }, [
        answer({ text: "good bye", calls: [{ name: "Echo", input: { value: "a" } }] }),
        answer({ text: "other" })
      ])
    )
  )

  it.effect("two rules in one batch are told in one message", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      const events = yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(told(conversation), [
        "user: go",
        `user: ${block("one")}\n\n${block("two")}`,
        "assistant: ok"
      ])
      assert.deepStrictEqual(injections(conversation), [{ rules: ["one", "two"], turn: 1 }])
      assert.strictEqual(ofType(events, "stream-rule").length, 1)
    }).pipe(
      withRules({ one: "trigger: uno", two: "trigger: due" }, [answer({ text: "uno due" }), answer({ text: "ok" })])
    )
  )

  it.effect("does not fire on its own reminder, nor again in the turn when the model repeats it", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(told(conversation).slice(1), [
        `user: ${block("shout")}`,
        "assistant: I was told: Do not shout."
      ])
    }).pipe(
      withRules({ shout: "trigger: 'shout'\nrepeat: after-gap\nrepeatGap: 1" }, [
        answer({ text: "I shout" }),
        answer({ text: "I was told: Do not shout." })
      ])
    )
  )

  it.effect("keeps the partial output when asked to: finished calls with a result, the unfinished one dropped", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(ran, [])
      const [, kept, result, reminder, last] = told(conversation)
      assert.strictEqual(kept, 'assistant: Working. [{"value":"innocent"}]')
      assert.match(result ?? "", /^tool: Not run: /)
      assert.strictEqual(reminder, `user: ${block("bad")}`)
      assert.strictEqual(last, "assistant: done")
    }).pipe(
      withRules({ bad: "trigger: evil\ncontextMode: keep" }, [
        answer({
          text: "Working.",
          calls: [
            { name: "Echo", input: { value: "innocent" } },
            { name: "Echo", input: { value: "evil" } }
          ]
        }),
        answer({ text: "done" })
      ])
    )
  )

  it.effect("keeps kept text up to the match", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(told(conversation).slice(1), [
        "assistant: so evil",
        `user: ${block("bad")}`,
        "assistant: ok"
      ])
    }).pipe(
      withRules({ bad: "trigger: evil\ncontextMode: keep" }, [
        answer({ text: "so evil indeed" }),
        answer({ text: "ok" })
      ])
    )
  )

  it.effect("that only notes is told after the tool results, and the tools run", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      const events = yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(ran, ["evil"])
      assert.deepStrictEqual(told(conversation).slice(1), [
        'assistant:  [{"value":"evil"}]',
        "tool: echo evil",
        `user: ${block("bad", "", "note")}`,
        "assistant: evil"
      ])
      assert.deepStrictEqual(ofType(events, "stream-rule"), [{ type: "stream-rule", rules: ["bad"], mode: "note" }])
      assert.strictEqual(ofType(events, "discard").length, 0)
    }).pipe(
      withRules({ bad: "trigger: evil\ninterrupt: never" }, [
        answer({ calls: [{ name: "Echo", input: { value: "evil" } }] }),
        answer({ text: "evil" })
      ])
    )
  )

  it.effect("that only notes is told after a turn without tools", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      yield* play(conversation, { text: "next" })
      assert.deepStrictEqual(told(conversation), [
        "user: go",
        "assistant: evil",
        `user: ${block("bad", "", "note")}`,
        "user: next",
        "assistant: evil"
      ])
    }).pipe(withRules({ bad: "trigger: evil\ninterrupt: never" }, [answer({ text: "evil" }), answer({ text: "evil" })]))
  )

  it.effect("stops at most five answers of a turn; then one warning, and the answer stands", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      const events = yield* play(conversation, { text: "go" })
      assert.strictEqual(ofType(events, "stream-rule").length, 5)
      assert.strictEqual(ofType(events, "warning").filter(({ code }) => code === "stream_rule").length, 1)
      assert.strictEqual(told(conversation).at(-1), "assistant: r5 r6")
      assert.strictEqual(ofType(events, "iteration").length, 1)
    }).pipe(
      withRules(
        Object.fromEntries(Array.from({ length: 7 }, (_, i) => [`rule${i}`, `trigger: r${i}`])),
        (_request, n) => answer({ text: n === 5 ? ["r5", " r6"] : `r${n}` })
      )
    )
  )

  it.effect("fires again after its gap, counted in completed turns, and never with once", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      const fired: Array<string> = []
      for (let turn = 1; turn <= 4; turn++) {
        const events = yield* play(conversation, { text: `turn ${turn}` })
        for (const { rules } of ofType(events, "stream-rule")) fired.push(`${turn}: ${rules.join()}`)
      }
      assert.deepStrictEqual(fired, ["1: gap,once", "3: gap"])
      assert.deepStrictEqual(injections(conversation), [
        { rules: ["gap", "once"], turn: 1 },
        { rules: ["gap"], turn: 3 }
      ])
    }).pipe(
      withRules({ gap: "trigger: evil\nrepeat: after-gap\nrepeatGap: 2", once: "trigger: evil" }, () =>
        answer({ text: "evil" })
      )
    )
  )

  it.effect("interrupts the request itself at once, while the server still writes", () =>
    Effect.gen(function* () {
      const closed = yield* Deferred.make<void>()
      const endless: Stream.Stream<LlmEvent> = Stream.concat(
        Stream.fromIterable([{ type: "text-delta", text: "evil" } as const]),
        Stream.never
      ).pipe(Stream.ensuring(Deferred.succeed(closed, undefined)))
      yield* Effect.gen(function* () {
        const conversation = yield* fresh
        yield* play(conversation, { text: "go" })
        yield* Deferred.await(closed)
        assert.strictEqual(told(conversation).at(-1), "assistant: ok")
      }).pipe(withRules({ bad: "trigger: evil" }, [endless, answer({ text: "ok" })]))
    })
  )

  it.effect("leaves a valid session when the user interrupts between the stop and the next answer", () =>
    Effect.gen(function* () {
      const stop = yield* Deferred.make<void>()
      const conversation = yield* fresh
      const events = yield* start(conversation, { text: "go", interrupt: Deferred.await(stop) })
      yield* until(events, "discard")
      yield* Deferred.succeed(stop, undefined)
      const last = yield* until(events, "finished")
      assert.strictEqual(last.type === "finished" ? last.reason : "", "interrupted")
      // The discarded text is not there; what the model was to be told is.
      assert.deepStrictEqual(told(conversation), ["user: go", `user: ${block("bad")}`])
    }).pipe(withRules({ bad: "trigger: evil" }, [answer({ text: "evil" }), Stream.never]))
  )

  it.effect("says a provider's error on the retry and keeps the session valid", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      const events = yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(
        ofType(events, "error").map(({ code }) => code),
        ["server_error"]
      )
      assert.deepStrictEqual(told(conversation), ["user: go", `user: ${block("bad")}`])
      const finished = events.at(-1)
      assert.strictEqual(finished?.type === "finished" ? finished.reason : "", "error")
    }).pipe(
      withRules({ bad: "trigger: evil" }, [
        answer({ text: "evil" }),
        new LlmError({ code: "server_error", text: text("down", "en panne") })
      ])
    )
  )

  it.effect("watches the answer that a provider sends again, and forgets the one that is void", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(told(conversation), ["user: go", "assistant: il"])
    }).pipe(
      withRules({ bad: "trigger: evil" }, [
        [
          { type: "text-delta", text: "ev" },
          { type: "discard", reason: "cut" },
          { type: "text-delta", text: "il" },
          { type: "finish", reason: "end_turn" }
        ]
      ])
    )
  )

  it.live("with engine: js is settled before any tool runs", () =>
    Effect.gen(function* () {
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(ran, ["fine"])
      assert.strictEqual(told(conversation)[1], `user: ${block("twice")}`)
    }).pipe(
      withRules({ twice: "trigger: '(\\w+) \\1'\nengine: js" }, [
        answer({ calls: [{ name: "Echo", input: { value: "again again" } }] }),
        answer({ calls: [{ name: "Echo", input: { value: "fine" } }] }),
        answer({ text: "done" })
      ])
    )
  )
})

describe("a composition without stream rules", () => {
  it.effect("watches nothing", () =>
    Effect.gen(function* () {
      yield* Agent
      const conversation = yield* fresh
      yield* play(conversation, { text: "go" })
      assert.deepStrictEqual(told(conversation), ["user: go", "assistant: anything"])
    }).pipe(Effect.provide(harness({ script: [answer({ text: "anything" })] })))
  )
})
