import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { ToolContext } from "../../../src/domain/tool.ts"
import { CustomTools } from "../../../src/extensions/customTools/CustomTools.ts"
import { CommandEnvironment, Shell } from "../../../src/process/Shell.ts"
import { defineTool } from "../../../src/tools/defineTool.ts"
import { ToolSet } from "../../../src/tools/ToolSet.ts"
import { around, folders, type Around, type Folders } from "../support.ts"

const read = defineTool({
  name: "Read",
  description: "",
  parameters: { type: "object", properties: {} },
  schema: Schema.Struct({}),
  permission: "ask",
  run: () => Effect.succeed({ text: "" })
})

const withTools = <A, E>(at: Folders, use: Effect.Effect<A, E, CustomTools>, options: Around = {}) =>
  use.pipe(
    Effect.provide(
      CustomTools.layer.pipe(
        Layer.provide(Layer.mergeAll(Shell.layer, Layer.succeed(ToolSet, ToolSet.of({ tools: [read] })))),
        Layer.provide(around(at, options))
      )
    )
  )

const load = (at: Folders, options: Around = {}) =>
  withTools(
    at,
    Effect.flatMap(CustomTools, ({ kind }) => kind.load),
    options
  )

describe("names of others", () => {
  for (const name of ["read", "READ", "skill", "mcp__github__push"]) {
    it.effect(`a tool called ${name} stood in for one of maia or of a server`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const at = yield* folders
          const folder = path.join(at.project, ".maia/tools/x")
          fs.mkdirSync(folder, { recursive: true })
          fs.writeFileSync(path.join(folder, "TOOL.json"), JSON.stringify({ name, description: "x", run: "true" }))
          const { tools, warnings } = yield* load(at)
          assert.deepStrictEqual(tools, [])
          assert.include(warnings[0]?.en ?? "", `the name ${name} belongs to a tool of maia; choose another`)
        })
      )
    )
  }
})

const context: ToolContext = {
  callId: "1",
  progress: () => Effect.void,
  outputLimit: 30_000,
  model: { id: "m", images: false }
}

/** Runs the only tool of the folder. */
const call = (at: Folders, raw: unknown) =>
  withTools(
    at,
    Effect.gen(function* () {
      const { kind } = yield* CustomTools
      const [tool] = (yield* kind.load).tools
      if (tool === undefined) return yield* Effect.die("there is no tool")
      const prepared = yield* tool.prepare(raw)
      return { input: prepared.input, notes: prepared.notes, ...(yield* prepared.run(context)) }
    })
  )

const define = (at: Folders, name: string, definition: Readonly<Record<string, unknown>>) =>
  at.write(
    `parent/project/.maia/tools/${name}/TOOL.json`,
    JSON.stringify({ description: name, run: "true", ...definition })
  )

