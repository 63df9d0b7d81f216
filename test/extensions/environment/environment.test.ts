import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { isDangerousVariable } from "../../../src/extensions/environment/dangerous.ts"
import { parseDotenv } from "../../../src/extensions/environment/dotenv.ts"
import { ProjectEnvironment } from "../../../src/extensions/environment/ProjectEnvironment.ts"
import { Shell } from "../../../src/process/Shell.ts"
import { outputOf } from "../../process/support/shell.ts"
import { around, folders, type Around, type Folders } from "../support.ts"

const read = (content: string) =>
  Object.fromEntries([...parseDotenv(content).variables].map(([k, { value }]) => [k, value]))

describe("dotenv", () => {
  const rows: ReadonlyArray<readonly [content: string, variables: Readonly<Record<string, string>>]> = [
    ["A=1\nB=two words \n", { A: "1", B: "two words" }],
    ["# note\n\n  export A = x # note\nB=a#b\nC=#x", { A: "x", B: "a#b", C: "" }],
    ['A=\'$x \\n " #\'\nB="a\\n\\"b\\" \\\\ \\x $HOME"', { A: '$x \\n " #', B: 'a\n"b" \\ \\x $HOME' }],
    ["A='one\ntwo'\nB=\"x\ny\"\nC=3", { A: "one\ntwo", B: "x\ny", C: "3" }],
    ["A=1\nA=2", { A: "2" }],
    ["A=$(touch made)\nB=`x`", { A: "$(touch made)", B: "`x`" }],
    ["A=a=b", { A: "a=b" }],
    ["", {}]
  ]
  for (const [content, variables] of rows) {
    it(JSON.stringify(content), () => assert.deepStrictEqual(read(content), variables))
  }

  it("lines that are none, and open quotes, are told by number; the rest counts", () => {
    const { problems, variables } = parseDotenv("A='x\ny'\nnothing here\n1A=x\nB=\"open\nC=3\n")
    assert.deepStrictEqual(
      problems.map(({ line, text }) => [line, text.en]),
      [
        [3, "expected NAME=value"],
        [4, "expected NAME=value"],
        [5, "a quote is never closed"]
      ]
    )
    assert.deepStrictEqual([...variables.keys()], ["A", "C"])
  })
})

describe("variables a project may not set", () => {
  const dangerous =
    "PATH path HOME LD_PRELOAD ld_library_path DYLD_INSERT_LIBRARIES NODE_OPTIONS BASH_ENV ENV IFS PYTHONSTARTUP PERL5OPT " +
    "RUBYOPT JAVA_TOOL_OPTIONS GIT_EXTERNAL_DIFF GIT_CONFIG_COUNT GIT_SSH_COMMAND EDITOR PAGER LESSOPEN https_proxy " +
    "npm_config_script_shell XDG_CONFIG_HOME RUSTC_WRAPPER GOFLAGS MAKEFLAGS BASH_FUNC_ls%% MAIA_CWD LITELLM_URL"
  const settings =
    "RIPGREP_CONFIG_PATH LESS MANOPT BAT_PAGER GH_PAGER HGRCPATH KUBECONFIG DOCKER_HOST PYTHONWARNINGS WGETRC FZF_DEFAULT_COMMAND"
  for (const name of settings.split(" "))
    it(`${name} changes what an allowed program runs`, () => assert.isTrue(isDangerousVariable(name)))
  for (const name of ["PYTHONUNBUFFERED", "COMPOSE_FILE", "LESS_MORE"])
    it(`${name} changes nothing of that`, () => assert.isFalse(isDangerousVariable(name)))
  for (const name of dangerous.split(" ")) it(name, () => assert.isTrue(isDangerousVariable(name)))
  for (const name of "API_KEY DATABASE_URL DEBUG CI NODE_ENV GIT_AUTHOR_NAME TZ OPENAI_API_KEY PORT".split(" ")) {
    it(`${name} is none`, () => assert.isFalse(isDangerousVariable(name)))
  }
})

const withEnvironment = <A, E>(
  at: Folders,
  use: Effect.Effect<A, E, ProjectEnvironment | Shell>,
  options: Around = {}
) =>
  use.pipe(
    Effect.provide(Shell.layer.pipe(Layer.provideMerge(ProjectEnvironment.layer), Layer.provide(around(at, options))))
  )

const warningsOf = Effect.flatMap(ProjectEnvironment, ({ kind }) =>
  Effect.map(kind.load, ({ warnings }) => warnings.map(({ en }) => en.replace(/^.*?\.maia\//, "")))
)

const print = Effect.flatMap(Shell, (shell) =>
  Effect.map(shell.run({ command: 'echo "$A|$B|$GIT_EXTERNAL_DIFF|$LD_PRELOAD"' }), (result) => outputOf(result).trim())
)

describe(".maia/env", () => {
  const write = (at: Folders) => {
    at.write("home/.maia/env", "A=user\nB=user\nGIT_EXTERNAL_DIFF=mine\n")
    at.write(
      "parent/project/.maia/env",
      "\ufeffA=project\r\nLD_PRELOAD=./evil.so\r\nGIT_EXTERNAL_DIFF=./evil\r\nwrong\r\n"
    )
  }

  it.live("a trusted project's over the user's, but for what decides what runs", () =>
    Effect.gen(function* () {
      const at = yield* folders
      write(at)
      assert.strictEqual(yield* withEnvironment(at, print), "project|user|mine|")
      assert.deepStrictEqual(yield* withEnvironment(at, warningsOf), [
        "env:4: expected NAME=value.",
        "env:2: LD_PRELOAD is ignored: a project may not set what decides which programs run. Set it in ~/.maia/env if you want it.",
        "env:3: GIT_EXTERNAL_DIFF is ignored: a project may not set what decides which programs run. Set it in ~/.maia/env if you want it."
      ])
    })
  )

  it.live("of an untrusted project nothing counts, not even its faults", () =>
    Effect.gen(function* () {
      const at = yield* folders
      write(at)
      assert.strictEqual(yield* withEnvironment(at, print, { trusted: false }), "user|user|mine|")
      assert.deepStrictEqual(yield* withEnvironment(at, warningsOf, { trusted: false }), [])
    })
  )
})
