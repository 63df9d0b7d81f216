import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { changes, comparison } from "../../src/eval/compare.ts"
import { chooseTasks } from "../../src/eval/evaluate.ts"
import { FactCollector } from "../../src/eval/facts.ts"
import { EvalReport, grid, reportOf, summarise, tables, type EvalRun } from "../../src/eval/report.ts"
import { allTasks } from "../../src/eval/tasks/index.ts"

const run = (model: string, task: string, solved: boolean, more: Partial<EvalRun> = {}): EvalRun => ({
  model,
  task,
  run: 1,
  solved,
  fault: solved ? null : "no",
  reason: "done",
  iterations: 4,
  calls: 3,
  errors: 0,
  loops: 0,
  repairs: 1,
  softEdits: 1,
  compactions: 0,
  warnings: {},
  inputTokens: 1_000,
  outputTokens: 100,
  cachedTokens: 0,
  seconds: 2,
  ...more
})

const report = (...runs: ReadonlyArray<EvalRun>) =>
  reportOf({ maia: "1", time: "2026-12-01T00:00:00.000Z", sandbox: true, without: [], runs })

describe("reports of maia eval", () => {
  it("counts, means and sums", () => {
    const summary = summarise([run("m", "a", true, { loops: 2 }), run("m", "b", false, { iterations: 8 })])
    assert.deepStrictEqual(summary, {
      runs: 2,
      solved: 1,
      iterations: 6,
      inputTokens: 1_000,
      outputTokens: 100,
      seconds: 2,
      loops: 2,
      repairs: 4
    })
    assert.strictEqual(summarise([]).seconds, 0)
  })

  it("the tables have a line for each model and each task", () => {
    const shown = tables(
      [run("big", "a", true), run("big", "b", true), run("small", "a", false), run("small", "b", true)],
      "en"
    )
    assert.match(shown, /^big +2\/2 \(100 %\) +4\.0/m)
    assert.match(shown, /^small +1\/2 \(50 %\)/m)
    assert.match(shown, /^task +big +small$/m)
    assert.match(shown, /^a +1\/1 +0\/1$/m)
    assert.include(tables([run("m", "a", true)], "fr"), "résolues")
  })

  it("a report survives its JSON", () => {
    const written = report(run("m", "a", false))
    const read = Schema.decodeSync(Schema.fromJsonString(EvalReport))(JSON.stringify(written))
    assert.deepStrictEqual(read, written)
  })

  it("compares what both have, worst change first", () => {
    const before = report(run("m", "a", true), run("m", "b", false), run("m", "c", true), run("old", "a", true))
    const after = report(
      run("m", "a", false, { seconds: 5 }),
      run("m", "b", true),
      run("m", "c", true),
      run("new", "a", true)
    )
    assert.deepStrictEqual(
      changes(before, after).map(({ model, task }) => `${model} ${task}`),
      ["m a", "m b", "m c"]
    )
    const shown = comparison(before, after, "en")
    assert.match(shown, /^m +67 % → 67 %/m)
    const moved = shown.slice(shown.indexOf("task"))
    assert.match(moved, /^a +m +1\/1 → 0\/1 +-100 %\nb +m +0\/1 → 1\/1 +\+100 %$/m)
    assert.notMatch(moved, /^c /m)
  })

  it("compares two models where the files have none in common", () => {
    const shown = comparison(report(run("old", "a", false)), report(run("new", "a", true)), "en")
    assert.match(shown, /^old → new +0 % → 100 %/m)
    assert.match(comparison(report(run("old", "a", true)), report(run("new", "b", true)), "fr"), /Aucune tâche/)
  })

  it("lines up cells", () => {
    assert.strictEqual(
      grid([
        ["a", "b"],
        ["long", "1"]
      ]),
      "a     b\nlong  1\n"
    )
  })

  it("tasks are chosen by name or by its beginning", () => {
    const names = (given: ReadonlyArray<string>) => {
      const chosen = chooseTasks(allTasks, given)
      return "unknown" in chosen ? chosen.unknown : chosen.tasks.map(({ name }) => name)
    }
    assert.deepStrictEqual(names(["crlf-file"]), ["crlf-file"])
    assert.deepStrictEqual(names(["long"]), ["long-file", "long-write"])
    assert.strictEqual(names([]).length, allTasks.length)
    assert.strictEqual(names(["crlf", "nonsense"]), "nonsense")
  })
})

describe("facts of a turn", () => {
  it("loops, repairs and soft edits are read off the results", () => {
    const collector = new FactCollector()
    const result = (text: string, isError = false) =>
      collector.take({
        type: "tool-finished",
        result: { role: "tool", toolCallId: "1", toolName: "Edit", text, isError }
      })
    result("1 replacement in a; 1 matched ignoring whitespace; copy the text exactly next time")
    result('ok\n[note: The parameter is called "path", not "file".]\n[note: "limit" was given as text]')
    result("failed\n[LOOP_DETECTED: …]", true)
    collector.take({ type: "warning", code: "loop", message: { en: "", fr: "" } })
    collector.take({ type: "error", code: "loop", message: { en: "Stopped", fr: "Arrêt" } })
    collector.take({
      type: "finished",
      reason: "stuck",
      text: "bye",
      iterations: 4,
      usage: { inputTokens: 10, outputTokens: 2 }
    })
    const { facts } = collector
    assert.strictEqual(facts.softEdits, 1)
    assert.strictEqual(facts.repairs, 2)
    assert.strictEqual(facts.loops, 1)
    assert.strictEqual(facts.errors, 1)
    assert.deepStrictEqual(facts.warnings, { loop: 1 })
    assert.strictEqual(facts.error?.code, "loop")
    assert.strictEqual(facts.reason, "stuck")
  })
})
