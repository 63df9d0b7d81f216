import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import { TestClock } from "effect/testing"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { parse } from "jsonc-parser"
import type { ConfigError } from "../../src/config/loadConfig.ts"
import { ownIdentity } from "../../src/config/processIdentity.ts"
import { editSettings, updateSettings, type SettingsEdit } from "../../src/config/writeSettings.ts"

const folder = Effect.acquireRelease(
  Effect.sync(() => fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "maia-settings-")))),
  (made) => Effect.sync(() => fs.rmSync(made, { recursive: true, force: true }))
)

const edited = (source: string, ...edits: ReadonlyArray<SettingsEdit>) => editSettings("settings.json", source, edits)

const failure = (effect: Effect.Effect<unknown, ConfigError>) =>
  Effect.map(Effect.flip(effect), ({ message }) => message)

describe("the text of a settings file", () => {
  it.effect("keeps comments, order, indentation and line ends", () =>
    Effect.gen(function* () {
      const source =
        '{\r\n\t// my server\r\n\t"model": "a", // chosen\r\n\t"permissions": { "allow": ["Read"] }\r\n}\r\n'
      const after = yield* edited(source, { path: ["maxIterations"], value: 3 }, { path: ["model"], value: "b" })
      assert.include(after, "\t// my server\r\n")
      assert.include(after, '"model": "b", // chosen\r\n')
      assert.include(after, '\r\n\t"maxIterations": 3\r\n')
      assert.notMatch(after, /[^\r]\n/)
    })
  )

  it.effect("adds to a list once, also to one with a trailing comma, a comment, or none at all", () =>
    Effect.gen(function* () {
      const append: SettingsEdit = { path: ["permissions", "allow"], append: "Bash(ls)" }
      for (const [source, expected] of [
        ["", ["Bash(ls)"]],
        ["{}", ["Bash(ls)"]],
        ['{"permissions": {}}', ["Bash(ls)"]],
        ['{"permissions": {"allow": []}}', ["Bash(ls)"]],
        ['{"permissions": {"allow": ["Read",]}}', ["Read", "Bash(ls)"]],
        ['{"permissions": {"allow": ["Read" // all\n]}}', ["Read", "Bash(ls)"]],
        ['{"permissions": {"allow": ["Bash(ls)", "Read"]}}', ["Bash(ls)", "Read"]]
      ] as const) {
        const after = yield* edited(source, append, append)
        assert.deepStrictEqual(parse(after).permissions.allow, [...expected], source)
        if (source.includes("// all")) assert.include(after, "// all")
      }
    })
  )

  it.effect("what is there already is not written again: the text stays the same", () =>
    Effect.gen(function* () {
      const source = '{ "permissions": {"allow": [ "Read" ]} }'
      assert.strictEqual(yield* edited(source, { path: ["permissions", "allow"], append: "Read" }), source)
    })
  )

  it.effect("removes a key, and does nothing for one that is not there", () =>
    Effect.gen(function* () {
      const source = '{ "model": "a", "maxIterations": 2 }'
      assert.deepStrictEqual(parse(yield* edited(source, { path: ["model"], value: undefined })), { maxIterations: 2 })
      assert.strictEqual(yield* edited(source, { path: ["language"], value: undefined }), source)
    })
  )

  it.effect("keeps a byte order mark, and names from the prototype are keys like others", () =>
    Effect.gen(function* () {
      const after = yield* edited('\uFEFF{"model": "a"}', {
        path: ["models", "constructor", "contextWindow"],
        value: 5
      })
      assert.isTrue(after.startsWith("\uFEFF{"))
      assert.strictEqual(parse(after.slice(1)).models.constructor.contextWindow, 5)
    })
  )

  it.effect("leaves alone what is no JSON, no object, no list, and names the place", () =>
    Effect.gen(function* () {
      const append: SettingsEdit = { path: ["permissions", "allow"], append: "Read" }
      assert.match(yield* failure(edited('{\n  "model" "a"\n}', append)), /^settings\.json:2: this is not valid JSON/)
      assert.match(yield* failure(edited("[]", append)), /expected a JSON object/)
      assert.match(yield* failure(edited('{"permissions": 3}', append)), /expected a JSON object at "permissions"/)
      assert.match(yield* failure(edited('{"permissions": {"allow": "Read"}}', append)), /must be a list/)
    })
  )

  it.effect("a value that would stop the next start is refused; an old problem is not in the way", () =>
    Effect.gen(function* () {
      assert.match(yield* failure(edited("{}", { path: ["maxIterations"], value: -1 })), /"maxIterations" must be/)
      const after = yield* edited('{"maxIterations": -1}', { path: ["model"], value: "a" })
      assert.deepStrictEqual(parse(after), { maxIterations: -1, model: "a" })
    })
  )
})

