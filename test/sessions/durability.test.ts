import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, FileSystem, Path, Stream } from "effect"
import { ChildProcess } from "effect/process"
import { TestClock } from "effect/testing"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { faultyDisk, type Faults } from "./faultyDisk.ts"
import { makePlace, message, textsOf, user, withPlace, type Place } from "./support.ts"

const open = (name: string) => Effect.flatMap(Sessions, (sessions) => sessions.open({ name, save: true }))

const read = (place: Place, name: string) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readFileString(place.file(name)))

const reopened = (place: Place, name: string) => place.run(Effect.map(open(name), (session) => textsOf(session.path())))

/** Runs with a disk that fails as told. */
const onDisk = <A, E>(place: Place, faults: Faults, effect: Parameters<typeof place.run<A, E>>[0]) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => place.run(effect, { fs: faultyDisk(fs, faults) }))

describe("a disk that fails", () => {
  it.effect(
    "a full disk at every write: one warning, the conversation goes on, and all is written once there is room",
    () =>
      withPlace((place) =>
        Effect.gen(function* () {
          for (let fault = 0; fault < 6; fault++) {
            for (const partial of [0, 1, 40, 10_000]) {
              for (const noTruncate of [false, true]) {
                const name = `s${fault}-${partial}-${noTruncate}`
                const faults: Faults = { writesLeft: fault, partial, noTruncate }
                yield* onDisk(
                  place,
                  faults,
                  Effect.gen(function* () {
                    const session = yield* open(name)
                    for (let n = 0; n < 5; n++) yield* session.append(message(user(`${n}`)))
                    assert.strictEqual(session.path().length, 5)
                    assert.strictEqual(session.warnings().length, fault < 5 ? 1 : 0, name)
                    faults.writesLeft = undefined
                    yield* session.append(message(user("5")))
                  })
                )
                assert.deepStrictEqual(yield* reopened(place, name), ["0", "1", "2", "3", "4", "5"], name)
              }
            }
          }
        })
      )
  )

  it.effect("a disk that stays full leaves a file that opens with all that was acknowledged before", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        for (const noTruncate of [false, true]) {
          const name = `s-${noTruncate}`
          yield* onDisk(
            place,
            { writesLeft: 3, partial: 30, noTruncate },
            Effect.gen(function* () {
              const session = yield* open(name)
              for (let n = 0; n < 6; n++) yield* session.append(message(user(`${n}`)))
            })
          )
          assert.deepStrictEqual((yield* reopened(place, name)).slice(0, 3), ["0", "1", "2"])
        }
      })
    )
  )

  it.effect("a read-only disk: a warning, and nothing is left behind", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* onDisk(
          place,
          { noOpen: true },
          Effect.gen(function* () {
            const session = yield* open("a")
            yield* session.append(message(user("1")))
            yield* session.append(message(user("2")))
            assert.strictEqual(session.path().length, 2)
            assert.strictEqual(session.warnings().length, 1)
            assert.strictEqual(session.file(), undefined)
          })
        )
        const fs = yield* FileSystem.FileSystem
        assert.deepStrictEqual(yield* fs.readDirectory(place.file(".locks")), [])
      })
    )
  )

  it.effect("an old session on a read-only disk opens, goes on in memory and warns", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run(Effect.flatMap(open("a"), (session) => session.append(message(user("1")))))
        yield* onDisk(
          place,
          { noOpen: true },
          Effect.gen(function* () {
            const session = yield* open("a")
            yield* session.append(message(user("2")))
            assert.strictEqual(session.path().length, 2)
            assert.strictEqual(session.warnings().length, 1)
          })
        )
        assert.deepStrictEqual(yield* reopened(place, "a"), ["1"])
      })
    )
  )

  it.effect("a sync that fails is a warning", () =>
    withPlace((place) =>
      onDisk(
        place,
        { noSync: true },
        Effect.gen(function* () {
          const session = yield* open("a")
          yield* session.append(message(user("1")))
          yield* session.sync
          yield* session.sync
          assert.strictEqual(session.warnings().length, 1)
        })
      )
    )
  )
})

