/**
 * The streaming automaton against re2js's own matcher, and against itself with the text cut everywhere.
 */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { RE2JS } from "re2js"
import { Automaton, Cursor } from "../../src/stream-rules/engine/automaton.ts"
import { compileTrigger } from "../../src/stream-rules/engine/program.ts"
import { cpuTime } from "../support/cpuTime.ts"

const automatonOf = async (...expressions: ReadonlyArray<string>): Promise<Automaton> => {
  const programs = []
  for (const [id, expression] of expressions.entries()) {
    const compiled = await compileTrigger(expression)
    if (!compiled.ok) throw new Error(`${expression}: ${compiled.problem}`)
    programs.push({ id, program: compiled.program })
  }
  return new Automaton(programs)
}

/** First match of each expression, as `id@offset`, in the order they were told. */
const firsts = (automaton: Automaton, pieces: ReadonlyArray<string>): ReadonlyArray<string> => {
  const found = new Map<number, number>()
  const cursor = new Cursor(automaton)
  const note = (id: number, offset: number) => {
    if (!found.has(id)) found.set(id, offset)
  }
  for (const piece of pieces) cursor.feed(piece, note)
  cursor.end(note)
  return [...found].map(([id, offset]) => `${id}@${offset}`)
}

/** Where the earliest match ends, by asking for every prefix. Assertions on the next character see the whole text. */
const earliestEnd = (expression: string, text: string): number | undefined => {
  for (let end = 0; end <= text.length; end++) {
    for (let start = 0; start <= end; start++) {
      const between = RE2JS.compile(
        `\\A(?s:.{${start}})(?:${expression})(?s:.{${text.length - end}})\\z`,
        RE2JS.MULTILINE
      )
      if (between.test(text)) return end
    }
  }
  return undefined
}

const EXPRESSIONS = [
  "abc",
  "a+b",
  "(a+)+$",
  "^ab",
  "ab$",
  "\\bab\\b",
  "\\Aab",
  "ab\\z",
  "(?i)AbC",
  "a.*c",
  "a[^b]c",
  "a{2,3}b",
  "b|ca",
  "\\Bb",
  "a\\sb",
  "(?s)a.b"
]

describe("the automaton", () => {
  for (const expression of EXPRESSIONS) {
    it(`finds the earliest end of ${expression}, as re2js does`, async () => {
      const automaton = await automatonOf(expression)
      fc.assert(
        fc.property(fc.array(fc.constantFrom("a", "b", "c", "\n", " ", "A", "B"), { maxLength: 8 }), (characters) => {
          const text = characters.join("")
          const end = earliestEnd(expression, text)
          assert.deepStrictEqual(firsts(automaton, [text]), end === undefined ? [] : [`0@${end}`], JSON.stringify(text))
        }),
        { seed: 5, numRuns: 60 }
      )
    })
  }

  it("fires at the same character however the stream is cut", async () => {
    const automaton = await automatonOf(...EXPRESSIONS, "😀+b", "é$", "[😀-😂]a")
    const character = fc.constantFrom("a", "b", "c", "\n", " ", "é", "😀", "😁", "\ud83d", "C")
    fc.assert(
      fc.property(
        fc.array(character, { maxLength: 40 }),
        fc.array(fc.nat(60), { maxLength: 6 }),
        (characters, cuts) => {
          const text = characters.join("")
          const whole = firsts(automaton, [text])
          assert.deepStrictEqual(firsts(automaton, text.split("")), whole)
          const at = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
          assert.deepStrictEqual(
            firsts(
              automaton,
              at.map((from, i) => text.slice(from, at[i + 1] ?? text.length))
            ),
            whole
          )
        }
      ),
      { seed: 5, numRuns: 500 }
    )
  })

  it("knows upper and lower case beyond ASCII", async () => {
    const automaton = await automatonOf("(?i)été", "(?i)kilo", "(?i)σas", "(?i)maſs")
    assert.deepStrictEqual(firsts(automaton, ["ÉTÉ \u212Ailo ςAS MASS"]), ["0@3", "1@8", "2@12", "3@17"])
  })

  it("does not stall on (a+)+$ and a long run of a", async () => {
    const automaton = await automatonOf("(a+)+$", "(a|a)*b", "(a*)*c", "(?:a?){30}a{30}d")
    const run = "a".repeat(1_000_000)
    const start = cpuTime()
    assert.deepStrictEqual(firsts(automaton, [run, "!"]), [])
    assert.isBelow(cpuTime() - start, 2000)
    assert.deepStrictEqual(firsts(automaton, [run]), ["0@1000000"])
  })

  it("stays linear and bounded where each character makes a new state", async () => {
    const automaton = await automatonOf("a[ab]{200}c", "b[ab]{150}d")
    let seed = 7
    const next = () => (seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff)
    const text = Array.from({ length: 20_000 }, () => (next() & 0x10000 ? "a" : "b")).join("")
    const start = cpuTime()
    assert.deepStrictEqual(firsts(automaton, [text]), [])
    assert.isBelow(cpuTime() - start, 10_000)
    assert.deepStrictEqual(firsts(automaton, [`${text}a${"b".repeat(200)}c`]), [`0@${20_202}`])
  })

  it("refuses what it cannot run in linear time, and says which could run as engine: js", async () => {
    for (const [expression, needsJs] of [
      ["a(?=b)", true],
      ["(?<!a)b", true],
      ["(a)\\1", true],
      ["(", false],
      ["a*", false],
      ["^$", false],
      ["(?:a{900}){900}", false],
      ["[é-€]{1000}(?:[a-z]{1000}[0-9]{999})b", false]
    ] as const) {
      const compiled = await compileTrigger(expression)
      assert.isFalse(compiled.ok, expression)
      if (!compiled.ok) assert.strictEqual(compiled.needsJs, needsJs, expression)
    }
  })
})
