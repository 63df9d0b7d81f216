/** The live judge on real folders: links, answers that write rules, modes, the log (spec 03; field cases C16, C17, C19). */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Config, type PermissionRuleSource } from "../../src/config/Config.ts"
import { Permissions } from "../../src/permissions/Permissions.ts"
import { permissionsLayer } from "../../src/permissions/PermissionsLive.ts"
import { testConfig } from "../support/testConfig.ts"

interface Place {
  readonly root: string
  readonly project: string
  readonly home: string
}

const place = Effect.acquireRelease(
  Effect.sync((): Place => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "maia-permissions-")))
    const at = { root, project: path.join(root, "Project"), home: path.join(root, "home") }
    fs.mkdirSync(at.project)
    fs.mkdirSync(at.home)
    fs.mkdirSync(path.join(root, "outside"))
    return at
  }),
  ({ root }) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
)

const rulesOf = (lists: Partial<Record<PermissionRuleSource["kind"], ReadonlyArray<string>>>) =>
  (["allow", "ask", "deny"] as const).flatMap((kind) =>
    (lists[kind] ?? []).map((rule, at) => ({ rule, kind, scope: "user" as const, file: "settings.json", line: at + 1 }))
  )

const start = (at: Place, rules: ReadonlyArray<PermissionRuleSource>) =>
  Effect.map(
    Layer.build(
      Layer.fresh(permissionsLayer).pipe(
        Layer.provide(Layer.succeed(Config, Config.of(testConfig({ launchFolder: at.project, home: at.home, rules }))))
      )
    ),
    (context) => Layer.succeedContext(context)
  )

