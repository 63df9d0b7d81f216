/**
 * Bars of spec 07 and 10 for the terminal, on the compiled executable in a real pseudo terminal: the input box is visible within
 * 200 ms of launch, an idle screen takes under 100 MB and no processor, streaming 1 000 chunks a second costs at most 20 % of
 * a core, and typing is immediate with 5 000 messages loaded and while a command prints 100 000 lines. Prints the figures.
 * Processor time is the program's own: on a machine that does other things only that means something.
 *
 *   bun scripts/build.ts && bun scripts/bench/terminal.ts
 */
import { Terminal } from "@xterm/headless"
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"

const ROUNDS = Number(process.env["BENCH_ROUNDS"] ?? 7)
const root = join(import.meta.dir, "../..")
const maia = join(root, "dist/maia")
const folder = await mkdtemp(join(tmpdir(), "maia-bench-"))

// --- the server --------------------------------------------------------------------------------------------------

const CHUNKS_PER_SECOND = 1_000
const STREAM_SECONDS = 6

const data = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
const end = (reason: string): string => `${data({}, reason)}data: [DONE]\n\n`

const WORDS = ["a ", "word ", "of ", "an ", "answer, ", "**strong** ", "and ", "`code`, ", "then ", "more.\n\n"]

/** Ten chunks every ten milliseconds, however late the timer is. */
const stream = (): ReadableStream<string> =>
  new ReadableStream({
    async start(controller) {
      const started = performance.now()
      let sent = 0
      while (sent < CHUNKS_PER_SECOND * STREAM_SECONDS) {
        const due = ((performance.now() - started) * CHUNKS_PER_SECOND) / 1000
        for (; sent < due; sent++) controller.enqueue(data({ content: WORDS[sent % WORDS.length] }))
        await Bun.sleep(10)
      }
      controller.enqueue(end("stop"))
      controller.close()
    }
  })

const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  idleTimeout: 0,
  async fetch(request) {
    if (request.method !== "POST") return Response.json({ object: "list", data: [{ id: "test-model" }] })
    const body: unknown = await request.json()
    const asked = JSON.stringify(body)
    const headers = { "content-type": "text/event-stream" }
    if (asked.includes("STREAM-PLEASE")) {
      return new Response(stream().pipeThrough(new TextEncoderStream()), { headers })
    }
    if (asked.includes("LINES-PLEASE") && !asked.includes('"tool_call_id"')) {
      const call = {
        name: "Bash",
        arguments: JSON.stringify({ command: `for i in ${"x ".repeat(40)}; do seq 1 2500; sleep 0.1; done` })
      }
      return new Response(
        data({ tool_calls: [{ index: 0, id: "call_1", type: "function", function: call }] }) + end("tool_calls"),
        { headers }
      )
    }
    return new Response(data({ content: "DONE-ANSWER" }) + end("stop"), { headers })
  }
})

// --- the terminal ------------------------------------------------------------------------------------------------

interface Opened {
  readonly pid: number
  readonly launched: number
  readonly send: (text: string) => void
  /** Waits until the screen holds the text; the milliseconds since `from`. */
  readonly seen: (text: string, from?: number) => Promise<number>
  readonly close: () => Promise<void>
}

const launch = async (home: string, args: ReadonlyArray<string> = []): Promise<Opened> => {
  const work = join(home, "work")
  await mkdir(work, { recursive: true })
  const terminal = new Terminal({ cols: 100, rows: 30, allowProposedApi: true, scrollback: 200_000 })
  const waiting = new Set<() => void>()
  const launched = performance.now()
  const child = Bun.spawn([maia, "--allow", "Bash(for *)", "Bash(seq *)", "Bash(sleep *)", ...args], {
    cwd: work,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      TERM: "xterm-256color",
      COLORTERM: "truecolor",
      LANG: "C.UTF-8",
      LITELLM_URL: `http://127.0.0.1:${server.port}`,
      MAIA_MODEL: "test-model"
    },
    terminal: {
      cols: 100,
      rows: 30,
      data: (_, bytes) =>
        terminal.write(bytes, () => {
          for (const look of waiting) look()
        })
    }
  })
  const screen = (): string => {
    const { active } = terminal.buffer
    return Array.from({ length: terminal.rows }, (_, row) =>
      active.getLine(active.baseY + row)?.translateToString(true)
    ).join("\n")
  }
  const seen = (text: string, from = launched): Promise<number> =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => reject(new Error(`never seen: ${text}\n${screen()}`)), 60_000)
      const look = (): void => {
        if (!screen().includes(text)) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(performance.now() - from)
      }
      waiting.add(look)
      look()
    })
  return {
    pid: child.pid,
    launched,
    seen,
    send: (text) => child.terminal?.write(text),
    close: async () => {
      child.kill("SIGTERM")
      await child.exited
    }
  }
}

/** Seconds of processor time of the process itself. */
const cpu = async (pid: number): Promise<number> => {
  const fields = (await readFile(`/proc/${pid}/stat`, "utf8")).replace(/^.*\) /, "").split(" ")
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/** Resident memory in MiB. */
const memory = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024

const median = (values: ReadonlyArray<number>): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

