import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { examinedServer } from "../doctor/e2eServer.ts"
import { json } from "../support/scriptedServer.ts"
import { maia, sandbox } from "./support.ts"

const KEY = "sk-very-secret-0123456789"

describe("maia doctor on the executable", () => {
  it.live("all well: exit 0, one line each", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* examinedServer()
      const done = yield* maia(box, ["doctor"], { url: server.url, env: { LITELLM_API_KEY: KEY } })
      assert.strictEqual(done.code, 0, done.stdout + done.stderr)
      assert.match(done.stdout, /^ok +tool call +called, answered and used/m)
      assert.match(done.stdout, /0 failures, 0 warnings\n$/)
      assert.notInclude(done.stdout + done.stderr, KEY)
    }).pipe(Effect.scoped)
  )

  it.live("a dead server: exit 1 within a few seconds, in French too", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const started = Date.now()
      const done = yield* maia(box, ["doctor"], { url: "http://127.0.0.1:9", env: { LC_ALL: "fr_FR.UTF-8" } })
      assert.strictEqual(done.code, 1, done.stdout)
      assert.match(done.stdout, /ÉCHEC +serveur .*127\.0\.0\.1:9/)
      assert.isBelow(Date.now() - started, 5_000)
    }).pipe(Effect.scoped)
  )

  it.live("a server that repeats the key does not make maia print it", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* examinedServer(() => json(401, { error: { message: `Incorrect key ${KEY}` } }))
      for (const args of [["doctor"], ["doctor", "--json"]]) {
        const done = yield* maia(box, args, { url: server.url, env: { LITELLM_API_KEY: KEY } })
        assert.strictEqual(done.code, 1)
        assert.notInclude(done.stdout + done.stderr, KEY)
      }
    }).pipe(Effect.scoped)
  )

  it.live("--json and --model; settings that cannot be read", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* examinedServer()
      const done = yield* maia(box, ["doctor", "--json", "--model", "litellm:test-model"], {
        env: { LITELLM_URL: server.url }
      })
      assert.strictEqual(done.code, 0, done.stdout)
      const report: { ok: boolean; model: string; checks: ReadonlyArray<{ check: string; status: string }> } =
        JSON.parse(done.stdout)
      assert.isTrue(report.ok)
      assert.strictEqual(report.model, "test-model")
      assert.strictEqual(report.checks.find(({ check }) => check === "tools")?.status, "ok")
      box.settings({ LiteLLM_URL: 7 })
      const bad = yield* maia(box, ["doctor"])
      assert.strictEqual(bad.code, 1)
      assert.match(bad.stdout, /FAILURE +settings .*settings\.json:2/)
    }).pipe(Effect.scoped)
  )
})
