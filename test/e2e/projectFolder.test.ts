/**
 * A project that brings every kind of extension at once (spec 08, 03): trusted, not trusted, broken, and changed since it was
 * trusted. Each program of the project leaves a file behind when it runs, so that "nothing of it runs" can be seen.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { copyFileSync, existsSync, rmSync } from "node:fs"
import { join, resolve } from "node:path"
import { scriptedServer, textAnswer, toolCalls, type ChatBody } from "../support/scriptedServer.ts"
import { openTerminal } from "../support/terminal.ts"
import { environment, MAIA, maia, noSurvivors, ofType, sandbox, type Finished, type Sandbox } from "./support.ts"

const NOTES = resolve(import.meta.dirname, "../../examples/mcp/notes.mjs")

/** Names of the kinds that leave a file `ran-NAME` in the launch folder. */
const PROGRAMS = ["tool", "server", "hook"] as const

const SETTINGS = {
  permissions: {
    allow: ["Probe", "mcp__notes", "Agent", "Bash(echo *)"],
    ask: ["Read(asked.txt)"],
    deny: ["Bash(echo forbidden*)"]
  },
  hooks: { user_prompt: ["sh .maia/hooks/day.sh"] },
  mcpServers: { notes: { command: "sh", args: ["-c", "touch ran-server; exec node .maia/servers/notes.mjs"] } }
}

const AGENT = `---
name: scout
description: Looks things up for PROJECT-AGENT.
tools: Read
---
# Instructions system
You look things up.
# Missions
Do it.
# Output
One line.
`

const fill = (box: Sandbox): void => {
  box.write("asked.txt", "the asked content\n")
  box.write(".maia/settings.json", JSON.stringify(SETTINGS, null, 2))
  box.write(".maia/skills/ship/SKILL.md", "---\ndescription: Ships PROJECT-SKILL.\n---\nShip $ARGUMENTS with care.\n")
  box.write(
    ".maia/tools/probe/TOOL.json",
    JSON.stringify({ name: "Probe", description: "Probes PROJECT-TOOL.", run: "sh ./probe.sh" })
  )
  box.write(".maia/tools/probe/probe.sh", 'touch "$MAIA_CWD/ran-tool"; echo "probed $GREETING"\n')
  box.write(".maia/commands/greet.md", "---\ndescription: Greets\n---\nGreet $1 politely.\n")
  box.write(".maia/env", "GREETING=hello-from-env\n")
  box.write(".maia/agents/scout/AGENT.md", AGENT)
  box.write(".maia/hooks/day.sh", 'touch ran-hook; echo \'{"context":"PROJECT-HOOK says Monday."}\'\n')
  box.write(".maia/rules/calm.md", "---\ntrigger: SHOUT\n---\nPROJECT-RULE: do not shout.\n")
  box.write(".maia/servers/notes.mjs", "")
  copyFileSync(NOTES, join(box.folder, ".maia/servers/notes.mjs"))
}

/** One broken part of each kind beside the whole ones. */
const breakParts = (box: Sandbox): void => {
  box.write(".maia/skills/bad-skill/SKILL.md", "---\nkeywords: [x]\n---\nSteps\n")
  box.write(".maia/tools/bad-tool/TOOL.json", '{ "description": "x", "run": "echo {{what}}" }')
  box.write(".maia/commands/bad-command.md", "---\ndescription: [\n---\nDo it\n")
  box.write(".maia/env", "GREETING=hello-from-env\nthis is no variable\nPATH=/nowhere\n")
  box.write(".maia/agents/bad-agent/AGENT.md", "---\nname: bad-agent\ndescription: x\n---\n# Missions\nDo it.\n")
  box.write(".maia/rules/bad-rule.md", "---\ntrigger: '('\n---\nNever.\n")
  box.write(
    ".maia/settings.json",
    JSON.stringify(
      {
        permissions: { ...SETTINGS.permissions, allow: [...SETTINGS.permissions.allow, "Bash(bad"] },
        hooks: { ...SETTINGS.hooks, on_monday: "x", after_tool: [["no-such-hook"]] },
        mcpServers: { ...SETTINGS.mcpServers, bad__name: { command: "x" }, absent: { command: "no-such-server" } }
      },
      null,
      2
    )
  )
}

/** What the model calls, in this order; each under its own id. */
const CALLS = [
  { name: "Skill", args: { name: "ship", arguments: "1.0" } },
  { name: "Probe", args: {} },
  { name: "mcp__notes__titles", args: {} },
  { name: "Agent", args: { agent: "scout", task: "look" } },
  { name: "Bash", args: { command: 'echo "bash $GREETING"' } },
  { name: "Bash", args: { command: "echo forbidden words" } },
  { name: "Read", args: { path: "asked.txt" } }
] as const

