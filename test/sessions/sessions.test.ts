import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem } from "effect"
import { TestClock } from "effect/testing"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { assistant, message, textsOf, user, withPlace, type Place } from "./support.ts"

const open = (options: Partial<Parameters<Sessions["Service"]["open"]>[0]>) =>
  Effect.flatMap(Sessions, (sessions) => sessions.open({ save: true, ...options }))

const say = (place: Place, name: string, text: string) =>
  place.run(Effect.flatMap(open({ name }), (session) => session.append(message(user(text)))))

const files = (place: Place) =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const found = yield* fs.readDirectory(place.file("")).pipe(Effect.orElseSucceed((): Array<string> => []))
    return found.filter((name) => !name.startsWith(".")).sort()
  })

describe("Sessions.open", () => {
  it.effect("a session without content makes no file and no folder", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({})
            yield* session.append({ type: "todo", items: [] })
            yield* session.setModel("other")
            yield* session.sync
          })
        )
        assert.isFalse(yield* fs.exists(`${place.folder}/.maia`))
      })
    )
  )

  it.effect("an entry is in the file before append returns, with what was said before the first content", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({ name: "a", model: "m1" })
            yield* session.append({ type: "todo", items: [] })
            const entry = yield* session.append(message(user("hello")))
            const lines = (yield* fs.readFileString(place.file("a.jsonl"))).trimEnd().split("\n")
            assert.strictEqual(lines.length, 3)
            assert.deepStrictEqual(JSON.parse(lines[2] ?? ""), entry)
            const header = JSON.parse(lines[0] ?? "")
            assert.deepInclude(header, { type: "header", version: 1, model: "m1", cwd: place.folder })
            assert.strictEqual(JSON.parse(lines[1] ?? "").parentId, header.id)
          })
        )
      })
    )
  )

  it.effect("files and folders are private and hidden from git", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* fs.makeDirectory(`${place.folder}/.maia`)
        yield* fs.writeFileString(`${place.folder}/.maia/.gitignore`, "logs\n!.checkpoints/")
        yield* say(place, "a", "x")
        const ignored = yield* fs.readFileString(`${place.folder}/.maia/.gitignore`)
        assert.strictEqual(ignored, "logs\n!.checkpoints/\n.sessions\nsettings.local.json\n")
        assert.strictEqual((yield* fs.stat(place.file("a.jsonl"))).mode & 0o777, 0o600)
        assert.strictEqual((yield* fs.stat(place.file(""))).mode & 0o777, 0o700)
      })
    )
  )

  it.effect("--session NAME appends when it exists, whatever its case, and creates it when missing", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* say(place, "Work", "one")
        yield* say(place, "work", "two")
        assert.deepStrictEqual(yield* files(place), ["Work.jsonl"])
        const view = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.read("WORK")))
        assert.deepStrictEqual(textsOf(view.path), ["one", "two"])
      })
    )
  )

  it.effect("--continue opens the newest session of the folder", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* say(place, "old", "x")
        yield* TestClock.adjust(60_000)
        yield* say(place, "new", "y")
        yield* TestClock.adjust(60_000)
        const name = yield* place.run(Effect.flatMap(open({ continueNewest: true }), (session) => session.name))
        assert.strictEqual(name, "new")
      })
    )
  )

  it.effect("--continue in an empty folder begins a new session", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const name = yield* place.run(Effect.flatMap(open({ continueNewest: true }), (session) => session.name))
        assert.match(name, /^session_\d{4}-\d\d-\d\d_\d\d_\d\d_\d\d$/)
      })
    )
  )

  it.effect("--fork copies the path to a new file and leaves the old one as it was", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* say(place, "a", "one")
        const before = yield* fs.readFileString(place.file("a.jsonl"))
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({ name: "a", fork: true })
            assert.strictEqual(yield* session.name, "a_2")
            assert.strictEqual(session.header().parentSession, "a")
            yield* session.append(message(user("two")))
          })
        )
        assert.strictEqual(yield* fs.readFileString(place.file("a.jsonl")), before)
        const view = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.read("a_2")))
        assert.deepStrictEqual(textsOf(view.path), ["one", "two"])
      })
    )
  )

  it.effect("a fork at an entry keeps the path up to it, its labels and no other branch", () =>
    withPlace((place) =>
      place.run(
        Effect.gen(function* () {
          const session = yield* open({ name: "a" })
          const first = yield* session.append(message(user("1")))
          const second = yield* session.append(message(assistant("2")))
          yield* session.label(first.id, "start")
          yield* session.append(message(user("3")))
          yield* session.label(session.leaf() ?? "", "end")
          const fork = yield* session.fork({ at: second.id, name: "b" })
          assert.deepStrictEqual(textsOf(fork.path()), ["1", "2"])
          assert.deepStrictEqual([...fork.labels()], [[first.id, "start"]])
          assert.strictEqual(fork.header().parentEntry, second.id)
          assert.strictEqual(yield* fork.name, "b")
          const missing = yield* Effect.flip(session.fork({ at: "nope" }))
          assert.strictEqual(missing.code, "not_found")
        })
      )
    )
  )

  it.effect(
    "a session open elsewhere goes on in a copy, with a warning, and the copy has no file until it has content",
    () =>
      withPlace((place) =>
        Effect.gen(function* () {
          yield* say(place, "a", "one")
          yield* place.run(
            Effect.gen(function* () {
              const first = yield* open({ name: "a" })
              yield* place.run(
                Effect.gen(function* () {
                  const second = yield* open({ name: "a" })
                  assert.strictEqual(yield* second.name, "a_2")
                  assert.include(second.warnings()[0]?.en ?? "", "another process")
                  assert.strictEqual(second.file(), undefined)
                  yield* second.append(message(user("theirs")))
                  assert.deepStrictEqual(textsOf(second.path()), ["one", "theirs"])
                })
              )
              yield* first.append(message(user("ours")))
              assert.deepStrictEqual(first.warnings(), [])
            })
          )
          // Both have ended: the lock is free again.
          const view = yield* place.run(Effect.map(open({ name: "a" }), (session) => textsOf(session.path())))
          assert.deepStrictEqual(view, ["one", "ours"])
          assert.deepStrictEqual(yield* files(place), ["a.jsonl", "a_2.jsonl"])
        })
      )
  )

  it.effect("two new sessions of one name get two files", () =>
    withPlace((place) =>
      place.run(
        Effect.gen(function* () {
          const first = yield* open({ name: "a" })
          const second = yield* open({ name: "a" })
          yield* first.append(message(user("1")))
          yield* second.append(message(user("2")))
          assert.strictEqual(yield* second.name, "a_2")
          assert.include(second.warnings()[0]?.en ?? "", "a_2")
        })
      )
    )
  )

  it.effect("save:false keeps all in memory and touches nothing", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* say(place, "a", "one")
        const before = yield* fs.readFileString(place.file("a.jsonl"))
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({ name: "a", save: false })
            yield* session.append(message(user("two")))
            yield* session.sync
            assert.deepStrictEqual(textsOf(session.path()), ["one", "two"])
          })
        )
        assert.strictEqual(yield* fs.readFileString(place.file("a.jsonl")), before)
      })
    )
  )

  it.effect("a start context makes the file at once, and is never written over an existing one", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* say(place, "x__1", "kept")
        const name = yield* place.run(
          Effect.flatMap(
            open({ name: "x__1", fresh: true, startContext: "summary", parentSession: "x" }),
            (session) => {
              assert.isDefined(session.file())
              return session.name
            }
          )
        )
        assert.strictEqual(name, "x__1_2")
        const view = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.read("x__1_2")))
        assert.strictEqual(view.header.startContext, "summary")
      })
    )
  )

  it.effect("the model of an old session changes with its next content, not by opening it", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* place.run(
          Effect.flatMap(open({ name: "a", model: "m1" }), (session) => session.append(message(user("1"))))
        )
        const before = yield* fs.readFileString(place.file("a.jsonl"))
        yield* place.run(
          Effect.map(open({ name: "a", model: "m2" }), (session) => assert.strictEqual(session.model(), "m2"))
        )
        assert.strictEqual(yield* fs.readFileString(place.file("a.jsonl")), before)
        yield* place.run(
          Effect.flatMap(open({ name: "a", model: "m2" }), (session) => session.append(message(user("2"))))
        )
        const types = (yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.read("a")))).path.map(
          ({ type }) => type
        )
        assert.deepStrictEqual(types, ["message", "model_change", "message"])
      })
    )
  )

  it.effect("a name that would leave the folder is refused", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        for (const name of ["../x", "..", "a/b", "a\u0000"]) {
          const error = yield* Effect.flip(place.run(open({ name })))
          assert.strictEqual(error.code, "invalid_name")
        }
      })
    )
  )
})