describe("the file", () => {
  it.live("is made with its folder, readable by its owner only; an existing one keeps its mode", () =>
    Effect.gen(function* () {
      const file = path.join(yield* folder, "new", "settings.json")
      const first = yield* updateSettings(file, [{ path: ["model"], value: "a" }])
      assert.deepStrictEqual(first, { before: undefined, after: '{\n  "model": "a"\n}\n' })
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o600)
      assert.strictEqual(fs.statSync(path.dirname(file)).mode & 0o777, 0o700)
      fs.chmodSync(file, 0o644)
      const second = yield* updateSettings(file, [{ path: ["model"], value: "b" }])
      assert.deepStrictEqual(second, { before: first.after, after: fs.readFileSync(file, "utf8") })
      assert.strictEqual(fs.statSync(file).mode & 0o777, 0o644)
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["settings.json"])
    })
  )

  it.live("a link stays a link", () =>
    Effect.gen(function* () {
      const made = yield* folder
      fs.writeFileSync(path.join(made, "real.json"), "{}")
      fs.symlinkSync("real.json", path.join(made, "settings.json"))
      yield* updateSettings(path.join(made, "settings.json"), [{ path: ["model"], value: "a" }])
      assert.isTrue(fs.lstatSync(path.join(made, "settings.json")).isSymbolicLink())
      assert.strictEqual(parse(fs.readFileSync(path.join(made, "real.json"), "utf8")).model, "a")
    })
  )

  it.live("a project's file that is a link to the user's own settings is not followed", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const project = path.join(made, "project")
      fs.mkdirSync(path.join(project, ".maia"), { recursive: true })
      const file = path.join(project, ".maia", "settings.json")
      yield* updateSettings(file, [{ path: ["model"], value: "a" }], { within: project })
      fs.renameSync(file, path.join(made, "users.json"))
      fs.symlinkSync("../../users.json", file)
      const before = fs.readFileSync(path.join(made, "users.json"), "utf8")
      const update = updateSettings(file, [{ path: ["model"], value: "b" }], { within: project })
      assert.match(yield* failure(update), /is a link that leads out of its folder/)
      assert.strictEqual(fs.readFileSync(path.join(made, "users.json"), "utf8"), before)
    })
  )

  it.live("a file that must not be changed is as it was, and no lock stays behind", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const file = path.join(made, "settings.json")
      fs.writeFileSync(file, '{ "model": ')
      yield* Effect.flip(updateSettings(file, [{ path: ["model"], value: "a" }]))
      assert.strictEqual(fs.readFileSync(file, "utf8"), '{ "model": ')
      assert.deepStrictEqual(fs.readdirSync(made), ["settings.json"])
    })
  )

  it.live("a place that cannot be written is said with the system's reason", () =>
    Effect.gen(function* () {
      const made = yield* folder
      fs.writeFileSync(path.join(made, "plain"), "")
      const file = path.join(made, "plain", "settings.json")
      assert.match(yield* failure(updateSettings(file, [])), /cannot be written \(E(EXIST|NOTDIR)\)/)
    })
  )
})

const bun = process.execPath
const addKeys = path.join(import.meta.dirname, "fixtures", "addKeys.ts")

