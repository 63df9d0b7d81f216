import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import { makeEdit } from "../../../src/tools/files/edit.ts"
import { FilePaths } from "../../../src/tools/files/filePath.ts"
import { makeRead } from "../../../src/tools/files/read.ts"
import { makeWrite } from "../../../src/tools/files/write.ts"
import { call, folder, services } from "./support.ts"

const withTools = <A>(
  use: (tools: {
    readonly at: (name: string) => string
    readonly read: (
      input: unknown,
      more?: { outputLimit?: number; model?: { id: string; images: boolean } }
    ) => Effect.Effect<{ text: string; isError?: boolean; attachments?: ReadonlyArray<unknown> }>
    readonly write: (input: unknown) => Effect.Effect<{ text: string; isError?: boolean }>
    readonly edit: (input: unknown) => Effect.Effect<{ text: string; isError?: boolean }>
  }) => Effect.Effect<A>
) =>
  Effect.gen(function* () {
    const root = yield* folder
    yield* Effect.gen(function* () {
      const [read, write, edit] = yield* Effect.all([makeRead, makeWrite, makeEdit])
      yield* use({
        at: (name) => join(root, name),
        read: (input, more) => call(read, input, more),
        write: (input) => call(write, input),
        edit: (input) => call(edit, input)
      })
    }).pipe(Effect.provide(services(root)))
  }).pipe(Effect.scoped)

describe("Read", () => {
  it.effect("numbers lines, from offset, up to limit, and says how to go on", () =>
    withTools(({ at, read }) =>
      Effect.gen(function* () {
        writeFileSync(at("a.txt"), "one\ntwo\nthree\nfour\n")
        assert.strictEqual(
          (yield* read({ path: "a.txt" })).text,
          "     1\tone\n     2\ttwo\n     3\tthree\n     4\tfour"
        )
        const part = (yield* read({ file_path: "a.txt", offset: "2", limit: 2 })).text
        assert.include(part, "     2\ttwo\n     3\tthree\n[more lines follow: go on with offset 4]")
        assert.include((yield* read({ path: "a.txt", offset: 9 })).text, "the file has 4 lines")
      })
    )
  )

  it.effect("empty file, no final line end, CRLF", () =>
    withTools(({ at, read }) =>
      Effect.gen(function* () {
        writeFileSync(at("empty"), "")
        writeFileSync(at("open"), "a\nb")
        writeFileSync(at("dos"), "a\r\nb\r\n")
        assert.strictEqual((yield* read({ path: "empty" })).text, "(the file is empty)")
        assert.strictEqual((yield* read({ path: "open" })).text, "     1\ta\n     2\tb")
        assert.strictEqual((yield* read({ path: "dos" })).text, "     1\ta\n     2\tb")
      })
    )
  )

  it.effect("near names for a missing file, a hint for a folder, a description for a binary", () =>
    withTools(({ at, read }) =>
      Effect.gen(function* () {
        writeFileSync(at("config.json"), "{}")
        mkdirSync(at("sub"))
        writeFileSync(at("x.bin"), new Uint8Array([1, 0, 2]))
        const missing = yield* read({ path: "confg.json" })
        assert.isTrue(missing.isError)
        assert.include(missing.text, "config.json")
        assert.include((yield* read({ path: "." })).text, "is a folder")
        assert.include((yield* read({ path: "x.bin" })).text, "binary")
      })
    )
  )

  it.effect("sends an image to a model that takes them, and describes it to one that does not", () =>
    withTools(({ at, read }) =>
      Effect.gen(function* () {
        writeFileSync(at("p.png"), new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]))
        assert.strictEqual((yield* read({ path: "p.png" })).attachments?.length, 1)
        const blind = yield* read({ path: "p.png" }, { model: { id: "m", images: false } })
        assert.strictEqual(blind.attachments, undefined)
        assert.include(blind.text, "image/png")
      })
    )
  )

  it.effect("shows a notebook as cells and decodes UTF-16", () =>
    withTools(({ at, read }) =>
      Effect.gen(function* () {
        writeFileSync(
          at("n.ipynb"),
          JSON.stringify({ cells: [{ cell_type: "code", source: ["a = 1\n", "a"], outputs: [{ text: ["1"] }] }] })
        )
        writeFileSync(at("w.txt"), Buffer.from("\uFEFFhé\n", "utf16le"))
        const notebook = (yield* read({ path: "n.ipynb" })).text
        assert.include(notebook, "[cell 1: code]")
        assert.include(notebook, "a = 1")
        assert.include((yield* read({ path: "w.txt" })).text, "hé")
      })
    )
  )

  it.effect("cuts long lines, and reads the beginning of a huge file without loading it", () =>
    withTools(({ at, read }) =>
      Effect.gen(function* () {
        writeFileSync(at("long"), `${"x".repeat(1_000_000)}\nshort\n`)
        const long = (yield* read({ path: "long" })).text
        assert.isBelow(long.length, 3_000)
        assert.include(long, "1 long line cut")
        assert.include(long, "     2\tshort")
        writeFileSync(at("huge"), `first\nsecond\n${"text\n".repeat(3_000)}`)
        truncateSync(at("huge"), 5_000_000_000)
        const before = process.memoryUsage().rss
        assert.include((yield* read({ path: "huge", limit: 2 })).text, "     2\tsecond")
        assert.isBelow(process.memoryUsage().rss - before, 100_000_000)
      })
    )
  )

  it.effect("stays within the output limit of a small window", () =>
    withTools(({ at, read }) =>
      Effect.gen(function* () {
        writeFileSync(at("many"), "0123456789\n".repeat(10_000))
        const shown = (yield* read({ path: "many" }, { outputLimit: 2_000 })).text
        assert.isBelow(shown.length, 3_200)
        assert.include(shown, "go on with offset")
      })
    )
  )
})

