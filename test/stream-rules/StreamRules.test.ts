/** Rule files: where they are found, which wins, and one precise warning for each thing that is wrong. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import type { Settings } from "../../src/config/settings.ts"
import { defaultSettings } from "../../src/config/settings.ts"
import { formatScope, matchesFiles, parseScope } from "../../src/stream-rules/scope.ts"
import { StreamRules, StreamRulesTrust } from "../../src/stream-rules/StreamRules.ts"
import { testConfigLayer } from "../support/testConfig.ts"
import { cpuTime } from "../support/cpuTime.ts"

interface Options {
  readonly files: Readonly<Record<string, string>>
  readonly trusted?: boolean
  readonly settings?: Partial<Settings["streamRules"]>
}

/** `files` are below the launch folder; the home is `home/` there. Paths in warnings are from the launch folder. */
const load = ({ files, trusted = true, settings = {} }: Options) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* fs.makeTempDirectoryScoped()
    for (const [name, content] of Object.entries(files)) {
      const path = `${folder}/${name}`
      yield* fs.makeDirectory(path.slice(0, path.lastIndexOf("/")), { recursive: true })
      yield* fs.writeFileString(path, content)
    }
    const layer = StreamRules.layer.pipe(
      Layer.provide(Layer.succeed(StreamRulesTrust, Effect.succeed(trusted))),
      Layer.provide(
        testConfigLayer({
          launchFolder: folder,
          home: `${folder}/home`,
          settings: { streamRules: { ...defaultSettings.streamRules, ...settings } }
        })
      )
    )
    const { rules, warnings } = yield* Effect.provide(
      Effect.flatMap(StreamRules, (service) => service.load),
      layer
    )
    return {
      rules: rules.rules.map(({ rule }) => rule),
      names: rules.rules.map(({ rule }) => `${rule.name} (${rule.level})`),
      warnings: warnings.map(({ en }) => en.replaceAll(`${folder}/`, "")),
      french: warnings.map(({ fr }) => fr.replaceAll(`${folder}/`, ""))
    }
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))

const rule = (keys: string, reminder = "Do not.") => `---\n${keys}\n---\n${reminder}\n`