describe("D11 several instances, one file", () => {
  it.live("two processes add 100 keys each while a third reads: all are there, no reader sees half a file", () =>
    Effect.gen(function* () {
      const file = path.join(yield* folder, "settings.json")
      fs.writeFileSync(file, "{}")
      const writers = ["a", "b"].map((prefix) =>
        Bun.spawn([bun, addKeys, file, prefix, "100"], { stdio: ["ignore", "inherit", "inherit"] })
      )
      let reads = 0
      const reader = yield* Effect.forkChild(
        Effect.promise(async () => {
          while (writers.some(({ exitCode }) => exitCode === null)) {
            JSON.parse(fs.readFileSync(file, "utf8"))
            reads++
            await new Promise((resolve) => setImmediate(resolve))
          }
        })
      )
      const codes = yield* Effect.promise(() => Promise.all(writers.map((writer) => writer.exited)))
      assert.isTrue(Exit.isSuccess(yield* Fiber.await(reader)))
      assert.deepStrictEqual(codes, [0, 0])
      assert.isAbove(reads, 100)
      const { models } = JSON.parse(fs.readFileSync(file, "utf8"))
      assert.strictEqual(Object.keys(models).length, 200)
      assert.deepStrictEqual(fs.readdirSync(path.dirname(file)), ["settings.json"])
    })
  )

  it.live("updates at once in one process lose nothing", () =>
    Effect.gen(function* () {
      const file = path.join(yield* folder, "settings.json")
      yield* Effect.forEach(
        Array.from({ length: 30 }, (_, n) => n),
        (n) => updateSettings(file, [{ path: ["permissions", "allow"], append: `Bash(echo ${n})` }]),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(parse(fs.readFileSync(file, "utf8")).permissions.allow.length, 30)
    })
  )

  it.live("the lock of a dead process is taken over, by any number of processes, each keeping its keys", () =>
    Effect.gen(function* () {
      const made = yield* folder
      const file = path.join(made, "settings.json")
      fs.writeFileSync(file, "{}")
      const dead = { host: os.hostname(), pid: ownIdentity().pid, start: "1@dead", mark: "dead-owner" }
      fs.writeFileSync(`${file}.lock`, JSON.stringify(dead))
      // One that died while it was removing that lock.
      fs.writeFileSync(`${file}.lock.dead-owner`, JSON.stringify({ ...dead, mark: "dead-helper" }))
      fs.writeFileSync(`${file}.new`, "half of a")
      const writers = ["a", "b", "c"].map((prefix) =>
        Bun.spawn([bun, addKeys, file, prefix, "10"], { stdio: ["ignore", "inherit", "inherit"] })
      )
      const codes = yield* Effect.promise(() => Promise.all(writers.map((writer) => writer.exited)))
      assert.deepStrictEqual(codes, [0, 0, 0])
      assert.strictEqual(Object.keys(JSON.parse(fs.readFileSync(file, "utf8")).models).length, 30)
      assert.deepStrictEqual(fs.readdirSync(made), ["settings.json"])
    })
  )

  it.live("a lock that names nobody is somebody's for ten seconds, then nobody's", () =>
    Effect.gen(function* () {
      const file = path.join(yield* folder, "settings.json")
      fs.writeFileSync(`${file}.lock`, "")
      const update = yield* Effect.forkChild(updateSettings(file, [{ path: ["model"], value: "a" }]))
      yield* Effect.yieldNow
      assert.isFalse(fs.existsSync(file))
      const old = new Date(Date.now() - 11_000)
      fs.utimesSync(`${file}.lock`, old, old)
      yield* Fiber.join(update)
      assert.strictEqual(parse(fs.readFileSync(file, "utf8")).model, "a")
    })
  )

  it.effect("a lock that stays is said with its process after ten seconds; the lock of the living is not touched", () =>
    Effect.gen(function* () {
      const file = path.join(yield* folder, "settings.json")
      fs.writeFileSync(`${file}.lock`, JSON.stringify({ ...ownIdentity(), mark: "alive" }))
      const update = yield* Effect.forkChild(failure(updateSettings(file, [{ path: ["model"], value: "a" }])))
      yield* TestClock.adjust("20 seconds")
      assert.include(yield* Fiber.join(update), `process ${process.pid} keeps it locked`)
      assert.isTrue(fs.existsSync(`${file}.lock`))
      assert.isFalse(fs.existsSync(file))
    })
  )
})
