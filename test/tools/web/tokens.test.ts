/** The fixed prompt is bounded (spec 02): what these three tools cost in every request. */
import { assert, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { getEncoding } from "js-tiktoken"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { ActiveModel } from "../../../src/tools/model/ActiveModel.ts"
import { makeCurrentModel } from "../../../src/tools/model/currentModel.ts"
import { TodoStore } from "../../../src/tools/todo/TodoStore.ts"
import { makeTodoWrite } from "../../../src/tools/todo/todoWrite.ts"
import { PageFetcher } from "../../../src/tools/web/PageFetcher.ts"
import { makeWebFetch } from "../../../src/tools/web/webFetch.ts"
import { testConfigLayer } from "../../support/testConfig.ts"

it.effect("WebFetch, TodoWrite and CurrentModel cost at most 350 o200k tokens", () =>
  Effect.gen(function* () {
    const tools = yield* Effect.all([makeWebFetch, makeTodoWrite, makeCurrentModel])
    const sent = tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters }
    }))
    const tokens = getEncoding("o200k_base").encode(JSON.stringify(sent)).length
    console.info(`o200k tokens of WebFetch, TodoWrite and CurrentModel: ${tokens}`)
    assert.isAtMost(tokens, 350)
  }).pipe(
    Effect.provide(
      Layer.mergeAll(
        ActiveModel.layer,
        TodoStore.layer,
        Layer.mock(PageFetcher)({}),
        testConfigLayer({ launchFolder: "/nowhere" }),
        NodeServices.layer
      )
    )
  )
)
