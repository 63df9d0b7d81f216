import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { agentLayer } from "../../../src/cli/layers.ts"
import { text } from "../../../src/domain/text.ts"
import {
  badModels,
  count,
  decisiveRails,
  endingOf,
  playBadModel,
  playMatrix,
  savingRails,
  VARIANTS,
  type BadHost
} from "../../../src/eval/bad-models/matrix.ts"
import { badModelTables, readmeTable, withTable } from "../../../src/eval/bad-models/table.ts"
import { viewOf } from "../../../src/eval/bad-models/view.ts"
import type { Played } from "../../../src/eval/playTask.ts"
import { evalConfig } from "../support.ts"

const host: BadHost = (llm) => (config, approver) => agentLayer(config, approver, { trust: false, llm })

const readme = readFileSync(join(import.meta.dirname, "../../../README.md"), "utf8")

describe("scripted bad models", () => {
  it("have names of their own, and there are many kinds", () => {
    assert.strictEqual(new Set(badModels.map(({ name }) => name)).size, badModels.length)
    assert.isAtLeast(badModels.length, 40)
  })

  it.live(
    "with rails nothing goes on for ever, three times as many are solved, and the table of the README is current",
    () =>
      Effect.gen(function* () {
        const rows = yield* playMatrix(badModels, VARIANTS, evalConfig, host)
        const endless = rows.filter(({ endings }) => endings.all === "endless").map(({ model }) => model.name)
        assert.deepStrictEqual(endless, [])
        assert.isAtLeast(count(rows, "all", "solved"), 3 * count(rows, "none", "solved"))
        assert.isAbove(
          count(rows, "none", "endless"),
          0,
          "without rails these models must fail, else they prove nothing"
        )
        assert.strictEqual(withTable(readme, readmeTable(rows)), readme, "run: bun scripts/railsTable.ts")
        const shown = badModelTables(rows, "fr")
        assert.match(shown, /^tous les garde-fous +\d+/m)
      }).pipe(Effect.provide(NodeServices.layer)),
    { timeout: 300_000, retry: 0 }
  )

  it.live("one and the same model ends the same way each time", () =>
    Effect.gen(function* () {
      const model = badModels.find(({ name }) => name === "loop: refused edits")
      if (model === undefined) return assert.fail("no such model")
      const once = yield* playBadModel(model, "all", evalConfig, host)
      const again = yield* playBadModel(model, "all", evalConfig, host)
      assert.strictEqual(once.ending, again.ending)
      assert.strictEqual(once.played.iterations, again.played.iterations)
    }).pipe(Effect.provide(NodeServices.layer))
  )
})

describe("the judgement of an ending", () => {
  const played: Played = {
    reason: "done",
    iterations: 1,
    calls: 0,
    errors: 0,
    loops: 0,
    repairs: 0,
    softEdits: 0,
    compactions: 0,
    warnings: {},
    error: undefined,
    usage: { inputTokens: 0, outputTokens: 0 },
    answer: "",
    solved: false,
    fault: undefined,
    seconds: 0,
    timedOut: false
  }
  const error = { code: "loop", message: text("Stopped.", "Arrêt.") }
  for (const [what, given, ranOn, ending] of [
    ["the result is right", { solved: true }, false, "solved"],
    ["an error line", { error, reason: "stuck" }, false, "told"],
    ["a cut answer that says so", { warnings: { cut_answer: 1 } }, false, "told"],
    ["nothing said", {}, false, "wrong"],
    ["the iteration limit, even with the right result", { solved: true, reason: "max_iterations" }, false, "endless"],
    ["a stream that nobody stopped", { solved: true }, true, "endless"],
    ["the time limit", { timedOut: true }, false, "endless"],
    ["a fault in maia", { error: { ...error, code: "internal" }, reason: "error" }, false, "endless"]
  ] as const) {
    it(`${what}: ${ending}`, () => assert.strictEqual(endingOf({ ...played, ...given }, { ranOn }), ending))
  }

  it("a rail is decisive where the model ends otherwise without it", () => {
    const [model] = badModels
    if (model === undefined) return assert.fail("no models")
    const endings = { all: "solved", none: "wrong", aliases: "solved", cutCalls: "told" } as const
    const row = { model, endings, requests: { all: 3, aliases: 4, cutCalls: 9 } }
    assert.deepStrictEqual(decisiveRails(row), ["cutCalls"])
    assert.deepStrictEqual(savingRails(row), ["aliases"])
  })
})

describe("what a bad model sees", () => {
  it("is what stands on the wire after the request", () => {
    const view = viewOf(
      JSON.stringify({
        stream: true,
        tools: [{}],
        temperature: 0.3,
        messages: [
          { role: "system", content: "s" },
          { role: "user", content: "go" },
          { role: "assistant", content: "", tool_calls: [{ id: "1", function: { name: "Read", arguments: "{}" } }] },
          { role: "tool", tool_call_id: "1", content: "result" }
        ]
      })
    )
    assert.deepStrictEqual(view.calls, [{ name: "Read", args: "{}", result: "result" }])
    assert.strictEqual(view.told, "result")
    assert.isTrue(view.mayCall)
    assert.strictEqual(view.temperature, 0.3)
    assert.notInclude(view.told, "go")
  })

  it("is nothing where the body is none", () => assert.deepStrictEqual(viewOf("nonsense").calls, []))
})

describe("the README's marks", () => {
  it("the text between them is replaced; without them nothing is", () => {
    const page = "a\n<!-- rails: written by scripts/railsTable.ts -->\nold\n<!-- rails: end -->\nz\n"
    assert.strictEqual(
      withTable(page, "new\n"),
      "a\n<!-- rails: written by scripts/railsTable.ts -->\nnew\n<!-- rails: end -->\nz\n"
    )
    assert.strictEqual(withTable("nothing", "new"), undefined)
  })
})
