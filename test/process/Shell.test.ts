import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Shell } from "../../src/process/Shell.ts"
import type { TestConfig } from "../support/testConfig.ts"
import {
  eventually,
  isAlive,
  outputOf,
  processesWith,
  readIfThere,
  shellLayer,
  temporaryFolder
} from "./support/shell.ts"

/** Runs a test with the service on a temporary launch folder. */
const withShell = <A, E>(
  body: (shell: Shell["Service"], folder: string) => Effect.Effect<A, E>,
  options: Partial<TestConfig> = {}
) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    return yield* Effect.gen(function* () {
      return yield* body(yield* Shell, folder)
    }).pipe(Effect.provide(shellLayer(folder, options)))
  })

const run = (command: string, timeoutSeconds = 20) =>
  withShell((shell) =>
    shell.run({ command, timeoutSeconds }).pipe(Effect.map((result) => ({ ...result, text: outputOf(result) })))
  )

describe("how a command ended", () => {
  it.live("no output: states the exit code", () =>
    Effect.gen(function* () {
      for (const [command, code] of [
        ["true", 0],
        ["false", 1],
        ["exit 3", 3],
        ["no-such-program-anywhere", 127]
      ] as const) {
        const { status } = yield* run(command)
        assert.deepStrictEqual(status, { kind: "exited", code }, command)
      }
    })
  )

  it.live("a command that is killed names the signal", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* run("kill -SEGV $$")).status, { kind: "signalled", signal: "SIGSEGV" })
      assert.deepStrictEqual((yield* run("kill -KILL $$")).status, { kind: "signalled", signal: "SIGKILL" })
    })
  )

  it.live("a syntax error shows the user's own line, nothing of maia", () =>
    Effect.gen(function* () {
      const { status, text } = yield* run("if then")
      assert.deepStrictEqual(status, { kind: "exited", code: 2 })
      assert.include(text, "line 1: `if then'")
    })
  )

  it.live("stdout and stderr keep their order", () =>
    Effect.gen(function* () {
      const { text } = yield* run("for i in 1 2 3; do echo out$i; echo err$i >&2; done")
      assert.strictEqual(text, "out1\nerr1\nout2\nerr2\nout3\nerr3\n")
    })
  )

  it.live("writing to /dev/stderr does not empty what was printed before, and wait does not wait for ever", () =>
    Effect.gen(function* () {
      const { text, status } = yield* run(
        "echo a; echo b >/dev/stderr; echo c | tee /dev/stderr >'/dev/null'; wait; echo d; exit 4"
      )
      assert.strictEqual(text, "a\nb\nc\nd\n")
      assert.deepStrictEqual(status, { kind: "exited", code: 4 })
    })
  )

  it.live("positional parameters are empty and the name is bash", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run('echo "$0 $# [$*]"')).text, "bash 0 []\n")
    })
  )

  it.live("a launch folder that cannot hold output is a status, not a failure", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      fs.writeFileSync(path.join(folder, "file"), "")
      const { status } = yield* Effect.gen(function* () {
        const shell = yield* Shell
        return yield* shell.run({ command: "true" })
      }).pipe(Effect.provide(shellLayer(folder, { outputDir: path.join(folder, "file", "output") })))
      assert.strictEqual(status.kind, "couldNotStart")
    })
  )
})

