import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { Extensions } from "../../../src/extensions/Extensions.ts"
import { diagnosticLines, findSymbol, seriousOnes } from "../../../src/extensions/lsp/format.ts"
import { languageOf, readServerSettings } from "../../../src/extensions/lsp/serverSettings.ts"
import { folders } from "../support.ts"
import { callTool, fake, load, news, withLsp } from "./support.ts"

const settings = (value: unknown, scope: "user" | "project" = "user") => ({
  key: "lsp" as const,
  scope,
  file: `/${scope}.json`,
  line: 2,
  value
})

const places = { home: "/home/me", launchFolder: "/work" }

describe("language servers in the settings", () => {
  it("true stands for what is known, * for all; a project's definition wins, false switches off", () => {
    const names = (...given: ReadonlyArray<ReturnType<typeof settings>>) =>
      readServerSettings(given, places).servers.map(({ argv, name }) => `${name}: ${argv.join(" ")}`)
    assert.deepStrictEqual(names(settings({ typescript: true })), ["typescript: typescript-language-server --stdio"])
    assert.deepStrictEqual(
      names(
        settings({ "*": true, pyright: false }),
        settings({ gopls: { command: "gopls -vv" }, clangd: false }, "project")
      ),
      [
        "gopls: gopls -vv",
        "typescript: typescript-language-server --stdio",
        "basedpyright: basedpyright-langserver --stdio",
        "rust-analyzer: rust-analyzer"
      ]
    )
    const { servers } = readServerSettings([settings({ zls: { command: ["zls"], files: [".zig", "zon"] } })], places)
    assert.deepStrictEqual(servers[0]?.files, { ".zig": "zig", ".zon": "zon" })
    assert.deepStrictEqual(
      ["/a/b.zig", "/a/B.ZIG", "/a/b.zigs", "/a.zig/b"].map((file) => servers[0] && languageOf(servers[0], file)),
      ["zig", "zig", undefined, undefined]
    )
  })

  it("a path in the user's settings is never one of the project's", () => {
    const of = (scope: "user" | "project") =>
      readServerSettings([settings({ s: { command: "./bin/server --stdio", files: [".s"] } }, scope)], places)
        .servers[0]?.argv
    assert.deepStrictEqual(of("user"), ["/home/me/bin/server", "--stdio"])
    assert.deepStrictEqual(of("project"), ["/work/bin/server", "--stdio"])
  })

  it("what is wrong is said with its place", () => {
    const { servers, warnings } = readServerSettings(
      [
        settings({
          typscript: true,
          zls: { command: "zls" },
          a: 7,
          b: { command: [], files: [".b"] },
          gopls: { cmd: "x" },
          c: { command: "c", files: [".c"], env: [1] }
        })
      ],
      places
    )
    assert.deepStrictEqual(servers, [])
    assert.deepStrictEqual(
      warnings.map(({ en }) => en.slice(0, 60)),
      [
        "/user.json:2: lsp.typscript: expected a command; without one the name must be typescript.".slice(0, 60),
        "/user.json:2: lsp.zls: files: expected language ids by ending, for".slice(0, 60),
        "/user.json:2: lsp.a: expected true, false or an object, for example".slice(0, 60),
        "/user.json:2: lsp.b: expected a command; without one the name must".slice(0, 60),
        "/user.json:2: lsp.gopls: unknown key cmd; known: command, files, env".slice(0, 60),
        "/user.json:2: lsp.c: env: expected texts by name."
      ]
    )
  })
})

describe("answers as text", () => {
  it("finds a name as a whole word, on the line that is said", () => {
    const content = "xy = 1\nlet x = xy\nx"
    assert.deepStrictEqual(findSymbol(content, "x", undefined), { line: 0, character: 0 })
    assert.deepStrictEqual(findSymbol(content, "x", 2), { line: 1, character: 4 })
    assert.deepStrictEqual(findSymbol("é😀 x", "x", 1), { line: 0, character: 4 })
    assert.isUndefined(findSymbol(content, "z", undefined))
    assert.isUndefined(findSymbol(content, "x", 9))
  })

  it("errors before warnings, hints left out, long lists cut", () => {
    const at = (line: number) => ({ start: { line, character: 0 }, end: { line, character: 1 } })
    const many = Array.from({ length: 25 }, (_, n) => ({
      range: at(n),
      message: "m",
      severity: n === 24 ? 1 : n === 0 ? 4 : 2
    }))
    const lines = diagnosticLines(seriousOnes(many)).split("\n")
    assert.deepStrictEqual([lines.length, lines[0], lines.at(-1)], [21, "25:1 error: m", "… and 4 more"])
  })
})