const isOfAgent = (body: ChatBody): boolean => String(body.messages?.[0]?.content).includes("scout, a sub-agent")

/** The main agent shouts first, then calls everything; the sub-agent answers at once. */
const model = Effect.suspend(() => {
  let asked = 0
  return scriptedServer((_n, body) => {
    if (isOfAgent(body)) return textAnswer("scouted")
    asked++
    if (asked === 1) return textAnswer("I SHOUT at you")
    return body.messages?.at(-1)?.role === "tool" ? textAnswer("the end") : toolCalls(CALLS)
  })
})

interface Played {
  readonly done: Finished
  /** The first request of the main agent. */
  readonly first: ChatBody
}

const GO = ["run", "-p", "/greet Ada", "-o", "stream-json", "--allow", "Read(**)"]

const goWith = Effect.fnUntraced(function* (box: Sandbox, ...args: ReadonlyArray<string>) {
  const server = yield* model
  const done = yield* maia(box, [...GO, ...args], { url: server.url })
  const played: Played = { done, first: server.chats[0]?.body ?? {} }
  return played
})

const warnings = (done: Finished) => ofType(done, "warning").map(({ message }) => String(message))
const programsThatRan = (box: Sandbox) => PROGRAMS.filter((name) => existsSync(join(box.folder, `ran-${name}`)))

/** The first line of what each call came to, in order. */
const results = (done: Finished) =>
  ofType(done, "tool_result").map(({ content }) => String(content).split("\n\n").at(-1))

/** Everything that a whole and trusted project gives. */
const assertAllThere = (box: Sandbox, { done, first }: Played): void => {
  assert.deepStrictEqual(programsThatRan(box), [...PROGRAMS], done.stderr)
  assert.strictEqual(first.messages?.at(-1)?.content, "Greet Ada politely.\n\nPROJECT-HOOK says Monday.")
  for (const told of ["PROJECT-SKILL", "PROJECT-AGENT", "PROJECT-TOOL"]) assert.include(JSON.stringify(first), told)
  assert.deepStrictEqual(
    ofType(done, "stream_rule").map(({ rules }) => rules),
    [["calm"]]
  )
  const got = results(done)
  assert.deepStrictEqual(got.slice(0, 5), [
    "Ship 1.0 with care.",
    "probed hello-from-env",
    "There are no notes.",
    "scouted",
    "bash hello-from-env\n[exit code: 0]"
  ])
  assert.include(got[5], "deny this (Bash(echo forbidden*))")
  assert.include(got[6], "The rule Read(asked.txt) asks each time")
  // What was refused for want of somebody to ask is told to the caller.
  assert.strictEqual(done.code, 4)
}

/** Nothing of the project has run or been told, but its deny and ask rules hold. */
const assertNothingThere = (box: Sandbox, { done, first }: Played): void => {
  assert.deepStrictEqual(programsThatRan(box), [])
  assert.strictEqual(first.messages?.at(-1)?.content, "/greet Ada")
  assert.notMatch(JSON.stringify(first), /PROJECT-|mcp__|Probe|"Skill"|"Agent"/)
  assert.deepStrictEqual(ofType(done, "stream_rule"), [])
}

const untrusted = (box: Sandbox, ...args: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const server = yield* scriptedServer([toolCalls(CALLS), textAnswer("the end")])
    const done = yield* maia(box, [...GO, "--allow", "Bash(echo *)", ...args], { url: server.url })
    const played: Played = { done, first: server.chats[0]?.body ?? {} }
    return played
  })

/** Answers the question of an interactive start, as its user. */
const trustFolder = Effect.fnUntraced(function* (box: Sandbox) {
  const server = yield* scriptedServer([])
  const program = yield* openTerminal([MAIA], {
    cwd: box.folder,
    env: environment(box, { url: server.url }),
    columns: 200
  })
  yield* program.shows("This folder brings along")
  program.send("y")
  yield* program.shows("Your request")
  program.send("/exit\r")
  assert.strictEqual(yield* program.exit, 0)
})

const withFolder = (use: (box: Sandbox) => Effect.Effect<void, never, Scope.Scope>) =>
  Effect.gen(function* () {
    const box = yield* sandbox
    fill(box)
    yield* use(box)
    assert.deepStrictEqual(yield* noSurvivors(box.home), [])
  }).pipe(Effect.scoped)

