/**
 * What a command costs through `Shell` against a bare spawn of bash, in one run, and whether memory grows over 2 000
 * commands (bar: 6 ms of client time per tool iteration, the spawn included; growth below 20 %).
 */
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Shell } from "../../src/process/Shell.ts"
import { testConfigLayer } from "../../test/support/testConfig.ts"

const rounds = 2000
const folder = fs.mkdtempSync(path.join(os.tmpdir(), "maia-bench-"))
const median = (values: Array<number>): string => (values.sort((a, b) => a - b)[values.length >> 1] ?? 0).toFixed(2)
const rss = (): number => {
  Bun.gc(true)
  return process.memoryUsage.rss() / 1024 / 1024
}

const bare = Effect.promise(
  () => Bun.spawn(["bash", "--noprofile", "--norc", "-c", "echo hi"], { stdio: ["ignore", "ignore", "ignore"] }).exited
)

const program = Effect.gen(function* () {
  const shell = yield* Shell
  const variants: Readonly<Record<string, Effect.Effect<unknown>>> = {
    "bare spawn": bare,
    "Shell, builtin": Effect.flatMap(shell.run({ command: "echo hi" }), ({ discard }) => discard),
    "Shell, program": Effect.flatMap(shell.run({ command: "/bin/echo hi; /bin/true" }), ({ discard }) => discard)
  }
  const times = new Map<string, Array<number>>()
  let after200 = 0
  for (let round = 0; round < rounds / 2; round++) {
    for (const [name, variant] of Object.entries(variants)) {
      const before = performance.now()
      yield* variant
      const list = times.get(name) ?? []
      list.push(performance.now() - before)
      times.set(name, list)
    }
    if (round === 100) after200 = rss()
  }
  for (const [name, list] of times) console.log(`${name.padEnd(16)} ${median(list)} ms (median of ${list.length})`)
  const end = rss()
  console.log(
    `memory: ${after200.toFixed(0)} MB after 200 commands, ${end.toFixed(0)} MB after ${rounds}, ratio ${(end / after200).toFixed(2)}`
  )
})

await Effect.runPromise(
  Effect.provide(program, Layer.provide(Shell.layer, testConfigLayer({ launchFolder: folder, env: process.env })))
)
fs.rmSync(folder, { recursive: true, force: true })