describe("stream rule files", () => {
  it.effect("the project wins over the user, the first file wins within a level", () =>
    Effect.gen(function* () {
      const { names, warnings, rules } = yield* load({
        files: {
          ".maia/rules/a.md": rule("trigger: one", "project"),
          ".maia/rules/b.md": rule("name: a\ntrigger: two"),
          ".maia/rules/notes.txt": "no rule",
          "home/.maia/rules/a.md": rule("trigger: three"),
          "home/.maia/rules/c.md": rule("trigger: four")
        }
      })
      assert.deepStrictEqual(names, ["a (project)", "c (user)"])
      assert.strictEqual(rules[0]?.reminder, "project")
      assert.deepStrictEqual(warnings, [
        '.maia/rules/b.md:1: a rule named "a" is already in .maia/rules/a.md; this one is not used. Give it another name.'
      ])
    })
  )

  it.effect("the project's own count only when it is trusted", () =>
    Effect.gen(function* () {
      const files = { ".maia/rules/a.md": rule("trigger: one"), "home/.maia/rules/a.md": rule("trigger: two") }
      assert.deepStrictEqual((yield* load({ files, trusted: false })).names, ["a (user)"])
    })
  )

  it.effect("`enabled: false` is obeyed", () =>
    Effect.gen(function* () {
      const files = { ".maia/rules/a.md": rule("trigger: one"), ".maia/rules/b.md": "broken" }
      const { names, warnings } = yield* load({ files, settings: { enabled: false, builtin: true } })
      assert.deepStrictEqual([names, warnings], [[], []])
    })
  )

  it.effect("no folder is no fault", () =>
    Effect.gen(function* () {
      const { names, warnings } = yield* load({ files: {} })
      assert.deepStrictEqual([names, warnings], [[], []])
    })
  )

  it.effect("reads every key", () =>
    Effect.gen(function* () {
      const keys = [
        "name: Full",
        "description: all of it",
        "trigger:\n  - 'a\\s'\n  - b",
        "scope: [thinking, 'tool:Edit(*.{ts,tsx})', tool:Bash]",
        "interrupt: never",
        "contextMode: keep",
        "repeat: after-gap",
        "repeatGap: 3"
      ]
      const { rules, warnings } = yield* load({
        files: { ".maia/rules/full.md": `\uFEFF${rule(keys.join("\n"), "One.\n---\nTwo.").replaceAll("\n", "\r\n")}` }
      })
      assert.deepStrictEqual(warnings, [])
      const [found] = rules
      assert.deepInclude(found, {
        name: "Full",
        description: "all of it",
        triggers: ["a\\s", "b"],
        interrupt: "never",
        contextMode: "keep",
        repeat: "after-gap",
        repeatGap: 3,
        engine: "re2",
        reminder: "One.\r\n---\r\nTwo."
      })
      assert.deepStrictEqual(found?.scopes.map(formatScope), ["thinking", "tool:Edit(*.{ts,tsx})", "tool:Bash"])
    })
  )

  it.effect("takes ttsr_trigger, a scope in one line, and defaults", () =>
    Effect.gen(function* () {
      const { rules, warnings } = yield* load({
        files: {
          ".maia/rules/old.md": rule("ttsr_trigger: abc"),
          ".maia/rules/two.md": rule("trigger: abc\nscope: text, tool:Edit(*.{a,b})")
        }
      })
      assert.deepStrictEqual(warnings, [])
      assert.deepStrictEqual(
        rules.map(({ name, scopes }) => [name, ...scopes.map(formatScope)]),
        [
          ["old", "text", "tool"],
          ["two", "text", "tool:Edit(*.{a,b})"]
        ]
      )
    })
  )

  it.effect("each fault is one warning with file, line and what was expected; the rest work", () =>
    Effect.gen(function* () {
      const { names, warnings, french } = yield* load({
        files: {
          ".maia/rules/01.md": "no front matter",
          ".maia/rules/02.md": rule("trigger: 'a(b'"),
          ".maia/rules/03.md": rule("description: x\ntrigger: 'a(?=b)'"),
          ".maia/rules/04.md": rule("trigger: a\ninterupt: never"),
          ".maia/rules/05.md": rule("trigger: a\nscope:\n  - text\n  - tools"),
          ".maia/rules/06.md": rule("trigger: a\nrepeat: twice\nrepeatGap: 0"),
          ".maia/rules/07.md": rule("trigger: a", ""),
          ".maia/rules/08.md": rule("description: none"),
          ".maia/rules/09.md": rule("trigger: [a\nscope: text"),
          ".maia/rules/10.md": rule("trigger: 'x*'"),
          ".maia/rules/11.md": rule("trigger: ['ok', '(']"),
          ".maia/rules/12.md": rule("trigger: '(?<!a)b'\nengine: js")
        }
      })
      assert.deepStrictEqual(
        names.map((name) => name.slice(0, 2)),
        ["04", "05", "06", "11", "12"]
      )
      const [first, ...others] = warnings
      assert.strictEqual(
        first,
        ".maia/rules/01.md:1: expected front matter: a line ---, keys such as trigger, a line ---, then the reminder."
      )
      const expected = [
        /^\.maia\/rules\/02\.md:2: the expression "a\(b" cannot be used: missing closing \): `a\(b`\.$/,
        /^\.maia\/rules\/03\.md:3: the expression "a\(\?=b\)" cannot be used: .*`engine: js`\.$/,
        /^\.maia\/rules\/04\.md:3: unknown key "interupt"; did you mean interrupt\?/,
        /^\.maia\/rules\/05\.md:5: unknown scope "tools": expected text, thinking, tool/,
        /^\.maia\/rules\/06\.md:3: repeat: expected once or after-gap, got "twice"\.$/,
        /^\.maia\/rules\/06\.md:4: repeatGap: expected a number of turns from 1, got 0\.$/,
        /^\.maia\/rules\/07\.md:\d: the reminder is missing/,
        /^\.maia\/rules\/08\.md:2: expected trigger/,
        /^\.maia\/rules\/09\.md:\d: the front matter is not valid YAML/,
        /^\.maia\/rules\/10\.md:2: the expression "x\*" cannot be used: it matches the empty text\.$/,
        /^\.maia\/rules\/11\.md:2: the expression "\(" cannot be used/
      ]
      assert.strictEqual(others.length, expected.length, others.join("\n"))
      for (const [index, pattern] of expected.entries()) assert.match(others[index] ?? "", pattern)
      assert.match(
        french[3] ?? "",
        /^\.maia\/rules\/04\.md:3 : clé inconnue "interupt" ; vouliez-vous dire interrupt \?/
      )
    })
  )

  it.effect("built-in rules are off; all or some by name, and a rule of one's own takes the place of one", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual((yield* load({ files: {} })).names, [])
      const all = yield* load({ files: {}, settings: { builtin: true } })
      assert.include(all.names, "force-push (builtin)")
      const some = yield* load({
        files: { "home/.maia/rules/private-key.md": rule("trigger: mine") },
        settings: { builtin: ["force-push", "private-key", "forse-push"] }
      })
      assert.deepStrictEqual(some.names, ["private-key (user)", "force-push (builtin)"])
      assert.deepStrictEqual(some.warnings, [
        'streamRules.builtin: there is no built-in rule "forse-push"; expected force-push.'
      ])
    })
  )
})

