/** The fixed prompt is bounded (spec 02): what the file and search tools cost in every request. */
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { getEncoding } from "js-tiktoken"
import { makeEdit } from "../../../src/tools/files/edit.ts"
import { makeRead } from "../../../src/tools/files/read.ts"
import { makeWrite } from "../../../src/tools/files/write.ts"
import { makeGlob } from "../../../src/tools/search/glob.ts"
import { makeGrep } from "../../../src/tools/search/grep.ts"
import { services } from "./support.ts"

it.effect("Read, Glob, Grep, Write and Edit cost at most 650 o200k tokens", () =>
  Effect.gen(function* () {
    const tools = yield* Effect.all([makeRead, makeGlob, makeGrep, makeWrite, makeEdit])
    const sent = tools.map(({ name, description, parameters }) => ({
      type: "function",
      function: { name, description, parameters }
    }))
    const tokens = getEncoding("o200k_base").encode(JSON.stringify(sent)).length
    console.info(`o200k tokens of Read, Glob, Grep, Write and Edit: ${tokens}`)
    assert.isAtMost(tokens, 650)
  }).pipe(Effect.provide(services("/nowhere")))
)