describe("a project that brings every kind at once", () => {
  it.live("trusted: each kind works, and there is nothing to warn of", () =>
    withFolder((box) =>
      Effect.gen(function* () {
        const played = yield* goWith(box, "--trust")
        assertAllThere(box, played)
        assert.deepStrictEqual(warnings(played.done), [])
      })
    )
  )

  it.live("not trusted: nothing runs and nothing is told, deny and ask rules hold, one warning names the parts", () =>
    withFolder((box) =>
      Effect.gen(function* () {
        const played = yield* untrusted(box)
        assertNothingThere(box, played)
        const [warning = "", ...more] = warnings(played.done)
        assert.deepStrictEqual(more, [])
        assert.include(warning, "This folder is not trusted: its allow rules are ignored and nothing of its .maia runs")
        assert.include(warning, "agents/scout, commands/greet.md, env, hooks/day.sh")
        const got = results(played.done)
        for (const at of [0, 1, 2, 3]) assert.include(got[at], "no tool named")
        assert.include(got[4], "bash \n")
        assert.include(got[5], "deny this (Bash(echo forbidden*))")
        assert.include(got[6], "needs the user's permission")
        assert.strictEqual(played.done.code, 4)
      })
    )
  )

  it.live("trusted and broken: each broken part is told with its place and the reason, all others work", () =>
    withFolder((box) =>
      Effect.gen(function* () {
        breakParts(box)
        const played = yield* goWith(box, "--trust")
        assertAllThere(box, played)
        const told = warnings(played.done)
        const expected = [
          'settings.json:8: the permission rule "Bash(bad" is ignored: expected Tool or Tool(pattern)',
          "settings.json:17: hooks.on_monday: unknown event",
          "settings.json:17: the hook after_tool (no-such-hook) had no effect: [could not start: the program",
          'settings.json:28: the MCP server "bad__name" is left out: a name has letters',
          'MCP server absent: the program "no-such-server" was not found on PATH',
          "skills/bad-skill/SKILL.md:1: description is missing",
          "tools/bad-tool/TOOL.json: run uses {{what}}, which is not in parameters",
          'agents/bad-agent/AGENT.md:5: missing section: write "# Instructions system", "# Output"',
          "commands/bad-command.md:3: the front matter is not valid YAML",
          "env:2: expected NAME=value",
          "env:3: PATH is ignored: a project may not set what decides which programs run",
          'rules/bad-rule.md:2: the expression "(" cannot be used: missing closing )'
        ]
        for (const words of expected) {
          assert.strictEqual(
            told.filter((warning) => warning.includes(words)).length,
            1,
            `${words}\n${told.join("\n")}`
          )
        }
        assert.strictEqual(told.length, expected.length, told.join("\n"))
      })
    )
  )

  it.live(
    "changed after it was trusted: each kind of change is named, and nothing of the project runs any more",
    () =>
      withFolder((box) =>
        Effect.gen(function* () {
          yield* trustFolder(box)
          const before = yield* goWith(box)
          assertAllThere(box, before)
          assert.deepStrictEqual(warnings(before.done), [])
          const changes: ReadonlyArray<readonly [part: string, change: () => void]> = [
            ["hooks/day.sh", () => box.write(".maia/hooks/day.sh", "touch ran-hook; exit 0\n")],
            ["tools/probe", () => box.write(".maia/tools/probe/probe.sh", 'touch "$MAIA_CWD/ran-tool"\n')],
            ["tools/extra", () => box.write(".maia/tools/extra/TOOL.json", '{ "description": "x", "run": "true" }')],
            ["servers/notes.mjs", () => box.write(".maia/servers/notes.mjs", "process.exit(1)\n")],
            ["skills/ship", () => box.write(".maia/skills/ship/more.md", "More\n")],
            ["agents/scout", () => box.write(".maia/agents/scout/AGENT.md", AGENT.replace("Read", "Bash"))],
            ["commands/greet.md", () => box.write(".maia/commands/greet.md", "Insult $1.\n")],
            ["rules/calm.md", () => box.write(".maia/rules/calm.md", "---\ntrigger: x\n---\nOther.\n")],
            ["env", () => box.write(".maia/env", "GREETING=changed\n")],
            ["settings.json", () => box.write(".maia/settings.json", JSON.stringify({ ...SETTINGS, mcpServers: {} }))]
          ]
          for (const [part, change] of changes) {
            fill(box)
            rmSync(join(box.folder, ".maia/tools/extra"), { recursive: true, force: true })
            rmSync(join(box.folder, ".maia/skills/ship/more.md"), { force: true })
            for (const name of PROGRAMS) rmSync(join(box.folder, `ran-${name}`), { force: true })
            change()
            const played = yield* untrusted(box)
            assertNothingThere(box, played)
            const [warning = "", ...more] = warnings(played.done)
            assert.deepStrictEqual(more, [], part)
            assert.include(warning, "This folder is not trusted any more")
            assert.include(warning, `(${part} (${part === "tools/extra" ? "new" : "changed"}))`)
          }
        })
      ),
    60_000
  )
})