describe("scopes", () => {
  it("are read and written back", () => {
    for (const scope of [
      "text",
      "thinking",
      "tool",
      "tool:Edit",
      "tool:Edit(*.ts)",
      "tool:mcp__a__b",
      "tool:*(a/**)"
    ]) {
      const parsed = parseScope(scope)
      assert.strictEqual(parsed === undefined ? undefined : formatScope(parsed), scope)
    }
    for (const scope of ["", "tools", "tool:", "tool:Edit()", "tool:Edit(a", "text(a)"]) {
      assert.isUndefined(parseScope(scope), scope)
    }
  })

  it("match files by name, or by path from the launch folder", () => {
    const matches = (pattern: string, path: string) => matchesFiles(pattern, path, "/work/project")
    assert.isTrue(matches("*.ts", "src/deep/a.ts"))
    assert.isTrue(matches("*.ts", "/elsewhere/a.ts"))
    assert.isTrue(matches("*.{ts,tsx}", "a.tsx"))
    assert.isFalse(matches("*.ts", "a.tsx"))
    assert.isTrue(matches("src/*.ts", "/work/project/src/a.ts"))
    assert.isTrue(matches("./src/*.ts", "./src/a.ts"))
    assert.isFalse(matches("src/*.ts", "src/deep/a.ts"))
    assert.isTrue(matches("src/**/*.ts", "src/a.ts"))
    assert.isTrue(matches("src/**/*.ts", "src/deep/er/a.ts"))
    assert.isFalse(matches("src/**/*.ts", "lib/src/a.ts"))
    assert.isTrue(matches("**/test/**", "a/test/b/c"))
    assert.isTrue(matches("src/?.ts", String.raw`src\a.ts`))
    assert.isTrue(matches("a.b", "a.b"))
    assert.isFalse(matches("a.b", "axb"))
  })

  it("are linear for hostile patterns", () => {
    const start = cpuTime()
    matchesFiles(`${"*a".repeat(100)}b`, "a".repeat(4096), "/work")
    matchesFiles(`${"{a,b}".repeat(30)}`, "a".repeat(30), "/work")
    assert.isBelow(cpuTime() - start, 2000)
  })
})
