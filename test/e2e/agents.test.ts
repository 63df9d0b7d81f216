/** Sub-agents on the executable (MAIA §20): many at a time, what goes wrong with some of them, and that none outlives maia. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { ChildProcess } from "node:child_process"
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import {
  hang,
  scriptedServer,
  textAnswer,
  toolCalls,
  type ChatBody,
  type ScriptedResponse
} from "../support/scriptedServer.ts"
import { version } from "../../package.json"
import { defaultSettings } from "../../src/config/settings.ts"
import { encode, type Start } from "../../src/extensions/agents/protocol.ts"
import { maia, noSurvivors, ofType, sandbox, type Finished, type Sandbox } from "./support.ts"

interface AgentFile {
  readonly header?: string
  readonly place?: "home" | "project"
}

const defineAgent = (box: Sandbox, name: string, { header = "", place = "home" }: AgentFile = {}) => {
  const content = `---
name: ${name}
description: plays ${name}
${header}
---
# Instructions system
You play ${name}.
# Missions
Do it.
# Output
One line.
`
  const file = `.maia/agents/${name}/AGENT.md`
  if (place === "project") box.write(file, content)
  else box.writeHome(file, content)
}

/** Which agent a request is from; undefined for the main agent. */
const agentOf = (body: ChatBody): string | undefined =>
  /^You are ([\w-]+), a sub-agent/.exec(String(body.messages?.[0]?.content))?.[1]

/** Text of the last tool result, where the request ends in one. */
const resultIn = (body: ChatBody): string | undefined => {
  const last = body.messages?.at(-1)
  return last?.role === "tool" ? String(last.content) : undefined
}

const lastUser = (body: ChatBody): string => String(body.messages?.findLast(({ role }) => role === "user")?.content)

const start = (...agents: ReadonlyArray<string>): ScriptedResponse =>
  toolCalls(agents.map((agent, at) => ({ name: "Agent", args: { agent, task: `task ${at}` }, id: `call_${at}` })))

type Play = (body: ChatBody) => ScriptedResponse

/** The main agent starts `agents` and then says what it got; each agent plays its part. */
const play =
  (agents: ReadonlyArray<string>, parts: Readonly<Record<string, Play>>) =>
  (_n: number, body: ChatBody): ScriptedResponse => {
    const name = agentOf(body)
    const part = name === undefined ? undefined : parts[name]
    if (part !== undefined) return part(body)
    return resultIn(body) === undefined ? start(...agents) : textAnswer("the end")
  }

/** Answers what the last tool said, after one call. */
const after =
  (name: string, args: unknown): Play =>
  (body) => {
    const result = resultIn(body)
    return result === undefined ? toolCalls([{ name, args }]) : textAnswer(`got: ${result}`)
  }

const resultsOf = (done: Finished) => ofType(done, "tool_result").map(({ content }) => String(content))

/** Calls back once so many lines of stdout fit. */
const whenLines = (child: ChildProcess, fits: RegExp, count: number, then: () => void): void => {
  let seen = ""
  child.stdout?.on("data", (data: Buffer) => {
    const before = seen.match(fits)?.length ?? 0
    seen += data.toString("utf8")
    if (before < count && (seen.match(fits)?.length ?? 0) >= count) then()
  })
}

const stream = ["run", "-p", "go", "-o", "stream-json"] as const

