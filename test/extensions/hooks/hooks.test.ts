import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer } from "effect"
import * as fs from "node:fs"
import * as path from "node:path"
import type { ExtensionSettings } from "../../../src/config/Config.ts"
import { CompactionHooks, TreeHooks, type CompactionPreparation } from "../../../src/context/hooks.ts"
import { Hooks } from "../../../src/extensions/hooks/Hooks.ts"
import { hooksLayer } from "../../../src/extensions/hooks/hooksLayer.ts"
import { readHookSettings } from "../../../src/extensions/hooks/hookSettings.ts"
import { Shell } from "../../../src/process/Shell.ts"
import { ActiveSession } from "../../../src/tools/model/ActiveSession.ts"
import { around, folders, type Around, type Folders } from "../support.ts"

const settings = (value: unknown, scope: "user" | "project" = "user"): ExtensionSettings => ({
  key: "hooks",
  scope,
  file: `/${scope}/settings.json`,
  line: 3,
  value
})

const places = { home: "/home/me", launchFolder: "/work" }

describe("hooks in the settings", () => {
  it("a text, a list of words, or an object with matcher and timeout", () => {
    const { hooks, warnings } = readHookSettings(
      [
        settings({
          session_start: "notify 'a b'",
          before_tool: [{ command: ["./.maia/check", "$x"], matcher: "Bash | mcp__*", timeout: 5 }, "~/bin/log"]
        }),
        settings({ before_tool: [{ command: "./.maia/hooks/check.sh --strict" }] }, "project")
      ],
      places
    )
    assert.deepStrictEqual(warnings, [])
    assert.deepStrictEqual(
      hooks.map(({ argv, event, scope, timeout }) => [event, argv, timeout, scope]),
      [
        ["session_start", ["notify", "a b"], 60, "user"],
        ["before_tool", ["/home/me/.maia/check", "$x"], 5, "user"],
        ["before_tool", ["/home/me/bin/log"], 60, "user"],
        ["before_tool", ["/work/.maia/hooks/check.sh", "--strict"], 60, "project"]
      ]
    )
    const [, bash] = hooks
    assert.deepStrictEqual(
      ["Bash", "BashOutput", "mcp__db__query", "Edit"].map((name) => bash?.matches(name)),
      [true, false, true, false]
    )
  })

  it("what is wrong is said with its place, and the others stay", () => {
    const { hooks, warnings } = readHookSettings(
      [
        settings({
          PreToolUse: "x",
          before_tol: "x",
          before_tool: [
            "",
            { command: [] },
            { command: "a | b" },
            { command: "x", timeout: "5" },
            { command: "x", matcher: 1 },
            7
          ],
          before_stop: [{ command: "x", matcher: "Bash", when: "always" }]
        })
      ],
      places
    )
    assert.deepStrictEqual(
      hooks.map(({ event }) => event),
      ["before_stop"]
    )
    const expected: ReadonlyArray<RegExp> = [
      /hooks\.PreToolUse: unknown event; expected session_start, user_prompt/,
      /hooks\.before_tol: unknown event; expected before_tool\./,
      /hooks\.before_tool\[0\]: expected a command, for example/,
      /hooks\.before_tool\[1\]: expected a command/,
      /hooks\.before_tool\[2\]: no shell reads the command, so \| does nothing/,
      /hooks\.before_tool\[3\]: timeout: expected seconds/,
      /hooks\.before_tool\[4\]: matcher: expected tool names/,
      /hooks\.before_tool\[5\]: expected a command/,
      /hooks\.before_stop\[0\]: unknown key when; known: command, matcher, timeout/,
      /hooks\.before_stop\[0\]: matcher means nothing/
    ]
    assert.lengthOf(warnings, expected.length)
    for (const [at, pattern] of expected.entries()) assert.match(warnings[at]?.text.en ?? "", pattern)
    assert.match(warnings[0]?.text.en ?? "", /^\/user\/settings\.json:3: /)
  })
})

const withHooks = <A, E>(
  at: Folders,
  hooks: unknown,
  use: Effect.Effect<A, E>,
  { scope = "user" as "user" | "project", ...options }: Around & { readonly scope?: "user" | "project" } = {}
) =>
  use.pipe(
    Effect.provide(
      hooksLayer.pipe(
        Layer.provide(Layer.mergeAll(Shell.layer, ActiveSession.layer)),
        Layer.provide(around(at, { ...options, config: { extensionSettings: [settings(hooks, scope)] } }))
      )
    )
  )

