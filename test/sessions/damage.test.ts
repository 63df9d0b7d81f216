import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { decodeSession, encodeLine } from "../../src/sessions/codec.ts"
import { isKnownEntry } from "../../src/sessions/checkEntry.ts"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { assistant, message, user, withPlace, type Place } from "./support.ts"

const header = { type: "header", version: 1, id: "h", time: "2026-01-01T00:00:00.000Z", cwd: "/x" } as const
const fallback = { ...header, id: "header" }

const line = (id: string, parentId: string, fields: object = { type: "message", message: user(id) }): string =>
  JSON.stringify({ id, parentId, time: "2026-01-01T00:00:01.000Z", ...fields })

const file = (...lines: ReadonlyArray<string>): string => [JSON.stringify(header), ...lines].join("\n") + "\n"

const decode = (content: string | Uint8Array) =>
  decodeSession(typeof content === "string" ? new TextEncoder().encode(content) : content, fallback)

const ids = (content: string | Uint8Array): ReadonlyArray<string> => decode(content).tree.path.map(({ id }) => id)

describe("reading a damaged session", () => {
  it("a torn last line is not counted and given back", () => {
    const good = file(line("a", "h"))
    const session = decode(`${good}{"id":"b","par`)
    assert.deepStrictEqual(
      session.tree.path.map(({ id }) => id),
      ["a"]
    )
    assert.strictEqual(new TextDecoder().decode(session.torn), '{"id":"b","par')
    assert.strictEqual(session.goodBytes, good.length)
    assert.deepStrictEqual(session.warnings, [])
  })

  it("a whole last line without its newline is kept", () => {
    const session = decode(file(line("a", "h")).trimEnd())
    assert.strictEqual(session.tree.leaf, "a")
    assert.isTrue(session.lacksNewline)
    assert.isUndefined(session.torn)
  })

  it("NULs in the middle are skipped and the lines around them are there", () => {
    const nuls = "\u0000".repeat(300)
    assert.deepStrictEqual(ids(file(line("a", "h"), nuls, line("b", "a"))), ["a", "b"])
    assert.deepStrictEqual(ids(file(line("a", "h"), nuls + line("b", "a"), line("c", "b"))), ["a", "b", "c"])
    assert.strictEqual(decode(file(line("a", "h"), nuls + line("b", "a"))).warnings.length, 1)
  })

  it("a line glued behind a torn one is saved", () => {
    const torn = line("b", "a", { type: "message", message: assistant("x", "call_1") }).slice(0, -20)
    assert.deepStrictEqual(ids(file(line("a", "h"), torn + line("c", "b"))), ["a", "c"])
  })

  it("children of a lost entry follow the line before them", () => {
    assert.deepStrictEqual(ids(file(line("a", "h"), "garbage", line("c", "b"), line("d", "c"))), ["a", "c", "d"])
  })

  it("lines that are no objects are skipped, with one warning", () => {
    const session = decode(
      file(line("a", "h"), "[1]", "12", '"x"', "null", "{}", '{"id":5,"type":"clear"}', line("b", "a"))
    )
    assert.deepStrictEqual(
      session.tree.path.map(({ id }) => id),
      ["a", "b"]
    )
    assert.strictEqual(session.warnings.length, 1)
    assert.include(session.warnings[0]?.en ?? "", "6 line(s)")
  })

  it("a line that a retry wrote twice counts once; another one with its id is kept beside it", () => {
    assert.deepStrictEqual(ids(file(line("a", "h"), line("a", "h"), line("b", "a"))), ["a", "b"])
    const other = line("a", "h", { type: "message", message: user("other") })
    assert.deepStrictEqual(ids(file(line("a", "h"), other, line("b", "a"))), ["a~2", "b"])
  })

  it("an entry that names itself or a later one as its parent makes no loop", () => {
    assert.deepStrictEqual(ids(file(line("a", "a"), line("b", "c"), line("c", "b"))), ["a", "b", "c"])
  })

  it("half an emoji in an old file is repaired", () => {
    const session = decode(
      file('{"id":"a","parentId":"h","time":"t","type":"message","message":{"role":"user","text":"ab\\ud83d"}}')
    )
    const [entry] = session.tree.path
    assert.isTrue(
      entry !== undefined && isKnownEntry(entry) && entry.type === "message" && entry.message.text === "ab\ufffd"
    )
  })

  it("half an emoji is never written, and what is returned is what is in the file", () => {
    const { line: written, value } = encodeLine({ text: "ab😀".slice(0, 3), path: "C:\\ud83d" })
    assert.deepStrictEqual(JSON.parse(written), { text: "ab\ufffd", path: "C:\\ud83d" })
    assert.deepStrictEqual(value, { text: "ab\ufffd", path: "C:\\ud83d" })
  })

  it("a known type with unusable fields is no message, and its line is not lost", () => {
    const broken = line("b", "a", { type: "message", message: { role: "user", text: 5 } })
    const session = decode(file(line("a", "h"), broken, line("c", "b")))
    assert.deepStrictEqual(
      session.tree.path.map(({ type }) => type),
      ["message", "malformed", "message"]
    )
    assert.strictEqual(session.warnings.length, 1)
  })

  it("a file whose header is lost keeps its entries", () => {
    assert.deepStrictEqual(ids(`{"type":"hea\n${line("a", "h")}\n${line("b", "a")}\n`), ["a", "b"])
  })

  it("every cut of a file gives the entries that were whole", () => {
    const lines = [JSON.stringify(header), line("a", "h"), line("é😀", "a"), line("c", "é😀")]
    const bytes = new TextEncoder().encode(lines.join("\n") + "\n")
    const ends = lines.map((_, index) => new TextEncoder().encode(lines.slice(0, index + 1).join("\n")).length)
    for (let cut = 0; cut <= bytes.length; cut++) {
      const session = decode(bytes.slice(0, cut))
      const whole = ends.filter((end) => end <= cut).length
      assert.strictEqual(session.tree.entries.length, Math.max(0, whole - 1), `cut at ${cut}`)
      assert.isAtMost(session.goodBytes, cut)
    }
  })

  it("every byte of a file overwritten by a NUL loses at most the line it is in", () => {
    const bytes = new TextEncoder().encode(file(line("a", "h"), line("b", "a"), line("c", "b")))
    for (let at = 0; at < bytes.length; at++) {
      const damaged = bytes.slice()
      damaged[at] = 0
      // An overwritten newline glues two lines: both are saved.
      assert.isAtLeast(decode(damaged).tree.entries.length, 2, `NUL at ${at}`)
    }
  })
})

