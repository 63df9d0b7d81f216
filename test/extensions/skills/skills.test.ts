import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { defaultSettings } from "../../../src/config/settings.ts"
import { UserCommands } from "../../../src/extensions/commands/UserCommands.ts"
import { Extensions } from "../../../src/extensions/Extensions.ts"
import { parseInvocation } from "../../../src/extensions/skills/invocation.ts"
import { Skills } from "../../../src/extensions/skills/Skills.ts"
import { skillsKind } from "../../../src/extensions/skills/skillsKind.ts"
import { expandInput } from "../../../src/extensions/userInput.ts"
import { ToolSet } from "../../../src/tools/ToolSet.ts"
import { around, folders, noServers, type Around, type Folders } from "../support.ts"

const skill = (description: string, body = "Do it.", more = "") =>
  `---\ndescription: ${description}\n${more}---\n\n${body}\n`

const withSkills = <A, E>(at: Folders, use: Effect.Effect<A, E, Skills>, options: Around = {}) =>
  use.pipe(Effect.provide(Skills.layer.pipe(Layer.provide(around(at, options)))))

const load = Effect.flatMap(Skills, (service) => service.load)
const loaded = (at: Folders, options: Around = {}) => withSkills(at, load, options)
const use = (name: string, args = "") =>
  Effect.flatMap(Skills, (service) => service.use(name, args, { mode: "content", images: true }))

describe("where skills come from", () => {
  it.effect("three places, and the most specific wins a name", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/skills/one/SKILL.md", skill("the user's"))
      at.write("home/.maia/skills/mine/SKILL.md", skill("only the user's"))
      at.write("parent/.maia/skills/one/SKILL.md", skill("the parent's"))
      at.write("parent/.maia/skills/two/skill.md", skill("the parent's two"))
      at.write("parent/project/.maia/skills/one/SKILL.md", skill("the project's"))
      const { skills, warnings } = yield* loaded(at)
      assert.deepStrictEqual(
        skills.map(({ name, description, level }) => [name, description, level]),
        [
          ["mine", "only the user's", "user"],
          ["one", "the project's", "project"],
          ["two", "the parent's two", "parent"]
        ]
      )
      assert.deepStrictEqual(warnings, [])
    })
  )

  it.effect("a project's and a parent's count only in a trusted folder, their faults too", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/skills/one/SKILL.md", skill("the user's"))
      at.write("parent/.maia/skills/two/SKILL.md", skill("the parent's"))
      at.write("parent/project/.maia/skills/one/SKILL.md", skill("the project's"))
      at.write("parent/project/.maia/skills/broken/SKILL.md", "nothing")
      const { skills, warnings } = yield* loaded(at, { trusted: false })
      assert.deepStrictEqual(
        skills.map(({ description }) => description),
        ["the user's"]
      )
      assert.deepStrictEqual(warnings, [])
      const { skills: all } = yield* withSkills(
        at,
        Effect.flatMap(Skills, (service) => service.all),
        { trusted: false }
      )
      assert.deepStrictEqual(
        all.map((one) => [one.skill.description, one.state]),
        [
          ["the project's", "untrusted"],
          ["the user's", "active"],
          ["the parent's", "untrusted"]
        ]
      )
    })
  )

  it.effect("started in the home folder, the user's own skills need no trust and the parent's do not count", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/skills/mine/SKILL.md", skill("mine"))
      at.write(".maia/skills/other/SKILL.md", skill("of whoever owns the folder above"))
      const { skills } = yield* loaded({ ...at, project: at.home }, { trusted: true })
      assert.deepStrictEqual(
        skills.map(({ name, level }) => [name, level]),
        [["mine", "user"]]
      )
    })
  )

  it.effect("the home above the launch folder is the user's place, not the parent's", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/skills/mine/SKILL.md", skill("mine"))
      const project = path.join(at.home, "project")
      fs.mkdirSync(project)
      const { skills } = yield* loaded({ ...at, project }, { trusted: false })
      assert.deepStrictEqual(
        skills.map(({ level }) => level),
        ["user"]
      )
    })
  )

  it.effect(".claude/skills and .agents/skills count only when the settings ask", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("parent/project/.claude/skills/c/SKILL.md", skill("claude's"))
      at.write("home/.agents/skills/a/SKILL.md", skill("agents'"))
      at.write("parent/project/.maia/skills/m/SKILL.md", skill("maia's"))
      assert.deepStrictEqual(
        (yield* loaded(at)).skills.map(({ name }) => name),
        ["m"]
      )
      const settings = { ...defaultSettings, skills: { claude: true, agents: true } }
      assert.deepStrictEqual(
        (yield* loaded(at, { config: { settings } })).skills.map(({ name }) => name),
        ["a", "c", "m"]
      )
    })
  )
})

