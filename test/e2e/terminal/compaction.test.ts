/** Compaction between the turns of a session in the terminal (spec 04, MAIA §14): told, and nothing that follows is lost. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { readdirSync } from "node:fs"
import { join } from "node:path"
import { textAnswer } from "../../support/scriptedServer.ts"
import { talk } from "./support.ts"

const long = (end: string) => textAnswer(`${"word number ".repeat(900)}\n\n${end}`)
const summary = textAnswer("## Current goal\n- The summary of it all\n\n## Next steps\n- go on")

const settings = (strategy: string) => ({ compaction: { strategy } })
const server = { models: [{ id: "test-model", context_window: 6_000 }] }

describe("a conversation near the end of its window", () => {
  it.live("goes on in a new session whose file gets everything that follows", () =>
    Effect.gen(function* () {
      const session = yield* talk({ columns: 120, settings: settings("new-session"), server })
      session.answers(long("FIRST-END"), long("SECOND-END"), summary, textAnswer("AFTER-IT"))
      yield* session.says("one")
      yield* session.gets("FIRST-END")
      yield* session.says("two")
      yield* session.shows("it goes on from a summary")
      yield* session.idle
      yield* session.says("three")
      yield* session.gets("AFTER-IT")
      assert.notInclude(session.lines().join("\n"), "cannot be saved")
      const files = readdirSync(join(session.box.folder, ".maia/.sessions")).filter((file) => file.endsWith(".jsonl"))
      assert.strictEqual(files.length, 2)
      const entries = JSON.stringify(session.box.session(files.find((file) => file.includes("__1"))))
      assert.include(entries, "three")
      assert.include(entries, "AFTER-IT")
    }).pipe(Effect.scoped)
  )

  it.live("is compacted in place, and that is said", () =>
    Effect.gen(function* () {
      const session = yield* talk({ columns: 120, settings: settings("in-place"), server })
      // A turn that is split takes a second one.
      session.answers(long("FIRST-END"), long("SECOND-END"), summary, summary)
      yield* session.says("one")
      yield* session.gets("FIRST-END")
      yield* session.says("two")
      yield* session.shows("Conversation compacted")
      yield* session.idle
    }).pipe(Effect.scoped)
  )
})