describe("eight sub-agents at a time", () => {
  it.live(
    "one crashes, one asks, one is typed, one hangs until Ctrl+C: each has its result, and no process is left",
    () =>
      Effect.gen(function* () {
        const box = yield* sandbox
        box.write("a.txt", "alpha")
        for (const name of ["reader", "crasher", "asker", "hanger"]) defineAgent(box, name)
        defineAgent(box, "typed", {
          header: "trace: true\noutput: { type: object, required: [ok], properties: { ok: { type: boolean } } }"
        })
        defineAgent(box, "denied", { header: "permissions: { deny: ['Bash(echo *)'] }" })
        const agents = ["reader", "crasher", "typed", "asker", "hanger", "reader", "denied", "reader"]
        const server = yield* scriptedServer(
          play(agents, {
            reader: after("Read", { path: "a.txt" }),
            crasher: after("Bash", { command: "echo dying; kill -9 $PPID; sleep 300" }),
            asker: after("Bash", { command: "touch asked" }),
            denied: after("Bash", { command: "echo no" }),
            typed: (body) => textAnswer(lastUser(body).startsWith("task") ? "fine" : '```json\n{"ok": true}\n```'),
            hanger: (body) =>
              resultIn(body) === undefined
                ? toolCalls([{ name: "Bash", args: { command: "echo hi; sleep 300 &" } }])
                : hang()
          })
        )
        const allow = ["Agent", "Read(**)"]
        const done = yield* maia(box, [...stream, "--allow", ...allow, "--permissions", "allow"], {
          url: server.url,
          env: { MAIA_TEST_MARK: box.root },
          onStart: (child) =>
            whenLines(child, /"code":"sub_agent(?:_failed)?"/g, 7, () => {
              child.kill("SIGINT")
            })
        })
        assert.strictEqual(done.code, 130, done.stderr)
        assert.strictEqual(done.lines.at(-1)?.["reason"], "interrupted")
        assert.deepStrictEqual(yield* noSurvivors(`MAIA_TEST_MARK=${box.root}`), [])

        const results = box.session().flatMap(({ message }) => {
          const { role, text, toolCallId } = Object(message)
          return role === "tool" ? [[toolCallId, String(text)] as const] : []
        })
        assert.deepStrictEqual(
          results.map(([id]) => id),
          agents.map((_, at) => `call_${at}`)
        )
        const [first, crashed, typed, asked, hung, , denied, last] = results.map(([, text]) => text)
        assert.match(first ?? "", /^Summary of sub-agent reader:\n\ngot: .*alpha/)
        assert.match(last ?? "", /^Summary of sub-agent reader:/)
        assert.match(crashed ?? "", /^\[sub-agent crasher failed: its process was ended by SIGKILL/)
        assert.strictEqual(typed, 'Summary of sub-agent typed:\n\n{"ok":true}')
        assert.match(asked ?? "", /^Summary of sub-agent asker:/)
        assert.match(denied ?? "", /got: \[refused: .*deny this \(Bash\(echo \*\)\)/)
        assert.match(hung ?? "", /interrupted/)
        assert.isTrue(existsSync(join(box.folder, "asked")), "the headless approver said yes")
        const notices = ofType(done, "notice").map(({ message }) => String(message))
        assert.isTrue(
          notices.some((notice) => /^Sub-agent "typed" finished in \d+ s, 0 tool calls \(.*-typed\)\.$/.test(notice))
        )
      }).pipe(Effect.scoped)
  )
})

describe("the end of maia", () => {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    it.live(`${signal}: sub-agents and their commands end with it`, () =>
      Effect.gen(function* () {
        const box = yield* sandbox
        for (const name of ["worker", "stubborn"]) defineAgent(box, name)
        const server = yield* scriptedServer(
          play(["worker", "stubborn", "worker"], {
            worker: after("Bash", { command: "echo x >> running; sleep 300 & sleep 300" }),
            stubborn: after("Bash", { command: "trap '' TERM; echo x >> running; while :; do sleep 300; done" })
          })
        )
        const done = yield* maia(box, [...stream, "--permissions", "allow"], {
          url: server.url,
          env: { MAIA_TEST_MARK: box.root },
          onStart: (child) =>
            void whenFile(join(box.folder, "running"), "x\nx\nx\n").then(() => {
              child.kill(signal)
            })
        })
        if (signal === "SIGKILL") assert.strictEqual(done.signal, signal)
        assert.deepStrictEqual(yield* noSurvivors(`MAIA_TEST_MARK=${box.root}`), [])
        const server2 = yield* scriptedServer([textAnswer("back")])
        const again = yield* maia(box, [...stream, "--continue"], { url: server2.url })
        assert.strictEqual(again.code, 0, again.stderr)
        const results = server2.chats[0]?.body.messages?.filter(({ role }) => role === "tool") ?? []
        assert.lengthOf(results, 3)
      }).pipe(Effect.scoped)
    )
  }

  for (const signal of ["SIGINT", "SIGKILL"] as const) {
    it.live(`${signal}: a sub-agent that is frozen does not outlive it either`, () =>
      Effect.gen(function* () {
        const box = yield* sandbox
        defineAgent(box, "frozen")
        const server = yield* scriptedServer(
          play(["frozen"], { frozen: after("Bash", { command: "echo x > running; kill -STOP $PPID; sleep 300" }) })
        )
        yield* maia(box, [...stream, "--permissions", "allow"], {
          url: server.url,
          env: { MAIA_TEST_MARK: box.root },
          onStart: (child) =>
            void whenFile(join(box.folder, "running"), "x\n").then(() => {
              child.kill(signal)
            })
        })
        assert.deepStrictEqual(yield* noSurvivors(`MAIA_TEST_MARK=${box.root}`), [])
      }).pipe(Effect.scoped)
    )
  }

  it.live("a sub-agent whose stdin ends has lost its parent, and ends", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([hang()])
      const start: Start = {
        type: "start",
        version,
        config: {
          launchFolder: box.folder,
          home: box.home,
          userDir: join(box.home, ".maia"),
          projectDir: join(box.folder, ".maia"),
          outputDir: join(box.home, "output"),
          cacheDir: join(box.home, "cache"),
          language: "en",
          settings: { ...defaultSettings, LiteLLM_URL: server.url },
          extensionSettings: []
        },
        agent: {
          name: "lost",
          description: "x",
          file: "/nowhere/AGENT.md",
          omitMd: false,
          trace: false,
          rules: [],
          instructions: "i",
          missions: "m",
          output: "o"
        },
        task: "wait",
        model: "test-model",
        maxIterations: 10,
        trust: "no"
      }
      const done = yield* maia(box, ["sub-agent"], {
        url: server.url,
        onStart: (child) => {
          child.stdin?.write(`${encode(start)}\n`)
          void server.chat(0).then(() => child.stdin?.end())
        },
        stdinOpen: true
      })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.deepInclude(done.lines.at(-1), { type: "done", ended: "interrupted" })
      assert.isTrue(yield* Effect.promise(() => server.chats[0]?.aborted ?? Promise.resolve(false)))
    }).pipe(Effect.scoped)
  )
})

