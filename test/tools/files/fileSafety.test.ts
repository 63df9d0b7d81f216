import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, PlatformError } from "effect"
import {
  chownSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync
} from "node:fs"
import { join } from "node:path"
import type { ToolCall } from "../../../src/domain/message.ts"
import type { ToolContext } from "../../../src/domain/tool.ts"
import { Approver } from "../../../src/permissions/Approver.ts"
import { Permissions } from "../../../src/permissions/Permissions.ts"
import { makeEdit } from "../../../src/tools/files/edit.ts"
import { FileLedger } from "../../../src/tools/files/FileLedger.ts"
import { FilePaths } from "../../../src/tools/files/filePath.ts"
import { makeRead } from "../../../src/tools/files/read.ts"
import { makeWrite } from "../../../src/tools/files/write.ts"
import { OutputStore } from "../../../src/tools/output.ts"
import { ToolRunner } from "../../../src/tools/ToolRunner.ts"
import { call, folder, services } from "./support.ts"

type RunTool = (input: unknown, more?: Partial<ToolContext>) => Effect.Effect<{ text: string; isError?: boolean }>

interface Fixture {
  readonly at: (name: string) => string
  readonly read: RunTool
  readonly write: RunTool
  readonly edit: RunTool
}

type Fs = FileSystem.FileSystem

/** `change` makes a file system that fails where it says. */
const withTools = <A>(
  use: (fixture: Fixture) => Effect.Effect<A, never, FilePaths | FileLedger>,
  change: (fs: Fs) => Partial<Fs> = () => ({})
) =>
  Effect.gen(function* () {
    const root = yield* folder
    const changed = Layer.effect(
      FileSystem.FileSystem,
      Effect.map(FileSystem.FileSystem, (fs) => FileSystem.FileSystem.of({ ...fs, ...change(fs) }))
    )
    yield* Effect.gen(function* () {
      const [read, write, edit] = yield* Effect.all([makeRead, makeWrite, makeEdit])
      yield* use({
        at: (name) => join(root, name),
        read: (input, more) => call(read, input, more),
        write: (input, more) => call(write, input, more),
        edit: (input, more) => call(edit, input, more)
      })
    }).pipe(Effect.provide(changed.pipe(Layer.provideMerge(services(root)))))
  }).pipe(Effect.scoped)

const fails = (tag: PlatformError.SystemErrorTag, method: string) => () =>
  Effect.fail(PlatformError.systemError({ _tag: tag, module: "FileSystem", method }))

const temporaries = (folder: string) => readdirSync(folder).filter((name) => name.includes(".tmp"))

describe("files that changed", () => {
  it.effect("Edit of a file someone else changed works on what is there now, and Write goes on refusing", () =>
    withTools(({ at, edit, read, write }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "one\ntwo\n")
        yield* read({ path: "f" })
        writeFileSync(at("f"), "zero\none\ntwo\n")
        utimesSync(at("f"), 1_000, 1_000)
        const edited = yield* edit({ path: "f", edits: [{ old: "two", new: "2" }] })
        assert.include(edited.text, "had changed since you read it")
        assert.strictEqual(readFileSync(at("f"), "utf8"), "zero\none\n2\n")
        assert.include((yield* write({ path: "f", content: "x" })).text, "changed since you read it")
        assert.include(
          (yield* edit({ path: "f", edits: [{ old: "  one ", new: "1" }] })).text,
          "changed since you read it"
        )
        assert.strictEqual(readFileSync(at("f"), "utf8"), "zero\none\n2\n")
        yield* read({ path: "f" })
        assert.isUndefined((yield* write({ path: "f", content: "x" })).isError)
      })
    )
  )

  it.effect("a change at the very moment of the edit is not written over", () => {
    let stats = 0
    return withTools(
      ({ at, edit }) =>
        Effect.gen(function* () {
          writeFileSync(at("f"), "a\n")
          const said = yield* edit({ path: "f", edits: [{ old: "a", new: "b" }] })
          assert.include(said.text, "changed by someone else")
          assert.strictEqual(readFileSync(at("f"), "utf8"), "a longer one\n")
        }),
      (fs) => ({
        stat: (path) =>
          Effect.tap(fs.stat(path), () =>
            Effect.sync(() => {
              if (++stats === 1) writeFileSync(path, "a longer one\n")
            })
          )
      })
    )
  })

  it.effect("what was noted of a session is checked after it was opened again", () =>
    withTools(({ at, write }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "a\n")
        const ledger = yield* FileLedger
        const info = statSync(at("f"))
        yield* ledger.note(at("f"), { mtime: Math.trunc(info.mtimeMs), size: info.size })
        assert.isUndefined((yield* write({ path: "f", content: "b\n" })).isError)
        yield* ledger.clear
        assert.include((yield* write({ path: "f", content: "c\n" })).text, "have not read it")
      })
    )
  )
})

