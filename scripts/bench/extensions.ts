/**
 * `bun scripts/bench/extensions.ts`: the start of `maia run` with ten skills, five custom tools and two MCP servers, one of them slow to
 * start, against the same run without them. Both alternate, so that a slow spell of the machine hits both alike.
 */
import { $ } from "bun"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 15)
/** Milliseconds that the extensions may cost. */
const BAR = 30
/** Milliseconds until the slow server answers. */
const SLOW = 20_000

const root = join(import.meta.dir, "../..")
const maia = join(root, "dist/maia")
const folder = await mkdtemp(join(tmpdir(), "maia-bench-extensions-"))
const server = Bun.spawn(["bun", join(import.meta.dir, "benchServer.ts")], { stdout: "pipe" })
const url = new TextDecoder().decode((await server.stdout.getReader().read()).value).trim()

interface Contestant {
  readonly name: "without" | "with"
  readonly home: string
}

const prepare = async (name: Contestant["name"]): Promise<Contestant> => {
  const home = join(folder, name)
  await $`mkdir -p ${home}/.maia ${home}/work`.quiet()
  if (name === "with") {
    for (let n = 0; n < 10; n++) {
      await Bun.write(
        join(home, `work/.maia/skills/skill-${n}/SKILL.md`),
        `---\ndescription: Does the work number ${n} of this project, step by step.\nkeywords: [work, number]\n---\nDo it.\n`
      )
    }
    for (let n = 0; n < 5; n++) {
      const parameters = [{ name: "value", type: "number", description: "A value" }]
      const tool = { name: `Tool${n}`, description: "Computes something.", parameters, run: "node ./x.js {{value}}" }
      await Bun.write(join(home, `work/.maia/tools/tool-${n}/TOOL.json`), JSON.stringify(tool))
    }
    const notes = join(root, "examples/mcp/notes.mjs")
    const mcpServers = {
      quick: { command: "node", args: [notes] },
      slow: { command: "sh", args: ["-c", `sleep ${SLOW / 1000}; exec node ${notes}`] }
    }
    await Bun.write(join(home, ".maia/settings.json"), JSON.stringify({ mcpServers }))
  }
  return { name, home }
}

const once = async ({ home, name }: Contestant): Promise<number> => {
  const started = performance.now()
  const child = Bun.spawn([maia, "run", "--prompt", "short", "--quiet", "--trust"], {
    cwd: join(home, "work"),
    env: { PATH: process.env["PATH"] ?? "", HOME: home, LITELLM_URL: url, MAIA_MODEL: "test-model" },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe"
  })
  const code = await child.exited
  if (code !== 0) throw new Error(`${name} ended with ${code}: ${await new Response(child.stderr).text()}`)
  return performance.now() - started
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

try {
  const without = await prepare("without")
  const withAll = await prepare("with")
  await once(without)
  const first = await once(withAll)
  const samples: Record<Contestant["name"], Array<number>> = { without: [], with: [] }
  for (let round = 0; round < ROUNDS; round++) {
    for (const contestant of [without, withAll]) samples[contestant.name].push(await once(contestant))
  }
  const [bare, full] = [median(samples.without), median(samples.with)]
  console.log(`Medians of ${ROUNDS} rounds, whole runs with one short answer:
  without extensions                               ${bare.toFixed(1)} ms
  10 skills, 5 tools, 2 MCP servers (1 slow)       ${full.toFixed(1)} ms
  difference                                       ${(full - bare).toFixed(1)} ms (bar: ${BAR} ms)
  the very first run, which waits for new servers  ${first.toFixed(1)} ms`)
  if (full - bare > BAR) process.exitCode = 1
} finally {
  server.kill()
  await rm(folder, { recursive: true, force: true })
}