describe("what a sub-agent may do", () => {
  it.live("where no one can be asked: refused, named, and exit 4", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      defineAgent(box, "asker")
      const parts = { asker: after("Bash", { command: "touch asked" }) }
      const server = yield* scriptedServer(play(["asker"], parts))
      const done = yield* maia(box, [...stream, "--allow", "Agent(asker)"], { url: server.url })
      assert.strictEqual(done.code, 4, done.stdout)
      const [warning] = ofType(done, "warning").filter(({ code }) => code === "sub_agent_refused")
      assert.strictEqual(
        warning?.["message"],
        "[sub-agent asker] Refused, because no one could be asked. Rules that would allow it: Bash(touch asked)"
      )
      assert.match(resultsOf(done)[0] ?? "", /\[note: some of its calls were refused because no one could be asked/)
      assert.isFalse(existsSync(join(box.folder, "asked")))
      const allowed = yield* maia(box, [...stream, "--allow", "Agent(asker)", "Bash(touch asked)"], {
        url: (yield* scriptedServer(play(["asker"], parts))).url
      })
      assert.strictEqual(allowed.code, 0, allowed.stdout)
      assert.isTrue(existsSync(join(box.folder, "asked")))
    }).pipe(Effect.scoped)
  )

  it.live("nothing that the main agent may not: deny rules, plan mode, and no sub-agents of its own", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      defineAgent(box, "eager", { header: "permissions: { allow: [Write, Bash, Agent] }\ntools: '*, Agent'" })
      const run = (part: Play, ...flags: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const server = yield* scriptedServer(play(["eager"], { eager: part }))
          const done = yield* maia(box, [...stream, "--allow", "Agent", ...flags], { url: server.url })
          return { done, text: resultsOf(done)[0] ?? "", server }
        })
      const write = after("Write", { path: "made.txt", content: "x" })
      const asked = yield* run(write)
      assert.match(asked.text, /no one can be asked/, "its own allow rules count for nothing")
      const plan = yield* run(write, "--mode", "plan", "--allow", "Write")
      assert.match(plan.text, /Mode plan only reads/)
      const denied = yield* run(write, "--permissions", "allow", "--deny", "Write")
      assert.match(denied.text, /deny this \(Write\)/)
      assert.isFalse(existsSync(join(box.folder, "made.txt")))
      const nested = yield* run(after("Agent", { agent: "eager", task: "x" }), "--permissions", "allow")
      assert.match(nested.text, /no tool.*Agent/i)
      const child = nested.server.chats.find(({ body }) => agentOf(body) !== undefined)
      assert.notInclude(JSON.stringify(child?.body.tools), '"Agent"')
      assert.notInclude(JSON.stringify(child?.body.messages?.[0]), "# Sub-agents")
    }).pipe(Effect.scoped)
  )

  it.live("a project's agents, and its tools in them, count only in a trusted folder", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      defineAgent(box, "local", { place: "project" })
      defineAgent(box, "mine")
      box.write(".maia/tools/shout/TOOL.json", JSON.stringify({ description: "Shouts", run: "echo LOUD" }))
      const parts = { local: after("shout", {}), mine: after("shout", {}) }
      const run = (agent: string, ...flags: ReadonlyArray<string>) =>
        Effect.gen(function* () {
          const server = yield* scriptedServer(play([agent], parts))
          const done = yield* maia(box, [...stream, "--permissions", "allow", ...flags], { url: server.url })
          return resultsOf(done)[0] ?? ""
        })
      assert.match(yield* run("local"), /There is no agent "local".*mine/)
      assert.match(yield* run("mine"), /no tool.*shout/i)
      assert.match(yield* run("local", "--trust"), /got: .*LOUD/s)
    }).pipe(Effect.scoped)
  )
})

