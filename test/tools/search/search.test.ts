import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { existsSync, utimesSync } from "node:fs"
import { dirname, join } from "node:path"
import { makeRead } from "../../../src/tools/files/read.ts"
import { makeGlob } from "../../../src/tools/search/glob.ts"
import { makeGrep } from "../../../src/tools/search/grep.ts"
import { call, folder, services } from "../files/support.ts"
import { project, put } from "./support.ts"

const withFolder = <A, E>(
  use: (
    root: string
  ) => Effect.Effect<
    A,
    E,
    | FileSystem.FileSystem
    | Path.Path
    | ChildProcessSpawner.ChildProcessSpawner
    | Effect.Services<typeof makeGrep>
    | Effect.Services<typeof makeRead>
  >
) =>
  Effect.gen(function* () {
    const root = yield* folder
    yield* project(root)
    yield* use(root).pipe(Effect.provide(services(root)))
  }).pipe(Effect.scoped)

describe("Grep", () => {
  it.effect("shows path, line and text, without ignored, secret, binary and .git files", () =>
    withFolder(() =>
      Effect.gen(function* () {
        const grep = yield* makeGrep
        const found = (yield* call(grep, { pattern: "alpha" })).text.split("\n")
        assert.deepStrictEqual(found, [
          ".github/ci.yml:1:run: alpha",
          "README.md:1:alpha",
          "README.md:4:alpha beta",
          "keep.log:1:alpha",
          "src/a.ts:1:export const alpha = 1",
          "src/deep/b.ts:1:import { alpha } from '../a'"
        ])
      })
    )
  )

  it.effect("modes, context, case, glob, path, multiline", () =>
    withFolder(() =>
      Effect.gen(function* () {
        const grep = yield* makeGrep
        const said = (input: unknown) => Effect.map(call(grep, input), ({ text }) => text)
        assert.strictEqual(
          yield* said({ pattern: "alpha", output_mode: "files", glob: "*.ts" }),
          "src/a.ts\nsrc/deep/b.ts"
        )
        assert.strictEqual(yield* said({ pattern: "alpha", output_mode: "count", path: "README.md" }), "README.md:2")
        assert.strictEqual(
          yield* said({ pattern: "gamma", context: 1, path: "README.md" }),
          "README.md-2-beta\nREADME.md:3:gamma\nREADME.md-4-alpha beta"
        )
        assert.strictEqual(
          yield* said({ pattern: "alpha", ignore_case: true, path: "src/deep", output_mode: "count" }),
          "src/deep/b.ts:2"
        )
        assert.include(yield* said({ pattern: "beta\\ngamma", multiline: true }), "README.md:2:beta")
        assert.include(yield* said({ pattern: "nowhere" }), "no match")
      })
    )
  )

  it.effect("a pattern that looks like a flag is a pattern, and a wrong one is explained", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        put(root, { "opts.txt": "--pre=evil\n" })
        const grep = yield* makeGrep
        assert.strictEqual((yield* call(grep, { pattern: "--pre=evil" })).text, "opts.txt:1:--pre=evil")
        const wrong = yield* call(grep, { pattern: "(" })
        assert.isTrue(wrong.isError)
        assert.include(wrong.text, "Correct the pattern")
      })
    )
  )

  it.effect("says when there is more than it shows", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        put(root, { "many.txt": "hit\n".repeat(1_000) })
        const grep = yield* makeGrep
        const found = (yield* call(grep, { pattern: "hit", limit: 10 })).text.split("\n")
        assert.strictEqual(found.length, 11)
        assert.include(found.at(-1) ?? "", "more matches")
      })
    )
  )
})

describe("Glob", () => {
  it.effect("finds by name at any depth, by path, sorted, newest first on request", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        const glob = yield* makeGlob
        assert.strictEqual((yield* call(glob, { pattern: "*.ts" })).text, "src/a.ts\nsrc/deep/b.ts")
        assert.strictEqual((yield* call(glob, { pattern: "src/*.ts" })).text, "src/a.ts")
        assert.strictEqual((yield* call(glob, { pattern: "*.ts", path: "src/deep" })).text, "src/deep/b.ts")
        utimesSync(join(root, "src/a.ts"), 10, 10)
        utimesSync(join(root, "src/deep/b.ts"), 20, 20)
        assert.strictEqual(
          (yield* call(glob, { pattern: "**/*.ts", newest_first: true })).text,
          "src/deep/b.ts\nsrc/a.ts"
        )
        assert.include((yield* call(glob, { pattern: "*.log" })).text, "keep.log")
        assert.notInclude((yield* call(glob, { pattern: "*.log" })).text, "debug.log")
      })
    )
  )
})

