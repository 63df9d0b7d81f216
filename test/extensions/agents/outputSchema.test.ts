import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { checkAnswer, checkSchema } from "../../../src/extensions/agents/outputSchema.ts"

const schema = {
  type: "object",
  required: ["verdict"],
  additionalProperties: false,
  properties: { verdict: { enum: ["good", "bad"] }, notes: { type: "array", items: { $ref: "#/$defs/note" } } },
  $defs: { note: { type: "string", pattern: "^[a-z ]+$", maxLength: 20 } }
}

const check = (answer: string) => Effect.promise(() => checkAnswer(schema, answer))

describe("a typed answer", () => {
  it.effect("is found however the model wraps it", () =>
    Effect.gen(function* () {
      const json = '{"verdict":"good"}'
      for (const answer of [
        json,
        ` \n${json}\n`,
        `Here it is:\n\n\`\`\`json\n${json}\n\`\`\`\nDone.`,
        `First \`\`\`js\n{ no }\n\`\`\` then\n\`\`\`\n{\n  "verdict": "good"\n}\n\`\`\``,
        `The verdict: ${json} as asked.`
      ]) {
        assert.deepStrictEqual(yield* check(answer), { json })
      }
    })
  )

  it.effect("that does not fit says where and why", () =>
    Effect.gen(function* () {
      const wrong = yield* check('{"verdict":"so so","notes":["UPPER"],"more":1}')
      assert.property(wrong, "problems")
      const problems = "problems" in wrong ? wrong.problems.join("\n") : ""
      assert.match(problems, /#\/verdict: /)
      assert.match(problems, /#\/notes\/0: .*pattern/)
      assert.match(problems, /#\/more: /)
      assert.deepStrictEqual(yield* check("I could not do it."), {
        problems: ["The answer is not JSON: there is no JSON value in it"]
      })
      const broken = yield* check('```json\n{"verdict": "good",}\n```')
      assert.match("problems" in broken ? (broken.problems[0] ?? "") : "", /^The answer is not JSON: .+/)
    })
  )

  it.effect("a value of another kind is no answer, and nothing hangs", () =>
    Effect.gen(function* () {
      for (const answer of [
        "12",
        '"verdict"',
        "[]",
        "",
        "[".repeat(100_000),
        "{".repeat(50_000) + "}".repeat(50_000)
      ]) {
        assert.property(yield* check(answer), "problems")
      }
    })
  )
})

describe("a schema in a header", () => {
  const bad: ReadonlyArray<readonly [schema: unknown, problem: RegExp]> = [
    [null, /expected an object/],
    ["not json", /expected an object/],
    [[], /expected an object/],
    [{ type: "text" }, /#\/type: "text" is no type/],
    [{ properties: { a: { type: ["string", "nul"] } } }, /#\/properties\/a\/type: "nul"/],
    [{ properties: { a: { pattern: "(" } } }, /#\/properties\/a\/pattern is no regular expression/],
    [{ $ref: "#/$defs/none" }, /#\/\$ref: "#\/\$defs\/none" leads nowhere/],
    [{ $ref: "https://example.com/schema" }, /leads nowhere in this schema/],
    [{ description: "x".repeat(30_000) }, /characters, at most 20000/]
  ]
  for (const [value, problem] of bad) {
    it(`${String(problem)}`, () => {
      const checked = checkSchema(value)
      assert.match("problem" in checked ? checked.problem.en : "accepted", problem)
    })
  }

  it("may be JSON text, and may have properties named like keywords", () => {
    assert.deepStrictEqual(checkSchema('{"type":"object"}'), { schema: { type: "object" } })
    const named = { properties: { type: { type: "string" }, pattern: { const: "(" }, $ref: { enum: ["x"] } } }
    assert.deepStrictEqual(checkSchema(named), { schema: named })
    assert.deepStrictEqual(checkSchema(schema), { schema })
  })
})