describe("moving in the tree", () => {
  it.effect("a moved leaf is there after reopening, and nothing is deleted", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({ name: "a" })
            const first = yield* session.append(message(user("1")))
            yield* session.append(message(assistant("2")))
            yield* session.moveTo(first.id)
            yield* session.append(message(assistant("2 again")))
            assert.deepStrictEqual(textsOf(session.path()), ["1", "2 again"])
            yield* session.moveTo(null)
            assert.deepStrictEqual(session.path(), [])
            assert.strictEqual((yield* Effect.flip(session.moveTo("nope"))).code, "not_found")
          })
        )
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({ name: "a" })
            assert.strictEqual(session.leaf(), null)
            assert.strictEqual(session.entries().length, 5)
            yield* session.append(message(user("anew")))
            assert.deepStrictEqual(textsOf(session.path()), ["anew"])
          })
        )
      })
    )
  )
})

describe("rename, find, delete, list", () => {
  it.effect("rename moves the file of an open session and goes on writing to it", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* say(place, "taken", "x")
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({ name: "a" })
            yield* session.append(message(user("1")))
            assert.strictEqual(yield* session.rename("b"), "b")
            yield* session.append(message(user("2")))
            assert.strictEqual(yield* session.rename("taken"), "taken_2")
            assert.strictEqual(yield* session.rename("TAKEN_2"), "TAKEN_2")
            assert.strictEqual((yield* Effect.flip(session.rename("x/y"))).code, "invalid_name")
            yield* session.append(message(user("3")))
          })
        )
        assert.deepStrictEqual(yield* files(place), ["TAKEN_2.jsonl", "taken.jsonl"])
        const view = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.read("taken_2")))
        assert.deepStrictEqual(textsOf(view.path), ["1", "2", "3"])
      })
    )
  )

  it.effect("rename before the first content changes the name only", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({})
            yield* session.rename("later")
            yield* session.append(message(user("1")))
          })
        )
        assert.deepStrictEqual(yield* files(place), ["later.jsonl"])
      })
    )
  )

  it.effect("a closed session is renamed and deleted by name; one in use is not", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* say(place, "a", "x")
        yield* place.run(
          Effect.gen(function* () {
            const sessions = yield* Sessions
            assert.strictEqual(yield* sessions.rename("A", "b"), "b")
            assert.isTrue(yield* sessions.exists("B"))
            yield* open({ name: "b" })
            assert.strictEqual((yield* Effect.flip(sessions.delete("b"))).code, "in_use")
            assert.strictEqual((yield* Effect.flip(sessions.rename("b", "c"))).code, "in_use")
          })
        )
        yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.delete("b")))
        assert.deepStrictEqual(yield* files(place), [])
        const missing = yield* Effect.flip(place.run(Effect.flatMap(Sessions, (sessions) => sessions.delete("b"))))
        assert.strictEqual(missing.code, "not_found")
      })
    )
  )

  it.effect("the list shows time, first request and model, newest first, however long the lines are", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open({ name: "a", model: "m0" })
            yield* session.append(message(user("context", "context")))
            yield* session.append(message(user(`first\n"request" ${"é".repeat(20_000)}`)))
            yield* TestClock.adjust(1000)
            yield* session.append(message(assistant("x".repeat(20_000))))
          })
        )
        yield* TestClock.adjust(10_000)
        yield* say(place, "b", "second")
        const list = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.list))
        assert.deepStrictEqual(
          list.map(({ name }) => name),
          // The last line of `a` is longer than what is read, so the time of its file counts.
          ["a", "b"]
        )
        const [a, b] = list
        assert.isTrue(a?.firstText?.startsWith('first "request" éé'))
        assert.strictEqual(a?.firstText?.length, 200)
        assert.strictEqual(a?.created, "1970-01-01T00:00:00.000Z")
        assert.strictEqual(b?.firstText, "second")
        assert.strictEqual(b?.lastActivity, 11_000)
        assert.strictEqual(a?.model, "m")
      })
    )
  )

  it.effect("suggest names sessions near a typed one", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* say(place, "parser", "x")
        yield* say(place, "deploy", "x")
        const near = yield* place.run(Effect.flatMap(Sessions, (sessions) => sessions.suggest("prser")))
        assert.deepStrictEqual(near, ["parser"])
      })
    )
  )
})
