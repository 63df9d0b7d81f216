import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect } from "effect"
import { CliError, Command } from "effect/cli"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { ExitCode } from "../../src/cli/ExitCode.ts"
import { Launch } from "../../src/cli/Launch.ts"
import { trustCommand } from "../../src/cli/trustCommands.ts"
import { Output } from "../../src/process/stdout.ts"

const folders = Effect.acquireRelease(
  Effect.sync(() => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "maia-trust-cli-")))
    const at = { root, home: path.join(root, "home"), project: path.join(root, "project") }
    fs.mkdirSync(path.join(at.home, ".maia"), { recursive: true })
    fs.mkdirSync(at.project)
    return at
  }),
  ({ root }) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
)

/** Runs `maia trust …` in this process. */
const trust = Effect.fnUntraced(function* (
  at: { readonly home: string; readonly project: string },
  language: "en" | "fr",
  ...args: ReadonlyArray<string>
) {
  let out = ""
  let err = ""
  const exit = ExitCode.of({ code: -1 })
  yield* Command.runWith(
    trustCommand((en) => en),
    { version: "0" }
  )([...args, "--cwd", at.project]).pipe(
    Effect.provideService(ExitCode, exit),
    Effect.provideService(
      Launch,
      Launch.of({ env: { HOME: at.home }, platform: process.platform, version: "0", language })
    ),
    Effect.provideService(
      Output,
      Output.of({
        out: (text) => Effect.sync(() => void (out += text)),
        err: (text) => Effect.sync(() => void (err += text)),
        drain: Effect.void,
        outIsTerminal: false,
        errIsTerminal: false
      })
    ),
    Effect.provide(NodeServices.layer),
    Effect.catchIf(CliError.isCliError, Effect.die)
  )
  return { code: exit.code, out, err }
})

const remember = (at: { readonly home: string }, ...names: ReadonlyArray<string>): void => {
  const entry = { trustedAt: "2026-11-30T05:04:03.000Z", parts: {} }
  const json = { folders: Object.fromEntries(names.map((name) => [name, entry])) }
  fs.writeFileSync(path.join(at.home, ".maia/trust.json"), JSON.stringify(json))
}

describe("maia trust", () => {
  it.live("list shows when each folder was trusted, escapes made harmless; --json gives all", () =>
    Effect.gen(function* () {
      const at = yield* folders
      assert.deepStrictEqual(yield* trust(at, "en", "list"), { code: 0, out: "", err: "" })
      remember(at, "/b", "/a\u001b]0;x\u0007")
      const { out } = yield* trust(at, "en", "list")
      assert.match(out, /^2026-11-30 05:04 {2}\/a.*\n2026-11-30 05:04 {2}\/b\n$/)
      assert.notInclude(out, "\u001b")
      const json = yield* trust(at, "en", "list", "--json")
      assert.deepStrictEqual(JSON.parse(json.out)[1], { folder: "/b", trustedAt: "2026-11-30T05:04:03.000Z" })
    })
  )

  it.live("revoke takes back this folder, or the one named; one that is not trusted is an error", () =>
    Effect.gen(function* () {
      const at = yield* folders
      remember(at, at.project, path.join(at.root, "other"))
      assert.deepStrictEqual(yield* trust(at, "en", "revoke"), { code: 0, out: "", err: "" })
      assert.strictEqual((yield* trust(at, "en", "revoke", "../other")).code, 0)
      assert.deepStrictEqual(JSON.parse(fs.readFileSync(path.join(at.home, ".maia/trust.json"), "utf8")), {
        folders: {}
      })
      const again = yield* trust(at, "fr", "revoke", "../other")
      assert.strictEqual(again.code, 1)
      assert.match(again.err, /^maia: \.\.\/other n'est pas considéré comme fiable/)
    })
  )

  it.live("a trust file that is not maia's is said, in one line", () =>
    Effect.gen(function* () {
      const at = yield* folders
      fs.writeFileSync(path.join(at.home, ".maia/trust.json"), "{")
      for (const command of ["list", "revoke"]) {
        const { code, err } = yield* trust(at, "en", command)
        assert.strictEqual(code, 1)
        assert.match(err, /^maia: .*trust\.json is not what maia writes there.*\n$/)
      }
    })
  )
})