describe("E1 background child holds the output", () => {
  for (const command of [
    "sleep 60 & echo done",
    "(while :; do echo x; sleep .1; done) & echo done",
    "sleep 60 </dev/null >/dev/null & echo done"
  ]) {
    it.live(`returns at once: ${command}`, () =>
      withShell((shell) =>
        Effect.gen(function* () {
          const before = Date.now()
          const result = yield* shell.run({ command, timeoutSeconds: 20 })
          assert.isBelow(Date.now() - before, 1500)
          assert.include(outputOf(result), "done")
          assert.match(result.notes.join(), /Still running in the background: \d+ \(.*It is ended when maia exits/)
          yield* result.discard
          assert.isTrue(fs.existsSync(result.output.path), "a file somebody still writes to is kept")
        })
      )
    )
  }

  it.live("a child in its own session is listed", () =>
    Effect.gen(function* () {
      const { notes, text } = yield* run("setsid sleep 61 & echo done")
      assert.strictEqual(text, "done\n")
      const pid = Number(/and still runs: (\d+) \(/.exec(notes.join())?.[1])
      assert.isTrue(isAlive(pid))
      process.kill(pid, "SIGKILL")
    })
  )

  it.live("a child that ends with its shell is no leftover and its output is there", () =>
    Effect.gen(function* () {
      const { notes, text } = yield* run("exec > >(sleep 0.02; cat); echo late")
      assert.strictEqual(text, "late\n")
      assert.deepStrictEqual(notes, [])
    })
  )
})

describe("E2 timeout reaches grandchildren", () => {
  for (const command of [
    "bash -c 'sleep 300 & wait'",
    "trap '' TERM; sleep 300 & sleep 300",
    "timeout 300 sleep 300 & wait",
    "set -m; sleep 300 & wait",
    "kill -STOP $$",
    "(trap '' TERM; while :; do :; done) & wait"
  ]) {
    it.live(`nothing is left of: ${command}`, () =>
      withShell((shell) =>
        Effect.gen(function* () {
          const before = Date.now()
          const result = yield* shell.run({ command: `echo $MAIA_COMMAND; ${command}`, timeoutSeconds: 0.3 })
          assert.deepStrictEqual(result.status, { kind: "timedOut", seconds: 0.3 })
          assert.isBelow(Date.now() - before, 2300)
          const mark = `MAIA_COMMAND=${outputOf(result).split("\n")[0]}`
          assert.isAbove(mark.length, 20)
          assert.deepStrictEqual(processesWith(mark), [])
        })
      )
    )
  }

  it.live("a child that left the session is listed, not waited for", () =>
    Effect.gen(function* () {
      const { status, notes } = yield* run("setsid sleep 62 & sleep 300", 0.3)
      assert.strictEqual(status.kind, "timedOut")
      const pid = Number(/and still runs: (\d+) \(.*sleep 62/.exec(notes.join())?.[1])
      assert.isTrue(isAlive(pid))
      process.kill(pid, "SIGKILL")
    })
  )

  it.live("interrupting the effect ends the whole session before it returns", () =>
    withShell((shell, folder) =>
      Effect.gen(function* () {
        const pidFile = path.join(folder, "pid")
        const fiber = yield* Effect.forkChild(
          shell.run({ command: `timeout 300 sleep 300 & echo $! >${pidFile}; sleep 300 & wait`, timeoutSeconds: 60 })
        )
        yield* eventually("the command runs", () => readIfThere(pidFile).endsWith("\n"))
        yield* Fiber.interrupt(fiber)
        assert.isFalse(isAlive(Number(readIfThere(pidFile))))
      })
    )
  )

  it.live("asked to stop, a command gives what it printed and the status interrupted", () =>
    withShell((shell) =>
      Effect.gen(function* () {
        const stop = yield* Deferred.make<void>()
        const result = yield* shell.run({
          command: "echo partial; sleep 300",
          interrupt: Deferred.await(stop),
          progress: () => Effect.asVoid(Deferred.succeed(stop, undefined))
        })
        assert.deepStrictEqual(result.status, { kind: "interrupted" })
        assert.strictEqual(outputOf(result), "partial\n")
      })
    )
  )

  it.live("closing the service ends what runs in the background, also in other process groups", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const result = yield* Effect.gen(function* () {
        const shell = yield* Shell
        return yield* shell.run({
          command: "sleep 300 & timeout 300 sleep 300 & (trap '' TERM; sleep 300 & wait) & echo $MAIA_COMMAND"
        })
      }).pipe(Effect.provide(shellLayer(folder)))
      assert.deepStrictEqual(processesWith(`MAIA_COMMAND=${outputOf(result).trim()}`), [])
    })
  )
})

describe("E4 waiting for input", () => {
  it.live("standard input is at its end", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run("read x; echo $?")).text, "1\n")
      assert.strictEqual((yield* run("cat; echo end")).text, "end\n")
      assert.deepStrictEqual((yield* run("test -c /dev/stdin")).status, { kind: "exited", code: 0 })
    })
  )

  it.live("there is no terminal to ask on", () =>
    Effect.gen(function* () {
      const { text } = yield* run("read x </dev/tty || echo refused")
      assert.include(text, "refused")
    })
  )

  it.live("the command leads its own session", () =>
    Effect.gen(function* () {
      const { text } = yield* run("read -r line </proc/$$/stat; set -- ${line##*) }; echo $$ $3 $4")
      const [pid, group, session] = text.trim().split(" ")
      assert.strictEqual(group, pid)
      assert.strictEqual(session, pid)
    })
  )

  it.live("git opens no editor and says what to do", () =>
    Effect.gen(function* () {
      const git = "git -c user.name=a -c user.email=a@b -c init.defaultBranch=main"
      const { text, status } = yield* run(`${git} init -q . && ${git} commit --allow-empty`)
      assert.include(text, "There is no editor here")
      assert.notDeepEqual(status, { kind: "exited", code: 0 })
    })
  )

  it.live("no descriptor of maia's is open in a command", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* run("cd /proc/self/fd && echo *")).text, "0 1 2 3\n")
    })
  )
})

