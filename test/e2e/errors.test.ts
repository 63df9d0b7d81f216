import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunk, json, rawBytes, reset, scriptedServer } from "../support/scriptedServer.ts"
import { maia, ofType, sandbox } from "./support.ts"

describe("errors of day one, one line each", () => {
  const oneLine = (stderr: string) => stderr.trim().split("\n")

  it.effect("no settings", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const done = yield* maia(box, ["run", "-p", "hi"])
      assert.strictEqual(done.code, 5)
      assert.strictEqual(oneLine(done.stderr).length, 1, done.stderr)
      assert.include(done.stderr, "LiteLLM_URL")
    }).pipe(Effect.scoped)
  )

  it.effect("wrong settings name file, line, key and an example", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ LiteLLM_URL: 7 })
      const done = yield* maia(box, ["run", "-p", "hi"])
      assert.strictEqual(done.code, 5)
      assert.match(done.stderr, /settings\.json:2: "LiteLLM_URL" must be .*Example/)
    }).pipe(Effect.scoped)
  )

  it.effect("server down", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const done = yield* maia(box, ["run", "-p", "hi"], { url: "http://127.0.0.1:9" })
      assert.strictEqual(done.code, 5, done.stderr)
      assert.include(done.stderr, "127.0.0.1:9")
    }).pipe(Effect.scoped)
  )

  it.effect("wrong key, unknown model, HTML in place of an API", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const refused = yield* scriptedServer([json(401, { error: { message: "Invalid key" } })])
      const key = yield* maia(box, ["run", "-p", "hi"], { url: refused.url })
      assert.strictEqual(key.code, 5, key.stderr)
      const unknown = yield* scriptedServer([json(404, { error: { message: "model not found" } })], {
        models: ["test-model-2"]
      })
      const model = yield* maia(box, ["run", "-p", "hi"], { url: unknown.url })
      assert.strictEqual(model.code, 5, model.stderr)
      assert.include(model.stderr, "test-model-2")
      const page = yield* scriptedServer([
        rawBytes("<!DOCTYPE html><html><body>Welcome</body></html>", { headers: { "content-type": "text/html" } })
      ])
      const html = yield* maia(box, ["run", "-p", "hi"], { url: page.url })
      assert.strictEqual(html.code, 5, html.stderr)
      for (const done of [key, model, html]) assert.strictEqual(oneLine(done.stderr).length, 1, done.stderr)
    }).pipe(Effect.scoped)
  )

  it.effect("no model chosen: the server's models are named", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([], { models: ["alpha", "beta"] })
      const done = yield* maia(box, ["run", "-p", "hi"], { env: { LITELLM_URL: server.url } })
      assert.strictEqual(done.code, 5)
      assert.include(done.stderr, "alpha, beta")
    }).pipe(Effect.scoped)
  )

  it.effect("a wrong flag exits 2 and keeps stdout empty", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      for (const args of [
        ["run", "--bogus"],
        ["run", "-p", "x", "--output", "xml"],
        ["run", "-p", "x", "--max-iterations", "0"],
        ["modles"]
      ]) {
        const done = yield* maia(box, args)
        assert.strictEqual(done.code, 2, args.join(" "))
        assert.strictEqual(done.stdout, "", args.join(" "))
        assert.notStrictEqual(done.stderr, "", args.join(" "))
      }
    }).pipe(Effect.scoped)
  )

  it.effect("no terminal", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const done = yield* maia(box, [])
      assert.strictEqual(done.code, 1)
      assert.strictEqual(oneLine(done.stderr).length, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("a stream cut in the middle is retried once, then shown as broken", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      // The bytes may or may not reach the client before the reset: asked is what must be true either way.
      const server = yield* scriptedServer(() => reset([chunk({ content: "half" })]))
      const done = yield* maia(box, ["run", "-p", "hi", "-o", "stream-json"], { url: server.url })
      assert.strictEqual(done.code, 1)
      assert.strictEqual(server.chats.length, 2)
      assert.isAtMost(ofType(done, "discard").length, 1)
      assert.strictEqual(done.lines.at(-1)?.["reason"], "error")
    }).pipe(Effect.scoped)
  )
})
