import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Agents } from "../../../src/extensions/agents/Agents.ts"
import { around, folders, type Around, type Folders } from "../support.ts"

const SECTIONS = "# Instructions system\nBe exact.\n\n# Missions\nReview.\n\n# Output\nA list.\n"

const agentFile = (header: string, body = SECTIONS) => `---\n${header}\n---\n\n${body}`

const withAgents = <A, E>(at: Folders, use: Effect.Effect<A, E, Agents>, options: Around = {}) =>
  use.pipe(Effect.provide(Agents.layer.pipe(Layer.provide(around(at, options)))))

const loaded = (at: Folders, options: Around = {}) =>
  withAgents(
    at,
    Effect.flatMap(Agents, (service) => service.load),
    options
  )

const one = (at: Folders, content: string) => {
  const file = at.write("home/.maia/agents/reviewer/AGENT.md", content)
  return Effect.map(loaded(at), ({ agents, warnings }) => ({
    agent: agents[0],
    warnings: warnings.map(({ en }) => en.replace(`${file}:`, "")),
    french: warnings.map(({ fr }) => fr)
  }))
}

describe("where agents come from", () => {
  it.effect("the project's replaces the user's of the same name, in order of names", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/agents/reviewer/AGENT.md", agentFile("name: reviewer\ndescription: the user's"))
      at.write("home/.maia/agents/zeta/AGENT.md", agentFile("name: zeta\ndescription: only the user's"))
      at.write("parent/project/.maia/agents/reviewer/AGENT.md", agentFile("name: reviewer\ndescription: the project's"))
      const { agents, warnings } = yield* loaded(at)
      assert.deepStrictEqual(
        agents.map(({ name, description }) => [name, description]),
        [
          ["reviewer", "the project's"],
          ["zeta", "only the user's"]
        ]
      )
      assert.deepStrictEqual(warnings, [])
    })
  )

  it.effect("without trust the project's do not count, nor do their faults", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/agents/reviewer/AGENT.md", agentFile("name: reviewer\ndescription: the user's"))
      at.write("parent/project/.maia/agents/reviewer/AGENT.md", agentFile("name: reviewer\ndescription: the project's"))
      at.write("parent/project/.maia/agents/broken/AGENT.md", "nothing")
      const { agents, warnings } = yield* loaded(at, { trusted: false })
      assert.deepStrictEqual(
        agents.map(({ description }) => description),
        ["the user's"]
      )
      assert.deepStrictEqual(warnings, [])
      const all = yield* withAgents(
        at,
        Effect.flatMap(Agents, (service) => service.all),
        { trusted: false }
      )
      assert.deepStrictEqual(
        all.agents.map(({ level, state }) => [level, state]),
        [
          ["project", "untrusted"],
          ["user", "active"]
        ]
      )
      assert.lengthOf(all.warnings, 1)
    })
  )

  it.effect("started in the home folder, each agent is read once and is the user's", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/agents/reviewer/AGENT.md", agentFile("name: reviewer\ndescription: mine"))
      at.write("home/.maia/agents/broken/AGENT.md", "nothing")
      const { agents, warnings } = yield* loaded({ ...at, project: at.home }, { trusted: false })
      assert.deepStrictEqual([agents.length, warnings.length], [1, 1])
    })
  )

  it.effect("what is no agent is said once each, and hides nothing else", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const place = path.join(at.home, ".maia/agents")
      at.write("home/.maia/agents/good/AGENT.md", agentFile("name: good\ndescription: x"))
      at.write("home/.maia/agents/empty/other.md", "x")
      at.write("home/.maia/agents/flat.md", "x")
      at.write("home/.maia/agents/README.md", "x")
      at.write("home/.maia/agents/bad name/AGENT.md", agentFile("description: x"))
      at.write("home/.maia/agents/latin/AGENT.md", Uint8Array.of(0x2d, 0xff, 0xfe))
      at.write("home/.maia/agents/huge/AGENT.md", "x".repeat(300_000))
      fs.symlinkSync("/nowhere", path.join(place, "lost"))
      const { agents, warnings } = yield* loaded(at)
      assert.deepStrictEqual(
        agents.map(({ name }) => name),
        ["good"]
      )
      const said = warnings.map(({ en }) => en.replaceAll(`${place}/`, ""))
      assert.deepStrictEqual(
        said.map((line) => line.split(":")[0]).toSorted(),
        ["bad name", "empty", "flat.md", "huge/AGENT.md", "latin/AGENT.md", "lost"].toSorted()
      )
      assert.isTrue(said.some((line) => line.includes("move this file to flat/AGENT.md")))
    })
  )

  it.effect("no folder, no warning", () =>
    Effect.gen(function* () {
      const at = yield* folders
      assert.deepStrictEqual(yield* loaded(at), { agents: [], warnings: [] })
    })
  )
})