const sh = (script: string) => ["sh", "-c", script]

/** What the hooks of before_tool for Bash said, and the warnings. */
const said = Effect.gen(function* () {
  const hooks = yield* Hooks
  const answers: Array<unknown> = []
  yield* hooks.run("before_tool", "Bash", { input: { n: 0 } }, ({ answer, blocked }) => {
    answers.push(blocked ?? answer)
    return blocked === undefined ? { input: answer?.input ?? { n: 0 } } : undefined
  })
  return { answers, warnings: (yield* hooks.takeWarnings).map(({ en }) => en) }
})

describe("running hooks", () => {
  it.live("JSON in, JSON out, one after the other; exit 2 stops with stderr as the reason", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const hooks = {
        before_tool: [
          { command: sh(`cat >${at.root}/got; echo '{"input":{"n":1},"note":"ignored"}'`) },
          { command: sh(`cat >${at.root}/second; echo '{}'; echo warned >&2`), matcher: "Bash" },
          { command: sh("exit 9"), matcher: "Edit" },
          { command: sh("echo 'not while the tests run' >&2; exit 2") },
          { command: sh(`touch ${at.root}/never`) }
        ]
      }
      const { answers, warnings } = yield* withHooks(at, hooks, said)
      assert.deepStrictEqual(answers, [{ input: { n: 1 } }, {}, "not while the tests run"])
      assert.deepStrictEqual(warnings, [])
      const got = JSON.parse(fs.readFileSync(path.join(at.root, "got"), "utf8"))
      assert.deepStrictEqual(got, { event: "before_tool", session: null, cwd: at.project, input: { n: 0 } })
      assert.deepStrictEqual(JSON.parse(fs.readFileSync(path.join(at.root, "second"), "utf8")).input, { n: 1 })
      assert.isFalse(fs.existsSync(path.join(at.root, "never")))
    })
  )

  it.live("bad JSON, another exit code, a signal, a time limit and a missing program warn and change nothing", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const hooks = {
        before_tool: [
          sh("echo hello"),
          sh("echo '[1]'"),
          sh(`echo '{"input":"text"}'`),
          sh("echo broken >&2; exit 1"),
          sh("kill -9 $$"),
          { command: sh("sleep 100"), timeout: 0.2 },
          "no-such-program-here",
          sh(`echo '{"input":{"n":5}}'`)
        ].map((hook) => (Array.isArray(hook) ? { command: hook } : hook))
      }
      const { answers, warnings } = yield* withHooks(at, hooks, said)
      assert.deepStrictEqual(answers, [{ input: { n: 5 } }])
      const expected = [
        /something else than one JSON object\. hello$/,
        /something else than one JSON object/,
        /its JSON is not what this event takes/,
        /\[exit code: 1\]\. broken$/,
        /\[killed by signal SIGKILL\]/,
        /\[timed out after 0\.2 s\]/,
        /"no-such-program-here" was not found on PATH/
      ]
      assert.lengthOf(warnings, expected.length, warnings.join("\n"))
      for (const [n, pattern] of expected.entries()) assert.match(warnings[n] ?? "", pattern)
    })
  )

  it.live("a project's hooks run only in a trusted folder, the user's always; faults likewise", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const hooks = { before_tool: { command: sh("echo '{}'") }, wrong: "x" }
      const project = yield* withHooks(at, hooks, said, { scope: "project", trusted: false })
      assert.deepStrictEqual(project, { answers: [], warnings: [] })
      const trusted = yield* withHooks(at, hooks, said, { scope: "project", trusted: true })
      assert.deepStrictEqual([trusted.answers, trusted.warnings.length], [[{}], 1])
      const user = yield* withHooks(at, hooks, said, { trusted: false })
      assert.deepStrictEqual([user.answers, user.warnings.length], [[{}], 1])
    })
  )

  it.live("a notification is not waited for, and is not cut off at the end", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const hooks = { stream_rule_triggered: [{ command: sh(`cat >${at.root}/got`), matcher: "no-lies" }] }
      yield* withHooks(
        at,
        hooks,
        Effect.gen(function* () {
          const service = yield* Hooks
          yield* service.notify("stream_rule_triggered", ["other"], () => ({ rules: ["other"] }))
          yield* service.notify("stream_rule_triggered", ["other", "no-lies"], () => ({ rules: ["other", "no-lies"] }))
        })
      )
      assert.deepStrictEqual(JSON.parse(fs.readFileSync(path.join(at.root, "got"), "utf8")).rules, ["other", "no-lies"])
    })
  )
})

