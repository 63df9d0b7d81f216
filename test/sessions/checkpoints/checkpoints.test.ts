import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it } from "@effect/vitest"
import { Effect, FileSystem, Layer, type Path, type Scope } from "effect"
import {
  Checkpoints,
  type RestorePlan,
  type SessionCheckpoints
} from "../../../src/sessions/checkpoints/Checkpoints.ts"
import { checkpointsLayer } from "../../../src/sessions/checkpoints/CheckpointsLive.ts"
import { hashOf, makeBlobStore } from "../../../src/sessions/checkpoints/BlobStore.ts"
import type { SessionHandle } from "../../../src/sessions/SessionHandle.ts"
import { Sessions } from "../../../src/sessions/Sessions.ts"
import { sessionsLayer } from "../../../src/sessions/SessionsLive.ts"
import { testConfig, testConfigLayer, type TestConfig } from "../../support/testConfig.ts"
import { assistant, message, user } from "../support.ts"

interface Scene {
  readonly folder: string
  readonly session: SessionHandle
  readonly points: SessionCheckpoints
  readonly write: (name: string, content: string) => Effect.Effect<void>
  readonly read: (name: string) => Effect.Effect<string>
  readonly remove: (name: string) => Effect.Effect<void>
  /** A tool changes a file: captured before, written. */
  readonly edit: (name: string, content: string) => Effect.Effect<void>
  /** A request of the user; the entry before it. */
  readonly ask: (text: string) => Effect.Effect<string | null>
  /** The turn's tools have run. */
  readonly answer: Effect.Effect<void>
}

const scene = <A, E>(
  test: (scene: Scene) => Effect.Effect<A, E, FileSystem.FileSystem | Path.Path | Scope.Scope>,
  options: { readonly config?: Partial<TestConfig>; readonly save?: boolean } = {}
): Effect.Effect<A> =>
  Effect.gen(function* () {
    const fs = yield* FileSystem.FileSystem
    const folder = yield* Effect.flatMap(fs.makeTempDirectoryScoped({ prefix: "maia-points-" }), fs.realPath)
    const layers = Layer.mergeAll(sessionsLayer, checkpointsLayer).pipe(
      Layer.provide(testConfigLayer({ launchFolder: folder, ...options.config }))
    )
    return yield* Effect.gen(function* () {
      const sessions = yield* Sessions
      const checkpoints = yield* Checkpoints
      const save = options.save ?? true
      const session = yield* sessions.open({ name: "a", save })
      const points = yield* checkpoints.forSession(session, { save })
      const at = (name: string): string => `${folder}/${name}`
      const write = (name: string, content: string) => Effect.orDie(fs.writeFileString(at(name), content))
      return yield* test({
        folder,
        session,
        points,
        write,
        read: (name) => Effect.orDie(fs.readFileString(at(name))),
        remove: (name) => Effect.orDie(fs.remove(at(name))),
        edit: (name, content) => Effect.andThen(points.capture(at(name), "change"), write(name, content)),
        ask: (text) =>
          Effect.gen(function* () {
            yield* points.scan("other")
            const before = session.leaf()
            yield* session.append(message(user(text)))
            return before
          }),
        answer: Effect.andThen(points.scan("turn"), session.append(message(assistant("done")))).pipe(Effect.asVoid)
      })
    }).pipe(Effect.provide(layers))
  }).pipe(Effect.scoped, Effect.provide(NodeServices.layer), Effect.orDie)

const actions = (plan: RestorePlan): ReadonlyArray<string> =>
  plan.files.map(({ path, action, conflict }) => `${action} ${path}${conflict ? " (conflict)" : ""}`)

