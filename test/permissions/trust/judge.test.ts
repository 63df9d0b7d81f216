import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { Config } from "../../../src/config/Config.ts"
import { loadConfig } from "../../../src/config/loadConfig.ts"
import { Permissions } from "../../../src/permissions/Permissions.ts"
import { permissionsLayer } from "../../../src/permissions/PermissionsLive.ts"
import { FolderTrust } from "../../../src/permissions/trust/FolderTrust.ts"

const folders = Effect.acquireRelease(
  Effect.sync(() => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "maia-trust-judge-")))
    fs.mkdirSync(path.join(root, "home"))
    fs.mkdirSync(path.join(root, "project", ".maia"), { recursive: true })
    return { root, home: path.join(root, "home"), project: path.join(root, "project") }
  }),
  ({ root }) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
)

/** One start of maia: settings read from the files, then the judge and the trust on them. */
const start = <A, E>(
  at: { readonly home: string; readonly project: string },
  use: Effect.Effect<A, E, Permissions | FolderTrust>,
  thisRun = false
) =>
  Effect.gen(function* () {
    const config = yield* loadConfig({
      flags: { cwd: at.project },
      env: { HOME: at.home },
      platform: process.platform,
      version: "0"
    })
    const layer = Layer.fresh(permissionsLayer).pipe(
      Layer.provideMerge(FolderTrust.layer({ thisRun })),
      Layer.provide([Layer.succeed(Config, Config.of(config)), NodeServices.layer])
    )
    return yield* Effect.provide(use, layer)
  })

const decide = (command: string) =>
  Effect.flatMap(Permissions, (permissions) =>
    Effect.map(permissions.decide({ tool: "Bash", input: { command }, fallback: "ask" }), ({ decision }) => decision)
  )

const settings = { permissions: { allow: ["Bash(make)"], deny: ["Bash(rm *)"] } }
const write = (at: { readonly project: string }, value: unknown): void =>
  fs.writeFileSync(path.join(at.project, ".maia", "settings.json"), JSON.stringify(value))

describe("rules that a repository brings along", () => {
  it.live("allow counts once the folder is trusted, or with --trust; deny always", () =>
    Effect.gen(function* () {
      const at = yield* folders
      write(at, settings)
      const both = Effect.all([decide("make"), decide("rm x")])
      assert.deepStrictEqual(yield* start(at, both), ["ask", "deny"])
      assert.deepStrictEqual(yield* start(at, both, true), ["allow", "deny"])
      const answered = Effect.gen(function* () {
        const trust = yield* FolderTrust
        yield* trust.trust(yield* trust.report)
        return yield* both
      })
      assert.deepStrictEqual(yield* start(at, answered), ["allow", "deny"])
      assert.deepStrictEqual(yield* start(at, both), ["allow", "deny"])
    })
  )

  it.live('an "always" for the project counts at the next start without a question', () =>
    Effect.gen(function* () {
      const at = yield* folders
      const always = Effect.flatMap(Permissions, (permissions) => permissions.allow("Bash(make)", "project"))
      yield* start(at, always)
      assert.strictEqual(yield* start(at, decide("make")), "allow")
      assert.strictEqual(
        yield* start(
          at,
          Effect.flatMap(FolderTrust, ({ status }) => status)
        ),
        "trusted"
      )
      write(at, { permissions: { allow: ["Bash(make)", "Bash(curl *)"] } })
      assert.strictEqual(yield* start(at, decide("make")), "ask")
    })
  )
})
