import { assert, describe, it } from "@effect/vitest"
import { Effect, type FileSystem, type Path } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findRipgrep } from "../../../src/process/ripgrep.ts"
import type { Engine, GrepQuery } from "../../../src/tools/search/query.ts"
import { withFallback } from "../../../src/tools/search/SearchEngine.ts"
import { ripgrepEngine } from "../../../src/tools/search/ripgrepEngine.ts"
import { walkEngine } from "../../../src/tools/search/walkEngine.ts"
import { folder, services } from "../files/support.ts"
import { project, put } from "./support.ts"

type Platform = FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner

const query = (more: Partial<GrepQuery>): GrepQuery => ({
  pattern: "alpha",
  mode: "content",
  glob: undefined,
  ignoreCase: false,
  multiline: false,
  context: 0,
  limit: 100,
  ...more
})

const ripgrep = (root: string) =>
  Effect.map(
    Effect.promise(() => findRipgrep({ env: process.env, cacheDir: root, version: "0", platform: process.platform })),
    (program) => {
      if (program === undefined) throw new Error("no ripgrep here")
      return program
    }
  )

/** Asks both and returns the one answer they must agree on. */
const both = (root: string) =>
  Effect.map(ripgrep(root), (program) => {
    const fast: Engine<Platform, unknown> = ripgrepEngine(program)
    return {
      files: (glob: string, at = root) =>
        Effect.gen(function* () {
          const answer = yield* fast.files({ root: at }, glob)
          assert.deepStrictEqual(yield* walkEngine.files({ root: at }, glob), answer, glob)
          return answer.lines
        }),
      grep: (more: Partial<GrepQuery>, at = root, file?: string) =>
        Effect.gen(function* () {
          const place = file === undefined ? { root: at } : { root: at, file }
          const answer = yield* fast.grep(place, query(more))
          assert.deepStrictEqual(yield* walkEngine.grep(place, query(more)), answer, JSON.stringify(more))
          return answer.lines
        })
    }
  })

const withEngines = <E>(
  use: (tools: {
    readonly root: string
    readonly ask: Effect.Success<ReturnType<typeof both>>
  }) => Effect.Effect<void, E, Platform>
) =>
  Effect.gen(function* () {
    const root = yield* folder
    yield* project(root)
    yield* Effect.flatMap(both(root), (ask) => use({ root, ask })).pipe(Effect.provide(services(root)))
  }).pipe(Effect.scoped)