const preparation: CompactionPreparation = {
  reason: "manual",
  strategy: "in-place",
  model: "m",
  instructions: undefined,
  previousSummary: undefined,
  preserveData: undefined,
  messagesToSummarize: [{ role: "user", text: "hello" }],
  turnPrefixMessages: [],
  firstKeptEntryId: "e1",
  tokensBefore: 100,
  files: { readFiles: [], modifiedFiles: [] }
}
const move = { oldLeafId: "a", newLeafId: "b", entries: [], summarize: true }

describe("hooks of the context", () => {
  const before = (at: Folders, script: string) =>
    withHooks(
      at,
      { session_before_compact: { command: sh(script) } },
      Effect.flatMap(CompactionHooks, (hooks) => hooks.before(preparation))
    )

  it.live("session_before_compact: cancels, gives a summary, or lets it be", () =>
    Effect.gen(function* () {
      const at = yield* folders
      assert.deepStrictEqual(yield* before(at, `echo '{"cancel":true}'`), { cancel: true })
      assert.deepStrictEqual(yield* before(at, "echo no >&2; exit 2"), { cancel: true })
      assert.deepStrictEqual(yield* before(at, `echo '{"compaction":{"summary":"mine","preserveData":{"n":1}}}'`), {
        compaction: { summary: "mine", preserveData: { n: 1 } }
      })
      assert.isUndefined(yield* before(at, `cat >${at.root}/got`))
      const got = JSON.parse(fs.readFileSync(path.join(at.root, "got"), "utf8"))
      assert.deepStrictEqual([got.tokensBefore, got.messagesToSummarize[0].text], [100, "hello"])
      assert.isUndefined(yield* before(at, `echo '{"compaction":{}}'`))
    })
  )

  it.live("session_compacting: the last prompt, all lines of context", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const hooks = {
        session_compacting: [
          { command: sh(`echo '{"prompt":"a","context":["one"]}'`) },
          { command: sh(`echo '{"prompt":"b","context":["two"],"preserveData":7}'`) }
        ]
      }
      const joined = yield* withHooks(
        at,
        hooks,
        Effect.flatMap(CompactionHooks, (service) => service.compacting(preparation))
      )
      assert.deepStrictEqual(joined, { prompt: "b", context: ["one", "two"], preserveData: 7 })
    })
  )

  it.live("session_compact, session_before_tree and session_tree", () =>
    Effect.gen(function* () {
      const at = yield* folders
      const hooks = {
        session_compact: { command: sh(`cat >${at.root}/compact`) },
        session_before_tree: { command: sh(`echo '{"summary":{"summary":"left behind"}}'`) },
        session_tree: { command: sh(`cat >${at.root}/tree`) }
      }
      yield* withHooks(
        at,
        hooks,
        Effect.gen(function* () {
          const compaction = yield* CompactionHooks
          const body = { type: "compaction" as const, summary: "s", firstKeptEntryId: "", tokensBefore: 1 }
          yield* compaction.after(body, true)
          const tree = yield* TreeHooks
          assert.deepStrictEqual(yield* tree.before(move), { summary: { summary: "left behind" } })
          yield* tree.after(move, undefined)
        })
      )
      const read = (name: string) => JSON.parse(fs.readFileSync(path.join(at.root, name), "utf8"))
      assert.deepStrictEqual([read("compact").compaction.summary, read("compact").fromExtension], ["s", true])
      assert.deepStrictEqual([read("tree").newLeafId, read("tree").summaryEntry], ["b", null])
    })
  )

  it.live("nothing is started where no hook is named", () =>
    Effect.gen(function* () {
      const at = yield* folders
      yield* Effect.gen(function* () {
        const compaction = yield* CompactionHooks
        assert.isUndefined(yield* compaction.before(preparation))
        const hooks = yield* Hooks
        assert.isFalse(hooks.has("before_tool"))
      }).pipe(
        Effect.provide(
          hooksLayer.pipe(
            Layer.provide(
              Layer.mergeAll(
                Layer.mock(Shell, { runProgram: () => Effect.die("a program was started") }),
                ActiveSession.layer
              )
            ),
            Layer.provide(around(at))
          )
        )
      )
    })
  )
})