describe("E11 start-up files and shell", () => {
  it.live("no start-up file, inherited option or function gets in, and no key of maia's", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const noise = path.join(folder, "noise")
      fs.writeFileSync(noise, "echo polluted\n")
      const env = {
        PATH: process.env["PATH"],
        HOME: folder,
        BASH_ENV: noise,
        ENV: noise,
        SHELL: "/no/such/fish",
        SHELLOPTS: "xtrace",
        CDPATH: "/",
        "BASH_FUNC_ls%%": "() { echo polluted; }",
        LITELLM_API_KEY: "sk-secret"
      }
      fs.writeFileSync(path.join(folder, ".bashrc"), "echo polluted\n")
      fs.writeFileSync(path.join(folder, ".bash_profile"), "echo polluted\n")
      const result = yield* Effect.gen(function* () {
        const shell = yield* Shell
        return yield* shell.run({
          command: 'ls /proc/self/cmdline; cd tmp 2>&1; echo "[$BASH_ENV$ENV$LITELLM_API_KEY]"'
        })
      }).pipe(Effect.provide(shellLayer(folder, { env })))
      assert.strictEqual(outputOf(result), "/proc/self/cmdline\nbash: line 1: cd: tmp: No such file or directory\n[]\n")
    })
  )
})

describe("output of any size", () => {
  it.live("40 MB are read from both ends only", () =>
    withShell((shell) =>
      Effect.gen(function* () {
        const { output, discard } = yield* shell.run({
          command: "head -c 40000000 /dev/zero | tr '\\0' 'a'; echo; echo END"
        })
        assert.strictEqual(output.size, 40_000_005)
        assert.strictEqual(output.head.length, 1024 * 1024)
        assert.strictEqual(output.tail?.length, 1024 * 1024)
        assert.isTrue(new TextDecoder().decode(output.tail).endsWith("a\nEND\n"))
        yield* discard
        assert.isFalse(fs.existsSync(output.path))
      })
    )
  )

  it.live("progress shows what is new while the command runs", () =>
    withShell((shell, folder) =>
      Effect.gen(function* () {
        const seen: Array<string> = []
        yield* shell.run({
          command: "echo one; until [ -e go1 ]; do sleep 0.01; done; echo two; until [ -e go2 ]; do sleep 0.01; done",
          progress: (text) =>
            Effect.sync(() => {
              seen.push(text)
              fs.writeFileSync(path.join(folder, `go${seen.length}`), "")
            })
        })
        assert.deepStrictEqual(seen, ["one\n", "two\n"])
      })
    )
  )

  it.live("the private folder is made for the user alone", () =>
    withShell((shell) =>
      Effect.gen(function* () {
        const { output } = yield* shell.run({ command: "true" })
        assert.strictEqual(fs.statSync(path.dirname(output.path)).mode & 0o777, 0o700)
        assert.strictEqual(fs.statSync(output.path).mode & 0o777, 0o600)
      })
    )
  )
})

describe("fixed point 12", () => {
  it.live("a launch folder that was deleted: runs in the nearest parent and says so", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const launchFolder = path.join(folder, "a", "b")
      const result = yield* Effect.gen(function* () {
        const shell = yield* Shell
        return yield* shell.run({ command: "pwd" })
      }).pipe(Effect.provide(shellLayer(launchFolder, { outputDir: path.join(folder, "output") })))
      assert.strictEqual(outputOf(result), `${folder}\n`)
      assert.deepStrictEqual(result.notes, [
        `The folder ${launchFolder} no longer exists; the command ran in ${folder}.`
      ])
    })
  )
})

describe("H2 memory that grows with tool calls", () => {
  it.live(
    "500 commands leave memory, descriptors and files as they were",
    () =>
      withShell((shell) =>
        Effect.gen(function* () {
          const many = (count: number) =>
            Effect.forEach(
              Array.from({ length: count }, (_, index) => index),
              (index) => Effect.flatMap(shell.run({ command: `echo hi ${index}` }), (result) => result.discard),
              { discard: true }
            )
          yield* many(100)
          const descriptors = fs.readdirSync("/proc/self/fd").length
          Bun.gc(true)
          const before = process.memoryUsage.rss()
          yield* many(500)
          Bun.gc(true)
          const grown = process.memoryUsage.rss() / before
          assert.isBelow(grown, 1.2)
          assert.isAtMost(fs.readdirSync("/proc/self/fd").length, descriptors + 2)
        })
      ),
    30_000
  )
})
