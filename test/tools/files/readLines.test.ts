import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Option } from "effect"
import * as fc from "fast-check"
import { closeSync, ftruncateSync, openSync, writeFileSync, writeSync } from "node:fs"
import { join } from "node:path"
import { makeRead } from "../../../src/tools/files/read.ts"
import { linesOf, readLines } from "../../../src/tools/files/readLines.ts"
import { call, folder, services } from "./support.ts"
import { cpuTime } from "../../support/cpuTime.ts"

/** A file system whose one file comes in pieces of the given sizes. */
const inPieces = (bytes: Uint8Array, sizes: ReadonlyArray<number>) => {
  let at = 0
  let piece = 0
  const file = {
    readAlloc: () =>
      Effect.sync(() => {
        if (at >= bytes.length) return Option.none<Uint8Array>()
        const size = Math.max(1, sizes[piece++ % sizes.length] ?? 1)
        const block = bytes.slice(at, at + size)
        at += block.length
        return Option.some(block)
      })
  }
  // Only what `readLines` calls of a file is there.
  return FileSystem.layerNoop({ open: () => Effect.succeed(file as unknown as FileSystem.File) })
}

const range = { first: 1, count: 2_000, characters: 30_000 }

describe("reading lines", () => {
  it.effect("a character cut by a block's end is whole, wherever the cuts are", () =>
    Effect.gen(function* () {
      const text = "\uFEFFé€😀\r\nzwei\n\uFFFD ok\n\n😀😀"
      const bytes = new TextEncoder().encode(text)
      const whole = linesOf(text.slice(1), range)
      for (const sizes of [[1], [2], [3], [1, 2], [5], [7], [64]]) {
        const found = yield* readLines("f", range).pipe(Effect.provide(inPieces(bytes, sizes)))
        assert.deepStrictEqual(found, whole, String(sizes))
      }
      assert.deepStrictEqual(whole.lines, ["é€😀", "zwei", "\uFFFD ok", "", "😀😀"])
      assert.isFalse(whole.damaged)
    })
  )

  it.effect("bytes that are no UTF-8 are noticed, at the end too", () =>
    Effect.gen(function* () {
      for (const bytes of [[0x61, 0xe9, 0x0a], [0x61, 0xf0, 0x9f], [0xff]]) {
        const found = yield* readLines("f", range).pipe(Effect.provide(inPieces(new Uint8Array(bytes), [1])))
        assert.isTrue(found.damaged, String(bytes))
      }
    })
  )

  it("any part of any text is that part, and offset and limit lead through all of it", () => {
    const line = fc.stringMatching(/^[a-zé😀 ]{0,30}$/u)
    fc.assert(
      fc.property(
        fc.array(line, { minLength: 1, maxLength: 30 }),
        fc.boolean(),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 60, max: 300 }),
        (lines, open, count, characters) => {
          const text = lines.join("\n") + (open ? "" : "\n")
          const expected = text === "" ? [] : text.replace(/\n$/, "").split("\n")
          const seen: Array<string> = []
          for (let first = 1, rounds = 0; ; rounds++) {
            assert.isBelow(rounds, 40)
            const part = linesOf(text, { first, count, characters })
            const used = part.lines.reduce((sum, one) => sum + one.length + 8, 0)
            assert.isAtMost(used, characters)
            seen.push(...part.lines)
            first += part.lines.length
            if (part.total !== undefined) {
              assert.strictEqual(part.total, expected.length)
              break
            }
          }
          assert.deepStrictEqual(seen, expected)
        }
      ),
      { seed: 7, numRuns: 400 }
    )
  })

  it.effect("one endless line is given up, not read to its end", () =>
    Effect.gen(function* () {
      let blocks = 0
      const block = new Uint8Array(1_000_000).fill(0x78)
      const endless = { readAlloc: () => Effect.sync(() => (blocks++, Option.some(block))) }
      const found = yield* readLines("f", range).pipe(
        Effect.provide(
          // Only what `readLines` calls of a file is there.
          FileSystem.layerNoop({ open: () => Effect.succeed(endless as unknown as FileSystem.File) })
        )
      )
      assert.isTrue(found.endless)
      assert.isBelow(blocks, 100)
      assert.strictEqual(found.lines[0]?.length, 2_001)
    })
  )
})

describe("Read in a small window", () => {
  it.effect("never brings more than the window's share, whatever the lines are", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* Effect.gen(function* () {
        const read = yield* makeRead
        for (const [name, text] of [
          ["empty lines", "\n".repeat(5_000)],
          ["one long line", "é".repeat(100_000)],
          ["emoji", `${"😀".repeat(3_000)}\n`.repeat(10)],
          ["short lines", "ab\n".repeat(5_000)],
          ["notebook.ipynb", JSON.stringify({ cells: [{ cell_type: "code", source: "y".repeat(50_000) }] })]
        ] as const) {
          writeFileSync(join(root, name), text)
          const shown = (yield* call(read, { path: name }, { outputLimit: 2_000 })).text
          assert.isAtMost(shown.length, 2_000, name)
          assert.isTrue(shown.isWellFormed(), name)
          assert.match(shown, /go on with offset \d+|cut at \d+ characters/, name)
        }
      }).pipe(Effect.provide(services(root)))
    }).pipe(Effect.scoped)
  )

  it.effect("a line far inside a large file is found without holding what is before it", () =>
    Effect.gen(function* () {
      const root = yield* folder
      yield* Effect.gen(function* () {
        const read = yield* makeRead
        const file = openSync(join(root, "large.log"), "w")
        const block = `${"0123456789abcde\n".repeat(65_536)}`
        for (let count = 0; count < 100; count++) writeSync(file, block)
        writeSync(file, "here\n")
        ftruncateSync(file, 3_000_000_000)
        closeSync(file)
        const before = process.memoryUsage().rss
        const started = cpuTime()
        const shown = (yield* call(read, { path: "large.log", offset: 6_553_601, limit: 1 })).text
        console.info(`a line behind 105 MB: ${(cpuTime() - started).toFixed(0)} ms`)
        assert.include(shown, "6553601\there\n[more lines follow")
        assert.isBelow(process.memoryUsage().rss - before, 150_000_000)
      }).pipe(Effect.provide(services(root)))
    }).pipe(Effect.scoped)
  )
})
