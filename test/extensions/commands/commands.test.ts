import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { withArguments, withPositions } from "../../../src/extensions/expandBody.ts"
import { parseSlash } from "../../../src/extensions/commands/command.ts"
import { UserCommands } from "../../../src/extensions/commands/UserCommands.ts"
import type { McpServers } from "../../../src/extensions/mcp/McpServers.ts"
import { Skills } from "../../../src/extensions/skills/Skills.ts"
import { expandInput } from "../../../src/extensions/userInput.ts"
import { Permissions } from "../../../src/permissions/Permissions.ts"
import { around, folders, noServers, type Around, type Folders } from "../support.ts"

const withCommands = <A, E>(
  at: Folders,
  use: Effect.Effect<A, E, UserCommands | Skills | McpServers>,
  options: Around = {}
) =>
  use.pipe(
    Effect.provide(Layer.mergeAll(UserCommands.layer, Skills.layer, noServers).pipe(Layer.provide(around(at, options))))
  )

const load = (at: Folders, options: Around = {}) =>
  withCommands(
    at,
    Effect.flatMap(UserCommands, (service) => service.load),
    options
  )
const expand = (at: Folders, typed: string, options: Around = {}) =>
  withCommands(at, expandInput(typed, { files: () => ({ mode: "content", images: true }) }), options)

describe("where commands come from", () => {
  it.effect("the project's over the user's, in order of names; front matter is optional", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("home/.maia/commands/fix.md", "Fix it (the user's)")
      at.write("home/.maia/commands/plain.md", "# Say hello\n\nand more")
      at.write(
        "parent/project/.maia/commands/fix.md",
        "---\ndescription: Fixes\narguments: [file]\nmodel: litellm:small\n---\nFix $1"
      )
      at.write("parent/project/.maia/commands/notes.txt", "x")
      at.write("parent/.maia/commands/other.md", "x")
      const { commands, warnings } = yield* load(at)
      assert.deepStrictEqual(
        commands.map(({ description, hint, level, model, name }) => [name, level, description, hint, model]),
        [
          ["fix", "project", "Fixes", "[file]", "small"],
          ["plain", "user", "# Say hello", undefined, undefined]
        ]
      )
      assert.deepStrictEqual(warnings, [])
      const untrusted = yield* load(at, { trusted: false })
      assert.deepStrictEqual(
        untrusted.commands.map(({ body }) => body.split("\n", 1)[0]),
        ["Fix it (the user's)", "# Say hello"]
      )
    })
  )

  it.effect("what is wrong with a file is a warning with its place, and the others stay", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const put = (name: string, content: string | Uint8Array) => at.write(`home/.maia/commands/${name}`, content)
      put("broken.md", "---\ndescription: [a\n---\nx")
      put("empty.md", "---\ndescription: x\n---\n")
      put("latin.md", new Uint8Array([0xe9, 0x0a]))
      put("odd name.md", "x")
      put("rules.md", "---\nallowed-tools: Bash(git log, -n), Read(, Grep\nmodle: x\n---\nx")
      const { commands, warnings } = yield* load(at)
      assert.deepStrictEqual(
        commands.map(({ allow, name }) => [name, allow]),
        [["rules", ["Bash(git log, -n)", "Grep"]]]
      )
      assert.deepStrictEqual(
        warnings.map(({ en }) => en.replace(/^.*commands\//, "").slice(0, 60)),
        [
          "broken.md:3: the front matter is not valid YAML: Flow sequence in block".slice(0, 60),
          "empty.md:1: the request is missing: write below the front matter".slice(0, 60),
          "latin.md: is not UTF-8; save it as UTF-8.",
          "odd name.md: the file's name cannot name a command: use letters, digits".slice(0, 60),
          "rules.md:3: unknown key modle (is model meant?).",
          'rules.md:2: allowed-tools: "Read(" is ignored: expected Tool or Tool(p'.slice(0, 60)
        ]
      )
    })
  )
})

