import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { eventually, processesWith, temporaryFolder } from "./support/shell.ts"

const runner = path.join(import.meta.dirname, "fixtures", "runner.ts")
let count = 0

/** Starts the program in maia's place; every process it makes carries the mark. */
const startRunner = (folder: string, args: ReadonlyArray<string>) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const mark = `MAIA_TEST_MARK=${process.pid}-${++count}`
      const child = Bun.spawn([process.execPath, runner, ...args], {
        cwd: folder,
        env: { ...process.env, MAIA_TEST_MARK: mark.slice("MAIA_TEST_MARK=".length) },
        stdio: ["ignore", "pipe", "pipe"]
      })
      return { child, mark }
    }),
    ({ child, mark }) =>
      Effect.sync(() => {
        for (const pid of [child.pid, ...processesWith(mark)]) {
          try {
            process.kill(pid, "SIGKILL")
          } catch {
            // Gone, as it should be.
          }
        }
      })
  )

/** Commands of every kind that run until they are ended; each makes a file once it runs. */
const commands = [
  "touch ready1; sleep 300 & wait",
  "touch ready2; trap '' TERM; sleep 300 & sleep 300",
  "touch ready3; timeout 300 sleep 300",
  "touch ready4; set -m; sleep 300 & wait",
  "touch ready5; bash -c '(sleep 300; true) & wait'",
  "sleep 300 & touch ready6"
]
const ready = (folder: string) =>
  eventually("all commands run", () =>
    commands.every((_, index) => fs.existsSync(path.join(folder, `ready${index + 1}`)))
  )

/** The supervisors know no mark: they have an empty environment. */
const supervisorsOf = (pid: number): ReadonlyArray<string> =>
  fs.readdirSync("/proc").filter((name) => {
    try {
      return (
        /^\d+$/.test(name) &&
        Number(fs.readFileSync(`/proc/${name}/stat`, "latin1").split(") ")[1]?.split(" ")[1]) === pid &&
        fs.readFileSync(`/proc/${name}/cmdline`, "latin1").includes("sessions=")
      )
    } catch {
      return false
    }
  })

describe("E3 leaving the app", () => {
  for (const [signal, code] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129]
  ] as const) {
    it.live(
      `${signal}: no process is left when maia has exited`,
      () =>
        Effect.gen(function* () {
          const folder = yield* temporaryFolder
          const { child, mark } = yield* startRunner(folder, ["--background", ...commands])
          yield* ready(folder)
          const [supervisor] = supervisorsOf(child.pid)
          assert.isDefined(supervisor)
          child.kill(signal)
          assert.strictEqual(yield* Effect.promise(() => child.exited), code)
          assert.deepStrictEqual(processesWith(mark), [])
          assert.isFalse(fs.existsSync(`/proc/${supervisor}`), "the supervisor has gone, too")
        }),
      15_000
    )
  }

  it.live(
    "kill -9 of maia: no process is left soon after",
    () =>
      Effect.gen(function* () {
        const folder = yield* temporaryFolder
        const { child, mark } = yield* startRunner(folder, ["--background", ...commands])
        yield* ready(folder)
        const [supervisor] = supervisorsOf(child.pid)
        child.kill("SIGKILL")
        yield* Effect.promise(() => child.exited)
        yield* eventually("every process has ended", () => processesWith(mark).length === 0)
        yield* eventually("the supervisor has ended", () => !fs.existsSync(`/proc/${supervisor}`))
      }),
    15_000
  )

  it.live(
    "kill -9 at any moment of the first command: no process is left",
    () =>
      Effect.forEach(
        Array.from({ length: 12 }, (_, index) => index),
        (index) =>
          Effect.gen(function* () {
            const folder = yield* temporaryFolder
            const { child, mark } = yield* startRunner(folder, [
              "sleep 300 & sleep 300",
              "sleep 300",
              "sleep 300 & wait"
            ])
            yield* eventually("a process was started", () => processesWith(mark).length > 1)
            yield* Effect.sleep(index / 4)
            child.kill("SIGKILL")
            yield* Effect.promise(() => child.exited)
            yield* eventually("every process has ended", () => processesWith(mark).length === 0)
          }).pipe(Effect.scoped),
        { discard: true }
      ),
    60_000
  )

  it.live("the supervisor is killed: the next command gets another one", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { child, mark } = yield* startRunner(folder, [
        "--background",
        "sleep 300",
        "until [ -e go ]; do sleep 0.01; done"
      ])
      yield* eventually("the commands run", () => processesWith(mark).length > 2)
      const [supervisor] = supervisorsOf(child.pid)
      process.kill(Number(supervisor), "SIGKILL")
      fs.writeFileSync(path.join(folder, "go"), "")
      assert.strictEqual(yield* Effect.promise(() => child.exited), 7)
      assert.deepStrictEqual(processesWith(mark), [])
    })
  )
})

describe("signals and exit codes", () => {
  it.live("the program's own code, after everything is ended", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { child, mark } = yield* startRunner(folder, ["sleep 300 & true", "exit 3"])
      assert.strictEqual(
        yield* Effect.promise(() => new Response(child.stdout).text()),
        "[exit code: 0]\n[exit code: 3]\n"
      )
      assert.strictEqual(yield* Effect.promise(() => child.exited), 7)
      assert.deepStrictEqual(processesWith(mark), [])
    })
  )

  it.live("the first interrupt lets a turn that waits for it end by itself", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { child } = yield* startRunner(folder, ["--graceful", "touch ready; sleep 300"])
      yield* eventually("the command runs", () => fs.existsSync(path.join(folder, "ready")))
      child.kill("SIGINT")
      assert.strictEqual(yield* Effect.promise(() => new Response(child.stdout).text()), "[interrupted]\n")
      assert.strictEqual(yield* Effect.promise(() => child.exited), 7)
    })
  )

  it.live("interrupted three times: exits at once, and the supervisor ends the rest", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const { child, mark } = yield* startRunner(folder, ["touch ready; trap '' TERM; while :; do :; done"])
      yield* eventually("the command runs", () => fs.existsSync(path.join(folder, "ready")))
      child.kill("SIGINT")
      child.kill("SIGTERM")
      child.kill("SIGHUP")
      yield* Effect.promise(() => child.exited)
      yield* eventually("every process has ended", () => processesWith(mark).length === 0)
    })
  )
})