describe("both engines give the same answers", () => {
  it.effect("for lists of files", () =>
    withEngines(({ ask }) =>
      Effect.gen(function* () {
        for (const glob of [
          "**",
          "*",
          "*.ts",
          "/*.ts",
          "src/**/*.ts",
          "src/",
          "*.{ts,md}",
          "!*.ts",
          "*.ts,!b.ts",
          "[a-b].ts",
          "a.?s"
        ]) {
          assert.isAbove((yield* ask.files(glob)).length + (glob === "/*.ts" ? 1 : 0), 0, glob)
        }
      })
    )
  )

  it.effect("for expressions, modes, globs and limits", () =>
    withEngines(({ ask, root }) =>
      Effect.gen(function* () {
        put(root, {
          "mixed.txt": "un été\nfoo_1 bar\r\nÉté\r\n\n  tab\t\n",
          "long.txt": `${"é".repeat(3_000)} alpha\n`
        })
        for (const more of [
          {},
          { mode: "files" as const },
          { mode: "count" as const },
          { context: 1 },
          { context: 3, glob: "*.ts" },
          { ignoreCase: true },
          { pattern: "été", ignoreCase: true },
          { glob: "*.ts" },
          { glob: "src/**/*.ts" },
          { glob: "!*.ts" },
          { pattern: "^beta$" },
          { pattern: "beta\\ngamma" },
          { pattern: "bar\\n\\w" },
          { pattern: "beta.gamma", multiline: true },
          { pattern: "beta.gamma", multiline: true, mode: "count" as const },
          { pattern: "a", multiline: true, mode: "count" as const },
          { pattern: "\\w+\\s\\w+$" },
          { pattern: "[\\w]{3}" },
          { pattern: "foo_1\\b" },
          { pattern: "[^\\n]bar$" },
          { pattern: "^\\s+tab" },
          { pattern: "^$" },
          { pattern: "\\d" },
          { pattern: "\\D\\W\\S" },
          { pattern: "[[:upper:]]\\w" },
          { pattern: "[]a]lph" },
          { pattern: "é alpha" },
          { limit: 2 },
          { limit: 2, mode: "files" as const }
        ]) {
          yield* ask.grep(more)
        }
      })
    )
  )

  it.effect("for rules of folders above and below, brought back files, and files named although ignored", () =>
    withEngines(({ ask, root }) =>
      Effect.gen(function* () {
        put(root, {
          "src/deep/.gitignore": "local.txt\n!debug.log\n/only-here\n",
          "src/deep/debug.log": "alpha\n",
          "src/deep/only-here": "alpha\n",
          "src/deep/more/only-here": "alpha\n",
          "Dist/case.js": "alpha\n",
          ".ignore": "!dist/\nREADME.md\n"
        })
        mkdirSync(join(root, ".git/info"))
        writeFileSync(join(root, ".git/info/exclude"), "excluded.txt\n")
        put(root, { "excluded.txt": "alpha\n" })
        const files = yield* ask.grep({ mode: "files" })
        assert.notInclude(files, "excluded.txt")
        assert.notInclude(files, "README.md")
        assert.include(files, "dist/out.js")
        assert.include(files, "src/deep/debug.log")
        assert.include(files, "src/deep/more/only-here")
        assert.notInclude(files, "src/deep/only-here")
        assert.include(files, "Dist/case.js")
        assert.deepStrictEqual(yield* ask.grep({ mode: "files" }, join(root, "src/deep")), [
          "b.ts",
          "debug.log",
          "more/only-here"
        ])
        assert.deepStrictEqual(yield* ask.grep({}, root, "excluded.txt"), ["excluded.txt:1:alpha"])
        assert.deepStrictEqual(yield* ask.grep({}, root, ".env"), [".env:1:KEY=alpha"])
        // A folder that is named is searched although a rule ignores it, and the rules go on to hold in it.
        put(root, { "*.log/in !#dir/x.log": "alpha\n", "*.log/in !#dir/x.txt": "alpha\n", "dist/dist/y.js": "alpha\n" })
        writeFileSync(join(root, ".ignore"), "")
        assert.deepStrictEqual(yield* ask.grep({ mode: "files" }, join(root, "dist")), ["out.js"])
        assert.deepStrictEqual(yield* ask.grep({ mode: "files" }, join(root, "*.log/in !#dir")), ["x.txt"])
      })
    )
  )

  it.effect("for bytes that are not UTF-8, UTF-16, binaries, links and odd names", () =>
    withEngines(({ ask, root }) =>
      Effect.gen(function* () {
        writeFileSync(join(root, "latin.txt"), Buffer.from("caf\xe9 alpha\n", "latin1"))
        writeFileSync(join(root, "wide.txt"), Buffer.from("\uFEFFalpha é\r\n", "utf16le"))
        writeFileSync(join(root, "nul.txt"), "alpha\0\n")
        put(root, {
          "a:1:b.txt": "alpha\n",
          "-e.txt": "alpha\n",
          "Z.txt": "alpha\n",
          "😀.txt": "alpha\n",
          "\uFF5E.txt": "alpha\n"
        })
        symlinkSync(join(root, "Z.txt"), join(root, "link.txt"))
        symlinkSync(root, join(root, "loop"))
        const files = yield* ask.grep({})
        assert.include(files, "latin.txt:1:caf\uFFFD alpha")
        assert.include(files, "wide.txt:1:alpha é")
        assert.include(files, "a:1:b.txt:1:alpha")
        assert.isFalse(files.some((line) => line.startsWith("nul.txt") || line.startsWith("link.txt")))
        yield* ask.files("**")
      })
    )
  )

  it.effect("a glob never brings back ignored or secret files", () =>
    withEngines(({ ask }) =>
      Effect.gen(function* () {
        assert.deepStrictEqual(yield* ask.grep({ glob: ".env", mode: "files" }), [])
        assert.deepStrictEqual(yield* ask.grep({ glob: "*.js", mode: "files" }), [])
        assert.deepStrictEqual(yield* ask.grep({ glob: "*.log", mode: "files" }), ["keep.log"])
        assert.deepStrictEqual(yield* ask.files("**/.env*"), [])
      })
    )
  )

  it.effect("a wrong expression is explained by both", () =>
    withEngines(({ root }) =>
      Effect.gen(function* () {
        const fast = ripgrepEngine(yield* ripgrep(root))
        for (const engine of [fast, walkEngine] as ReadonlyArray<Engine<Platform, { readonly message: string }>>) {
          for (const pattern of ["(", "a(?=b)", "*a", "[z-a]"]) {
            const failure = yield* Effect.flip(engine.grep({ root }, query({ pattern })))
            assert.include(failure.message, "Correct the pattern")
          }
        }
      })
    )
  )
})

describe("a ripgrep that does not work", () => {
  it.effect("is replaced by the own walk: too old, or not startable", () =>
    withEngines(({ ask, root }) =>
      Effect.gen(function* () {
        const expected = yield* ask.grep({})
        const old = join(root, ".git", "old-rg")
        writeFileSync(old, '#!/bin/sh\necho "error: unrecognized flag --no-require-git" >&2\nexit 2\n')
        chmodSync(old, 0o755)
        for (const program of [old, join(root, "not-there")]) {
          const engine = withFallback(program)
          assert.deepStrictEqual((yield* engine.grep({ root }, query({}))).lines, expected)
          assert.include((yield* engine.files({ root }, "*.ts")).lines, "src/a.ts")
        }
      })
    )
  )
})