const read = (place: Place, name: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    return yield* fs.readFileString(place.file(name))
  })

const write = (place: Place, name: string, content: string) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    yield* fs.makeDirectory(place.file(""), { recursive: true })
    yield* fs.writeFileString(place.file(name), content)
  })

const open = (name: string) => Effect.flatMap(Sessions, (sessions) => sessions.open({ name, save: true }))

describe("opening a damaged session", () => {
  it.effect("a torn last line is set aside in a file that is no session, and the next entry has its own line", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* write(place, "a.jsonl", `${file(line("a", "h"))}{"id":"b","pa`)
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open("a")
            assert.strictEqual(session.warnings().length, 1)
            yield* session.append(message(user("next")))
          })
        )
        const lines = (yield* read(place, "a.jsonl")).trimEnd().split("\n")
        assert.strictEqual(lines.length, 3)
        assert.strictEqual(JSON.parse(lines[2] ?? "").parentId, "a")
        const aside = (yield* fs.readDirectory(place.file(""))).filter((name) => name.endsWith(".torn"))
        assert.strictEqual(aside.length, 1)
        assert.strictEqual(yield* read(place, aside[0] ?? ""), '{"id":"b","pa')
        const list = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.list))
        assert.strictEqual(list.length, 1)
      })
    )
  )

  it.effect("a last line without its newline is completed before the next entry", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* write(place, "a.jsonl", file(line("a", "h")).trimEnd())
        yield* place.run(Effect.flatMap(open("a"), (session) => session.append(message(user("next")))))
        assert.strictEqual((yield* read(place, "a.jsonl")).trimEnd().split("\n").length, 3)
      })
    )
  )

  it.effect("a file that holds nothing of a session begins anew with a header", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        for (const content of ["", "\ufeff", '{"type":"head', "\u0000\u0000\n"]) {
          yield* write(place, "a.jsonl", content)
          yield* place.run(Effect.flatMap(open("a"), (session) => session.append(message(user("next")))))
          const [first, second, ...rest] = (yield* read(place, "a.jsonl")).trimEnd().split("\n")
          assert.strictEqual(JSON.parse(first ?? "").type, "header", JSON.stringify(content))
          assert.strictEqual(JSON.parse(second ?? "").message.text, "next")
          assert.strictEqual(rest.length, 0)
        }
      })
    )
  )

  it.effect("the file of someone who is writing is not touched, even when its last line is unfinished", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* place.run(
          Effect.gen(function* () {
            const writer = yield* open("a")
            yield* writer.append(message(user("1")))
            yield* fs.writeFileString(place.file("a.jsonl"), '{"id":"half', { flag: "a" })
            const before = yield* read(place, "a.jsonl")
            const second = yield* open("a")
            assert.strictEqual(second.path().length, 1)
            assert.strictEqual(yield* read(place, "a.jsonl"), before)
          })
        )
      })
    )
  )

  it.effect("unknown types and fields survive a fork", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const strange = line("b", "a", { type: "hologram", beam: { power: 3 } })
        const extra = line("c", "b", { type: "message", message: { ...user("x"), mood: "good" }, weight: 1.5 })
        const broken = line("d", "c", { type: "todo", items: "many" })
        yield* write(place, "a.jsonl", file(line("a", "h"), strange, extra, broken, line("e", "d")))
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open("a")
            yield* session.fork({ name: "b" })
          })
        )
        const lines = (yield* read(place, "b.jsonl")).trimEnd().split("\n")
        assert.deepStrictEqual(JSON.parse(lines[2] ?? ""), JSON.parse(strange))
        assert.deepStrictEqual(JSON.parse(lines[3] ?? ""), JSON.parse(extra))
        assert.deepStrictEqual(JSON.parse(lines[4] ?? ""), JSON.parse(broken))
        assert.strictEqual(lines.length, 6)
      })
    )
  )

  it.effect("a session of a newer version stays as it is, and goes on in a copy", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const newer = file(line("a", "h"), line("b", "a", { type: "warp" })).replace('"version":1', '"version":2')
        yield* write(place, "a.jsonl", newer)
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open("a")
            assert.include(session.warnings()[0]?.en ?? "", "newer version")
            yield* session.append(message(user("next")))
            assert.strictEqual(yield* session.name, "a_2")
          })
        )
        assert.strictEqual(yield* read(place, "a.jsonl"), newer)
        assert.strictEqual((yield* read(place, "a_2.jsonl")).trimEnd().split("\n").length, 4)
      })
    )
  )

  it.effect("a pipe or a link named like a session is not read", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* write(place, "real.txt", file(line("a", "h")))
        yield* fs.symlink(place.file("real.txt"), place.file("link.jsonl"))
        const error = yield* Effect.flip(place.run(open("link")))
        assert.strictEqual(error.code, "unreadable")
        const list = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.list))
        assert.deepStrictEqual(list, [])
      })
    )
  )

  it.effect("a .maia that is a link out of the folder is not written to", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const elsewhere = yield* fs.makeTempDirectoryScoped()
        yield* fs.symlink(elsewhere, `${place.folder}/.maia`)
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open("a")
            yield* session.append(message(user("1")))
            assert.strictEqual(session.path().length, 1)
            assert.include(session.warnings()[0]?.en ?? "", "link")
          })
        )
        assert.deepStrictEqual(yield* fs.readDirectory(elsewhere), [])
      })
    )
  )
})
