import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { ActiveModel } from "../../../src/tools/model/ActiveModel.ts"
import { makeCurrentModel } from "../../../src/tools/model/currentModel.ts"
import { context } from "../web/support.ts"

describe("CurrentModel", () => {
  it.effect("names the model as it is when the call runs", () =>
    Effect.gen(function* () {
      const active = yield* ActiveModel
      const tool = yield* makeCurrentModel
      const call = yield* tool.prepare(null)
      assert.strictEqual(tool.permission, "auto")
      assert.strictEqual((yield* call.run(context())).text, "test")
      yield* active.set("provider/big-model")
      assert.strictEqual((yield* call.run(context())).text, "provider/big-model")
      yield* active.set("other")
      assert.strictEqual((yield* call.run(context())).text, "other")
    }).pipe(Effect.provide(ActiveModel.layer))
  )
})