describe("the lsp tool", () => {
  it.live("is declared only where a server is set up, trusted and on PATH", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const tools = (value: unknown, options = {}) =>
        withLsp(
          at,
          value,
          Effect.map(load, ({ tools: found }) => found.map(({ name }) => name)),
          options
        )
      assert.deepStrictEqual(yield* tools(fake()), ["lsp"])
      assert.deepStrictEqual(yield* tools({}), [])
      assert.deepStrictEqual(yield* tools({ none: { command: "no-such-server-here", files: [".x"] } }), [])
      assert.deepStrictEqual(yield* tools(fake(), { scope: "project", trusted: false }), [])
      assert.deepStrictEqual(yield* tools(fake(), { scope: "project", trusted: true }), ["lsp"])
    })
  )

  it.live("definition, references, hover, symbols and diagnostics; nothing is started before", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const log = path.join(at.root, "log")
      at.write("parent/project/a.x", "let first = 1\nuse first BAD\nHMM\n")
      yield* withLsp(
        at,
        fake({ log, noise: true }, { settings: { fake: { level: 3 } } }),
        Effect.gen(function* () {
          yield* load
          assert.isFalse(fs.existsSync(log))
          const ask = (input: Readonly<Record<string, unknown>>) =>
            Effect.map(callTool("lsp", input), ({ text }) => text)
          assert.strictEqual(
            yield* ask({ operation: "definition", path: "a.x", symbol: "first", line: 2 }),
            "a.x:2:5  use first BAD\n/outside/lib.d.ts:5:3"
          )
          const references = yield* ask({ operation: "references", path: "a.x", symbol: "first" })
          assert.strictEqual(references.split("\n").length, 51)
          assert.include(references, "… and 10 more")
          assert.strictEqual(
            yield* ask({ operation: "hover", file: "a.x", name: "first" }),
            "const x: number\n\na number"
          )
          assert.strictEqual(yield* ask({ operation: "symbols", path: "a.x" }), "class Shape 1:7\n  method area 2:3")
          assert.strictEqual(yield* ask({ operation: "symbols", symbol: "run" }), "function run (a) a.x:3:1")
          assert.strictEqual(
            yield* ask({ operation: "diagnostics", path: "a.x" }),
            "2:11 error: bad thing [fake 7]\n3:1 hint: taste"
          )
        })
      )
      const lines = fs.readFileSync(log, "utf8").split("\n")
      assert.strictEqual(lines.filter((line) => line.startsWith("textDocument/didOpen")).length, 1)
      assert.include(lines, 'config [3,{"fake":{"level":3}}]')
    })
  )

  it.live("what is missing or wrong is said so that it can be put right", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("parent/project/a.x", "let first = 1\n")
      at.write("parent/project/b.y", "x")
      yield* withLsp(
        at,
        fake({ bad: "textDocument/hover" }),
        Effect.gen(function* () {
          yield* load
          const ask = (input: Readonly<Record<string, unknown>>) =>
            Effect.map(callTool("lsp", input), ({ text }) => text)
          assert.include(yield* ask({ operation: "hover", symbol: "x" }), '"path" is missing')
          assert.include(yield* ask({ operation: "definition", path: "a.x" }), '"symbol" is missing')
          assert.include(
            yield* ask({ operation: "definition", path: "a.x", symbol: "second", line: 1 }),
            "line 1 is: let first = 1"
          )
          assert.include(
            yield* ask({ operation: "symbols", path: "b.y" }),
            "no language server is set up for such files. Use Grep"
          )
          assert.include(yield* ask({ operation: "symbols", path: "gone.x" }), "cannot be read (NotFound)")
          assert.include(yield* ask({ operation: "hover", path: "a.x", symbol: "first" }), "no such thing")
          assert.include(yield* ask({ operation: "rename", path: "a.x" }), "operation")
        })
      )
    })
  )

  it.live("sees what others have changed on disk meanwhile", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("parent/project/a.x", "fine\n")
      at.write("parent/project/b.x", "fine\n")
      const log = path.join(at.root, "log")
      yield* withLsp(
        at,
        fake({ log }),
        Effect.gen(function* () {
          yield* load
          const ask = (file: string) =>
            Effect.map(callTool("lsp", { operation: "diagnostics", path: file }), ({ text }) => text)
          assert.include(yield* ask("a.x"), "finds no problem in a.x")
          at.write("parent/project/a.x", "BAD\n")
          assert.include(yield* ask("a.x"), "1:1 error")
          at.write("parent/project/a.x", "fine again\n")
          assert.include(yield* ask("b.x"), "finds no problem")
          fs.rmSync(path.join(at.project, "a.x"))
          yield* ask("b.x")
        })
      )
      const lines = fs.readFileSync(log, "utf8")
      assert.lengthOf(lines.match(/didChange .*a\.x/g) ?? [], 2)
      assert.lengthOf(lines.match(/didClose .*a\.x/g) ?? [], 1)
    })
  )
})

