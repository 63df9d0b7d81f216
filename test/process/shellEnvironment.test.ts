import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import { findBash, noBash } from "../../src/process/findBash.ts"
import { parseStat } from "../../src/process/processTable.ts"
import { shellEnvironment } from "../../src/process/shellEnvironment.ts"
import { temporaryFolder } from "./support/shell.ts"

describe("environment", () => {
  it("nothing asks a question", () => {
    const env = shellEnvironment(
      { PATH: "/bin", EDITOR: "vi", PAGER: "less", SSH_ASKPASS: "/x", TERM: "xterm" },
      { PWD: "/" }
    )
    assert.strictEqual(env["PATH"], "/bin")
    assert.strictEqual(env["EDITOR"], "false")
    assert.strictEqual(env["PAGER"], "cat")
    assert.strictEqual(env["GIT_TERMINAL_PROMPT"], "0")
    assert.strictEqual(env["TERM"], "dumb")
    assert.strictEqual(env["PWD"], "/")
    assert.notProperty(env, "SSH_ASKPASS")
  })
})

describe("which bash", () => {
  it.live("the first on PATH, but not one of the project", () =>
    Effect.gen(function* () {
      const folder = yield* temporaryFolder
      const mine = path.join(folder, "mine")
      const project = path.join(folder, "project")
      for (const place of [mine, path.join(project, "bin")]) {
        fs.mkdirSync(place, { recursive: true })
        fs.writeFileSync(path.join(place, "bash"), "")
      }
      const env = { PATH: `.:${project}/bin:relative:${mine}:/bin`, SHELL: "/usr/bin/fish" }
      assert.strictEqual(findBash({ env, platform: "linux", launchFolder: project }), path.join(mine, "bash"))
    })
  )

  it("without PATH the usual places", () =>
    assert.match(findBash({ env: {}, platform: "linux", launchFolder: "/p" }) ?? "", /^\/(usr\/)?(local\/)?bin\/bash$/))

  it("Windows without Git Bash: says what to install", () => {
    assert.isUndefined(findBash({ env: {}, platform: "win32", launchFolder: "C:\\p" }))
    assert.include(noBash("win32"), "Git for Windows")
  })
})

describe("process table", () => {
  it("a process name with parentheses, blanks and digits", () =>
    assert.deepStrictEqual(parseStat(7, "7 (a) b) 1 2) S 1 5 6 0 -1 4194304"), {
      pid: 7,
      state: "S",
      group: 5,
      session: 6
    }))
})
