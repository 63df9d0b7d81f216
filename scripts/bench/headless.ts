/**
 * `npm run bench`: headless work of the compiled executable against a floor, and against peers, on one scripted server in
 * one run. Prints medians; on a noisy machine only the ratios mean something.
 */
import { $ } from "bun"
import { existsSync } from "node:fs"
import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

interface Contestant {
  readonly name: string
  readonly version?: ReadonlyArray<string>
  readonly help?: ReadonlyArray<string>
  /** `{prompt}` and `{url}` are replaced. */
  readonly run: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
}

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 7)
const root = join(import.meta.dir, "../..")
const folder = await mkdtemp(join(tmpdir(), "maia-bench-"))
const floor = join(folder, "floor")
await $`bun build --compile --minify --bytecode --format=esm ${join(import.meta.dir, "floor.ts")} --outfile ${floor}`.quiet()

const server = Bun.spawn(["bun", join(import.meta.dir, "benchServer.ts")], { stdout: "pipe" })
const reader = server.stdout.getReader()
const url = new TextDecoder().decode((await reader.read()).value).trim()

const maia = join(root, "dist/maia")
const peersFile = join(root, "bench-peers.json")
const contestants: ReadonlyArray<Contestant> = [
  { name: "floor", run: [floor, "{url}", "{prompt}"] },
  {
    name: "maia",
    version: [maia, "--version"],
    help: [maia, "--help"],
    run: [maia, "run", "--prompt", "{prompt}", "--allow", "Bash(echo *)", "--max-iterations", "200", "--quiet"],
    env: { LITELLM_URL: "{url}", MAIA_MODEL: "test-model" }
  },
  // The file is the user's own; its shape is told below.
  ...(existsSync(peersFile) ? (JSON.parse(await readFile(peersFile, "utf8")) as ReadonlyArray<Contestant>) : [])
]

interface Sample {
  readonly ms: number
  readonly mb: number
}

const once = async (command: ReadonlyArray<string>, contestant: Contestant, prompt: string): Promise<Sample> => {
  const fill = (value: string) => value.replaceAll("{prompt}", prompt).replaceAll("{url}", url)
  const home = join(folder, `home-${contestant.name}`)
  await $`mkdir -p ${home}/work`.quiet()
  const env = Object.fromEntries(Object.entries(contestant.env ?? {}).map(([key, value]) => [key, fill(value)]))
  const started = performance.now()
  const child = Bun.spawn(command.map(fill), {
    cwd: join(home, "work"),
    env: { PATH: process.env["PATH"] ?? "", HOME: home, ...env },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "pipe"
  })
  const code = await child.exited
  const ms = performance.now() - started
  if (code !== 0) throw new Error(`${contestant.name} ended with ${code}: ${await new Response(child.stderr).text()}`)
  return { ms, mb: (child.resourceUsage()?.maxRSS ?? 0) / 1024 / 1024 }
}

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** One round of every contestant after the other, so that a slow spell of the machine hits all alike. */
const measure = async (command: (contestant: Contestant) => ReadonlyArray<string> | undefined, prompt: string) => {
  const samples = new Map<string, Array<Sample>>()
  for (let round = 0; round <= ROUNDS; round++) {
    for (const contestant of contestants) {
      const words = command(contestant)
      if (words === undefined) continue
      const sample = await once(words, contestant, prompt)
      if (round > 0) samples.set(contestant.name, [...(samples.get(contestant.name) ?? []), sample])
    }
  }
  return new Map(
    [...samples].map(([name, all]) => [
      name,
      { ms: median(all.map(({ ms }) => ms)), mb: median(all.map(({ mb }) => mb)) }
    ])
  )
}

const row = (title: string, bar: string, cells: ReadonlyMap<string, string>) =>
  console.log(
    [title.padEnd(30), bar.padEnd(16), ...contestants.map(({ name }) => (cells.get(name) ?? "").padEnd(20))].join("")
  )

const shown = (figures: ReadonlyMap<string, { ms: number; mb: number }>) =>
  new Map([...figures].map(([name, { ms, mb }]) => [name, `${ms.toFixed(1)} ms, ${mb.toFixed(0)} MB`]))

try {
  row("", "bar", new Map(contestants.map(({ name }) => [name, name])))
  row("--version", "12 ms", shown(await measure(({ version }) => version, "")))
  row("--help", "50 ms", shown(await measure(({ help }) => help, "")))
  row("one short answer", "120 ms, 90 MB", shown(await measure(({ run }) => run, "short")))
  const few = await measure(({ run }) => run, "tools-2")
  const many = await measure(({ run }) => run, "tools-42")
  const perIteration = [...many].map(([name, { ms }]) => {
    const each = (ms - (few.get(name)?.ms ?? 0)) / 40
    return [name, `${each.toFixed(2)} ms`] as const
  })
  row("per tool iteration", "6 ms", new Map(perIteration))
  row("20 000-chunk stream", "350 ms", shown(await measure(({ run }) => run, "stream-20000")))
  console.log(`
Medians of ${ROUNDS} rounds, whole processes; the time per iteration includes the shell and the server's answer.
To add a peer, write bench-peers.json beside package.json and run again (the server listens on another port each time):
  [{ "name": "peer", "version": ["peer", "--version"], "help": ["peer", "--help"],
     "run": ["peer", "exec", "{prompt}"], "env": { "OPENAI_BASE_URL": "{url}/v1", "OPENAI_API_KEY": "x" } }]
{prompt} asks for a short answer, N shell commands or a long stream; {url} is the scripted server. The peer must be told to
run commands without asking.`)
} finally {
  server.kill()
  await rm(folder, { recursive: true, force: true })
}
