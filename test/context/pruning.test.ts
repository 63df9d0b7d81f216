import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { defaultSettings } from "../../src/config/settings.ts"
import { pruningNumbers } from "../../src/context/budget.ts"
import { planPruning } from "../../src/context/pruning.ts"
import { buildContext } from "../../src/sessions/buildContext.ts"
import { filler, PathBuilder, quarter } from "./support.ts"

const numbers = { protect: 40_000, minimum: 20_000 }
const plan = (path: PathBuilder, limits = numbers) => planPruning({ path: path.entries, ...limits, count: quarter })

describe("planPruning", () => {
  it("the newest 40 000 tokens of tool output stay, older ones are named with what they were and how they ended", () => {
    const path = new PathBuilder()
      .user("go")
      .call("Bash", { command: "go test ./..." }, `${filler(25_000)}\nFAIL\n[exit code: 1]`)
      .call("Grep", { pattern: "x" }, filler(5_000))
      .call("Bash", { command: "ls" }, filler(41_000))
    const pruning = plan(path)
    assert.deepStrictEqual(
      pruning?.body.results.map(({ entryId }) => entryId),
      ["e3", "e5"]
    )
    assert.strictEqual(
      pruning?.body.results[0]?.text,
      '[Output truncated - 25005 tokens] Bash "go test ./...": 3 lines, exit code 1. Run it again if you need its output.'
    )
    assert.isAtLeast(pruning?.savedTokens ?? 0, 29_900)
  })

  it("less than 20 000 tokens to save: nothing happens, the prefix stays", () => {
    const path = (tokens: number) =>
      new PathBuilder()
        .user("go")
        .call("Bash", { command: "a" }, filler(tokens))
        .call("Bash", { command: "b" }, filler(40_000))
    assert.isUndefined(plan(path(19_900)))
    assert.isDefined(plan(path(20_100)))
  })

  it("a result that the model has not read yet stays, however long it is", () => {
    const path = new PathBuilder().user("go").assistant("", [
      { id: "a", name: "Bash", arguments: "{}" },
      { id: "b", name: "Bash", arguments: "{}" }
    ])
    path.result("a", "Bash", filler(50_000)).result("b", "Bash", filler(50_000))
    assert.isUndefined(plan(path))
    path.assistant("Done.")
    assert.deepStrictEqual(
      plan(path)?.body.results.map(({ entryId }) => entryId),
      ["e3"]
    )
  })

  it("results of Skill and Read are never touched", () => {
    const path = new PathBuilder()
      .user("go")
      .call("Read", { path: "a.ts" }, filler(50_000))
      .call("Skill", { name: "s" }, filler(50_000))
      .call("Bash", { command: "x" }, filler(30_000))
      .call("Bash", { command: "y" }, filler(40_000))
    assert.deepStrictEqual(
      plan(path)?.body.results.map(({ entryId }) => entryId),
      ["e7"]
    )
  })

  it("a second pruning does not name again what the first one shortened", () => {
    const path = new PathBuilder()
      .user("go")
      .call("Bash", { command: "x" }, filler(60_000))
      .call("Bash", { command: "y" }, filler(40_000))
    const first = plan(path)
    assert.isDefined(first)
    if (first !== undefined) path.add(first.body)
    assert.isUndefined(plan(path))
    path.call("Bash", { command: "z" }, filler(40_000))
    assert.deepStrictEqual(
      plan(path)?.body.results.map(({ entryId }) => entryId),
      ["e5"]
    )
  })

  it("a timeout, a failure and a success are told apart", () => {
    const path = new PathBuilder()
      .user("go")
      .call("Bash", { command: "sleep" }, `${filler(300)}\n[timed out after 120 s]`)
      .call("WebFetch", { url: "https://x.test/" }, `no such host\n${filler(300)}`, true)
      .call("Glob", { pattern: "*" }, filler(300))
      .assistant("Done.")
    const texts = plan(path, { protect: 0, minimum: 1 })?.body.results.map(({ text }) => text) ?? []
    assert.match(texts[0] ?? "", /Bash "sleep": 2 lines, timed out after 120 s\./)
    assert.match(texts[1] ?? "", /WebFetch "https:\/\/x\.test\/": 2 lines, failed: no such host\./)
    assert.match(texts[2] ?? "", /Glob "\*": 1 line, ended well\./)
  })

  it("a long command is cut without half characters", () => {
    const path = new PathBuilder()
      .user("go")
      .call("Bash", { command: "😀".repeat(200) }, filler(500))
      .assistant("Done.")
    const [result] = plan(path, { protect: 0, minimum: 1 })?.body.results ?? []
    assert.isTrue(result?.text.isWellFormed())
    assert.isBelow(result?.text.length ?? 0, 350)
  })

  it("a known small window scales both numbers, settings win", () => {
    assert.deepStrictEqual(pruningNumbers(defaultSettings.pruning, undefined), { protect: 40_000, minimum: 20_000 })
    assert.deepStrictEqual(pruningNumbers(defaultSettings.pruning, 200_000), { protect: 40_000, minimum: 20_000 })
    assert.deepStrictEqual(pruningNumbers(defaultSettings.pruning, 8_000), { protect: 2_400, minimum: 1_000 })
    const own = { enabled: true, protectTokens: 5, minimumTokens: 7 }
    assert.deepStrictEqual(pruningNumbers(own, 8_000), { protect: 5, minimum: 7 })
  })

  it("a pruned context has the same calls and results, and is smaller", () => {
    const step = fc.record({ tool: fc.constantFrom("Bash", "Read", "Grep"), tokens: fc.integer({ min: 1, max: 3000 }) })
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 20 }), fc.nat(5000), (steps, protect) => {
        const path = new PathBuilder().user("go")
        for (const { tool, tokens } of steps) path.call(tool, { command: "x" }, filler(tokens))
        const before = buildContext(path.entries)
        const pruning = plan(path, { protect, minimum: 100 })
        if (pruning === undefined) return
        path.add(pruning.body)
        const after = buildContext(path.entries)
        assert.deepStrictEqual(
          after.map(({ entryId, message }) => [entryId, message.role]),
          before.map(({ entryId, message }) => [entryId, message.role])
        )
        const total = (items: typeof after) => items.reduce((sum, { message }) => sum + quarter(message), 0)
        assert.strictEqual(total(before) - total(after), pruning.savedTokens)
        assert.isAtLeast(pruning.savedTokens, 100)
      }),
      { seed: 6, numRuns: 200 }
    )
  })
})