describe("which tools there are", () => {
  it.effect("those of the launch folder, in order; not the parent's, not the user's; broken ones are warnings", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "b", { name: "Second" })
      define(at, "a", {})
      define(at, "read", { name: "Read" })
      define(at, "skill", { name: "Skill" })
      define(at, "twin", { name: "Second" })
      define(at, "broken", { run: "p {{x}}" })
      at.write("parent/project/.maia/tools/lower/tool.json", '{"description":"x","run":"true"}')
      at.write("parent/project/.maia/tools/empty/notes.txt", "x")
      at.write("parent/project/.maia/tools/README.md", "x")
      fs.symlinkSync("circle", path.join(at.project, ".maia/tools/circle"))
      at.write("parent/.maia/tools/p/TOOL.json", '{"description":"x","run":"true"}')
      at.write("home/.maia/tools/u/TOOL.json", '{"description":"x","run":"true"}')
      const { tools, warnings } = yield* load(at)
      assert.deepStrictEqual(
        tools.map(({ name, permission }) => [name, permission]),
        [
          ["a", "ask"],
          ["Second", "ask"],
          ["lower", "ask"]
        ]
      )
      const place = path.join(at.project, ".maia/tools/")
      assert.deepStrictEqual(
        warnings.map(({ en }) => en.replaceAll(place, "")),
        [
          "broken/TOOL.json: run uses {{x}}, which is not in parameters.",
          "circle: cannot be read (BadResource).",
          "empty: there is no TOOL.json in this folder.",
          "read/TOOL.json: the name Read belongs to a tool of maia; choose another.",
          "skill/TOOL.json: the name Skill belongs to a tool of maia; choose another.",
          "twin/TOOL.json: the name Second is already used by b/TOOL.json."
        ]
      )
    })
  )

  it.effect("none in an untrusted folder, and not a word about broken ones", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "a", {})
      define(at, "broken", { run: "p {{x}}" })
      assert.deepStrictEqual(yield* load(at, { trusted: false }), { tools: [], prompt: [], warnings: [] })
    })
  )

  it.effect("the model sees types, choices, defaults and what is required", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "a", {
        run: "p {{n}} {{s}} {{b}}",
        parameters: [
          { name: "n", type: "number", description: "how many" },
          { name: "s", type: "string", enum: ["x", "y"], default: "x" },
          { name: "b", type: "boolean" }
        ]
      })
      const [tool] = (yield* load(at)).tools
      assert.deepStrictEqual(tool?.parameters, {
        type: "object",
        properties: {
          n: { type: "number", description: "how many" },
          s: { type: "string", enum: ["x", "y"], default: "x" },
          b: { type: "boolean" }
        },
        required: ["n", "b"]
      })
    })
  )
})

