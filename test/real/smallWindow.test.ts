/** A window of 2 048 tokens, of which system prompt and tools take more than half. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { maia, ofType } from "../e2e/support.ts"
import { against, KEY, NARROW_MODEL, type Against } from "./support/maiaReal.ts"

const { litellm, narrow } = inject("servers")

const reasonsOf = (done: Parameters<typeof ofType>[0]) =>
  ofType(done, "compaction").map((line) => `${String(line["reason"])} ${String(line["phase"])}`)

const sentences = Array.from({ length: 34 }, (_, n) => `The heron number ${n} stands in the river.`).join(" ")

/** Our count is that of another vocabulary: such text has four times as many tokens for this model. */
const foreign = "鷺は川に立っている。魚を待つ。".repeat(7)

/** Turns of one session, each in a process of its own; gives the last. */
const turns = (server: Against, texts: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const box = yield* against({ maxTokens: 16, ...server })
    const say = (text: string) => maia(box, ["run", "-p", text, "--session", "s", "-o", "stream-json"], box.options())
    const done = yield* Effect.forEach(texts, say)
    for (const one of done) assert.strictEqual(one.code, 0, one.stdout + one.stderr)
    return done.at(-1) ?? assert.fail("no turn")
  })

describe("a window of 2 048 tokens", () => {
  it.live("llama.cpp: the conversation is compacted before the request that would fill it", () =>
    Effect.gen(function* () {
      const done = yield* turns({ url: narrow.url, key: KEY }, [sentences, sentences])
      assert.deepStrictEqual(reasonsOf(done), ["threshold started", "threshold finished"], done.stdout)
    }).pipe(Effect.scoped)
  )

  it.live("LiteLLM in front, which does not know the window: its refusal teaches it, and the turn goes on", () =>
    Effect.gen(function* () {
      const server = { url: litellm.url, key: KEY, model: NARROW_MODEL }
      const done = yield* turns(server, [foreign, foreign, foreign])
      assert.deepStrictEqual(reasonsOf(done), ["overflow started", "overflow finished"], done.stdout)
    }).pipe(Effect.scoped)
  )
})
