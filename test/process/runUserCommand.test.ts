import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { runUserCommand } from "../../src/process/runUserCommand.ts"
import { shellLayer, temporaryFolder } from "./support/shell.ts"

const run = (command: string) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    return yield* runUserCommand(command).pipe(Effect.provide(shellLayer(folder)))
  })

describe("!command", () => {
  it.live("is shown, and joins the next request with its command and status", () =>
    Effect.gen(function* () {
      const { shown, pending, status } = yield* run("echo hi; exit 2")
      assert.strictEqual(shown, "hi")
      assert.strictEqual(pending, "The user ran this command:\necho hi; exit 2\n\nIts output:\nhi\n[exit code: 2]")
      assert.deepStrictEqual(status, { en: "[exit code: 2]", fr: "[code de sortie : 2]" })
    })
  )

  it.live("a long output: 4 000 characters are shown, 30 000 are kept, the middle is left out", () =>
    Effect.gen(function* () {
      const { shown, pending } = yield* run("seq 1 1000000")
      for (const [text, limit] of [
        [shown, 4_000],
        [pending, 30_000]
      ] as const) {
        assert.isAtMost(text.length, limit)
        assert.isAbove(text.length, limit - 100)
        assert.include(text, "1\n2\n3")
        assert.match(text, /999999\n1000000(\n\[exit code: 0\])?$/)
      }
    })
  )

  it.live("what is shown cannot act on the terminal", () =>
    Effect.gen(function* () {
      const { shown } = yield* run("printf '\\033]0;title\\nb\\342\\200\\256c'")
      assert.strictEqual(shown, "0;title\nb‹U+202E›c")
    })
  )

  it.live("no output", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run("true")).shown, "(no output)")
    })
  )
})