describe("writing", () => {
  it.effect("one write call per entry, synced in the background within a second and at the end", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const synced = yield* Deferred.make<void>()
        const faults: Faults = { onSync: Deferred.succeed(synced, undefined) }
        yield* onDisk(
          place,
          faults,
          Effect.gen(function* () {
            const session = yield* open("a")
            for (let n = 0; n < 10; n++) yield* session.append(message(user(`${n}`)))
            assert.strictEqual(faults.writes, 10)
            assert.strictEqual(faults.syncs ?? 0, 0)
            yield* TestClock.adjust(1000)
            yield* Deferred.await(synced)
            assert.strictEqual(faults.syncs, 1)
            yield* session.append(message(user("last")))
          })
        )
        assert.strictEqual(faults.writes, 11)
        assert.strictEqual(faults.syncs, 2)
      })
    )
  )

  it.effect("a file removed while the session is open is written again", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open("a")
            yield* session.append(message(user("1")))
            yield* fs.remove(`${place.folder}/.maia`, { recursive: true })
            yield* session.append(message(user("2")))
            yield* session.sync
          })
        )
        assert.deepStrictEqual(yield* reopened(place, "a"), ["1", "2"])
      })
    )
  )

  it.effect("an interrupted append is whole or absent", () =>
    withPlace((place) =>
      Effect.gen(function* () {
        yield* place.run(
          Effect.gen(function* () {
            const session = yield* open("a")
            yield* Effect.forEach(
              Array.from({ length: 20 }, (_, n) => n),
              (n) => Effect.timeoutOption(session.append(message(user(`${n}`))), 0),
              { concurrency: 5 }
            ).pipe(Effect.raceFirst(Effect.andThen(Effect.yieldNow, Effect.yieldNow)))
            const inMemory = session.entries().length
            yield* session.append(message(user("end")))
            assert.strictEqual(session.entries().length, inMemory + 1)
          })
        )
        const lines = (yield* read(place, "a.jsonl")).trimEnd().split("\n")
        for (const line of lines) assert.isObject(JSON.parse(line))
        assert.strictEqual((yield* reopened(place, "a")).at(-1), "end")
      })
    )
  )
})

/** Kills a writing process after it has acknowledged some entries; how many it had. */
const killAfter = (folder: string, acknowledged: number) =>
  Effect.gen(function* () {
    const path = yield* Path.Path
    const script = path.resolve("test/sessions/fixtures/appendForever.ts")
    const child = yield* ChildProcess.make(process.execPath, [script, folder], { stdin: "ignore", stderr: "inherit" })
    let output = ""
    yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.runForEachWhile((chunk) =>
        Effect.sync(() => {
          output += chunk
          return output.split("\n").length <= acknowledged
        })
      )
    )
    yield* child.kill({ killSignal: "SIGKILL" })
    const rest = yield* child.stdout.pipe(
      Stream.decodeText(),
      Stream.mkString,
      Effect.orElseSucceed(() => "")
    )
    return (output + rest).split("\n").slice(0, -1)
  }).pipe(Effect.scoped)

describe("kill -9", () => {
  it.live("at random points: reopened, nothing acknowledged is lost, and the next process goes on", () =>
    Effect.gen(function* () {
      const place = yield* makePlace
      let expected = 0
      for (const count of [1, 7, 40, 3]) {
        const acknowledged = yield* killAfter(place.folder, count)
        assert.isAtLeast(acknowledged.length, count)
        expected = Math.max(expected, Number(acknowledged.at(-1) ?? -1) + 1)
        const texts = yield* reopened(place, "killed")
        assert.isAtLeast(texts.length, expected)
        for (const [index, text] of texts.entries()) assert.isTrue(text?.startsWith(`${index} é`), `entry ${index}`)
        expected = texts.length
      }
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