describe("putting files back", () => {
  it.effect("an edit, a new file and a deleted one are undone, with a diff shown first", () =>
    scene(({ ask, answer, edit, folder, points, read, remove, session, write }) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* write("a.txt", "one\n")
        yield* write("gone.txt", "x")
        yield* fs.chmod(`${folder}/a.txt`, 0o755)
        const before = yield* ask("go")
        yield* edit("a.txt", "two\n")
        yield* edit("new.txt", "n")
        yield* points.capture(`${folder}/gone.txt`, "read")
        yield* remove("gone.txt")
        yield* answer
        const plan = yield* points.planRestore(before)
        assert.deepStrictEqual(actions(plan), ["change a.txt", "create gone.txt", "delete new.txt"])
        assert.include(plan.files[0]?.diff ?? "", "-two\n+one\n")
        const result = yield* points.restore(plan, { force: false })
        assert.deepStrictEqual(result.skipped, [])
        assert.strictEqual(yield* read("a.txt"), "one\n")
        assert.strictEqual((yield* fs.stat(`${folder}/a.txt`)).mode & 0o777, 0o755)
        assert.strictEqual(yield* read("gone.txt"), "x")
        assert.isFalse(yield* fs.exists(`${folder}/new.txt`))
        yield* session.moveTo(before)
        assert.deepStrictEqual((yield* points.planRestore(before)).files, [])
        assert.deepStrictEqual((yield* fs.readDirectory(folder)).sort(), [".maia", "a.txt", "gone.txt"])
      })
    )
  )

  it.effect("each entry has its own state of the files, forward as well as back", () =>
    scene(({ ask, answer, edit, points, read, session, write }) =>
      Effect.gen(function* () {
        yield* write("a.txt", "0")
        const before = yield* ask("1")
        yield* edit("a.txt", "1")
        yield* answer
        const between = yield* ask("2")
        yield* edit("a.txt", "2")
        yield* answer
        const after = session.leaf()
        for (const [entry, content] of [
          [before, "0"],
          [after, "2"],
          [between, "1"],
          [after, "2"]
        ] as const) {
          const plan = yield* points.planRestore(entry)
          assert.deepStrictEqual((yield* points.restore(plan, { force: false })).skipped, [])
          yield* session.moveTo(entry)
          assert.strictEqual(yield* read("a.txt"), content)
        }
      })
    )
  )

  it.effect("what a command changed in a file that was read is found and undone", () =>
    scene(({ ask, answer, folder, points, read, write }) =>
      Effect.gen(function* () {
        yield* write("a.txt", "before")
        const before = yield* ask("sed it")
        yield* points.capture(`${folder}/a.txt`, "read")
        yield* write("a.txt", "after!")
        yield* answer
        yield* points.restore(yield* points.planRestore(before), { force: false })
        assert.strictEqual(yield* read("a.txt"), "before")
      })
    )
  )

  it.effect("a file changed by someone else since is not overwritten without a yes", () =>
    scene(({ ask, answer, edit, points, read, write }) =>
      Effect.gen(function* () {
        yield* write("a.txt", "0")
        const before = yield* ask("go")
        yield* edit("a.txt", "1")
        yield* answer
        yield* write("a.txt", "mine")
        const plan = yield* points.planRestore(before)
        assert.deepStrictEqual(actions(plan), ["change a.txt (conflict)"])
        const refused = yield* points.restore(plan, { force: false })
        assert.deepStrictEqual(refused, { restored: [], skipped: [{ path: "a.txt", reason: "conflict" }] })
        assert.strictEqual(yield* read("a.txt"), "mine")
        yield* points.restore(plan, { force: true })
        assert.strictEqual(yield* read("a.txt"), "0")
      })
    )
  )

  it.effect("someone else's change stays in dispute even after maia changed the file again", () =>
    scene(({ ask, answer, edit, points, write }) =>
      Effect.gen(function* () {
        yield* write("a.txt", "0")
        const before = yield* ask("go")
        yield* edit("a.txt", "1")
        yield* answer
        yield* write("a.txt", "mine")
        yield* ask("again")
        yield* edit("a.txt", "2")
        yield* answer
        assert.deepStrictEqual(actions(yield* points.planRestore(before)), ["change a.txt (conflict)"])
      })
    )
  )

  it.effect("undoing the last turn keeps what the user changed before it", () =>
    scene(({ ask, answer, edit, points, read, session, write }) =>
      Effect.gen(function* () {
        yield* write("a.txt", "0")
        yield* ask("read")
        yield* edit("a.txt", "1")
        yield* answer
        yield* write("a.txt", "mine")
        const leaf = session.leaf()
        yield* ask("go")
        yield* edit("a.txt", "2")
        yield* answer
        const plan = yield* points.planRestore(leaf)
        assert.deepStrictEqual(actions(plan), ["change a.txt"])
        yield* points.restore(plan, { force: false })
        assert.strictEqual(yield* read("a.txt"), "mine")
      })
    )
  )

  it.effect("a file that changes between the plan and the yes is left alone", () =>
    scene(({ ask, answer, edit, points, read, write }) =>
      Effect.gen(function* () {
        yield* write("a.txt", "0")
        const before = yield* ask("go")
        yield* edit("a.txt", "1")
        yield* answer
        const plan = yield* points.planRestore(before)
        yield* write("a.txt", "quick")
        const result = yield* points.restore(plan, { force: true })
        assert.deepStrictEqual(result.skipped, [{ path: "a.txt", reason: "changed_meanwhile" }])
        assert.strictEqual(yield* read("a.txt"), "quick")
      })
    )
  )

  it.effect("bytes that are gone or damaged are said, and nothing is written", () =>
    scene(({ ask, answer, edit, folder, points, read, write }) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* write("a.txt", "0")
        const before = yield* ask("go")
        yield* edit("a.txt", "1")
        yield* answer
        const hash = yield* hashOf(new TextEncoder().encode("0"))
        yield* fs.writeFileString(`${folder}/.maia/.checkpoints/${hash.slice(0, 2)}/${hash}`, "tampered")
        const plan = yield* points.planRestore(before)
        assert.isTrue(plan.files[0]?.lost)
        const result = yield* points.restore(plan, { force: true })
        assert.deepStrictEqual(result.skipped, [{ path: "a.txt", reason: "lost" }])
        assert.strictEqual(yield* read("a.txt"), "1")
      })
    )
  )

  it.effect("a folder that became a link is not followed out of the project", () =>
    scene(({ ask, answer, edit, folder, points }) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const elsewhere = yield* fs.makeTempDirectoryScoped()
        yield* fs.makeDirectory(`${folder}/src`)
        yield* fs.writeFileString(`${folder}/src/a.txt`, "0")
        const before = yield* ask("go")
        yield* edit("src/a.txt", "1")
        yield* answer
        yield* fs.remove(`${folder}/src`, { recursive: true })
        yield* fs.writeFileString(`${elsewhere}/a.txt`, "1")
        yield* fs.symlink(elsewhere, `${folder}/src`)
        const result = yield* points.restore(yield* points.planRestore(before), { force: true })
        assert.deepStrictEqual(result.restored, [])
        assert.strictEqual(yield* fs.readFileString(`${elsewhere}/a.txt`), "1")
      })
    )
  )
})

