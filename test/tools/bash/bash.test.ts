import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { Tool, ToolContext, ToolOutput } from "../../../src/domain/tool.ts"
import { makeBash } from "../../../src/tools/bash/bash.ts"
import { makeBashOutput } from "../../../src/tools/bash/bashOutput.ts"
import { makeKillBash } from "../../../src/tools/bash/killBash.ts"
import { eventually, isAlive, readIfThere, shellLayer, temporaryFolder } from "../../process/support/shell.ts"

const context: ToolContext = {
  callId: "call",
  progress: () => Effect.void,
  outputLimit: 30_000,
  model: { id: "m", images: false }
}

interface Tools {
  readonly folder: string
  readonly bash: Tool
  readonly output: Tool
  readonly kill: Tool
}

const withTools = <A, E>(body: (tools: Tools) => Effect.Effect<A, E>) =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder
    return yield* Effect.gen(function* () {
      return yield* body({ folder, bash: yield* makeBash, output: yield* makeBashOutput, kill: yield* makeKillBash })
    }).pipe(Effect.provide(shellLayer(folder)))
  })

const call = (tool: Tool, raw: unknown, limit = 30_000) =>
  Effect.gen(function* () {
    const prepared = yield* tool.prepare(raw)
    const result = yield* prepared.run({ ...context, outputLimit: limit })
    return { ...result, notes: prepared.notes, input: prepared.input }
  })

const bash = (raw: unknown, limit?: number) => withTools((tools) => call(tools.bash, raw, limit))
const textOf = (raw: unknown, limit?: number) => Effect.map(bash(raw, limit), ({ text }) => text)

describe("what the model reads", () => {
  it.live("output, then how it ended", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* textOf({ command: "echo hi; exit 3" }), "hi\n[exit code: 3]")
      assert.strictEqual(yield* textOf({ command: "true" }), "(no output)\n[exit code: 0]")
      assert.strictEqual(yield* textOf({ command: "kill -KILL $$" }), "(no output)\n[killed by signal SIGKILL]")
      assert.strictEqual(yield* textOf({ command: "echo a; sleep 60", timeout_s: 0.2 }), "a\n[timed out after 0.2 s]")
    })
  )

  it.live("a command that exits non-zero is no error", () =>
    Effect.gen(function* () {
      assert.isFalse((yield* bash({ command: "false" })).isError)
    })
  )

  it.live("E6: progress bars and colours are reduced", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* textOf({
          command: "printf '1%%\\r50%%\\r100%%\\n'; printf 'abc\\rX\\n'; printf '\\033[31mred\\033[0m\\r\\n'"
        }),
        "100%\nXbc\nred\n[exit code: 0]"
      )
    })
  )

  it.live("E7: binary output is named, Latin-1 and wrong bytes are text", () =>
    Effect.gen(function* () {
      assert.strictEqual(
        yield* textOf({ command: "head -c 2000 /bin/ls" }),
        "[binary output, 2000 bytes]\n[exit code: 0]"
      )
      assert.strictEqual(yield* textOf({ command: "printf '\\xff\\xfe\\x00ok'" }), "��␀ok\n[exit code: 0]")
      assert.strictEqual(yield* textOf({ command: "printf 'd\\xe9j\\xe0 vu'" }), "déjà vu\n[exit code: 0]")
    })
  )

  it.live("a process in the background is named before the last line", () =>
    Effect.gen(function* () {
      const text = yield* textOf({ command: "sleep 60 & echo done" })
      assert.match(text, /^done\nStill running in the background: \d+ \(sleep 60\)\. .*\n\[exit code: 0\]$/)
    })
  )
})

