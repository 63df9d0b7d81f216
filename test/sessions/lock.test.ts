import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path, Scope } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { lockSession } from "../../src/sessions/lock.ts"
import { isRunning, ownIdentity } from "../../src/config/processIdentity.ts"

const withFolder = <A, E>(
  test: (folder: string) => Effect.Effect<A, E, FileSystem.FileSystem | Path.Path | Scope.Scope>
): Effect.Effect<A> =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => Effect.flatMap(fs.makeTempDirectoryScoped(), test)).pipe(
    Effect.scoped,
    Effect.provide(NodeServices.layer),
    Effect.orDie
  )

const lock = (folder: string, name = "a") => Effect.flatMap(Effect.scope, (scope) => lockSession(folder, name, scope))

/** Rewrites the claim of a lock as another process would have left it. */
const disguise = Effect.fnUntraced(function* (folder: string, changes: object) {
  const fs = yield* FileSystem.FileSystem
  for (const name of yield* fs.readDirectory(`${folder}/.locks`)) {
    if (name.endsWith(".held")) continue
    const file = `${folder}/.locks/${name}`
    const claim: unknown = JSON.parse(yield* fs.readFileString(file))
    yield* fs.writeFileString(file, JSON.stringify(Object.assign({}, claim, changes)))
  }
})

describe("the lock of a session", () => {
  it.effect("a second claim fails until the first is given back; case does not make another session", () =>
    withFolder((folder) =>
      Effect.gen(function* () {
        const first = yield* lock(folder, "Work")
        assert.isDefined(first)
        assert.isUndefined(yield* lock(folder, "work"))
        assert.isDefined(yield* lock(folder, "other"))
        if (first !== undefined) yield* first.release
        assert.isDefined(yield* lock(folder, "work"))
      })
    )
  )

  it.effect("closing the scope leaves no file", () =>
    withFolder((folder) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* Effect.scoped(lock(folder))
        assert.deepStrictEqual(yield* fs.readDirectory(`${folder}/.locks`), [])
      })
    )
  )

  it.effect("the claim of an ended process is taken over", () =>
    withFolder((folder) =>
      Effect.gen(function* () {
        yield* lock(folder)
        yield* disguise(folder, { pid: 2 ** 22 + 12_345 })
        assert.isDefined(yield* lock(folder))
      })
    )
  )

  it.effect("a process number that another process has by now is a stale lock", () =>
    withFolder((folder) =>
      Effect.gen(function* () {
        yield* lock(folder)
        yield* disguise(folder, { start: "1@00000000" })
        assert.isDefined(yield* lock(folder))
      })
    )
  )

  it.effect("a claim of another host holds for a while", () =>
    withFolder((folder) =>
      Effect.gen(function* () {
        yield* lock(folder)
        yield* disguise(folder, { host: "elsewhere" })
        assert.isUndefined(yield* lock(folder))
        yield* disguise(folder, { host: "elsewhere", time: -13 * 3_600_000 })
        assert.isDefined(yield* lock(folder))
      })
    )
  )

  it.live("of many who want it at once at most one gets it, and one who comes later can", () =>
    withFolder((folder) =>
      Effect.gen(function* () {
        for (let round = 0; round < 5; round++) {
          const won = yield* Effect.scoped(
            Effect.map(
              Effect.all(
                Array.from({ length: 12 }, () => lock(folder)),
                { concurrency: "unbounded" }
              ),
              (locks) => locks.filter((item) => item !== undefined).length
            )
          )
          assert.isAtMost(won, 1)
          assert.isDefined(yield* Effect.scoped(lock(folder)))
        }
      })
    )
  )

  it("knows itself as running and a number never given as not", () => {
    const own = ownIdentity()
    assert.isTrue(isRunning(own))
    assert.isFalse(isRunning({ ...own, pid: 2 ** 22 + 12_345 }))
    assert.isFalse(isRunning({ ...own, pid: -1 }))
  })
})