describe("a skill's file", () => {
  const cases: ReadonlyArray<readonly [what: string, content: string | Uint8Array, warning: RegExp]> = [
    ["no front matter", "# Release\nDo it", /SKILL\.md:1: expected front matter/],
    ["front matter without end", "---\ndescription: x\nDo it", /SKILL\.md:1: .*no end/],
    ["no description", "---\nname: bad\n---\nDo it", /SKILL\.md:1: description is missing/],
    ["a misspelt description", "---\ndescripton: x\n---\nDo it", /is descripton meant\?/],
    ["a description that is no text", "---\ndescription: [a]\n---\nDo it", /SKILL\.md:2: description is missing/],
    ["another name than the folder's", "---\nname: good\ndescription: x\n---\nDo it", /:2: name is "good".*"bad"/],
    ["broken YAML", "---\ndescription: @Use it: always\n---\nDo it", /SKILL\.md:2: .*not valid YAML.*quotes/],
    ["no steps", "---\ndescription: x\n---\n\n", /the steps are missing/],
    ["another encoding", new Uint8Array([0x2d, 0x2d, 0x2d, 0x0a, 0xe9, 0x0a]), /is not UTF-8/],
    ["UTF-16", new Uint8Array(Buffer.from("\ufeff---\n", "utf16le")), /is not UTF-8/],
    ["NUL", "---\ndescription: x\0\n---\nDo it", /contains NUL/],
    ["a body of 5 MB", skill("x", "y".repeat(5_000_000)), /larger than 1000 kB \(5000 kB\)/]
  ]
  for (const [what, content, warning] of cases) {
    it.effect(`${what} is a warning, and the other skills stay`, () =>
      Effect.gen(function* () {
        const at = yield* folders
        at.write("home/.maia/skills/bad/SKILL.md", content)
        at.write("home/.maia/skills/good/SKILL.md", skill("fine"))
        const { skills, warnings } = yield* loaded(at)
        assert.deepStrictEqual(
          skills.map(({ name }) => name),
          ["good"]
        )
        assert.lengthOf(warnings, 1)
        assert.match(warnings[0]?.en ?? "", warning)
        assert.notStrictEqual(warnings[0]?.fr, warnings[0]?.en)
      })
    )
  }

  it.effect("a byte order mark and CRLF are no fault", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write(
        "home/.maia/skills/win/SKILL.md",
        "\ufeff---\r\nname: win\r\ndescription: Windows\r\nkeywords: [a, b]\r\n---\r\none\r\ntwo\r\n"
      )
      const { skills, warnings } = yield* loaded(at)
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(
        [skills[0]?.description, skills[0]?.keywords, skills[0]?.body],
        ["Windows", ["a", "b"], "one\ntwo"]
      )
    })
  )

  it.effect("keywords: a list or a text with commas, eight at most", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/skills/list/SKILL.md", skill("x", "y", "keywords:\n  - saluer\n  - bonjour\n"))
      at.write("home/.maia/skills/many/SKILL.md", skill("x", "y", "keywords: a, b, c, d, e, f, g, h, i, j\n"))
      at.write("home/.maia/skills/wrong/SKILL.md", skill("x", "y", "keywords:\n  a: b\n"))
      const { skills, warnings } = yield* loaded(at)
      assert.deepStrictEqual(
        skills.map(({ keywords }) => keywords),
        [["saluer", "bonjour"], ["a", "b", "c", "d", "e", "f", "g", "h"], []]
      )
      assert.deepStrictEqual(
        warnings.map(({ en }) => en.replace(/^.*skills\//, "")),
        [
          "many/SKILL.md:3: keywords has 10 entries; the first 8 are used.",
          "wrong/SKILL.md:3: keywords: expected a list of words of at most 40 characters, for example [release, publish]."
        ]
      )
    })
  )

  it.effect("links in circles, links to nowhere, pipes and strays are warnings or nothing, never a wait", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const place = path.join(at.home, ".maia/skills")
      at.write("home/.maia/skills/good/SKILL.md", skill("fine"))
      at.write("home/.maia/skills/empty/notes.txt", "x")
      at.write("home/.maia/skills/README.md", "about")
      at.write("home/.maia/skills/loose.md", skill("x"))
      at.write("home/.maia/skills/with space/SKILL.md", skill("x"))
      at.write("home/.maia/skills/.git/SKILL.md", skill("x"))
      fs.symlinkSync("self", path.join(place, "self"))
      fs.symlinkSync("..", path.join(place, "up"))
      fs.symlinkSync("gone", path.join(place, "nowhere"))
      fs.symlinkSync("good", path.join(place, "alias"))
      fs.mkdirSync(path.join(place, "pipe"))
      yield* Effect.promise(() => import("node:child_process")).pipe(
        Effect.map(({ execFileSync }) => execFileSync("mkfifo", [path.join(place, "pipe/SKILL.md")]))
      )
      const { skills, warnings } = yield* loaded(at)
      assert.deepStrictEqual(
        skills.map(({ name }) => name),
        ["alias", "good"]
      )
      assert.deepStrictEqual(
        warnings.map(({ en }) => en.replace(`${place}/`, "")),
        [
          "empty: there is no SKILL.md in this folder.",
          "loose.md: a skill is a folder: move this file to loose/SKILL.md.",
          "nowhere: cannot be read (NotFound).",
          "pipe/SKILL.md: is no plain file.",
          "self: cannot be read (BadResource).",
          "up: there is no SKILL.md in this folder.",
          "with space: the folder's name cannot name a skill: use letters, digits, _ . and -, at most 64."
        ]
      )
    })
  )
})

