/**
 * One service, several sessions one after the other, under the real clock: as in a running maia.
 */
import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Scope } from "effect"
import { Sessions } from "../../src/sessions/Sessions.ts"
import { makePlace, message, textsOf, user, type Place } from "./support.ts"

const open = (name: string) => Effect.flatMap(Sessions, (sessions) => sessions.open({ name, save: true }))

const locks = (place: Place) =>
  Effect.flatMap(FileSystem.FileSystem, (fs) => fs.readDirectory(place.file(".locks"))).pipe(
    Effect.map((names) => names.length)
  )

describe("a session ends with its own scope, not with the service", () => {
  it.live("the same process reopens its session and goes on in the same file", () =>
    Effect.gen(function* () {
      const place = yield* makePlace
      yield* place.run(
        Effect.gen(function* () {
          for (const text of ["1", "2", "3"]) {
            yield* Effect.scoped(
              Effect.gen(function* () {
                const session = yield* open("a")
                yield* session.append(message(user(text)))
                assert.strictEqual(yield* session.name, "a")
                assert.deepStrictEqual(session.warnings(), [])
              })
            )
            assert.strictEqual(yield* locks(place), 0)
          }
          const sessions = yield* Sessions
          assert.deepStrictEqual(textsOf((yield* sessions.read("a")).path), ["1", "2", "3"])
        })
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.live("a fork lives on when the session it came from is closed", () =>
    Effect.gen(function* () {
      const place = yield* makePlace
      yield* place.run(
        Effect.gen(function* () {
          yield* Effect.scoped(
            Effect.gen(function* () {
              // The fork belongs to this scope, its origin to an inner one.
              const fork = yield* Effect.scopedWith((inner) =>
                Effect.gen(function* () {
                  const origin = yield* open("a").pipe(Effect.provideService(Scope.Scope, inner))
                  yield* origin.append(message(user("1")))
                  return yield* origin.fork()
                })
              )
              yield* fork.append(message(user("2")))
              yield* fork.sync
              assert.deepStrictEqual(fork.warnings(), [])
              // Its lock is held, that of the origin is free.
              assert.strictEqual(yield* locks(place), 2)
              assert.strictEqual(yield* Effect.scoped(Effect.flatMap(open("a"), ({ name }) => name)), "a")
              assert.strictEqual(yield* Effect.scoped(Effect.flatMap(open("a_2"), ({ name }) => name)), "a_2_2")
            })
          )
          assert.strictEqual(yield* locks(place), 0)
        })
      )
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