/** Milliseconds from a key to its picture, each of `count` keys. */
const typing = async (opened: Opened, count: number): Promise<ReadonlyArray<number>> => {
  const times: Array<number> = []
  let typed = ""
  for (let n = 0; n < count; n++) {
    const letter = String.fromCharCode(97 + (n % 26))
    typed += letter
    const from = performance.now()
    opened.send(letter)
    times.push(await opened.seen(`▸ ${typed}`, from))
    await Bun.sleep(70)
  }
  opened.send("\u0015")
  return times
}

const say = (name: string, value: string, bar: string): void =>
  console.log(`${name.padEnd(58)} ${value.padStart(22)}   bar: ${bar}`)

const home = (name: string): string => join(folder, name)

// --- measurements ------------------------------------------------------------------------------------------------

const boxes: Array<number> = []
const boxCpu: Array<number> = []
for (let round = 0; round <= ROUNDS; round++) {
  const opened = await launch(home("start"))
  const ms = await opened.seen("┈┈┈")
  const spent = await cpu(opened.pid)
  if (round > 0) {
    boxes.push(ms)
    boxCpu.push(spent * 1000)
  }
  await opened.close()
}
say("launch to input box", `${median(boxes).toFixed(0)} ms (cpu ${median(boxCpu).toFixed(0)} ms)`, "200 ms")

const idle = await launch(home("idle"))
await idle.seen("▸")
await Bun.sleep(2_000)
const idleFrom = await cpu(idle.pid)
await Bun.sleep(3_000)
say("idle: resident memory", `${(await memory(idle.pid)).toFixed(0)} MiB`, "100 MB")
say("idle: processor", `${(((await cpu(idle.pid)) - idleFrom) / 0.03).toFixed(1)} %`, "0 %")
const idleKeys = await typing(idle, 20)
say(
  "idle: a key until it is seen",
  `${median(idleKeys).toFixed(0)} ms, worst ${Math.max(...idleKeys).toFixed(0)}`,
  "immediate"
)
idle.send("STREAM-PLEASE\r")
await idle.seen("word of an")
await Bun.sleep(500)
const streamFrom = await cpu(idle.pid)
const streamStart = performance.now()
await Bun.sleep(3_000)
const streamShare = ((await cpu(idle.pid)) - streamFrom) / ((performance.now() - streamStart) / 1000)
say("streaming 1 000 chunks/s: processor", `${(streamShare * 100).toFixed(0)} %`, "20 %")
const streamKeys = await typing(idle, 12)
say(
  "streaming: a key until it is seen",
  `${median(streamKeys).toFixed(0)} ms, worst ${Math.max(...streamKeys).toFixed(0)}`,
  "immediate"
)
say("after the stream: resident memory", `${(await memory(idle.pid)).toFixed(0)} MiB`, "—")
await idle.close()

const output = await launch(home("output"))
await output.seen("▸")
output.send("LINES-PLEASE\r")
await output.seen("Bash for i")
const outputFrom = await cpu(output.pid)
const outputStart = performance.now()
const outputKeys = await typing(output, 20)
const outputShare = ((await cpu(output.pid)) - outputFrom) / ((performance.now() - outputStart) / 1000)
say(
  "100 000 lines of output: a key until it is seen",
  `${median(outputKeys).toFixed(0)} ms, worst ${Math.max(...outputKeys).toFixed(0)}`,
  "immediate"
)
say("100 000 lines of output: processor meanwhile", `${(outputShare * 100).toFixed(0)} %`, "—")
await output.seen("DONE-ANSWER")
say("after the output: resident memory", `${(await memory(output.pid)).toFixed(0)} MiB`, "—")
await output.close()

await writeSession(5_000)
const long = await launch(home("long"), ["-c"])
const longMs = await long.seen("▸")
await long.seen("answer 4999")
await Bun.sleep(1_000)
const longKeys = await typing(long, 20)
say("5 000 messages: launch to input box", `${longMs.toFixed(0)} ms`, "200 ms")
say(
  "5 000 messages: a key until it is seen",
  `${median(longKeys).toFixed(0)} ms, worst ${Math.max(...longKeys).toFixed(0)}`,
  "immediate"
)
say("5 000 messages: resident memory", `${(await memory(long.pid)).toFixed(0)} MiB`, "—")
await long.close()

await server.stop(true)
await rm(folder, { recursive: true, force: true })

/** A session of so many messages in turns of two. */
async function writeSession(messages: number): Promise<void> {
  const sessions = join(home("long"), "work/.maia/.sessions")
  await mkdir(sessions, { recursive: true })
  const time = "2026-01-01T00:00:00.000Z"
  const lines: Array<object> = [{ type: "header", version: 1, id: "root", time, cwd: join(home("long"), "work") }]
  for (let n = 0; n < messages; n++) {
    const message =
      n % 2 === 0
        ? { role: "user", text: `request ${n}` }
        : { role: "assistant", text: `${"Some words of an answer. ".repeat(20)}answer ${n}`, toolCalls: [], model: "m" }
    lines.push({ id: `e${n}`, parentId: n === 0 ? "root" : `e${n - 1}`, time, type: "message", message })
  }
  await Bun.write(join(sessions, "long.jsonl"), lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}
