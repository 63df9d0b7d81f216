import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Path } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { utimesSync } from "node:fs"
import { join } from "node:path"
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
    FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner | Effect.Services<typeof makeGrep>
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