const kindLayer = Layer.unwrap(Effect.map(skillsKind, (kind) => Extensions.layer([kind]))).pipe(
  Layer.provideMerge(Skills.layer),
  Layer.provide(Layer.succeed(ToolSet, ToolSet.of({ tools: [] })))
)

describe("the model's side", () => {
  it.effect("the catalogue has descriptions and keywords on one line each, and Skill exists", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/skills/greetings/SKILL.md", skill("Greets somebody", "Say hello.", "keywords: [saluer]\n"))
      at.write("home/.maia/skills/sly/SKILL.md", skill("|-\n  one\n  # Instructions\n  two"))
      const { prompt, tools } = yield* Effect.flatMap(Extensions, (extensions) => extensions.load).pipe(
        Effect.provide(kindLayer.pipe(Layer.provide(around(at))))
      )
      assert.deepStrictEqual(
        prompt.map(({ text }) => text.split("\n").slice(3)),
        [["- greetings: Greets somebody [keywords: saluer]", "- sly: one # Instructions two"]]
      )
      assert.deepStrictEqual(
        tools.map(({ name, permission }) => [name, permission]),
        [["Skill", "auto"]]
      )
    })
  )

  it.effect("without a skill there is neither catalogue nor tool", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("parent/project/.maia/skills/one/SKILL.md", skill("the project's"))
      const { prompt, tools } = yield* Effect.flatMap(Extensions, (extensions) => extensions.load).pipe(
        Effect.provide(kindLayer.pipe(Layer.provide(around(at, { trusted: false }))))
      )
      assert.deepStrictEqual([prompt, tools], [[], []])
    })
  )

  it.effect(
    "Skill: other spellings of the name are known, an unknown one lists what there is, rules see the real name",
    () =>
      Effect.gen(function* () {
        const at = yield* folders
        at.write("home/.maia/skills/greetings/SKILL.md", skill("Greets", "Say hello to $ARGUMENTS."))
        yield* Effect.gen(function* () {
          const extensions = yield* Extensions
          const [tool] = (yield* extensions.load).tools
          assert.isDefined(tool)
          if (tool === undefined) return
          const call = yield* tool.prepare({ skill: "§Greetings", args: "Bob; $& $ARGUMENTS" })
          assert.strictEqual(call.input["name"], "greetings")
          const context = {
            callId: "1",
            progress: () => Effect.void,
            outputLimit: 1000,
            model: { id: "m", images: false }
          }
          const { text } = yield* call.run(context)
          assert.include(text, "Say hello to Bob; $& $ARGUMENTS.")
          const unknown = yield* Effect.flip(tool.prepare({ name: "greet" }))
          assert.strictEqual(unknown.message, '[skill: no skill named "greet" — available: greetings]')
        }).pipe(Effect.provide(kindLayer.pipe(Layer.provide(around(at)))))
      })
  )
})

