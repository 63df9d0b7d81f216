import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { runUserCommand } from "../../../src/process/runUserCommand.ts"
import { Sandbox, SandboxUnavailable } from "../../../src/process/sandbox/Sandbox.ts"
import { Shell } from "../../../src/process/Shell.ts"
import { testConfigLayer } from "../../support/testConfig.ts"
import { eventually, outputOf, processesWith } from "../support/shell.ts"
import { folders, type Folders, noSandbox, sandboxed } from "./support.ts"

const shellIn = (at: Folders) =>
  Layer.fresh(Shell.layer).pipe(
    Layer.provide(sandboxed(at)),
    Layer.provide(testConfigLayer({ launchFolder: at.project, home: at.home }))
  )

const inSandbox = (
  what: string,
  body: (at: Folders, shell: Shell["Service"]) => Effect.Effect<unknown, unknown, Shell>
) =>
  it.live.skipIf(noSandbox !== undefined)(what, () =>
    Effect.gen(function* () {
      const at = yield* folders
      yield* Effect.flatMap(Shell, (shell) => body(at, shell)).pipe(Effect.provide(shellIn(at)))
    })
  )

describe("Bash in the sandbox", () => {
  inSandbox("output, order and exit code come through, also by way of /dev/stderr", (_, shell) =>
    Effect.gen(function* () {
      const result = yield* shell.run({
        command: "echo a; echo b >&2; echo c >/dev/stderr; echo d >/dev/stdout; exit 5"
      })
      assert.strictEqual(outputOf(result), "a\nb\nc\nd\n")
      assert.deepStrictEqual(result.status, { kind: "exited", code: 5 })
      assert.deepStrictEqual(result.notes, [])
    })
  )

  inSandbox(
    "what is protected stays, the launch folder can be written, a folder below it is the working folder",
    (at, shell) =>
      Effect.gen(function* () {
        fs.mkdirSync(path.join(at.project, "src"))
        const result = yield* shell.run({
          command: "pwd; echo 1 >a; echo x >../.maia/settings.json",
          cwd: path.join(at.project, "src")
        })
        assert.match(outputOf(result), /\/project\/src\n.*Read-only file system/)
        assert.isTrue(fs.existsSync(path.join(at.project, "src/a")))
        assert.isFalse(fs.existsSync(path.join(at.project, ".maia/settings.json")))
      })
  )

  inSandbox("a time limit and an interruption end everything it started", (at, shell) =>
    Effect.gen(function* () {
      const mark = `SANDBOX_TEST=${path.basename(at.root)}`
      const command = `export ${mark}; trap '' TERM; setsid sleep 300 & sleep 300 & wait`
      const { status } = yield* shell.run({ command, timeoutSeconds: 1 })
      assert.deepStrictEqual(status, { kind: "timedOut", seconds: 1 })
      yield* eventually("the first is gone", () => processesWith(mark).length === 0)
      const started = yield* Deferred.make<void>()
      const running = yield* Effect.forkChild(
        shell.run({ command, started: () => Effect.asVoid(Deferred.succeed(started, undefined)) })
      )
      yield* Deferred.await(started)
      yield* eventually("it runs", () => processesWith(mark).length >= 2)
      yield* Fiber.interrupt(running)
      yield* eventually("the second is gone", () => processesWith(mark).length === 0)
    })
  )

  inSandbox("what the user types runs as in any terminal", (at) =>
    Effect.gen(function* () {
      const { pending } = yield* runUserCommand(
        "mkdir -p .maia && echo 1 >.maia/notes && echo 2 >../outside && echo done"
      )
      assert.include(pending, "done")
      assert.isTrue(fs.existsSync(path.join(at.project, ".maia/notes")))
      assert.isTrue(fs.existsSync(path.join(at.root, "outside")))
    })
  )

  it.live("a sandbox that is required and missing: the command does not run, and the reason is the status", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const refusing = Layer.succeed(Sandbox, {
        wrap: () => new SandboxUnavailable({ text: { en: "no sandbox here", fr: "pas de bac à sable ici" } }),
        warning: Effect.undefined,
        missing: Effect.undefined
      })
      const { status } = yield* Effect.flatMap(Shell, (shell) => shell.run({ command: "touch ran" })).pipe(
        Effect.provide(
          Layer.fresh(Shell.layer).pipe(
            Layer.provide([refusing, testConfigLayer({ launchFolder: at.project, home: at.home })])
          )
        )
      )
      assert.deepStrictEqual(status, { kind: "couldNotStart", reason: "no sandbox here" })
      assert.deepStrictEqual(fs.readdirSync(at.project), [])
    })
  )
})
