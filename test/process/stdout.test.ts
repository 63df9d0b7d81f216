import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { makeDescriptorWriter, type RawWrite } from "../../src/process/descriptorWriter.ts"
import { makeOutput } from "../../src/process/stdout.ts"
import { temporaryFolder } from "./support/shell.ts"

const fixture = path.join(import.meta.dirname, "fixtures", "writer.ts")
const start = <Out extends "pipe" | number>(args: ReadonlyArray<string>, stdout: Out) =>
  Bun.spawn<"ignore", Out, "pipe">([process.execPath, fixture, ...args], { stdio: ["ignore", stdout, "pipe"] })

describe("H1 output lost in a pipe", () => {
  it.live(
    "10 MB into a slow pipe: every byte arrives, then the program exits",
    () =>
      Effect.gen(function* () {
        // `dd` reads 4 KiB at a time and starts late: the pipe is full nearly all the time.
        const reader = Bun.spawn(
          [
            "bash",
            "-c",
            `${process.execPath} ${fixture} 160 65536 | { sleep 0.3; dd bs=4096 status=none; } | sha256sum`
          ],
          { stdio: ["ignore", "pipe", "inherit"] }
        )
        const sum = yield* Effect.promise(() => new Response(reader.stdout).text())
        const expected = new Bun.CryptoHasher("sha256")
        for (let index = 0; index < 160; index++) expected.update(`${index}`.padStart(65_536, "."))
        assert.strictEqual(sum.split(" ")[0], expected.digest("hex"))
      }),
    20_000
  )

  it.live("20 000 small writes arrive in order", () =>
    Effect.gen(function* () {
      const child = start(["20000", "10"], "pipe")
      const text = yield* Effect.promise(() => new Response(child.stdout).text())
      const expected = Array.from({ length: 20_000 }, (_, index) => `${index}`.padStart(10, ".")).join("")
      assert.isTrue(text === expected)
      assert.strictEqual(yield* Effect.promise(() => child.exited), 5)
    })
  )

  it.live("a reader that has gone ends the program quietly, as SIGPIPE would", () =>
    Effect.gen(function* () {
      const child = Bun.spawn(
        ["bash", "-c", `${process.execPath} ${fixture} 100000 1000 | head -c 5; echo " \${PIPESTATUS[0]}"`],
        { stdio: ["ignore", "pipe", "pipe"] }
      )
      assert.strictEqual(yield* Effect.promise(() => new Response(child.stdout).text()), "..... 141\n")
      assert.strictEqual(yield* Effect.promise(() => new Response(child.stderr).text()), "")
    })
  )

  it.live("a full disk is said, and the program does not claim success", () =>
    Effect.gen(function* () {
      const full = fs.openSync("/dev/full", "w")
      const child = start(["3", "10", "--code-0"], full)
      fs.closeSync(full)
      const said = yield* Effect.promise(() => new Response(child.stderr).text())
      assert.include(said, "ENOSPC")
      assert.notStrictEqual(yield* Effect.promise(() => child.exited), 0)
    })
  )

  it.live("standard output and error into one file keep their order", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const file = path.join(folder, "both")
      const descriptor = fs.openSync(file, "a")
      yield* Effect.scoped(
        Effect.gen(function* () {
          const output = yield* makeOutput(descriptor, descriptor)
          for (let index = 0; index < 100; index++) {
            yield* index % 2 === 0 ? output.out(`${index}\n`) : output.err(`${index}\n`)
          }
        })
      )
      fs.closeSync(descriptor)
      assert.strictEqual(
        fs.readFileSync(file, "utf8"),
        Array.from({ length: 100 }, (_, index) => `${index}\n`).join("")
      )
    })
  )
})

describe("writer", () => {
  /** Takes at most `most` bytes a write, says EAGAIN every third time, and keeps what it got. */
  const difficult = (most: number) => {
    const got: Array<Uint8Array> = []
    let calls = 0
    const raw: RawWrite = (_descriptor, bytes, done) => {
      const busy = ++calls % 3 === 0
      const taken = bytes.slice(0, most)
      if (!busy) got.push(taken)
      queueMicrotask(() => done(busy ? Object.assign(new Error("busy"), { code: "EAGAIN" }) : null, taken.length))
    }
    return { raw, text: () => Buffer.concat(got).toString("utf8"), calls: () => calls }
  }
  const written = (writer: ReturnType<typeof makeDescriptorWriter>) =>
    Effect.callback<void>((resume) => {
      writer.whenBelow(1, () => resume(Effect.void))
    })

  it.live("partial writes and a full descriptor lose nothing", () =>
    Effect.gen(function* () {
      const target = difficult(3)
      const writer = makeDescriptorWriter(target.raw)
      const texts = ["héllo ", "你好 ", "😀😀", "end"]
      for (const text of texts) writer.write(1, text)
      yield* written(writer)
      assert.strictEqual(target.text(), texts.join(""))
      assert.strictEqual(writer.pending(), 0)
    })
  )

  it.live("many small texts cost few writes, and a long one is not cut inside a character", () =>
    Effect.gen(function* () {
      const target = difficult(Number.POSITIVE_INFINITY)
      const writer = makeDescriptorWriter(target.raw)
      for (let index = 0; index < 10_000; index++) writer.write(1, "x")
      yield* written(writer)
      assert.isBelow(target.calls(), 10)
      writer.write(1, "a")
      writer.write(1, `b${"😀".repeat(600_000)}`)
      yield* written(writer)
      assert.isTrue(target.text().endsWith(`xab${"😀".repeat(600_000)}`))
    })
  )

  it("a descriptor that failed takes nothing more and holds nobody up", () => {
    const writer = makeDescriptorWriter((_descriptor, _bytes, done) =>
      done(Object.assign(new Error(), { code: "EPIPE" }), 0)
    )
    writer.write(1, "a")
    writer.write(1, "b")
    assert.strictEqual(writer.failure(1), "EPIPE")
    assert.strictEqual(writer.pending(), 0)
  })
})