describe("a server that ends", () => {
  it.live("is started once more and that is told; the answer comes from the second", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("parent/project/a.x", "let first = 1\n")
      yield* withLsp(
        at,
        fake({ die: "textDocument/hover", once: path.join(at.root, "died") }),
        Effect.gen(function* () {
          yield* load
          const hover = callTool("lsp", { operation: "hover", path: "a.x", symbol: "first" })
          assert.include((yield* hover).text, "it ended (exit code 3): panic: out of tea")
          assert.include((yield* hover).text, "const x: number")
          assert.deepStrictEqual(yield* news, [
            "The language server fake ended unexpectedly (it ended (exit code 3): panic: out of tea); it is started once more."
          ])
        })
      )
    })
  )

  it.live("twice: it is not used any more, and the tool goes", () =>
    Effect.gen(function* () {
      const at = yield* folders
      at.write("parent/project/a.x", "let first = 1\n")
      yield* withLsp(
        at,
        fake({ die: "initialize" }),
        Effect.gen(function* () {
          yield* load
          const ask = callTool("lsp", { operation: "symbols", path: "a.x" })
          assert.include((yield* ask).text, "panic: out of tea")
          assert.include((yield* ask).text, "panic: out of tea")
          const { tools } = yield* Extensions
          assert.notInclude(
            (yield* tools).map(({ name }) => name),
            "lsp"
          )
          const told = yield* news
          assert.lengthOf(told, 2)
          assert.match(told[1] ?? "", /does not work and is not used any more/)
          assert.deepStrictEqual(yield* news, [])
        })
      )
    })
  )
})

describe("after Write and Edit", () => {
  const write = (content: string) => callTool("Write", { path: "a.x", content })

  it.live("errors of the changed file stand behind the result; hints and silence add nothing", () =>
    Effect.gen(function* () {
      const at = yield* folders
      yield* withLsp(
        at,
        fake({ later: true }),
        Effect.gen(function* () {
          yield* load
          // The first start takes what it takes.
          at.write("parent/project/warm.x", "fine")
          yield* callTool("lsp", { operation: "symbols", path: "warm.x" })
          const bad = yield* write("one\nBAD\n")
          assert.include(bad.text, "\n[fake finds in this file now:]\n2:1 error: bad thing [fake 7]")
          const edit = yield* callTool("Edit", { path: "a.x", edits: [{ old: "BAD", new: "HMM" }] })
          assert.notInclude(edit.text, "finds in this file")
          const dry = yield* callTool("Edit", { path: "a.x", edits: [{ old: "HMM", new: "BAD" }], dry_run: true })
          assert.notInclude(dry.text, "finds in this file")
          const failed = yield* callTool("Edit", { path: "a.x", edits: [{ old: "nowhere", new: "BAD" }] })
          assert.notInclude(failed.text, "finds in this file")
          const other = yield* callTool("Write", { path: "a.other", content: "BAD" })
          assert.notInclude(other.text, "finds in this file")
        })
      )
    })
  )

  for (const [what, plan] of [
    ["says nothing", { silent: true }],
    ["never gets ready", { slow: "initialize" }]
  ] as const) {
    it.live(`a server that ${what} delays an edit by a second at most`, () =>
      Effect.gen(function* () {
        const at = yield* folders
        yield* withLsp(
          at,
          fake(plan),
          Effect.gen(function* () {
            yield* load
            const begun = yield* Clock.currentTimeMillis
            const { isError } = yield* write("BAD")
            const took = (yield* Clock.currentTimeMillis) - begun
            assert.notStrictEqual(isError, true)
            assert.isBelow(took, 2_500)
          })
        )
      })
    )
  }

  it.live("a server that dies does not spoil the edit", () =>
    Effect.gen(function* () {
      const at = yield* folders
      yield* withLsp(
        at,
        fake({ die: "initialize" }),
        Effect.gen(function* () {
          yield* load
          for (let n = 0; n < 4; n++) {
            const { isError } = yield* write(`BAD ${n}`)
            assert.notStrictEqual(isError, true)
          }
          assert.strictEqual(fs.readFileSync(path.join(at.project, "a.x"), "utf8"), "BAD 3")
        })
      )
    })
  )
})