describe("parallel calls on one file", () => {
  it.effect("two edits of one answer, under two names, are both in the file, and nothing is left behind it", () =>
    Effect.gen(function* () {
      const root = yield* folder
      writeFileSync(join(root, "a.txt"), Array.from({ length: 100 }, (_, index) => `line ${index + 1} end\n`).join(""))
      symlinkSync("a.txt", join(root, "other.txt"))
      const program = Effect.gen(function* () {
        const runner = yield* ToolRunner
        const edit = yield* makeEdit
        const calls = [
          ["a.txt", 50],
          ["./a.txt", 75],
          ["other.txt", 99],
          [join(root, "a.txt"), 1]
        ].map(([path, line], index): ToolCall => ({
          id: `call-${index}`,
          name: "Edit",
          arguments: JSON.stringify({ path, edits: [{ old: `line ${line} end`, new: `${line}` }] })
        }))
        const report = yield* runner.run({
          tools: new Map([[edit.name, edit]]),
          calls,
          model: { id: "test", images: false },
          outputLimit: 30_000,
          emit: () => Effect.void,
          onDone: () => Effect.void,
          onResult: () => Effect.void
        })
        assert.deepStrictEqual(
          report.results.map(({ isError }) => isError),
          [false, false, false, false]
        )
        const lines = readFileSync(join(root, "a.txt"), "utf8").split("\n")
        assert.strictEqual(lines.length, 101)
        assert.deepStrictEqual(
          [lines[0], lines[49], lines[74], lines[98], lines[99]],
          ["1", "50", "75", "99", "line 100 end"]
        )
      })
      const allowed = Layer.mock(Permissions, {
        decide: () => Effect.succeed({ decision: "allow", reason: { en: "", fr: "" }, subject: "", suggestions: [] })
      })
      yield* program.pipe(
        Effect.provide(
          ToolRunner.layer.pipe(
            Layer.provide([allowed, Layer.mock(Approver, {}), OutputStore.layer]),
            Layer.provideMerge(services(root))
          )
        )
      )
    }).pipe(Effect.scoped)
  )
})

