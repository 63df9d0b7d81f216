import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Layer, Stream } from "effect"
import { ChildPrograms } from "../../src/process/ChildPrograms.ts"
import { testConfigLayer } from "../support/testConfig.ts"
import { eventually, isAlive, readIfThere, temporaryFolder } from "./support/shell.ts"

const withPrograms = (folder: string) =>
  Effect.provide(
    ChildPrograms.layer.pipe(Layer.provide(testConfigLayer({ launchFolder: folder, env: { HOME: folder } })))
  )

/** Runs a shell script as the child. */
const startScript = (folder: string, script: string, maxLine = 1_000) =>
  Effect.flatMap(ChildPrograms, (programs) =>
    programs.start({ argv: ["/bin/sh", "-c", script], cwd: folder, env: { GIVEN: "yes" }, maxLine })
  )

describe("ChildPrograms", () => {
  it.live("speaks with a program in lines, and tells how it ended", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        const child = yield* startScript(folder, 'read x; echo "got $x $GIVEN"; echo trouble >&2; read y; exit 3')
        const lines = yield* Effect.forkChild(Stream.runCollect(child.lines))
        yield* child.send("hello")
        yield* child.endInput
        assert.deepStrictEqual(yield* child.exited, { kind: "exited", code: 3 })
        assert.deepStrictEqual(yield* Fiber.join(lines), ["got hello yes"])
        yield* eventually("its errors are read", () => child.errorTail() === "trouble\n")
        yield* child.send("to nobody")
      }).pipe(Effect.scoped, withPrograms(folder))
    })
  )

  it.live("holds no more of a line without end than allowed", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        const child = yield* startScript(
          folder,
          "echo before; head -c 10000000 /dev/zero | tr '\\0' x; echo; echo after; head -c 100000 /dev/zero >&2"
        )
        assert.deepStrictEqual(yield* Stream.runCollect(child.lines), ["before", undefined, "after"])
        assert.isAbove(child.received(), 10_000_000)
        yield* child.exited
        assert.isAtMost(child.errorTail().length, 4_000)
      }).pipe(Effect.scoped, withPrograms(folder))
    })
  )

  it.live("ends a program that ignores every signal, and what it started, with its scope", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        const child = yield* Effect.scoped(
          Effect.gen(function* () {
            const started = yield* startScript(
              folder,
              "trap '' TERM INT HUP; sh -c \"trap '' TERM; echo \\$\\$ > inner; sleep 300 & wait\" & wait; wait"
            )
            yield* eventually("the inner one runs", () => readIfThere(`${folder}/inner`) !== "")
            return started
          })
        )
        assert.deepStrictEqual(child.exit(), { kind: "signalled", signal: "SIGKILL" })
        assert.isFalse(isAlive(Number(readIfThere(`${folder}/inner`))))
      }).pipe(withPrograms(folder))
    })
  )

  it.live("says why a program cannot be started", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      yield* Effect.gen(function* () {
        const programs = yield* ChildPrograms
        const missing = yield* Effect.flip(
          programs.start({ argv: ["/nowhere/program"], cwd: "/nowhere/at/all", maxLine: 10 })
        )
        assert.include(missing.message, "ENOENT")
        const child = yield* programs.start({ argv: ["/nowhere/program"], cwd: folder, maxLine: 10 })
        assert.deepStrictEqual(yield* child.exited, { kind: "exited", code: 127 })
        yield* eventually("the shell says why", () => child.errorTail().includes("/nowhere/program"))
      }).pipe(Effect.scoped, withPrograms(folder))
    })
  )
})
