import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError } from "effect"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as fc from "fast-check"
import { readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { OutputStore } from "../../src/tools/output.ts"
import { headAndTail, limitFor } from "../../src/tools/outputLimit.ts"
import { makeGrep } from "../../src/tools/search/grep.ts"
import { makeRead } from "../../src/tools/files/read.ts"
import { testConfig, testConfigLayer } from "../support/testConfig.ts"
import { call, folder, services } from "./files/support.ts"

const store = (launchFolder: string) => OutputStore.layer.pipe(Layer.provideMerge(services(launchFolder)))

/** The path in a notice. */
const named = (text: string): string => /The whole output is in (\S+)/.exec(text)?.[1] ?? "no path"

describe("a result that is too long", () => {
  it.effect("keeps head and tail, and its notice names a private file with the whole that Read and Grep take", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* Effect.gen(function* () {
        const outputs = yield* OutputStore
        const whole = Array.from({ length: 20_000 }, (_, index) => `line ${index}`).join("\n")
        const shown = yield* outputs.limit(whole, 5_000)
        assert.isAtMost(shown.length, 5_000)
        assert.isTrue(shown.startsWith("line 0\n"))
        assert.isTrue(shown.endsWith("line 19999"))
        const file = named(shown)
        assert.strictEqual(readFileSync(file, "utf8"), whole)
        assert.isTrue(file.startsWith(testConfig({ launchFolder: root, home: root }).outputDir))
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.strictEqual(statSync(dirname(file)).mode & 0o777, 0o700)
        const [read, grep] = yield* Effect.all([makeRead, makeGrep])
        assert.include((yield* call(read, { path: file, offset: 12_001, limit: 1 })).text, "12001\tline 12000")
        assert.strictEqual(
          (yield* call(grep, { pattern: "^line 15000$", path: file })).text,
          `${file}:15001:line 15000`
        )
      }).pipe(Effect.provide(store(root)))
    }).pipe(Effect.scoped)
  )

  it.effect("is still shown when the disk does not take the whole", () =>
    Effect.gen(function* () {
      const outputs = yield* OutputStore
      const shown = yield* outputs.limit("x".repeat(10_000), 2_000)
      assert.include(shown, "could not be kept")
      assert.isAtMost(shown.length, 2_000)
    }).pipe(
      Effect.provide(
        OutputStore.layer.pipe(
          Layer.provide(
            FileSystem.layerNoop({
              makeDirectory: () =>
                Effect.fail(
                  PlatformError.systemError({
                    _tag: "Unknown",
                    module: "FileSystem",
                    method: "makeDirectory",
                    description: "ENOSPC"
                  })
                )
            })
          ),
          Layer.provide(testConfigLayer({ launchFolder: "/nowhere" })),
          Layer.provide(NodeServices.layer)
        )
      )
    )
  )

  it("half an emoji: no cut splits a pair, wherever it falls", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom("😀", "a", "\n", "é", "👩‍👩‍👧"), { minLength: 400, maxLength: 900 }),
        fc.integer({ min: 150, max: 400 }),
        (parts, limit) => {
          const text = parts.join("")
          if (text.length <= limit) return
          const cut = headAndTail(text, limit, join("/tmp", "f"))
          assert.isTrue(cut.isWellFormed())
          assert.notInclude(cut, "\uFFFD")
          const [head = "", tail = ""] = cut.split(/\n\[… [^\]]*…\]\n/)
          assert.isTrue(text.startsWith(head) && text.endsWith(tail))
        }
      ),
      { seed: 7, numRuns: 300 }
    )
  })
})

describe("the share of the window", () => {
  it("is 15 % at 3.5 characters a token, between 2 000 and 30 000", () => {
    assert.deepStrictEqual(
      [undefined, 1_000, 8_192, 32_000, 200_000].map(limitFor),
      [30_000, 2_000, 4_300, 16_800, 30_000]
    )
  })
})