describe("running a tool", () => {
  const hostile = [
    "; rm -rf /",
    "$(touch made)",
    "`touch made`",
    "a b  c",
    `'"\\`,
    "line\nline\r\n",
    "--help",
    "-rf",
    "*",
    "~",
    "$HOME",
    "{{other}}",
    "",
    "é😀\u202e",
    "&& touch made",
    "> made",
    "\ttab",
    "%s%n"
  ]
  it.live("every value arrives as one argument, to the byte", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "echo", {
        run: "sh ./print.sh {{value}} [{{value}}] {{other}}",
        parameters: [
          { name: "value", type: "string" },
          { name: "other", type: "string", default: "end" }
        ]
      })
      at.write("parent/project/.maia/tools/echo/print.sh", 'for a in "$@"; do printf "%s\\0" "$a"; done >got')
      for (const value of hostile) {
        const { isError, text } = yield* call(at, { value })
        assert.isFalse(isError, text)
        const got = fs.readFileSync(path.join(at.project, ".maia/tools/echo/got"), "utf8")
        assert.strictEqual(got, `${value}\0[${value}]\0end\0`)
      }
      assert.isFalse(fs.existsSync(path.join(at.project, ".maia/tools/echo/made")))
      assert.isFalse(fs.existsSync(path.join(at.project, "made")))
    })
  )

  it.live("NUL and more than an argument can hold are refused before anything starts", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "echo", { run: "touch ./made {{v}}", parameters: [{ name: "v", type: "string" }] })
      assert.include((yield* Effect.flip(call(at, { v: "a\0b" }))).message, '"v" contains a NUL')
      assert.include((yield* Effect.flip(call(at, { v: "x".repeat(200_000) }))).message, "longer than 100 KB")
      assert.isFalse(fs.existsSync(path.join(at.project, ".maia/tools/echo/made")))
    })
  )

  it.live("it runs in its folder, knows the launch folder, and gets the variables of commands but not the key", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "where", { run: "sh ./where.sh" })
      at.write(
        "parent/project/.maia/tools/where/where.sh",
        'pwd; echo "$MAIA_CWD $MAIA_TOOL_DIR $OWN [$LITELLM_API_KEY]"'
      )
      const env = { PATH: process.env["PATH"], LITELLM_API_KEY: "sk-secret" }
      const run = Effect.gen(function* () {
        const { kind } = yield* CustomTools
        const [tool] = (yield* kind.load).tools
        const prepared = yield* tool?.prepare({}) ?? Effect.die("no tool")
        return yield* prepared.run(context)
      })
      const { text } = yield* withTools(at, run, { config: { env } }).pipe(
        Effect.provideService(CommandEnvironment, Effect.succeed({ OWN: "mine" }))
      )
      const folder = path.join(at.project, ".maia/tools/where")
      assert.strictEqual(text, `${folder}\n${at.project} ${folder} mine []`)
    })
  )

  it.live("an exit code is an error with what the program said; stderr of a success is told apart", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "fail", {
        run: "sh -c 'echo out; echo wrong >&2; exit {{code}}'",
        parameters: [{ name: "code", type: "number" }]
      })
      const failed = yield* call(at, { code: 3 })
      assert.deepStrictEqual([failed.isError, failed.text], [true, "The tool fail failed. [exit code: 3]\nwrong\nout"])
      const fine = yield* call(at, { code: "0" })
      assert.deepStrictEqual([fine.isError, fine.text], [false, "out\n[stderr]\nwrong"])
      assert.lengthOf(fine.notes, 1)
    })
  )

  it.live("a program that is missing or not executable says so", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "gone", { run: "no-such-program-here x" })
      assert.include((yield* call(at, {})).text, '"no-such-program-here" was not found on PATH')
      define(at, "gone", { run: "./script.sh" })
      assert.include((yield* call(at, {})).text, "script.sh does not exist")
      at.write("parent/project/.maia/tools/gone/script.sh", "echo hi")
      assert.include((yield* call(at, {})).text, "is not executable (chmod +x)")
    })
  )

  it.live("a program that hangs is ended with its children at its own time limit", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "slow", { run: "sh -c 'sleep 100 & sleep 100'", timeout: 0.3 })
      const { isError, text } = yield* call(at, {})
      assert.isTrue(isError)
      assert.include(text, "[timed out after 0.3 s]")
    })
  )

  it.live('"stdin": "json" gives all parameters at once, of any size', () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "in", {
        run: "sh -c 'cat; echo end'",
        stdin: "json",
        parameters: [
          { name: "text", type: "string" },
          { name: "n", type: "number", default: 2 },
          { name: "yes", type: "boolean", default: true }
        ]
      })
      const { text } = yield* call(at, { text: "a\n'b'" })
      assert.strictEqual(text, '{"text":"a\\n\'b\'","n":2,"yes":true}\nend')
      define(at, "in", { run: "wc -c", stdin: "json", parameters: [{ name: "text", type: "string" }] })
      assert.strictEqual((yield* call(at, { text: "x".repeat(1_000_000) })).text.trim(), "1000012")
    })
  )

  it.live("without stdin a program that reads finds the end", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "in", { run: "cat" })
      assert.strictEqual((yield* call(at, {})).text, "(no output)")
    })
  )

  it.effect("a wrong value is a repair text, near misses are read, rules see the defaults", () =>
    Effect.gen(function* () {
      const at = yield* folders
      define(at, "t", {
        run: "true {{level}} {{id}} {{n}}",
        parameters: [
          { name: "level", enum: ["low", "high"] },
          { name: "id", type: "string", default: "none" },
          { name: "n", type: "number", default: 5 }
        ]
      })
      const wrong = yield* Effect.flip(call(at, { level: "medium" }))
      assert.match(wrong.message, /"low" \| "high"/)
      assert.match((yield* Effect.flip(call(at, {}))).message, /level/)
      assert.deepStrictEqual((yield* call(at, { level: "low", id: 7, n: "8" })).input, { level: "low", id: "7", n: 8 })
      assert.deepStrictEqual((yield* call(at, { level: "low" })).input, { level: "low", id: "none", n: 5 })
    })
  )
})