describe("what is kept", () => {
  const kept = (session: SessionHandle): ReadonlyArray<string> =>
    session.entries().flatMap((entry) => {
      const data = "data" in entry ? JSON.stringify(entry.data) : ""
      return data === "" ? [] : [...data.matchAll(/"path":"([^"]*)"/g)].map((match) => match[1] ?? "")
    })

  it.effect("each state once; reading an unchanged file again adds nothing", () =>
    scene(({ folder, points, session, write }) =>
      Effect.gen(function* () {
        yield* write("a.txt", "0")
        yield* points.capture(`${folder}/a.txt`, "read")
        yield* points.capture("a.txt", "read")
        yield* points.capture(`${folder}/a.txt`, "change")
        assert.deepStrictEqual(yield* points.scan("turn"), [])
        assert.deepStrictEqual(kept(session), ["a.txt"])
      })
    )
  )

  it.effect("ignored files, huge files, maia's own files, folders and unread files outside are not kept", () =>
    scene(({ folder, points, session, write }) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        const outside = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
        yield* fs.writeFileString(`${outside}/o.txt`, "o")
        yield* write(".gitignore", ".env\nbuild/\n")
        yield* write(".env", "secret")
        yield* fs.makeDirectory(`${folder}/build`)
        yield* write("build/x.js", "x")
        yield* write("huge", "x".repeat(10_000_001))
        yield* fs.makeDirectory(`${folder}/.git`)
        yield* write(".git/config", "x")
        for (const name of [
          ".env",
          "build/x.js",
          "huge",
          ".git/config",
          ".maia/settings.json",
          "build",
          `${outside}/o.txt`
        ]) {
          yield* points.capture(name, "read")
        }
        yield* points.capture(".env", "change")
        assert.deepStrictEqual(kept(session), [])
        yield* points.capture(`${outside}/o.txt`, "change")
        assert.deepStrictEqual(kept(session), [`${outside}/o.txt`])
      })
    )
  )

  it.effect("nothing is kept for a session that is not saved, or when the settings say so", () => {
    const nothing = ({ folder, points, session, write }: Scene) =>
      Effect.gen(function* () {
        const fs = yield* FileSystem.FileSystem
        yield* write("a.txt", "0")
        yield* points.capture(`${folder}/a.txt`, "change")
        assert.deepStrictEqual(session.entries(), [])
        assert.isFalse(yield* fs.exists(`${folder}/.maia/.checkpoints`))
      })
    const checkpoints = { enabled: false, maxDays: 1, maxMegabytes: 1 }
    return Effect.andThen(scene(nothing, { save: false }), scene(nothing, { config: { settings: { checkpoints } } }))
  })

  it.effect("the store forgets what is too old, then the oldest until the rest fits", () =>
    Effect.gen(function* () {
      const fs = yield* FileSystem.FileSystem
      const folder = yield* Effect.flatMap(fs.makeTempDirectoryScoped(), fs.realPath)
      const checkpoints = { enabled: true, maxDays: 1, maxMegabytes: 1 }
      const store = yield* makeBlobStore(testConfig({ launchFolder: folder, settings: { checkpoints } }))
      const put = Effect.fnUntraced(function* (fill: number, size: number, modified: number) {
        const bytes = new Uint8Array(size).fill(fill)
        const hash = yield* hashOf(bytes)
        yield* store.put(hash, bytes)
        const time = new Date(modified)
        yield* fs.utimes(`${folder}/.maia/.checkpoints/${hash.slice(0, 2)}/${hash}`, time, time)
        return hash
      })
      // The clock of the test stands at 0.
      const old = yield* put(1, 10, -2 * 24 * 3_600_000)
      const first = yield* put(2, 400_000, -3000)
      const second = yield* put(3, 400_000, -2000)
      const third = yield* put(4, 400_000, -1000)
      yield* store.sweep
      const present = yield* Effect.forEach([old, first, second, third], (hash) =>
        Effect.map(store.get(hash), (bytes) => bytes !== undefined)
      )
      assert.deepStrictEqual(present, [false, false, true, true])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})