describe("Write", () => {
  it.effect("creates folders and files", () =>
    withTools(({ at, write }) =>
      Effect.gen(function* () {
        const done = yield* write({ path: "a/b/c.txt", content: "x\n" })
        assert.include(done.text, "Created")
        assert.strictEqual(readFileSync(at("a/b/c.txt"), "utf8"), "x\n")
      })
    )
  )

  it.effect("refuses a file that was not read, or changed since", () =>
    withTools(({ at, read, write }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "mine\n")
        const unread = yield* write({ path: "f", content: "new\n" })
        assert.isTrue(unread.isError)
        assert.include(unread.text, "not read it")
        yield* read({ path: "f" })
        writeFileSync(at("f"), "theirs\n")
        utimesSync(at("f"), 1, 1)
        assert.include((yield* write({ path: "f", content: "new\n" })).text, "changed since")
        assert.strictEqual(readFileSync(at("f"), "utf8"), "theirs\n")
        yield* read({ path: "f" })
        assert.include((yield* write({ path: "f", content: "new\n" })).text, "Replaced")
        assert.include((yield* write({ path: "f", content: "newer\n" })).text, "Replaced")
      })
    )
  )

  it.effect("keeps mode, line endings and a link", () =>
    withTools(({ at, read, write }) =>
      Effect.gen(function* () {
        writeFileSync(at("real.sh"), "a\r\nb\r\n")
        chmodSync(at("real.sh"), 0o750)
        symlinkSync("real.sh", at("link.sh"))
        yield* read({ path: "link.sh" })
        yield* write({ path: "link.sh", content: "x\ny\n" })
        assert.isTrue(lstatSync(at("link.sh")).isSymbolicLink())
        assert.strictEqual(readFileSync(at("real.sh"), "utf8"), "x\r\ny\r\n")
        assert.strictEqual(statSync(at("real.sh")).mode & 0o777, 0o750)
      })
    )
  )

  it.effect("takes near names and a list of lines, and leaves backslash-n alone", () =>
    withTools(({ at, write }) =>
      Effect.gen(function* () {
        yield* write({ file_path: "a", contents: ["one", "two"] })
        assert.strictEqual(readFileSync(at("a"), "utf8"), "one\ntwo")
        yield* write({ path: "c", content: 'printf("x\\n");\n' })
        assert.strictEqual(readFileSync(at("c"), "utf8"), 'printf("x\\n");\n')
        assert.include((yield* write({ path: "d", content: "a\\nb\\nc" })).text, "two characters")
        assert.include((yield* write({ path: "e" })).text, "Received: path (string)")
      })
    )
  )
})

