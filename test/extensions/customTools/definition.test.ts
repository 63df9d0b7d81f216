import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import { fillCommandLine, parseCommandLine } from "../../../src/extensions/customTools/commandLine.ts"
import { parseDefinition } from "../../../src/extensions/customTools/definition.ts"

const parse = (content: string) => parseDefinition({ file: "/t/x/TOOL.json", folder: "/t/x", folderName: "x", content })
const parseFields = (fields: Readonly<Record<string, unknown>>) =>
  parse(JSON.stringify({ description: "d", run: "true", ...fields }))
const problemOf = (fields: Readonly<Record<string, unknown>>): string => {
  const parsed = parseFields(fields)
  return Result.isFailure(parsed) ? parsed.failure.en : "no problem"
}

const argv = (line: string, values: Readonly<Record<string, unknown>> = {}): ReadonlyArray<string> | string => {
  const parsed = parseCommandLine(line)
  return "problem" in parsed ? parsed.problem.en : fillCommandLine(parsed, values)
}

describe("the run line", () => {
  it("is split at blanks, with single and double quotes, and nothing else means anything", () => {
    assert.deepStrictEqual(argv(`node  ./a.js 'one two' "it's" x"y z"w '' \t$HOME ~ *.c \\n`), [
      "node",
      "./a.js",
      "one two",
      "it's",
      "xy zw",
      "",
      "$HOME",
      "~",
      "*.c",
      "\\n"
    ])
  })

  it("puts values inside their argument, once", () => {
    assert.deepStrictEqual(argv(`p --a={{a}} '{{ b }} {{a}}' {{c}}`, { a: "{{b}}", b: "x 'y'", c: "" }), [
      "p",
      "--a={{b}}",
      "x 'y' {{b}}",
      ""
    ])
  })

  it("any value stays one argument, to the character", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        assert.deepStrictEqual(argv("p {{a}} x{{b}}y", { a, b }), ["p", a, `x${b}y`])
      })
    )
  })

  it("says what is wrong with it", () => {
    assert.include(String(argv("{{p}} x")), "must not be a {{parameter}}")
    assert.include(String(argv("./{{p}} x")), "must not be a {{parameter}}")
    assert.include(String(argv("   ")), "empty")
    assert.include(String(argv("echo 'x")), "never closed")
    assert.include(String(argv("cat a | wc -l")), "not read by a shell, so | does nothing")
    assert.deepStrictEqual(argv("expr {{a}} '>' {{b}}", { a: 1, b: 2 }), ["expr", "1", ">", "2"])
  })
})

describe("TOOL.json", () => {
  it("takes its name from the folder, and trailing commas and comments are tolerated", () => {
    const parsed = parse(`{
      // adds
      "description": "Adds",
      "parameters": [{ "name": "a", "type": "number", "default": 1, },],
      "run": "node ./test.js {{a}}",
    }`)
    assert.isTrue(Result.isSuccess(parsed))
    if (Result.isFailure(parsed)) return
    const { name, parameters, stdin, timeout } = parsed.success.definition
    assert.deepStrictEqual([name, parameters[0]?.default, timeout, stdin], ["x", 1, 120, false])
  })

  it("boolean, enum, timeout and stdin", () => {
    const parsed = parseFields({
      run: "p {{force}} {{level}}",
      parameters: [
        { name: "force", type: "boolean", default: false },
        { name: "level", type: "string", enum: ["low", "high"] },
        { name: "size", type: "enum", enum: [1, 2] },
        { name: "body", type: "string" }
      ],
      timeout: 5,
      stdin: "json"
    })
    assert.isTrue(Result.isSuccess(parsed))
    if (Result.isFailure(parsed)) return
    const { definition, notes } = parsed.success
    assert.deepStrictEqual(
      definition.parameters.map(({ type, choices }) => [type, choices]),
      [
        ["boolean", undefined],
        ["string", ["low", "high"]],
        ["number", [1, 2]],
        ["string", undefined]
      ]
    )
    assert.deepStrictEqual([definition.timeout, definition.stdin, notes], [5, true, []])
  })

  const wrong: ReadonlyArray<readonly [what: string, fields: Readonly<Record<string, unknown>>, says: string]> = [
    ["no description", { description: undefined }, "description is missing"],
    ["an empty description", { description: " " }, "description is missing"],
    ["no run", { run: undefined }, "run is missing"],
    ["a name with a blank", { name: "a b" }, "1 to 64 letters"],
    ["a long name", { name: "a".repeat(65) }, "1 to 64 letters"],
    ["parameters that are no list", { parameters: { a: 1 } }, "expected a list"],
    ["an unknown type", { parameters: [{ name: "a", type: "date" }] }, 'type "date"'],
    ["no type", { parameters: [{ name: "a" }] }, "parameter a: type undefined"],
    ["a parameter without name", { parameters: [{ type: "string" }] }, "parameter 1: name"],
    ["a name of the language", { parameters: [{ name: "__proto__", type: "string" }] }, "parameter 1: name"],
    [
      "a parameter twice",
      {
        parameters: [
          { name: "a", type: "string" },
          { name: "a", type: "string" }
        ]
      },
      "comes twice"
    ],
    [
      "a default of another type",
      { parameters: [{ name: "a", type: "number", default: "1" }] },
      'default "1" is no number'
    ],
    ["a default outside the choices", { parameters: [{ name: "a", enum: ["x"], default: "y" }] }, "no value of enum"],
    ["an empty enum", { parameters: [{ name: "a", type: "string", enum: [] }] }, "list of texts or numbers"],
    ["a mixed enum", { parameters: [{ name: "a", type: "string", enum: ["x", 1] }] }, "1 is no string"],
    [
      "an undeclared parameter",
      { run: "p {{nane}}", parameters: [{ name: "name", type: "string" }] },
      "did you mean {{name}}?"
    ],
    ["a timeout of an hour", { timeout: 3600 }, "at most 600"],
    ["another stdin", { stdin: true }, 'expected "json"']
  ]
  for (const [what, fields, says] of wrong)
    it(`${what} is a problem with words`, () => assert.include(problemOf(fields), says))

  it("broken JSON names the line; a list or a text is no definition", () => {
    const broken = parse('{\n  "description": "x"\n  "run": "y"\n}')
    assert.include(Result.isFailure(broken) ? broken.failure.en : "", "line 3 is not valid JSON")
    for (const source of ["[]", '"x"', "null", "", "{"]) assert.isTrue(Result.isFailure(parse(source)), source)
  })

  it("an unknown key and a parameter that reaches nothing are told, and the tool works", () => {
    const parsed = parseFields({ descripton: "x", parameters: [{ name: "a", type: "string", defualt: "y" }] })
    assert.deepStrictEqual(Result.isSuccess(parsed) ? parsed.success.notes.map(({ en }) => en) : [], [
      'unknown key "descripton"; did you mean description?',
      'a: unknown key "defualt"; did you mean default?',
      'the parameter a reaches nothing: use {{a}} in run, or "stdin": "json"'
    ])
  })
})
