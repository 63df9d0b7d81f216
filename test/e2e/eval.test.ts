import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { hang, scriptedServer, textAnswer, toolCalls } from "../support/scriptedServer.ts"
import { maia, sandbox } from "./support.ts"

/** Solves `crlf-file` through Edit, and answers everything else without doing anything. */
const model = () =>
  scriptedServer((_, { messages }) => {
    const asked = JSON.stringify(messages)
    if (!asked.includes("settings.ini") || messages?.at(-1)?.role === "tool") return textAnswer("Done.")
    const edits = [{ old: "host=localhost\ntimeout=30", new: "host=localhost\ntimeout=90" }]
    return toolCalls([{ name: "Edit", args: { path: "settings.ini", edits } }])
  })

describe("maia eval used wrongly", () => {
  it.live(
    "a report that cannot be written was said after hours of measuring; a model without a name was measured",
    () =>
      Effect.gen(function* () {
        const box = yield* sandbox
        const server = yield* model()
        const run = (...args: ReadonlyArray<string>) =>
          maia(box, ["eval", "--task", "find-value", ...args], { url: server.url })
        const lost = yield* run("--json", "no-such-folder/r.json")
        assert.deepStrictEqual([lost.code, lost.stdout, server.chats.length], [1, "", 0])
        assert.include(lost.stderr, "no-such-folder/r.json cannot be written")
        const nameless = yield* run("--model", "")
        assert.deepStrictEqual([nameless.code, server.chats.length], [2, 0])
        const twice = yield* run("-m", "one", "--model", "one", "--json", "r.json")
        assert.strictEqual(twice.code, 0, twice.stderr)
        assert.include(twice.stderr, "1/1 one find-value")
        assert.deepStrictEqual(
          readdirSync(box.folder).filter((name) => name.endsWith(".json")),
          ["r.json"]
        )
      }).pipe(Effect.scoped)
  )
})

describe("maia eval on the executable", () => {
  it.live("two tasks, two runs, a table, a report, and a comparison of it with itself", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* model()
      const args = [
        "eval",
        "--task",
        "crlf-file",
        "--task",
        "find-value",
        "--runs",
        "2",
        "--jobs",
        "2",
        "--json",
        "r.json"
      ]
      const done = yield* maia(box, args, { url: server.url, env: { LITELLM_API_KEY: "sk-very-secret-77" } })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.match(done.stdout, /^test-model +2\/4 \(50 %\)/m)
      assert.match(done.stdout, /^crlf-file +2\/2$/m)
      assert.match(done.stdout, /^find-value +0\/2$/m)
      assert.include(done.stderr, "✗")
      const report = readFileSync(join(box.folder, "r.json"), "utf8")
      assert.notInclude(report + done.stdout + done.stderr, "sk-very-secret-77")
      const compared = yield* maia(box, ["eval", "compare", "r.json", "r.json"])
      assert.strictEqual(compared.code, 0, compared.stderr)
      assert.match(compared.stdout, /^test-model +50 % → 50 %/m)
      assert.include(compared.stdout, "No task changed its rate.")
      const wrong = yield* maia(box, ["eval", "compare", "r.json", "nothing.json"])
      assert.strictEqual(wrong.code, 1)
    }).pipe(Effect.scoped)
  )

  it.live("Ctrl+C leaves nothing behind", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const tmp = join(box.root, "tmp")
      mkdirSync(tmp)
      const server = yield* scriptedServer(() => hang())
      const done = yield* maia(box, ["eval", "--task", "crlf-file"], {
        url: server.url,
        env: { TMPDIR: tmp },
        onStart: (child) => void server.chat(0).then(() => child.kill("SIGINT"))
      })
      assert.strictEqual(done.code, 130, done.stderr)
      assert.deepStrictEqual(
        readdirSync(tmp).filter((name) => name.startsWith("maia-eval")),
        []
      )
    }).pipe(Effect.scoped)
  )

  it.live("what was measured before Ctrl+C is shown and written", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer((n) => (n === 0 ? textAnswer("6543") : hang()))
      const done = yield* maia(
        box,
        ["eval", "--task", "find-value", "--runs", "2", "--without", "loopDetector", "--json", "r.json"],
        { url: server.url, onStart: (child) => void server.chat(1).then(() => child.kill("SIGINT")) }
      )
      assert.strictEqual(done.code, 130, done.stderr)
      assert.match(done.stdout, /^test-model +1\/1 \(100 %\)/m)
      const report: { runs: ReadonlyArray<unknown>; without: ReadonlyArray<string> } = JSON.parse(
        readFileSync(join(box.folder, "r.json"), "utf8")
      )
      assert.strictEqual(report.runs.length, 1)
      assert.deepStrictEqual(report.without, ["loopDetector"])
    }).pipe(Effect.scoped)
  )

  it.live("--list, an unknown task, no server", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const list = yield* maia(box, ["eval", "--list"])
      assert.match(list.stdout, /^rename-function +Rename/m)
      const unknown = yield* maia(box, ["eval", "--task", "nonsense"])
      assert.strictEqual(unknown.code, 2)
      const rail = yield* maia(box, ["eval", "--without", "nonsense"])
      assert.strictEqual(rail.code, 2)
      assert.include(rail.stderr, "loopDetector")
      const none = yield* maia(box, ["eval"])
      assert.strictEqual(none.code, 5)
    }).pipe(Effect.scoped)
  )
})