describe("replacing a file", () => {
  it.effect("keeps the owner", () =>
    withTools(({ at, edit }) =>
      Effect.gen(function* () {
        // Only root can give a file away.
        const [uid, gid] = process.getuid?.() === 0 ? [12_345, 12_346] : [statSync(at(".")).uid, statSync(at(".")).gid]
        writeFileSync(at("f"), "a\n", { mode: 0o640 })
        chownSync(at("f"), uid, gid)
        yield* edit({ path: "f", edits: [{ old: "a", new: "b" }] })
        const { gid: group, mode, uid: owner } = statSync(at("f"))
        assert.deepStrictEqual([owner, group, mode & 0o777], [uid, gid, 0o640])
        assert.strictEqual(readFileSync(at("f"), "utf8"), "b\n")
      })
    )
  )

  for (const [what, change] of [
    ["a mounted file that cannot be renamed over", () => ({ rename: fails("Busy", "rename") })],
    ["an owner that cannot be given", () => ({ chmod: fails("PermissionDenied", "chmod") })]
  ] as const) {
    it.effect(`${what} is written in place`, () =>
      withTools(
        ({ at, edit }) =>
          Effect.gen(function* () {
            writeFileSync(at("f"), "a long line\n")
            linkSync(at("f"), at("same"))
            yield* edit({ path: "f", edits: [{ old: "a long line", new: "b" }] })
            assert.strictEqual(readFileSync(at("same"), "utf8"), "b\n")
            assert.deepStrictEqual(temporaries(at(".")), [])
          }),
        change
      )
    )
  }

  it.effect("a failure leaves the old content and no temporary file", () =>
    withTools(
      ({ at, edit }) =>
        Effect.gen(function* () {
          writeFileSync(at("f"), "a\n")
          assert.isTrue((yield* edit({ path: "f", edits: [{ old: "a", new: "b" }] })).isError)
          assert.strictEqual(readFileSync(at("f"), "utf8"), "a\n")
          assert.deepStrictEqual(temporaries(at(".")), [])
        }),
      () => ({ rename: fails("Unknown", "rename") })
    )
  )

  it.effect("a read-only file is not replaced behind its owner's back", () =>
    withTools(
      ({ at, edit, read, write }) =>
        Effect.gen(function* () {
          writeFileSync(at("f"), "a\n")
          yield* read({ path: "f" })
          assert.include((yield* edit({ path: "f", edits: [{ old: "a", new: "b" }] })).text, "read-only")
          assert.include((yield* write({ path: "f", content: "b" })).text, "read-only")
          assert.strictEqual(readFileSync(at("f"), "utf8"), "a\n")
        }),
      () => ({ access: fails("PermissionDenied", "access") })
    )
  )

  it.effect("the same content again changes nothing", () =>
    withTools(({ at, read, write }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "a\r\n")
        utimesSync(at("f"), 1_000, 1_000)
        yield* read({ path: "f" })
        assert.include((yield* write({ path: "f", content: "a\n" })).text, "Unchanged")
        assert.strictEqual(statSync(at("f")).mtimeMs, 1_000_000)
      })
    )
  )

  it.effect("text in another encoding is not turned into UTF-8", () =>
    withTools(({ at, edit, read, write }) =>
      Effect.gen(function* () {
        const latin = Buffer.from("caf\xe9\n", "latin1")
        const wide = Buffer.from("\uFEFFhé\n", "utf16le")
        writeFileSync(at("latin"), latin)
        writeFileSync(at("wide"), wide)
        assert.include((yield* read({ path: "latin" })).text, "not UTF-8")
        assert.include((yield* read({ path: "wide" })).text, "UTF-16")
        for (const path of ["latin", "wide"]) {
          assert.include((yield* write({ path, content: "x\n" })).text, "is not UTF-8")
          assert.include((yield* edit({ path, edits: [{ old: "h", new: "x" }] })).text, "is not UTF-8")
        }
        assert.deepStrictEqual(readFileSync(at("latin")), latin)
        assert.deepStrictEqual(readFileSync(at("wide")), wide)
      })
    )
  )
})

describe("paths", () => {
  it.effect("links to what does not exist yet, through linked folders, lead where the system leads", () =>
    withTools(({ at, write }) =>
      Effect.gen(function* () {
        mkdirSync(at("real/inner"), { recursive: true })
        symlinkSync(at("real/inner"), at("link"))
        symlinkSync("../target.txt", at("real/inner/dangling"))
        const paths = yield* FilePaths
        assert.strictEqual(yield* paths.real("link/dangling"), at("real/target.txt"))
        yield* write({ path: "link/dangling", content: "x\n" })
        assert.strictEqual(readFileSync(at("real/target.txt"), "utf8"), "x\n")
        assert.strictEqual(yield* paths.real("link/new/deep.txt"), at("real/inner/new/deep.txt"))
        symlinkSync("loop-b", at("loop-a"))
        symlinkSync("loop-a", at("loop-b"))
        assert.isTrue((yield* write({ path: "loop-a", content: "x" })).isError)
      })
    )
  )

  it.effect("odd ones are text for the model, not a crash", () =>
    withTools(({ at, edit, read, write }) =>
      Effect.gen(function* () {
        mkdirSync(at("dir"))
        for (const path of ["a\0b", "", "dir", "no/such/folder/x", "x".repeat(5_000), "dir/../../../../../../etc"]) {
          assert.isTrue((yield* read({ path })).isError, `read ${path.slice(0, 20)}`)
          assert.isTrue((yield* edit({ path, edits: [{ old: "a", new: "b" }] })).isError, `edit ${path.slice(0, 20)}`)
          if (path === "no/such/folder/x") continue
          assert.isTrue((yield* write({ path, content: "" })).isError, `write ${path.slice(0, 20)}`)
        }
      })
    )
  )

  it.effect("home is home", () =>
    Effect.gen(function* () {
      const paths = yield* FilePaths
      assert.strictEqual(paths.absolute("~"), "/nowhere")
      assert.strictEqual(paths.absolute("~/a"), "/nowhere/a")
      assert.strictEqual(paths.absolute("~a"), "/nowhere/~a")
      assert.strictEqual(paths.absolute("/a/../b"), "/b")
    }).pipe(Effect.provide(services("/nowhere")))
  )
})

