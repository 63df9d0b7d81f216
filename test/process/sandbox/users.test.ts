import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Scope } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { folders, type Folders, noSandbox, run, sandboxed } from "./support.ts"

describe("two maias in one folder", () => {
  const tryToWrite = (at: Folders) => run(at, "mkdir -p .maia && echo '{}' > .maia/settings.json")

  it.live.skipIf(noSandbox !== undefined)("the first to leave takes nothing away that protects the other", () =>
    Effect.gen(function* () {
      const at = yield* folders
      yield* Effect.gen(function* () {
        assert.notStrictEqual((yield* tryToWrite(at)).code, 0)
        yield* Effect.provide(tryToWrite(at), sandboxed(at))
        assert.isTrue(fs.existsSync(path.join(at.project, ".maia")))
        assert.notStrictEqual((yield* tryToWrite(at)).code, 0)
      }).pipe(Effect.provide(sandboxed(at)))
      assert.deepStrictEqual(fs.readdirSync(at.project), [], "the last one leaves nothing behind")
    }).pipe(Effect.scoped)
  )

  it.live.skipIf(noSandbox !== undefined)("what the first had made is taken away by the last", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const first = yield* Scope.make()
      const one = yield* Layer.buildWithScope(sandboxed(at), first)
      yield* Effect.provide(run(at, "true"), one)
      const second = yield* Scope.make()
      const other = yield* Layer.buildWithScope(sandboxed(at), second)
      yield* Effect.provide(run(at, "true"), other)
      yield* Scope.close(first, Exit.void)
      assert.isTrue(fs.existsSync(path.join(at.project, ".git")))
      assert.notStrictEqual((yield* Effect.provide(tryToWrite(at), other)).code, 0)
      yield* Scope.close(second, Exit.void)
      assert.deepStrictEqual(fs.readdirSync(at.project), [])
    }).pipe(Effect.scoped)
  )
})