describe("arguments", () => {
  const rows: ReadonlyArray<readonly [body: string, args: string, becomes: string]> = [
    ["Fix $1 in $2.", 'bug "the file.ts" more', "Fix bug in the file.ts."],
    ["All: $ARGUMENTS; first: $1", "a 'b c'", "All: a 'b c'; first: a"],
    ["Only $1 and $3", "x", "Only x and "],
    ["Costs $100, \\$1 and $ARGUMENTS_LIST", "", "Costs $100, $1 and $ARGUMENTS_LIST"],
    ["Nothing", " a  b ", "Nothing\n\nARGUMENTS: a  b"],
    ["Nothing", "", "Nothing"],
    ["$1", "$ARGUMENTS $2 $& $`", "$ARGUMENTS"],
    ["$1|$2|$3", `it's "open 'x' y`, `it's|"open|x`],
    ["${ARGUMENTS}", "line\nline", "line\nline"]
  ]
  for (const [body, args, becomes] of rows) {
    it(`${JSON.stringify(body)} with ${JSON.stringify(args)}`, () =>
      assert.strictEqual(withPositions(body, args), becomes))
  }
  it("a skill has no positions: its shell snippets stay", () =>
    assert.strictEqual(withArguments("awk '{print $1}' $ARGUMENTS", "f"), "awk '{print $1}' f"))
})

describe("/ in the input", () => {
  it("a name and what follows it; a path is none", () => {
    assert.deepStrictEqual(parseSlash(" /review a\nb"), { name: "review", args: "a\nb" })
    assert.deepStrictEqual(parseSlash("/étape"), { name: "étape", args: "" })
    for (const plain of ["/etc/hosts is what?", "/", "//x", "see /review", "/ review"])
      assert.isUndefined(parseSlash(plain))
  })

  it.effect("becomes the command's text with its files, rules and model; what is no command is sent as it is", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("parent/project/style.md", "two blanks")
      at.write("parent/project/.env", "TOKEN=1")
      at.write(
        "parent/project/.maia/commands/tidy.md",
        "---\nallowed-tools: [Read, Edit(src/**)]\nmodel: small\n---\nTidy $1 as @style.md says, not @.env"
      )
      const expanded = yield* expand(at, "/tidy @style.md")
      assert.strictEqual(expanded.kind, "request")
      if (expanded.kind !== "request") return
      assert.include(expanded.text, "Tidy @style.md as @style.md says")
      assert.include(expanded.text, "two blanks")
      assert.notInclude(expanded.text, "TOKEN")
      assert.deepStrictEqual([expanded.command?.model, expanded.command?.allow], ["small", ["Read", "Edit(src/**)"]])
      for (const typed of ["/nothing of the kind", "/tidyer x", "/tidy/x"]) {
        const plain = yield* expand(at, typed)
        assert.isTrue(plain.kind === "request" && plain.text === typed && plain.command === undefined, typed)
      }
      const untrusted = yield* expand(at, "/tidy x", { trusted: false })
      assert.isTrue(untrusted.kind === "request" && untrusted.text === "/tidy x")
    })
  )

  it.effect("its rules allow for its request only, and never against a deny", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const rules = [{ rule: "Write(secret/**)", kind: "deny" as const, scope: "user" as const, file: "f", line: 1 }]
      yield* Effect.gen(function* () {
        const permissions = yield* Permissions
        const decide = (path: string) =>
          Effect.map(
            permissions.decide({ tool: "Write", input: { path }, fallback: "ask" }),
            ({ decision }) => decision
          )
        yield* Effect.scoped(
          Effect.gen(function* () {
            yield* permissions.grant(["Write(**)"], "tidy.md")
            assert.strictEqual(yield* decide("a.txt"), "allow")
            assert.strictEqual(yield* decide("secret/a.txt"), "deny")
          })
        )
        assert.strictEqual(yield* decide("a.txt"), "ask")
      }).pipe(Effect.provide(around(at, { config: { rules } })))
    })
  )
})
