/** Terminals and users of other kinds: screen readers, no colours, no cursor, another language (spec 07). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunk, gate, sse, textAnswer, toolCalls } from "../../support/scriptedServer.ts"
import { controlsOf, foreignControls } from "./controls.ts"
import { CTRL_C, CTRL_D, ENTER, talk, type Talk } from "./support.ts"

const MARKDOWN = "# Found\n\nTwo **faults**:\n\n- one\n- two\n\n| a | b |\n| --- | --- |\n| 1 | 2 |\n\nThat was it.\n"

/** A line as a terminal's own line editing sends it. */
const types = (now: Talk, line: string): void => now.send(`${line}\n`)

/** A question, an answer in Markdown, a permission, a choice, an interruption, the end: with lines only. */
const playLines = Effect.fnUntraced(function* (now: Talk) {
  now.answers(textAnswer(MARKDOWN, { step: 5 }))
  types(now, "what is wrong?")
  yield* now.shows("That was it.")
  now.answers(toolCalls([{ name: "Write", args: { path: "a.txt", content: "one\n" } }]), textAnswer("It is written."))
  types(now, "write it")
  yield* now.shows("y: yes")
  types(now, "y")
  yield* now.shows("It is written.")
  assert.strictEqual(now.box.read("a.txt"), "one\n")
  now.answers(toolCalls([{ name: "Write", args: { path: "b.txt", content: "x" } }]), textAnswer("As you like."))
  types(now, "write more")
  yield* now.until("the second question", ({ lines }) => lines().filter((row) => row.includes("y: yes")).length >= 2)
  types(now, "n not that one")
  yield* now.shows("As you like.")
  assert.include(String(now.lastMessage()), "not that one")
  const held = gate()
  now.answers(sse([chunk({ content: "It begins.\n\n" }), held, chunk({}, "stop")]))
  types(now, "speak on")
  yield* now.shows("It begins.")
  now.send(CTRL_C)
  yield* now.shows("Interrupted.")
  types(now, "/model")
  yield* now.shows("2. test-model")
  types(now, "1")
  yield* now.shows("Model: other-model")
})

describe("MAIA_A11Y=1", () => {
  it.live("lines are only added: nothing moves, no frames, no pictures, words for what happens", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({
          env: { MAIA_A11Y: "1" },
          rows: 80,
          begins: "No permission rule",
          server: { models: ["other-model", "test-model"] }
        })
        yield* playLines(now)
        yield* now.looksLike("a11y.80", "> what is wrong?")
        now.send(CTRL_D)
        assert.strictEqual(yield* now.exit, 0)
        assert.deepStrictEqual(controlsOf(now.raw()), [])
        assert.notMatch(now.raw(), /[┈█▀▄╭╰│─⢄⢂⢁⡁⡈⡐⡠]/u)
        assert.isTrue(now.isCooked())
      })
    )
  )
})

describe("TERM=dumb", () => {
  it.live("works with lines alone, without a single escape", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({
          env: { TERM: "dumb" },
          rows: 40,
          begins: "No permission rule",
          server: { models: ["other-model", "test-model"] }
        })
        yield* playLines(now)
        types(now, "/exit")
        assert.strictEqual(yield* now.exit, 0)
        assert.deepStrictEqual(controlsOf(now.raw()), [])
      })
    )
  )
})

describe("NO_COLOR", () => {
  it.live("no colour is written, and all can be told apart without", () =>
    Effect.scoped(
      Effect.gen(function* () {
        const now = yield* talk({ env: { NO_COLOR: "1", COLORTERM: "truecolor" }, rows: 40 })
        now.answers(
          toolCalls([{ name: "Write", args: { path: "a.txt", content: "one\n" } }], { text: MARKDOWN }),
          textAnswer("Written.")
        )
        yield* now.says("look, then write")
        yield* now.shows("Allow Write?")
        yield* now.looksLike("no-color.80", "That was it.")
        now.send("y")
        yield* now.gets("Written.")
        assert.deepStrictEqual(foreignControls(now.raw()), [])
        // Weights may stay; colours of text and ground may not.
        assert.notMatch(now.raw(), /\u001b\[(?:[\d;]*;)?(?:3[0-8]|4[0-8]|9\d|10\d)[\d;]*m/)
        now.send(CTRL_D)
        assert.strictEqual(yield* now.exit, 0)
      })
    )
  )
})

describe("a French user", () => {
  for (const [name, options] of [
    ["by the locale", { env: { LANG: "fr_FR.UTF-8" } }],
    ["by the settings, whatever the locale", { env: { LANG: "en_US.UTF-8" }, settings: { language: "fr" } }]
  ] as const) {
    it.live(`is spoken to in French ${name}; keys of both languages work`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const now = yield* talk({ language: "fr", ...options })
          now.answers(
            toolCalls([{ name: "Write", args: { path: "a.txt", content: "un\n" } }]),
            toolCalls([{ name: "Write", args: { path: "b.txt", content: "deux\n" } }]),
            textAnswer("Fait.")
          )
          yield* now.says("écris-les")
          yield* now.shows("o : oui · n : non, avec un motif · t : toujours")
          now.send("t")
          yield* now.shows("Toujours autoriser, avec cette règle :")
          now.send(ENTER)
          yield* now.until("the second question", ({ screen }) => screen().some((row) => row.includes("b.txt")))
          now.send("y")
          yield* now.gets("Fait.")
          yield* now.says("/modle")
          yield* now.gets("Commande inconnue /modle. Vouliez-vous dire /model ?")
          now.send(CTRL_C)
          yield* now.shows("Ctrl+C encore une fois pour quitter")
          now.send(CTRL_C)
          assert.strictEqual(yield* now.exit, 0)
        })
      )
    )
  }
})