const decide = (tool: string, input: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(Permissions, (permissions) => permissions.decide({ tool, input, fallback: "ask" }))

const decisionOf = (tool: string, input: Readonly<Record<string, unknown>>) =>
  Effect.map(decide(tool, input), ({ decision }) => decision)

describe("links on the disk", () => {
  it.live("lead where they lead: new files behind them, denied ones, loops, links to nowhere", () =>
    Effect.gen(function* () {
      const at = yield* place
      const here = (name: string) => path.join(at.project, name)
      fs.symlinkSync("../outside", here("out"))
      fs.writeFileSync(here("denied.txt"), "x")
      fs.symlinkSync("denied.txt", here("lnk"))
      fs.symlinkSync("../outside/not-there-yet", here("nowhere"))
      fs.symlinkSync("loop-b", here("loop-a"))
      fs.symlinkSync("loop-a", here("loop-b"))
      fs.mkdirSync(here("sub"))
      fs.symlinkSync("sub", here("inside"))
      const live = yield* start(
        at,
        rulesOf({ allow: ["Read(**)", "Write(**)"], deny: ["Read(denied.txt)", "Write(inside/secret.txt)"] })
      )
      const write = (name: string) => Effect.provide(decisionOf("Write", { path: name }), live)
      const read = (name: string) => Effect.provide(decisionOf("Read", { path: name }), live)
      assert.strictEqual(yield* write("out/new.txt"), "ask")
      assert.strictEqual(yield* write("nowhere"), "ask")
      assert.strictEqual(yield* write("sub/secret.txt"), "allow")
      assert.strictEqual(yield* write("inside/secret.txt"), "deny")
      assert.strictEqual(yield* write("inside/new.txt"), "allow")
      assert.strictEqual(yield* read("lnk"), "deny")
      assert.strictEqual(yield* read("lnk/"), "deny")
      assert.strictEqual(yield* read("loop-a"), "allow")
      assert.strictEqual(yield* read("other.txt"), "allow")
    }).pipe(Effect.scoped)
  )
})

describe("answers", () => {
  it.live("always for the session is honoured by the next call and written nowhere", () =>
    Effect.gen(function* () {
      const at = yield* place
      const live = yield* start(at, [])
      yield* Effect.gen(function* () {
        const permissions = yield* Permissions
        assert.strictEqual(yield* decisionOf("Bash", { command: "make" }), "ask")
        yield* permissions.allow("Bash(make)", "session")
        assert.strictEqual(yield* decisionOf("Bash", { command: "make" }), "allow")
        assert.strictEqual(yield* decisionOf("Bash", { command: "make all" }), "ask")
      }).pipe(Effect.provide(live))
      assert.isFalse(fs.existsSync(path.join(at.project, ".maia")))
      assert.isFalse(fs.existsSync(path.join(at.home, ".maia")))
    }).pipe(Effect.scoped)
  )

  it.live("always for the user is written into the user's settings and keeps what is there", () =>
    Effect.gen(function* () {
      const at = yield* place
      const file = path.join(at.home, ".maia", "settings.json")
      fs.mkdirSync(path.dirname(file))
      fs.writeFileSync(file, '{\n  // mine\n  "model": "m",\n  "permissions": { "deny": ["Bash(rm *)"] }\n}\n')
      const live = yield* start(at, rulesOf({ deny: ["Bash(rm *)"] }))
      yield* Effect.gen(function* () {
        const permissions = yield* Permissions
        yield* permissions.allow("Bash(make)", "user")
        assert.strictEqual(yield* decisionOf("Bash", { command: "make" }), "allow")
        yield* permissions.allow("Bash(rm x)", "user")
        assert.strictEqual(yield* decisionOf("Bash", { command: "rm x" }), "deny")
      }).pipe(Effect.provide(live))
      const text = fs.readFileSync(file, "utf8")
      assert.include(text, "// mine")
      assert.include(text, '"Bash(make)"')
      assert.include(text, '"Bash(rm *)"')
    }).pipe(Effect.scoped)
  )

  it.live("what is no rule is refused with the form that is expected", () =>
    Effect.gen(function* () {
      const at = yield* place
      const live = yield* start(at, [])
      const message = yield* Effect.provide(
        Effect.flip(Effect.flatMap(Permissions, (permissions) => permissions.allow("rm -rf", "session"))),
        live
      )
      assert.include(message.message, "Tool(pattern)")
    }).pipe(Effect.scoped)
  )
})

describe("modes and the log", () => {
  it.live("a changed mode counts from the next call on; every decision is logged with its rule", () =>
    Effect.gen(function* () {
      const at = yield* place
      const live = yield* start(at, rulesOf({ allow: ["Bash(ls *)"], deny: ["Bash(rm *)"] }))
      yield* Effect.gen(function* () {
        const permissions = yield* Permissions
        assert.strictEqual(yield* decisionOf("Write", { path: "a" }), "ask")
        yield* permissions.setMode("accept-edits")
        assert.strictEqual(yield* decisionOf("Write", { path: "a" }), "allow")
        yield* permissions.setMode("plan")
        assert.strictEqual(yield* decisionOf("Bash", { command: "ls" }), "deny")
        yield* permissions.setMode("auto")
        assert.strictEqual(yield* decisionOf("Bash", { command: "make" }), "allow")
        assert.strictEqual(yield* decisionOf("Bash", { command: "rm x" }), "deny")
        const log = yield* permissions.log
        assert.deepStrictEqual(
          log.map(({ decision, tool }) => `${tool} ${decision}`),
          ["Write ask", "Write allow", "Bash deny", "Bash allow", "Bash deny"]
        )
        assert.strictEqual(log.at(-1)?.rule?.text, "Bash(rm *)")
        assert.strictEqual(log.at(-1)?.rule?.line, 1)
      }).pipe(Effect.provide(live))
    }).pipe(Effect.scoped)
  )

  it.live("the log does not grow without end", () =>
    Effect.gen(function* () {
      const at = yield* place
      const live = yield* start(at, [])
      yield* Effect.gen(function* () {
        for (let n = 0; n < 1_200; n++) yield* decide("Read", { path: `f${n}` })
        const log = yield* Effect.flatMap(Permissions, (permissions) => permissions.log)
        assert.isAtMost(log.length, 1_000)
        assert.strictEqual(log.at(-1)?.subject, "f1199")
      }).pipe(Effect.provide(live))
    }).pipe(Effect.scoped)
  )
})

describe("the case of names", () => {
  it.live("is taken from the file system of the folder", () =>
    Effect.gen(function* () {
      const at = yield* place
      const isOne = fs.existsSync(path.join(at.root, "PROJECT"))
      const live = yield* start(at, rulesOf({ allow: ["Read(**)"], deny: ["Read(denied)"] }))
      assert.strictEqual(yield* Effect.provide(decisionOf("Read", { path: "DENIED" }), live), isOne ? "deny" : "allow")
    }).pipe(Effect.scoped)
  )
})
