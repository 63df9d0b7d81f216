import { assert, describe, it } from "@effect/vitest"
import type { StopReason } from "../../../src/domain/message.ts"
import { DeclaredTools } from "../../../src/llm/textCalls/DeclaredTools.ts"
import { TextCallRecogniser, textCallFormats } from "../../../src/llm/textCalls/TextCallRecogniser.ts"
import { cases, specs } from "./support.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const tools = new DeclaredTools(specs)

const recognise = (pieces: ReadonlyArray<string>, reason: StopReason = "end_turn") => {
  const recogniser = new TextCallRecogniser(tools)
  for (const piece of pieces) if (!recogniser.push(piece)) return undefined
  return recogniser.end(reason)
}

/** Name and decoded arguments. */
const calls = (pieces: ReadonlyArray<string>) =>
  recognise(pieces)?.map((call) => {
    assert.isUndefined(call.problem)
    return [call.name, JSON.parse(call.arguments) as unknown] as const
  })

const problems = (text: string, reason: StopReason = "end_turn") =>
  recognise([text], reason)?.map(({ name, arguments: args, problem }) => [name, args, problem?.kind])

describe("tool calls written as text", () => {
  it("every format of the table has texts that are calls and texts that are none", () => {
    for (const { name } of textCallFormats) {
      assert.isNotEmpty(cases[name]?.fires ?? [], name)
      assert.isNotEmpty(cases[name]?.stays ?? [], name)
    }
  })

  for (const [format, { fires, stays }] of Object.entries(cases)) {
    describe(format, () => {
      for (const { text, calls: expected } of fires) {
        it(`is a call: ${JSON.stringify(text)}`, () => assert.deepStrictEqual(calls([text]), [...expected]))
      }
      for (const text of stays) {
        it(`stays text: ${JSON.stringify(text)}`, () => assert.isUndefined(recognise([text])))
      }
    })
  }

  it("gives the same wherever the text is cut, and letter by letter", () => {
    for (const { fires, stays } of Object.values(cases)) {
      for (const { text, calls: expected } of fires) {
        for (let at = 0; at <= text.length; at++) {
          assert.deepStrictEqual(calls([text.slice(0, at), text.slice(at)]), [...expected], `${text} at ${at}`)
        }
        assert.deepStrictEqual(calls(Array.from(text)), [...expected])
      }
      for (const text of stays) {
        for (let at = 0; at <= text.length; at++) {
          assert.isUndefined(recognise([text.slice(0, at), text.slice(at)]), `${text} at ${at}`)
        }
        assert.isUndefined(recognise(Array.from(text)))
      }
    }
  })

  it("a prefix that could still be a call is never given up", () => {
    for (const { text } of Object.values(cases).flatMap(({ fires }) => fires)) {
      const recogniser = new TextCallRecogniser(tools)
      for (const letter of Array.from(text)) assert.isTrue(recogniser.push(letter), text)
    }
  })

  it("text is given up at the first character that does not fit", () => {
    for (const [text, given] of [
      ["Hello", 1],
      ['{"users": 1}', 3],
      ['{"name": "Alice"}', 11],
      ['{"name": "Bash", "version": 1}', 19],
      ["```ts\n", 5],
      ["```python\n", 4],
      ["<div>", 2],
      ["[1, 2]", 2],
      ["[link](x)", 2],
      ["<tool_call> is", 13]
    ] as const) {
      const recogniser = new TextCallRecogniser(tools)
      const at = Array.from(text).findIndex((letter) => !recogniser.push(letter))
      assert.strictEqual(at + 1, given, text)
    }
  })

  it("a call cut by the limit is a cut call, in every format", () => {
    for (const { text } of Object.values(cases)
      .map(({ fires }) => fires[0])
      .flatMap((found) => (found === undefined ? [] : [found]))) {
      const inside = text.search(/(?<=["'>\n])ls/) + 1
      assert.deepStrictEqual(problems(text.slice(0, inside), "max_tokens"), [["Bash", "{}", "cut"]], text)
    }
  })

  it("a call with an end missing that was not cut: marked ones go back to the model, others are text", () => {
    assert.deepStrictEqual(problems('<tool_call>{"name": "Bash", "arguments": {"command": "ec'), [
      ["Bash", "{}", "malformed"]
    ])
    assert.isUndefined(problems('{"name": "Bash", "arguments": {"command": "ec'))
    assert.isUndefined(problems('[Bash(command="ec'))
  })

  it("broken arguments between marks go back to the model", () => {
    assert.deepStrictEqual(problems('<tool_call>{"name": "Bash", "arguments": {"command": ls}}</tool_call>'), [
      ["Bash", "{}", "malformed"]
    ])
    assert.deepStrictEqual(problems('<tool_call>{"name": "Bash", "arguments": {"command": "echo "hi""}}</tool_call>'), [
      ["Bash", "{}", "malformed"]
    ])
  })

  it("what is whole in an answer that was cut afterwards still counts", () => {
    const found = recognise(
      ['<tool_call>{"name":"Bash","arguments":{"command":"ls"}}</tool_call>\n<tool_call>{"name":"Read","arg'],
      "max_tokens"
    )
    assert.deepStrictEqual(
      found?.map(({ name, problem }) => [name, problem?.kind]),
      [
        ["Bash", undefined],
        ["Read", "cut"]
      ]
    )
  })

  it("a model that cannot stop calling is text", () => {
    assert.isUndefined(recognise(['{"name":"Bash","arguments":{"command":"ls"}}\n'.repeat(100)]))
  })

  it("nothing and blanks are text", () => {
    assert.isUndefined(recognise([]))
    assert.isUndefined(recognise(["", " \n"]))
  })

  it("is linear: a call of 400 KB in pieces of four characters", () => {
    const time = (size: number) => {
      const text = `<tool_call>${JSON.stringify({ name: "Bash", arguments: { command: 'a "b"\n'.repeat(size / 6) } })}</tool_call>`
      const pieces = text.match(/[\s\S]{1,4}/g) ?? []
      const started = cpuTime()
      assert.strictEqual(recognise(pieces)?.length, 1)
      return cpuTime() - started
    }
    time(50_000)
    const small = Math.min(time(100_000), time(100_000))
    const large = Math.min(time(400_000), time(400_000))
    assert.isBelow(large, Math.max(100, small * 10))
  })

  it("mutated texts never throw, and are the same calls or the same text however they are cut", () => {
    const random = seeded(7)
    const all = Object.values(cases).flatMap(({ fires, stays }) => [...fires.map(({ text }) => text), ...stays])
    for (let n = 0; n < 6000; n++) {
      const text = mutated(all[Math.floor(random() * all.length)] ?? "", random)
      const reason = random() < 0.3 ? "max_tokens" : "end_turn"
      const whole = recognise([text], reason)
      const at = Math.floor(random() * (text.length + 1))
      assert.deepStrictEqual(recognise([text.slice(0, at), text.slice(at)], reason), whole, JSON.stringify(text))
      if (n % 10 === 0) assert.deepStrictEqual(recognise(Array.from(text), reason), whole, JSON.stringify(text))
      for (const call of whole ?? []) {
        assert.isTrue(specs.some(({ name }) => name === call.name))
        const input: unknown = JSON.parse(call.arguments)
        assert.isTrue(typeof input === "object" && input !== null && !Array.isArray(input))
      }
    }
  })
})

/** The same numbers each time (mulberry32). */
const seeded = (seed: number) => () => {
  seed = (seed + 0x6d2b79f5) | 0
  let t = Math.imul(seed ^ (seed >>> 15), 1 | seed)
  t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
  return ((t ^ (t >>> 14)) >>> 0) / 4294967296
}

const JUNK = [
  "{",
  "}",
  "[",
  "]",
  '"',
  "'",
  "\\",
  "<",
  ">",
  "`",
  "\n",
  " ",
  "(",
  ")",
  ",",
  ":",
  "=",
  "a",
  "0",
  "é",
  "😀",
  "|",
  "</tool_call>"
]

/** One to three letters, or a stretch, taken out, doubled or put in. */
const mutated = (text: string, random: () => number): string => {
  let out = text
  for (let n = 1 + Math.floor(random() * 3); n > 0; n--) {
    const at = Math.floor(random() * (out.length + 1))
    const to = Math.min(out.length, at + 1 + Math.floor(random() * (random() < 0.2 ? 30 : 1)))
    const kind = random()
    const put = JUNK[Math.floor(random() * JUNK.length)] ?? ""
    out =
      out.slice(0, at) +
      (kind < 0.4 ? "" : kind < 0.6 ? out.slice(at, to).repeat(2) : put) +
      out.slice(kind < 0.8 ? to : at)
  }
  return out
}