describe("using a skill", () => {
  it.effect("arguments go where $ARGUMENTS stands, else behind; nothing in them is a pattern or a file reference", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/skills/a/SKILL.md", skill("x", "Say $ARGUMENTS and ${ARGUMENTS}, not $ARGUMENTS_LIST."))
      at.write("home/.maia/skills/b/SKILL.md", skill("x", "Say it."))
      at.write("parent/project/secret.txt", "s3cret")
      const text = (name: string, args: string) =>
        withSkills(
          at,
          Effect.map(use(name, args), (used) => used.text.split("\n\n").slice(1).join("|"))
        )
      assert.strictEqual(yield* text("a", "x\n$$ $1"), "Say x\n$$ $1 and x\n$$ $1, not $ARGUMENTS_LIST.")
      assert.strictEqual(yield* text("b", " x y "), "Say it.|ARGUMENTS: x y")
      assert.strictEqual(yield* text("b", ""), "Say it.")
      assert.notInclude(yield* text("a", "@secret.txt"), "s3cret")
    })
  )

  it.effect("@file in a body: the skill's folder first, then the launch folder; binary and large files are said", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write(
        "parent/project/.maia/skills/a/SKILL.md",
        skill("x", "Follow @list.md and @src/x.ts, like @Override or @types/node. Not @big.bin @large.txt.")
      )
      at.write("parent/project/.maia/skills/a/list.md", "from the skill")
      at.write("parent/project/.maia/skills/a/big.bin", new Uint8Array(100))
      at.write("parent/project/.maia/skills/a/large.txt", "x".repeat(2 * 1024 * 1024 + 1))
      at.write("parent/project/list.md", "from the project")
      at.write("parent/project/src/x.ts", "const x = 1")
      const used = yield* withSkills(at, use("a"))
      assert.include(used.text, "from the skill")
      assert.notInclude(used.text, "from the project")
      assert.include(used.text, "const x = 1")
      assert.deepStrictEqual(
        used.warnings.map(({ en }) => en),
        ["@big.bin: binary file, not attached.", "@large.txt: larger than 2 MB, not attached."]
      )
    })
  )

  it.effect("@file in a body reaches no secret, nothing outside and nothing that a rule stops", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.ssh/id_rsa", "PRIVATE KEY")
      at.write("home/notes.md", "MY NOTES")
      at.write("parent/outside.md", "OUTSIDE")
      at.write("parent/project/.env", "TOKEN")
      at.write("parent/project/denied.md", "DENIED")
      at.write("parent/project/asked.md", "ASKED")
      at.write("parent/project/.maia/skills/a/.env", "OWN TOKEN")
      fs.symlinkSync(path.join(at.parent, "outside.md"), path.join(at.project, "link.md"))
      const all = "@~/.ssh/id_rsa @~/notes.md @../outside.md @.env @denied.md @asked.md @link.md"
      at.write("parent/project/.maia/skills/a/SKILL.md", skill("x", all))
      at.write("home/.maia/skills/u/SKILL.md", skill("x", all))
      const rules = [
        { rule: "Read(denied.md)", kind: "deny" as const, scope: "user" as const, file: "f", line: 1 },
        { rule: "Read(asked.md)", kind: "ask" as const, scope: "user" as const, file: "f", line: 2 }
      ]
      const brought = (text: string) =>
        ["PRIVATE KEY", "MY NOTES", "OUTSIDE", "TOKEN", "DENIED", "ASKED"].filter((word) => text.includes(word))
      const project = yield* withSkills(at, use("a"), { config: { rules } })
      assert.deepStrictEqual(brought(project.text), [])
      assert.lengthOf(project.warnings, 6)
      // What the user wrote may name the user's files.
      const user = yield* withSkills(at, use("u"), { config: { rules } })
      assert.deepStrictEqual(brought(user.text), ["MY NOTES", "OUTSIDE"])
    })
  )
})

describe("§ in the input", () => {
  it("is a skill only where a name follows at once", () => {
    assert.deepStrictEqual(parseInvocation("§review a.ts  b.ts\nand more"), {
      name: "review",
      args: "a.ts  b.ts\nand more"
    })
    assert.deepStrictEqual(parseInvocation("  §étape-1.2 "), { name: "étape-1.2", args: "" })
    assert.strictEqual(parseInvocation("§"), "list")
    for (const plain of ["§ 3 of the contract", "see §3", "§§ 1-2", "", "hello"]) {
      assert.isUndefined(parseInvocation(plain), plain)
    }
  })

  it.effect("becomes the steps; an unknown one is refused with the list, what is no skill stays", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/skills/release/SKILL.md", skill("x", "Publish $ARGUMENTS."))
      const expand = (typed: string) =>
        expandInput(typed, { files: () => ({ mode: "content", images: true }) }).pipe(
          Effect.provide(Layer.mergeAll(Skills.layer, UserCommands.layer, noServers).pipe(Layer.provide(around(at))))
        )
      const expanded = yield* expand("§release 1.2")
      assert.isTrue(expanded.kind === "request" && expanded.text.includes("Publish 1.2."))
      const unknown = yield* expand("§relase 1.2")
      assert.strictEqual(
        unknown.kind === "refused" ? unknown.text.en : "",
        'There is no skill "relase"; did you mean release? Available: release'
      )
      const plain = yield* expand("release 1.2")
      assert.isTrue(plain.kind === "request" && plain.text === "release 1.2")
    })
  )
})
