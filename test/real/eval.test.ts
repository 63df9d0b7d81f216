/** `maia eval` with a real model behind a real proxy: what it measures is what the server counted. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { inject } from "vitest"
import { maia } from "../e2e/support.ts"
import { against, KEY, MODEL } from "./support/maiaReal.ts"

const { litellm } = inject("servers")

interface Run {
  readonly model: string
  readonly task: string
  readonly solved: boolean
  readonly fault?: string
  readonly inputTokens: number
  readonly outputTokens: number
}

describe("maia eval", () => {
  it.live("a task that such a model may fail, but with a reason and a count", () =>
    Effect.gen(function* () {
      const box = yield* against({ url: litellm.url, model: MODEL, key: KEY, maxTokens: 48 })
      const words = ["eval", "--model", MODEL, "--task", "not-there", "--runs", "1", "--json", "report.json"]
      const done = yield* maia(box, words, box.options())
      const { runs }: { readonly runs: ReadonlyArray<Run> } = JSON.parse(box.read("report.json"))
      const [run] = runs
      assert.deepStrictEqual([run?.model, run?.task], [MODEL, "not-there"], done.stderr)
      assert.isAbove(run?.inputTokens ?? 0, 500)
      assert.isAbove(run?.outputTokens ?? 0, 0)
      assert.isTrue(run?.solved === true || (run?.fault ?? "") !== "", JSON.stringify(run))
    }).pipe(Effect.scoped)
  )
})
