import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, FileSystem, Stream } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { text } from "../../src/domain/text.ts"
import { evaluate } from "../../src/eval/evaluate.ts"
import { changedOnly, holds, type EvalTask } from "../../src/eval/task.ts"
import { ScriptedLlm } from "../../src/testing/index.ts"
import { commandsThen, evalConfig, play, scriptedHost } from "./support.ts"

const task: EvalTask = {
  name: "sample",
  about: text("sample", "exemple"),
  files: { "a.txt": "a\n" },
  prompt: "Write b.txt.",
  checks: [holds("b.txt", /^b$/m), changedOnly("b.txt")]
}

const evalFolders = Effect.gen(function* () {
  const fs = yield* FileSystem.FileSystem
  const parent = process.env["TMPDIR"] ?? "/tmp"
  return (yield* fs.readDirectory(parent)).filter((name) => name.startsWith("maia-eval-"))
})

describe("playing a task", () => {
  it.live("the model's folder and home are its own, and gone afterwards", () =>
    Effect.gen(function* () {
      const before = yield* evalFolders
      let seen = ""
      const played = yield* play(task, commandsThen(["pwd; echo HOME=$HOME; echo b > b.txt"], "Done."), {
        watch: (event) =>
          Effect.sync(() => {
            if (event.type === "tool-finished") seen += event.result.text
          })
      })
      assert.isTrue(played.solved, JSON.stringify(played.fault))
      assert.match(seen, /maia-eval-\w+\/project\nHOME=.*maia-eval-\w+\/home/)
      assert.deepStrictEqual(yield* evalFolders, before)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("what leads out of the folder is refused, the turn goes on", () =>
    Effect.gen(function* () {
      const played = yield* play(task, commandsThen(["cat /etc/passwd", "echo b > b.txt"], "Done."))
      assert.strictEqual(played.errors, 1)
      assert.isTrue(played.solved)
    })
  )

  it.live("files besides the wanted ones are a fault", () =>
    Effect.gen(function* () {
      const played = yield* play(task, commandsThen(["echo b > b.txt; echo c > c.txt"], "Done."))
      assert.include(played.fault?.en, "c.txt")
    })
  )

  it.live("a model that never answers is stopped by the time limit", () =>
    Effect.gen(function* () {
      const played = yield* play(task, () => Stream.never, { seconds: 0.2 })
      assert.isTrue(played.timedOut)
      assert.isFalse(played.solved)
      assert.strictEqual(played.reason, "interrupted")
    })
  )

  it.live("an interrupted evaluation leaves no folder behind", () =>
    Effect.gen(function* () {
      const before = yield* evalFolders
      const asked = yield* Deferred.make<void>()
      const script = () => Stream.fromEffect(Effect.andThen(Deferred.succeed(asked, undefined), Effect.never))
      const fiber = yield* Effect.forkChild(play(task, script))
      yield* Deferred.await(asked)
      assert.isAbove((yield* evalFolders).length, before.length)
      yield* Fiber.interrupt(fiber)
      assert.deepStrictEqual(yield* evalFolders, before)
    }).pipe(Effect.provide(NodeServices.layer))
  )

  it.live("runs at the same time do not share folders, and are reported in order", () =>
    Effect.gen(function* () {
      const told: Array<string> = []
      const script: ScriptedLlm.Script = (request) => {
        const results = request.messages.filter(({ role }) => role === "tool").length
        return results === 0
          ? ScriptedLlm.answer({ calls: [{ name: "Write", input: { path: "b.txt", content: "b\n" } }] })
          : ScriptedLlm.answer({ text: "Done." })
      }
      const runs = yield* evaluate(
        {
          models: ["one", "two"],
          tasks: [task],
          runs: 3,
          jobs: 4,
          seconds: 30,
          config: evalConfig,
          sandboxed: false,
          told: ({ model, run }) => Effect.sync(() => told.push(`${model} ${run}`))
        },
        scriptedHost(script)
      ).pipe(Effect.provide(NodeServices.layer))
      assert.deepStrictEqual(
        runs.map(({ model, run, solved }) => `${model} ${run} ${solved}`),
        ["one 1 true", "one 2 true", "one 3 true", "two 1 true", "two 2 true", "two 3 true"]
      )
      assert.strictEqual(told.length, 6)
    })
  )
})