describe("the header", () => {
  it.effect("takes every key, in any case", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const { agent, warnings } = yield* one(
        at,
        agentFile(
          [
            "Name: reviewer # the folder",
            'Description: "Reviews code"',
            "MODEL: small",
            "tools: Read, grep , Glob",
            "skills:",
            "  - style",
            "  - words",
            "OmitMD: true",
            "trace: yes",
            "permissions:",
            "  deny:",
            "    - Bash(git push *)",
            "    - Write",
            "  Ask: [WebFetch]",
            "output:",
            "  type: object",
            "  required: [verdict]",
            "  properties:",
            "    verdict: { type: string }"
          ].join("\n")
        )
      )
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(agent && { ...agent, file: "" }, {
        name: "reviewer",
        description: "Reviews code",
        file: "",
        model: "small",
        tools: ["Read", "grep", "Glob"],
        skills: ["style", "words"],
        omitMd: true,
        trace: true,
        rules: [
          { kind: "deny", text: "Bash(git push *)", line: 11 },
          { kind: "deny", text: "Write", line: 11 },
          { kind: "ask", text: "WebFetch", line: 11 }
        ],
        instructions: "Be exact.",
        missions: "Review.",
        output: "A list.",
        outputSchema: { type: "object", required: ["verdict"], properties: { verdict: { type: "string" } } }
      })
    })
  )

  it.effect("without keys: all tools and skills, the main agent's model, nothing kept", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const { agent, warnings } = yield* one(at, agentFile("description: Reviews"))
      assert.deepInclude(agent, { omitMd: false, trace: false, rules: [] })
      assert.notProperty(agent, "tools")
      assert.notProperty(agent, "skills")
      assert.deepStrictEqual(warnings, ["1: name is missing; the folder's name is used (write name: reviewer)."])
    })
  )

  it.effect("an empty list means none, and a list that is none gives nothing more than it says", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const empty = yield* one(at, agentFile("name: reviewer\ndescription: x\ntools: []\nskills: []"))
      assert.deepInclude(empty.agent, { tools: [], skills: [] })
      const wrong = yield* one(at, agentFile("name: reviewer\ndescription: x\ntools: {Read: true}"))
      assert.deepInclude(wrong.agent, { tools: [] })
      assert.match(wrong.warnings[0] ?? "", /^4: tools: expected a list of names/)
    })
  )

  it.effect("a text with a colon needs no quotes", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const { agent, warnings } = yield* one(
        at,
        agentFile("name: reviewer\ndescription: Use when: code changed, e.g. src: all\nmodel: litellm:small")
      )
      assert.deepStrictEqual(warnings, [])
      assert.deepInclude(agent, { description: "Use when: code changed, e.g. src: all", model: "litellm:small" })
    })
  )

  const refused: ReadonlyArray<readonly [what: string, content: string, warning: RegExp]> = [
    ["no header", SECTIONS, /^1: expected a header: a line ---/],
    [
      "another name",
      agentFile("name: other\ndescription: x"),
      /^2: name is "other", but the folder is called "reviewer"/
    ],
    ["no description", agentFile("name: reviewer"), /^1: description is missing/],
    ["an empty description", agentFile("name: reviewer\ndescription: ''"), /^3: description is missing/],
    ["broken YAML", agentFile("name: [reviewer\ndescription: x"), /^\d: the front matter is not valid YAML/],
    ["a header without end", "---\nname: reviewer\n", /^1: the front matter has no end/],
    [
      "a section missing",
      agentFile("name: reviewer\ndescription: x", "# Missions\nx\n# Output\ny"),
      /^6: missing section: write "# Instructions system" with text below\. The agent is left out\.$/
    ],
    [
      "an empty section",
      agentFile("name: reviewer\ndescription: x", "# Instructions system\nx\n# Missions\n# Output\ny"),
      /^6: missing or empty section: write "# Missions" with/
    ],
    [
      "no body",
      "---\nname: reviewer\ndescription: x\n---\n",
      /section: write "# Instructions system", "# Missions", "# Output"/
    ]
  ]
  for (const [what, content, warning] of refused) {
    it.effect(`${what}: left out, with the line and what to write`, () =>
      Effect.gen(function* () {
        const at = yield* folders
        const { agent, french, warnings } = yield* one(at, content)
        assert.isUndefined(agent)
        assert.lengthOf(warnings, 1)
        assert.match(warnings[0] ?? "", warning)
        assert.match(french[0] ?? "", /L'agent est écarté\.$/)
      })
    )
  }

  const warned: ReadonlyArray<readonly [what: string, line: string, warning: RegExp]> = [
    ["an unknown key", "modle: x", /^4: unknown key modle is ignored \(is model meant\?\)/],
    ["Agent among the tools", "tools: Read, agent", /^4: tools: a sub-agent cannot start sub-agents/],
    ["a rule that allows", "permissions: {allow: [Bash]}", /^4: permissions\.allow is ignored: .*may not do more/],
    ["a rule that is none", "permissions: {deny: ['Bash(']}", /^4: permissions\.deny: "Bash\(" is no rule/],
    ["permissions that are none", "permissions: Bash", /^4: permissions: expected lists deny and ask/],
    ["a flag that is none", "trace: perhaps", /^4: trace: expected true or false/],
    ["a schema that is none", "output: 12", /^4: output is no JSON schema.*expected an object/],
    ["a schema with an unknown type", "output: {type: strin}", /^4: output is no JSON schema.*"strin" is no type/]
  ]
  for (const [what, line, warning] of warned) {
    it.effect(`${what}: a warning, and the agent counts`, () =>
      Effect.gen(function* () {
        const at = yield* folders
        const { agent, warnings } = yield* one(at, agentFile(`name: reviewer\ndescription: x\n${line}`))
        assert.isDefined(agent)
        assert.lengthOf(warnings, 1)
        assert.match(warnings[0] ?? "", warning)
      })
    )
  }
})
