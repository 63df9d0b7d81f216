/**
 * What `maia rules list` and `maia rules test` are built on: places in texts, calls and recorded answers.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { LlmEvent } from "../../src/domain/llm.ts"
import { recordedAnswers } from "../../src/stream-rules/recording.ts"
import { describeRules, testRules, type RuleHit, type TestedAs } from "../../src/stream-rules/report.ts"
import { rulesOf } from "./support.ts"

const tried = Effect.fnUntraced(function* (keys: Readonly<Record<string, string>>, text: string, as: TestedAs) {
  const rules = yield* Effect.promise(() => rulesOf(keys))
  return yield* testRules({ rules, launchFolder: "/work", text, as })
})

const places = (hits: ReadonlyArray<RuleHit>): ReadonlyArray<string> =>
  hits.map(({ rule, line, column, excerpt }) => `${rule} ${line}:${column} ${JSON.stringify(excerpt)}`)

const TEXT: TestedAs = { scope: "text" }

describe("testRules", () => {
  it.effect("says line, column and text of each rule's first match, in the order of firing", () =>
    Effect.gen(function* () {
      const rules = { late: "trigger: 'f\\w+d\\b'", early: "trigger: two", never: "trigger: nowhere" }
      const { hits } = yield* tried(rules, "one two\n  😀 find two\n", TEXT)
      assert.deepStrictEqual(places(hits), ['early 1:5 "two"', 'late 2:5 "find"'])
    })
  )

  it.effect("a match at the very beginning of a text that begins with a line end is in line 1", () =>
    Effect.gen(function* () {
      const { hits } = yield* tried({ gap: "trigger: '\\n+a'" }, "\n\na b", TEXT)
      assert.deepStrictEqual(
        hits.map(({ column, line }) => [line, column]),
        [[1, 1]]
      )
    })
  )

  it.effect("finds the beginning where the expression looks at what follows", () =>
    Effect.gen(function* () {
      const rules = { end: "trigger: 'a+$'", start: "trigger: '^b+c'", last: "trigger: 'z\\z'" }
      const { hits } = yield* tried(rules, "a ab aaa\nbbc z", TEXT)
      assert.deepStrictEqual(places(hits), ['end 1:6 "aaa"', 'start 2:1 "bbc"', 'last 2:5 "z"'])
    })
  )

  it.effect("takes a text for what a tool would write, at the path given", () =>
    Effect.gen(function* () {
      const rules = { typescript: "trigger: any\nscope: tool:Edit(*.ts)", prose: "trigger: any\nscope: text" }
      const inTypescript = yield* tried(rules, "let x:\n  any", { scope: "tool", tool: "Edit", path: "src/a.ts" })
      assert.deepStrictEqual(inTypescript.hits, [
        {
          rule: "typescript",
          interrupt: "always",
          scope: "tool",
          tool: "Edit",
          path: "src/a.ts",
          key: "edits[].new",
          line: 2,
          column: 3,
          excerpt: "any"
        }
      ])
      const inPython = yield* tried(rules, "any", { scope: "tool", tool: "Edit", path: "src/a.py" })
      assert.deepStrictEqual(inPython.hits, [])
      const inText = yield* tried(rules, "any", TEXT)
      assert.deepStrictEqual(places(inText.hits), ['prose 1:1 "any"'])
      const inThinking = yield* tried(rules, "any", { scope: "thinking" })
      assert.deepStrictEqual(inThinking.hits, [])
    })
  )

  it.effect("reads the events of a recorded answer", () =>
    Effect.gen(function* () {
      const rules = yield* Effect.promise(() =>
        rulesOf({ key: "trigger: 'sk-\\d+'", thought: "trigger: hm\nscope: thinking" })
      )
      const events: ReadonlyArray<LlmEvent> = [
        { type: "reasoning-delta", text: "so h" },
        { type: "reasoning-delta", text: "m" },
        { type: "tool-call-start", index: 0, id: "c", name: "Write" },
        { type: "tool-call-delta", index: 0, delta: '{"path":"a","content":"x\\nk = sk' },
        { type: "tool-call-delta", index: 0, delta: '-12"}' }
      ]
      const { hits } = yield* testRules({ rules, launchFolder: "/work", events })
      assert.deepStrictEqual(places(hits), ['thought 1:4 "hm"', 'key 2:5 "sk-1"'])
    })
  )

  it.live("runs rules with engine: js", () =>
    Effect.gen(function* () {
      const rules = { ahead: "trigger: 'foo(?=bar)'\nengine: js" }
      const { hits, warnings } = yield* tried(rules, "first\nfoo, foobar\n", TEXT)
      assert.deepStrictEqual([places(hits), warnings], [['ahead 2:9 "foo, foo"'], []])
    })
  )

  it.effect("shows at most 200 characters of a long match", () =>
    Effect.gen(function* () {
      const { hits } = yield* tried({ long: "trigger: 'b[^e]*e'" }, `b${"😀".repeat(1000)}e`, TEXT)
      assert.strictEqual(hits[0]?.excerpt, `b${"😀".repeat(199)}`)
    })
  )
})

describe("describeRules", () => {
  it.effect("gives each rule as it is written", () =>
    Effect.gen(function* () {
      const rules = yield* Effect.promise(() =>
        rulesOf({
          one: "trigger: [a, b]\ndescription: About a\nscope: [text, 'tool:Edit(*.{ts,tsx})']\ninterrupt: never",
          two: "trigger: (?<=a)b\nengine: js"
        })
      )
      const common = { level: "user" as const }
      assert.deepStrictEqual(describeRules(rules), [
        {
          ...common,
          name: "one",
          description: "About a",
          file: "/rules/one.md",
          triggers: ["a", "b"],
          scopes: ["text", "tool:Edit(*.{ts,tsx})"],
          interrupt: "never",
          engine: "re2"
        },
        {
          ...common,
          name: "two",
          description: "",
          file: "/rules/two.md",
          triggers: ["(?<=a)b"],
          scopes: ["text", "tool"],
          interrupt: "always",
          engine: "js"
        }
      ])
    })
  )
})

describe("recordedAnswers", () => {
  const time = "2026-01-02T03:04:05.678Z"

  it("finds the bodies in a debug file", () => {
    const log =
      `\n=== ${time} POST http://h/v1/chat/completions\n{"a":"\\n--- 200\\n"}\n--- 200\ncontent-type: text/event-stream\n\ndata: 1\n\ndata: 2\n\n\n` +
      `\n=== ${time} POST http://h/v1/chat/completions\n{}\n` +
      `\n=== ${time} POST http://h/v1/chat/completions\n{}\n--- 429\n\n{"error":{}}\n`
    assert.deepStrictEqual(
      recordedAnswers(log).map((body) => body.trim()),
      ["data: 1\n\ndata: 2", '{"error":{}}']
    )
  })

  it("takes anything else for one body", () => {
    assert.deepStrictEqual(recordedAnswers("data: {}\n\n"), ["data: {}\n\n"])
    assert.deepStrictEqual(recordedAnswers("\n"), [])
  })
})