describe("a sub-agent works like its parent", () => {
  it.live("with the model of its header, the tools it names, and its tokens counted", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      defineAgent(box, "small", { header: "model: mini\ntools: read, Nonsense\nskills: []" })
      const server = yield* scriptedServer(
        play(["small", "small"], { small: () => textAnswer("ok", { usage: [100, 7] }) }),
        { models: ["test-model", "test-mini"] }
      )
      const done = yield* maia(box, [...stream, "--allow", "Agent"], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      const [child] = server.chats.filter(({ body }) => agentOf(body) !== undefined)
      assert.strictEqual(child?.body.model, "test-mini")
      assert.deepStrictEqual(
        (child?.body.tools ?? []).map((tool) => Object(tool).function.name),
        ["Read"]
      )
      assert.lengthOf(
        server.requests.filter(({ path }) => path.endsWith("/models")),
        3,
        "once to find the model, once by each sub-agent for its window"
      )
      assert.deepInclude(done.lines.at(-1)?.["usage"], { inputTokens: 220, outputTokens: 24 })
      assert.isTrue(ofType(done, "warning").some(({ message }) => /no tool "Nonsense"/.test(String(message))))
    }).pipe(Effect.scoped)
  )

  it.live("what it changed can be undone with the turn that started it", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("a.txt", "before\n")
      defineAgent(box, "editor")
      const server = yield* scriptedServer(
        play(["editor"], {
          editor: (body) => {
            const results = body.messages?.filter(({ role }) => role === "tool").length ?? 0
            if (results === 0) return toolCalls([{ name: "Read", args: { path: "a.txt" } }])
            if (results > 1) return textAnswer("edited")
            return toolCalls([{ name: "Edit", args: { path: "a.txt", edits: [{ old: "before", new: "after" }] } }])
          }
        })
      )
      const done = yield* maia(box, [...stream, "--permissions", "allow", "--session", "work"], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.strictEqual(box.read("a.txt"), "after\n")
      const undone = yield* maia(box, ["sessions", "undo", "work", "--files"])
      assert.strictEqual(undone.code, 0, undone.stderr)
      assert.strictEqual(box.read("a.txt"), "before\n")
    }).pipe(Effect.scoped)
  )

  it.live("its trace is a session beside the parent's, of a failure too; none with --no-save", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      defineAgent(box, "traced", { header: "trace: true" })
      const crash = { traced: after("Bash", { command: "kill -9 $PPID" }) }
      const flags = [...stream, "--permissions", "allow"]
      const without = yield* scriptedServer(play(["traced"], { traced: () => textAnswer("ok") }))
      yield* maia(box, [...flags, "--no-save"], { url: without.url })
      assert.isFalse(existsSync(join(box.folder, ".maia/.sessions")))
      const server = yield* scriptedServer(play(["traced", "traced"], crash))
      const done = yield* maia(box, [...flags, "--session", "work"], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      for (const name of ["work-traced", "work-traced_2"]) {
        assert.deepInclude(box.session(name)[0], { agent: "traced", parentSession: "work" })
      }
      const listed = yield* maia(box, ["sessions", "list"])
      assert.match(listed.stdout, /work-traced +\S+ \S+ +\[sub-agent traced\] task \d/)
      const server2 = yield* scriptedServer([textAnswer("back")])
      const again = yield* maia(box, [...stream, "--continue"], { url: server2.url })
      assert.strictEqual(again.lines.at(-1)?.["session"], "work")
    }).pipe(Effect.scoped)
  )

  it.live("the example reviews, typed, and changes nothing", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const file = ".maia/agents/reviewer/AGENT.md"
      box.writeHome(file, readFileSync(resolve(import.meta.dirname, "../../examples/agents/reviewer/AGENT.md"), "utf8"))
      box.write("sum.js", "export const sum = (a, b) => a - b\n")
      const review = JSON.stringify({
        verdict: "needs work",
        findings: [{ file: "sum.js", line: 1, severity: "blocker", fault: "sum(1, 1) is 0" }]
      })
      const server = yield* scriptedServer(
        play(["reviewer"], {
          reviewer: (body) => {
            const result = resultIn(body)
            if (result === undefined) return toolCalls([{ name: "Read", args: { path: "sum.js" } }])
            if (result.includes("a - b")) return toolCalls([{ name: "Bash", args: { command: "git commit -am x" } }])
            return textAnswer(result.includes("deny this") ? review : "what happened?")
          }
        })
      )
      const done = yield* maia(box, [...stream, "--permissions", "allow"], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.deepStrictEqual(ofType(done, "warning"), [])
      assert.strictEqual(resultsOf(done)[0], `Summary of sub-agent reviewer:\n\n${review}`)

      const listed = yield* maia(box, ["agents", "list"])
      assert.match(listed.stdout, /^reviewer {2}user {2}Reviews a change/)
      const shown = yield* maia(box, ["agents", "show", "reviewer"])
      for (const part of ["Read, Grep, Glob, Bash", "Bash(git push *)", "# Missions"])
        assert.include(shown.stdout, part)
      const near = yield* maia(box, ["agents", "show", "revewer"])
      assert.deepStrictEqual([near.code, near.stderr.includes("Is reviewer meant?")], [1, true])
      const cost = yield* maia(box, ["config", "--prompt-cost"], { url: server.url })
      assert.match(cost.stdout, /\d+ {2}tool Agent\n/)
      assert.match(cost.stdout, /\d+ {2}agents\n/)
    }).pipe(Effect.scoped)
  )

  it.live("works from source, too", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      defineAgent(box, "reader")
      const server = yield* scriptedServer(play(["reader"], { reader: after("Bash", { command: "echo $MAIA_AGENT" }) }))
      const source = resolve(import.meta.dirname, "../../src/main.ts")
      const done = yield* maia(box, [], {
        url: server.url,
        // The path of the executable that `maia` adds is the prompt.
        wrap: [process.execPath, source, "run", "-o", "stream-json", "--permissions", "allow"]
      })
      assert.match(resultsOf(done)[0] ?? done.stderr, /got: reader/)
    }).pipe(Effect.scoped)
  )

  it.live("the command is for maia only", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const help = yield* maia(box, ["--help"])
      assert.notInclude(help.stdout, "sub-agent")
      const alone = yield* maia(box, ["sub-agent"])
      assert.deepStrictEqual([alone.code, alone.stdout], [1, ""])
      const rubbish = yield* maia(box, ["sub-agent"], { stdin: "hello\n" })
      assert.deepStrictEqual([rubbish.code, rubbish.stdout], [1, ""])
    }).pipe(Effect.scoped)
  )
})

/** Waits until the file holds the text. */
const whenFile = async (file: string, content: string): Promise<void> => {
  while (!existsSync(file) || readFileSync(file, "utf8") !== content) {
    await new Promise((resolve) => void setTimeout(resolve, 10))
  }
}