describe("output limits", () => {
  it.live("a long output keeps head and tail, and the notice names an existing file with the whole", () =>
    withTools(({ bash }) =>
      Effect.gen(function* () {
        const { text, limited } = yield* call(bash, { command: "seq 1 100000" }, 2_000)
        assert.isTrue(limited)
        assert.isAtMost(text.length, 2_000)
        assert.match(text, /^1\n2\n/)
        assert.match(text, /\n100000\n\[exit code: 0\]$/)
        const file = /whole output is in (\S+)/.exec(text)?.[1] ?? ""
        assert.strictEqual(fs.readFileSync(file, "utf8").split("\n").length, 100_001)
      })
    )
  )

  it.live(
    "H2: 40 MB cost little memory, and the notice gives the size and the file",
    () =>
      withTools(({ bash }) =>
        Effect.gen(function* () {
          const command = "yes 0123456789012345678901234567890123456789 | head -c 40000000; echo; echo END"
          yield* call(bash, { command: "seq 1 1000000" })
          Bun.gc(true)
          const before = process.memoryUsage.rss()
          const { text } = yield* call(bash, { command })
          assert.isBelow(process.memoryUsage.rss() - before, 30_000_000)
          assert.isAtMost(text.length, 30_000)
          assert.match(text, /\nEND\n\[exit code: 0\]$/)
          assert.include(text, "of 40000005 bytes left out")
          const file = /whole output is in (\S+)/.exec(text)?.[1] ?? ""
          assert.strictEqual(fs.statSync(file).size, 40_000_005)
        })
      ),
    20_000
  )

  it.live("D10: an emoji at the cut is not halved", () =>
    withTools(({ bash }) =>
      Effect.gen(function* () {
        for (let limit = 2_000; limit < 2_006; limit++) {
          const { text } = yield* call(bash, { command: "printf '😀%.0s' {1..3000}" }, limit)
          assert.isTrue(text.isWellFormed())
          assert.isAtMost(text.length, limit)
        }
      })
    )
  )

  it.live("nothing stays on disk of an output that was shown whole", () =>
    withTools(({ bash, folder }) =>
      Effect.gen(function* () {
        yield* call(bash, { command: "echo hi" })
        assert.deepStrictEqual(fs.readdirSync(path.join(folder, ".home", ".cache", "maia", "output")), [])
      })
    )
  )
})

describe("near misses in the arguments", () => {
  for (const [name, raw, shown] of [
    ["cmd", { cmd: "echo hi" }, "hi"],
    ["script", { script: "echo hi" }, "hi"],
    ["a number as text", { command: "echo hi", timeout_s: "5" }, "hi"],
    ["JSON text", '{"command":"echo hi"}', "hi"],
    ["the words of a command", { command: ["echo", "hi"] }, "hi"],
    ["lines", { command: ["echo one", "echo two"] }, "one\ntwo"],
    ["a shell around the command", { command: ["bash", "-lc", "echo hi"] }, "hi"]
  ] as const) {
    it.live(name, () =>
      Effect.gen(function* () {
        const { text, notes } = yield* bash(raw)
        assert.strictEqual(text, `${shown}\n[exit code: 0]`)
        assert.isAbove(notes.length, 0)
      })
    )
  }

  it.live("time limits in milliseconds", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* bash({ command: "true", timeout: 120_000 })).input["timeout_s"], 120)
      assert.strictEqual((yield* bash({ command: "true", timeout_ms: 500 })).input["timeout_s"], 0.5)
      assert.strictEqual((yield* bash({ command: "true", timeout: 30 })).input["timeout_s"], 30)
    })
  )

  for (const [name, raw, said] of [
    ["no command", {}, "Expected: {command: string"],
    ["an empty command", { command: "  " }, "command is empty"],
    ["NUL", { command: "echo a\0b" }, "NUL"],
    ["a command no system call takes", { command: `echo ${"a".repeat(150_000)}` }, "Write"],
    ["no time at all", { command: "true", timeout_s: 0 }, "timeout_s"]
  ] as const) {
    it.live(`${name}: says what to do`, () =>
      Effect.gen(function* () {
        const failure = yield* Effect.flip(bash(raw))
        assert.include(failure.message, said)
      })
    )
  }
})

