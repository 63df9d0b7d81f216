/** A terminal that was taken is given back by a process that breaks (spec 07 "Clean leave"). */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { join } from "node:path"
import { openTerminal } from "../support/terminal.ts"

describe("the terminal is given back", () => {
  for (const [name, way, code] of [
    ["an exception nobody catches", "throws", 1],
    ["a rejection nobody handles", "rejects", 1],
    ["an exit from anywhere", "exits", 3]
  ] as const) {
    it.live(`after ${name}`, () =>
      Effect.scoped(
        Effect.gen(function* () {
          const program = yield* openTerminal(
            [process.execPath, join(import.meta.dirname, "fixtures/takeTerminal.ts"), way],
            { cwd: import.meta.dirname, env: { PATH: process.env["PATH"] ?? "" } }
          )
          yield* program.shows("taken")
          assert.isFalse(program.isCooked())
          program.send("x")
          assert.strictEqual(yield* program.exit, code)
          assert.isTrue(program.isCooked(), "the terminal edits lines again")
          assert.include(program.raw(), "\u001b[?2004l")
        })
      )
    )
  }
})
