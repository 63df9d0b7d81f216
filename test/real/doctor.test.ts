/** `maia doctor` in front of real servers: it must see what is there, and what is wrong there. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { maia } from "../e2e/support.ts"
import { against, KEY, MODEL, type Against } from "./support/maiaReal.ts"

const { litellm, llama, plain } = inject("servers")

interface Check {
  readonly check: string
  readonly status: string
  readonly message: string
  readonly details?: Readonly<Record<string, unknown>>
}

/** The checks by name. */
const examined = (server: Against) =>
  Effect.gen(function* () {
    const box = yield* against({ maxTokens: 64, ...server })
    const done = yield* maia(box, ["doctor", "--json", "--timeout", "120"], box.options())
    const { checks }: { readonly checks: ReadonlyArray<Check> } = JSON.parse(done.stdout)
    return (name: string): Check => checks.find(({ check }) => check === name) ?? assert.fail(`${name}: ${done.stdout}`)
  })

describe("maia doctor", () => {
  it.live("llama.cpp: server, model, window, cache and images, as they are", () =>
    Effect.gen(function* () {
      const of = yield* examined({ url: llama.url })
      for (const name of ["server", "models", "key", "answer", "cache"]) {
        assert.strictEqual(of(name).status, "ok", JSON.stringify(of(name)))
      }
      assert.include(of("window").message, "8192 tokens")
      assert.include(of("images").message, "not supported")
    }).pipe(Effect.scoped)
  )

  it.live("llama.cpp with a chat template that has no tools: said so, since the server says nothing", () =>
    Effect.gen(function* () {
      const of = yield* examined({ url: plain.url })
      assert.strictEqual(of("tools").status, "failure")
      assert.include(of("tools").message, "no place for tools")
      assert.include(of("window").message, "2048 tokens")
    }).pipe(Effect.scoped)
  )

  it.live("LiteLLM: its key and the window of /model/info", () =>
    Effect.gen(function* () {
      const of = yield* examined({ url: litellm.url, key: KEY, model: "mock" })
      assert.include(of("key").message, "accepted")
      assert.include(of("window").message, "LiteLLM /model/info")
      assert.strictEqual(of("tools").status, "failure", "the mock says the same to everything")
      const refused = yield* examined({ url: litellm.url, key: "sk-wrong-0123456789", model: "mock" })
      assert.strictEqual(refused("key").status, "failure")
    }).pipe(Effect.scoped)
  )

  it.live("LiteLLM in front of llama.cpp: the cache of the server behind it is seen", () =>
    Effect.gen(function* () {
      const of = yield* examined({ url: litellm.url, key: KEY, model: MODEL })
      assert.strictEqual(of("answer").status, "ok")
      assert.strictEqual(of("cache").status, "ok", JSON.stringify(of("cache")))
    }).pipe(Effect.scoped)
  )
})