describe("places", () => {
  it.effect("a pattern that leads out of the folder is judged by its folder", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        const glob = yield* makeGlob
        const input = (raw: unknown) => Effect.map(glob.prepare(raw), (prepared) => prepared.input)
        assert.deepStrictEqual(yield* input({ pattern: "/etc/ssl/**/*.pem" }), {
          pattern: "/**/*.pem",
          path: "/etc/ssl"
        })
        assert.deepStrictEqual(yield* input({ pattern: "~/x/*.ts" }), { pattern: "/x/*.ts" })
        assert.deepStrictEqual(yield* input({ pattern: "../*.ts", path: "src" }), { pattern: "/*.ts" })
        assert.deepStrictEqual(yield* input({ pattern: "src/../../*" }), { pattern: "/*", path: dirname(root) })
        assert.deepStrictEqual(yield* input({ pattern: join(root, "src/*.ts"), path: "dist" }), {
          pattern: "/src/*.ts"
        })
        assert.deepStrictEqual(yield* input({ pattern: "/*.md" }), { pattern: "/*.md" })
        assert.deepStrictEqual(yield* input({ glob: "src/**" }), { pattern: "src/**" })
        assert.strictEqual((yield* call(glob, { pattern: join(root, "src/*.ts") })).text, "src/a.ts")
        assert.strictEqual((yield* call(glob, { pattern: "../*.ts", path: "src/deep" })).text, "src/a.ts")
      })
    )
  )

  it.effect("paths of an answer can be read as they are, from any folder asked for", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        const [grep, glob, read] = yield* Effect.all([makeGrep, makeGlob, makeRead])
        for (const path of ["src", "./src/", join(root, "src"), "src/deep/.."]) {
          const [first = ""] = (yield* call(glob, { pattern: "*.ts", path })).text.split("\n")
          assert.include((yield* call(read, { path: first })).text, "alpha")
          const [line = ""] = (yield* call(grep, { pattern: "beta", path })).text.split(":")
          assert.include((yield* call(read, { path: line })).text, "beta")
        }
        assert.strictEqual((yield* call(grep, { pattern: "alpha", path: "./.env" })).text, "./.env:1:KEY=alpha")
      })
    )
  )

  it.effect("a folder that is not there gets near names, a file in its place is said", () =>
    withFolder(() =>
      Effect.gen(function* () {
        const [grep, glob] = yield* Effect.all([makeGrep, makeGlob])
        for (const tool of [grep, glob]) {
          const missing = yield* call(tool, { pattern: "x", path: "scr" })
          assert.isTrue(missing.isError)
          assert.include(missing.text, "src")
        }
        assert.include((yield* call(glob, { pattern: "*", path: "README.md" })).text, "is a file")
      })
    )
  )
})

describe("bounds", () => {
  it.effect("an answer stays within the window's share and says that there is more", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        put(root, { "wide.txt": `${"hit ".repeat(1_000)}\n`.repeat(100), "many.txt": "hit\n".repeat(5_000) })
        const grep = yield* makeGrep
        for (const input of [{ path: "wide.txt" }, { path: "many.txt", limit: 5_000 }, { limit: 5_000, context: 2 }]) {
          const { text } = yield* call(grep, { pattern: "hit", ...input }, { outputLimit: 2_000 })
          assert.isAtMost(text.length, 2_000)
          assert.include(text, "more matches")
        }
      })
    )
  )

  it.effect("a file name or pattern is never a command, a flag or an option of ripgrep", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        put(root, { "$(touch hacked)/--pre=x.txt": "needle\n", "-rf": "needle\n" })
        const [grep, glob] = yield* Effect.all([makeGrep, makeGlob])
        assert.deepStrictEqual((yield* call(grep, { pattern: "needle" })).text.split("\n"), [
          "$(touch hacked)/--pre=x.txt:1:needle",
          "-rf:1:needle"
        ])
        assert.strictEqual((yield* call(grep, { pattern: "needle", path: "-rf" })).text, "-rf:1:needle")
        assert.strictEqual((yield* call(grep, { pattern: "needle", glob: "--pre=x.txt" })).text.split(":")[1], "1")
        for (const pattern of ["--files", "-e", "--", "; touch hacked", "$(touch hacked)/*"]) {
          yield* call(grep, { pattern: pattern.replace("$(", "\\$\\("), glob: pattern })
          yield* call(glob, { pattern })
        }
        assert.isFalse(existsSync(join(root, "hacked")))
      })
    )
  )

  it.effect("the user's own configuration of ripgrep changes nothing", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        const grep = yield* makeGrep
        const before = yield* call(grep, { pattern: "ALPHA" })
        put(root, { ".git/ripgreprc": "--ignore-case\n--no-ignore\n" })
        const kept = process.env["RIPGREP_CONFIG_PATH"]
        process.env["RIPGREP_CONFIG_PATH"] = join(root, ".git/ripgreprc")
        const after = yield* Effect.ensuring(
          call(grep, { pattern: "ALPHA" }),
          Effect.sync(() => {
            if (kept === undefined) delete process.env["RIPGREP_CONFIG_PATH"]
            else process.env["RIPGREP_CONFIG_PATH"] = kept
          })
        )
        assert.deepStrictEqual(after, before)
      })
    )
  )

  it.effect("Windows line ends: the end of a line is its end, and a pattern over two lines needs no flag", () =>
    withFolder((root) =>
      Effect.gen(function* () {
        put(root, { "dos.txt": "one;\r\ntwo;\r\n" })
        const grep = yield* makeGrep
        const said = (pattern: string) => Effect.map(call(grep, { pattern, path: "dos.txt" }), ({ text }) => text)
        assert.strictEqual(yield* said(";$"), "dos.txt:1:one;\ndos.txt:2:two;")
        assert.strictEqual(yield* said("one;\\ntwo"), "dos.txt:1:one;\ndos.txt:2:two;")
      })
    )
  )
})