describe("background jobs", () => {
  const idOf = ({ text }: ToolOutput): string => /id (bash_\d+)/.exec(text)?.[1] ?? ""

  it.live("started, read in parts, ended", () =>
    withTools(({ bash, output, kill, folder }) =>
      Effect.gen(function* () {
        const started = yield* call(bash, {
          command: "echo one; touch ready; until [ -e go ]; do sleep 0.01; done; echo two; touch done; sleep 300",
          run_in_background: true
        })
        const id = idOf(started)
        yield* eventually("it runs", () => fs.existsSync(path.join(folder, "ready")))
        assert.strictEqual((yield* call(output, { id })).text, "one\n[still running]")
        assert.strictEqual((yield* call(output, { bash_id: id })).text, "(no new output)\n[still running]")
        fs.writeFileSync(path.join(folder, "go"), "")
        yield* eventually("it goes on", () => fs.existsSync(path.join(folder, "done")))
        assert.strictEqual((yield* call(output, { id })).text, "two\n[still running]")
        assert.strictEqual((yield* call(kill, { id })).text, `Job ${id}: [ended by KillBash]`)
        assert.strictEqual((yield* call(output, { id })).text, "(no new output)\n[ended by KillBash]")
      })
    )
  )

  it.live("a job that ends by itself keeps its output and exit code", () =>
    withTools(({ bash, output }) =>
      Effect.gen(function* () {
        const id = idOf(yield* call(bash, { command: "echo hi; exit 4", run_in_background: "true" }))
        let text = ""
        for (let last = ""; !last.includes("[exit code"); text += last) last = (yield* call(output, { id })).text
        assert.include(text, "hi")
        assert.match(text, /\[exit code: 4\]$/)
      })
    )
  )

  it.live("all are ended with the session", () =>
    Effect.gen(function* () {
      let pid = 0
      yield* withTools(({ bash, folder }) =>
        Effect.gen(function* () {
          const file = path.join(folder, "pid")
          yield* call(bash, {
            command: `echo $$ >${file}; trap '' TERM; while :; do sleep 300; done`,
            run_in_background: true
          })
          yield* eventually("it runs", () => readIfThere(file).endsWith("\n"))
          pid = Number(readIfThere(file))
          assert.isTrue(isAlive(pid))
        })
      ).pipe(Effect.scoped)
      assert.isFalse(isAlive(pid))
    })
  )

  it.live("a character cut by a read comes whole with the next one", () =>
    withTools(({ bash, output, folder }) =>
      Effect.gen(function* () {
        const command =
          "printf 'a\\xe4\\xbd'; touch ready; until [ -e go ]; do sleep 0.01; done; printf '\\xa0b'; touch done; sleep 300"
        const id = idOf(yield* call(bash, { command, run_in_background: true }))
        yield* eventually("it runs", () => fs.existsSync(path.join(folder, "ready")))
        assert.strictEqual((yield* call(output, { id })).text, "a\n[still running]")
        fs.writeFileSync(path.join(folder, "go"), "")
        yield* eventually("it goes on", () => fs.existsSync(path.join(folder, "done")))
        assert.strictEqual((yield* call(output, { id })).text, "你b\n[still running]")
      })
    )
  )

  it.live("an unknown id names the known ones", () =>
    withTools(({ bash, output, kill }) =>
      Effect.gen(function* () {
        assert.include((yield* Effect.flip(call(output, { id: "x" }))).message, "none was started")
        const id = idOf(yield* call(bash, { command: "true", run_in_background: true }))
        assert.include((yield* Effect.flip(call(kill, { id: "x" }))).message, `Known jobs: ${id}.`)
      })
    )
  )

  it.live("ending a job while it is read does not hang", () =>
    withTools(({ bash, output, kill }) =>
      Effect.gen(function* () {
        const id = idOf(yield* call(bash, { command: "yes", run_in_background: true }))
        const reader = yield* Effect.forkChild(Effect.forEach([1, 2, 3], () => call(output, { id })))
        yield* call(kill, { id })
        yield* Fiber.join(reader)
      })
    )
  )
})