describe("Edit", () => {
  it.effect("changes the file, returns a numbered diff, and counts as a read for Write", () =>
    withTools(({ at, edit, write }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "one\ntwo\nthree\n")
        const done = yield* edit({ path: "f", edits: [{ old: "two", new: "2\n2b" }] })
        assert.include(done.text, "-    2  two")
        assert.include(done.text, "+    2  2")
        assert.strictEqual(readFileSync(at("f"), "utf8"), "one\n2\n2b\nthree\n")
        assert.include((yield* write({ path: "f", content: "x" })).text, "Replaced")
      })
    )
  )

  it.effect("takes one edit at top level under any customary name, and edits as JSON text", () =>
    withTools(({ at, edit }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "a b c\n")
        yield* edit({ file_path: "f", old_string: "a", new_string: "A" })
        yield* edit({ path: "f", edits: '[{"oldText":"b","newText":"B"}]' })
        yield* edit({ path: "f", edits: { old: "c", new: "C" } })
        assert.strictEqual(readFileSync(at("f"), "utf8"), "A B C\n")
      })
    )
  )

  it.effect("a dry run writes nothing; a failed edit neither", () =>
    withTools(({ at, edit }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "a\n")
        assert.include((yield* edit({ path: "f", edits: [{ old: "a", new: "b" }], dry_run: true })).text, "dry run")
        assert.isTrue((yield* edit({ path: "f", edits: [{ old: "z", new: "b" }] })).isError)
        assert.strictEqual(readFileSync(at("f"), "utf8"), "a\n")
      })
    )
  )

  it.effect("refuses a file that is not UTF-8 and leaves its bytes alone", () =>
    withTools(({ at, edit }) =>
      Effect.gen(function* () {
        writeFileSync(at("latin"), Buffer.from("caf\xe9\n", "latin1"))
        const refused = yield* edit({ path: "latin", edits: [{ old: "caf", new: "tea" }] })
        assert.isTrue(refused.isError)
        assert.deepStrictEqual([...readFileSync(at("latin"))], [0x63, 0x61, 0x66, 0xe9, 0x0a])
      })
    )
  )

  it.effect("a shorter file leaves no tail", () =>
    withTools(({ at, edit }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "long long line\nend\n")
        yield* edit({ path: "f", edits: [{ old: "long long line", new: "s" }] })
        assert.strictEqual(readFileSync(at("f"), "utf8"), "s\nend\n")
      })
    )
  )
})

describe("lock keys", () => {
  it.effect("are the same for every name of one file", () =>
    Effect.gen(function* () {
      const root = yield* folder
      writeFileSync(join(root, "f"), "")
      symlinkSync("f", join(root, "l"))
      symlinkSync("not-yet", join(root, "m"))
      yield* Effect.gen(function* () {
        const paths = yield* FilePaths
        const keys = yield* Effect.forEach(["f", "./f", "l", join(root, "f"), "sub/../f"], paths.lockKey)
        assert.strictEqual(new Set(keys).size, 1)
        assert.strictEqual(yield* paths.lockKey("m"), yield* paths.lockKey("not-yet"))
      }).pipe(Effect.provide(services(root)))
    }).pipe(Effect.scoped)
  )
})