describe("arguments models send", () => {
  it.effect("replace_all inside one edit holds for that edit", () =>
    withTools(({ at, edit }) =>
      Effect.gen(function* () {
        writeFileSync(at("f"), "a a b\n")
        yield* edit({
          path: "f",
          edits: [
            { old_string: "a", new_string: "x", replace_all: true },
            { old: "b", new: "y" }
          ]
        })
        assert.strictEqual(readFileSync(at("f"), "utf8"), "x x y\n")
      })
    )
  )

  it.effect("old is empty: a file with content is refused, an empty one filled, a missing one points to Write", () =>
    withTools(({ at, edit }) =>
      Effect.gen(function* () {
        writeFileSync(at("full"), "a\n")
        writeFileSync(at("void"), "")
        const edits = [{ old: "", new: "x\n" }]
        assert.include((yield* edit({ path: "full", edits })).text, '"old" is empty')
        assert.include((yield* edit({ path: "missing", edits })).text, "Create it with Write")
        yield* edit({ path: "void", edits })
        assert.strictEqual(readFileSync(at("full"), "utf8"), "a\n")
        assert.strictEqual(readFileSync(at("void"), "utf8"), "x\n")
      })
    )
  )

  it.effect("backslash-n: both kinds are written as they came, one line without a real end is remarked on", () =>
    withTools(({ at, write }) =>
      Effect.gen(function* () {
        assert.notInclude((yield* write({ path: "a", content: 'printf("x\\n");\n' })).text, "note")
        assert.include((yield* write({ path: "b", content: "a\\nb\\nc" })).text, "two characters")
        assert.strictEqual(readFileSync(at("a"), "utf8"), 'printf("x\\n");\n')
        assert.strictEqual(readFileSync(at("b"), "utf8"), "a\\nb\\nc")
      })
    )
  )
})

describe("a link planted between the permission and the use", () => {
  const planted = (at: (name: string) => string) => {
    mkdirSync(at("build"))
    mkdirSync(at("theirs"))
    for (const name of ["build/f", "theirs/f"]) writeFileSync(at(name), `${name}\n`)
    return {
      judgedPath: at("build/f"),
      swap: () => {
        renameSync(at("build"), at("moved"))
        symlinkSync("theirs", at("build"))
      }
    }
  }

  for (const [name, input] of [
    ["read", { path: "build/f" }],
    ["write", { path: "build/f", content: "x" }],
    ["edit", { path: "build/f", edits: [{ old: "f", new: "x" }] }]
  ] as const) {
    it.effect(`before the tool starts: ${name} does nothing`, () =>
      withTools((tools) =>
        Effect.gen(function* () {
          const { judgedPath, swap } = planted(tools.at)
          yield* tools.read({ path: "build/f" }, { judgedPath })
          swap()
          const result = yield* tools[name](input, { judgedPath })
          assert.isTrue(result.isError)
          assert.include(result.text, "now leads elsewhere than when it was checked")
          assert.strictEqual(readFileSync(tools.at("theirs/f"), "utf8"), "theirs/f\n")
        })
      )
    )
  }

  it.effect("while the tool works: the file that was judged is written, through the folder it was in", () => {
    let swap: (() => void) | undefined
    return withTools(
      ({ at, write }) =>
        Effect.gen(function* () {
          const place = planted(at)
          swap = place.swap
          const result = yield* write({ path: "build/new", content: "x\n" }, { judgedPath: at("build/new") })
          assert.isUndefined(result.isError)
          assert.isFalse(existsSync(at("theirs/new")))
          assert.strictEqual(readFileSync(at("moved/new"), "utf8"), "x\n")
        }),
      (fs) => ({
        rename: (from, to) =>
          Effect.suspend(() => {
            swap?.()
            return fs.rename(from, to)
          })
      })
    )
  })
})
