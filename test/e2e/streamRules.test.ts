/** Stream rules in the executable (spec 05): rule files, trust, the thread of slow expressions, what is in the session. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { scriptedServer, textAnswer, toolCalls } from "../support/scriptedServer.ts"
import { maia, ofType, sandbox, type Sandbox } from "./support.ts"

const userRule = (box: Sandbox, name: string, content: string) => {
  mkdirSync(join(box.home, ".maia/rules"), { recursive: true })
  writeFileSync(join(box.home, ".maia/rules", name), content)
}

describe("maia run with stream rules", () => {
  it.effect("stops a bad call while it is written; no file is made, and the session says why", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      userRule(box, "no-any.md", "---\ntrigger: '\\bas any\\b'\nscope: tool:Write(*.ts)\n---\nDo not use any.\n")
      const server = yield* scriptedServer([
        toolCalls([{ name: "Write", args: { path: "a.ts", content: "const x = y as any\n" } }]),
        toolCalls([{ name: "Write", args: { path: "a.ts", content: "const x: number = y\n" } }]),
        textAnswer("done")
      ])
      const done = yield* maia(box, ["run", "-p", "go", "--output", "stream-json", "--allow", "Write(**)"], {
        url: server.url
      })
      assert.strictEqual(done.code, 0, done.stderr + done.stdout)
      assert.strictEqual(box.read("a.ts"), "const x: number = y\n")
      assert.strictEqual(ofType(done, "tool_result").length, 1)
      // What the user asked and what the rule says are one message on the wire.
      assert.include(
        String(server.chats[1]?.body.messages?.at(-1)?.content),
        '<system-interrupt reason="rule_violation" rule="no-any" path="a.ts">\nDo not use any.\n</system-interrupt>'
      )
      const entries = box.session().filter(({ type }) => type === "stream_rule_injection")
      assert.deepStrictEqual(
        entries.map(({ rules, turn }) => ({ rules, turn })),
        [{ rules: ["no-any"], turn: 1 }]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("remembers over a restart that a rule was told once", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      userRule(box, "calm.md", "---\ntrigger: SHOUT\n---\nDo not shout.\n")
      const server = yield* scriptedServer([textAnswer("SHOUT"), textAnswer("calm"), textAnswer("SHOUT again")])
      yield* maia(box, ["run", "-p", "one", "-s", "s"], { url: server.url })
      const second = yield* maia(box, ["run", "-p", "two", "-s", "s"], { url: server.url })
      assert.strictEqual(second.stdout, "SHOUT again\n")
      assert.strictEqual(server.chats.length, 3)
    }).pipe(Effect.scoped)
  )

  it.effect("takes a project's rules only when its folder is trusted, and says what is wrong with one", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write(".maia/rules/calm.md", "---\ntrigger: SHOUT\n---\nDo not shout.\n")
      box.write(".maia/rules/wrong.md", "---\ntrigger: '('\n---\nNever.\n")
      const server = yield* scriptedServer([textAnswer("SHOUT"), textAnswer("SHOUT"), textAnswer("calm")])
      const untrusted = yield* maia(box, ["run", "-p", "go", "--no-save"], { url: server.url })
      assert.strictEqual(untrusted.stdout, "SHOUT\n")
      const trusted = yield* maia(box, ["run", "-p", "go", "--no-save", "--trust"], { url: server.url })
      assert.strictEqual(trusted.stdout, "calm\n")
      assert.include(trusted.stderr, "wrong.md:2: the expression")
    }).pipe(Effect.scoped)
  )

  it.effect("engine: js has its thread in the executable; past its budget it is off, and the answer comes", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      userRule(box, "twice.md", "---\ntrigger: '\\b(\\w+) \\1\\b'\nengine: js\n---\nNot twice.\n")
      const server = yield* scriptedServer([textAnswer("the the"), textAnswer("the")])
      const done = yield* maia(box, ["run", "-p", "go", "--no-save"], { url: server.url })
      assert.strictEqual(done.stdout, "the\n", done.stderr)

      userRule(box, "slow.md", "---\ntrigger: '(x+x+)+y'\nengine: js\n---\nSlow.\n")
      const other = yield* scriptedServer([textAnswer("x".repeat(5000))])
      const slow = yield* maia(box, ["run", "-p", "go", "--no-save"], { url: other.url })
      assert.strictEqual(slow.stdout, `${"x".repeat(5000)}\n`)
      assert.include(slow.stderr, "slow")
    }).pipe(Effect.scoped)
  )
})

describe("maia rules", () => {
  it.effect("list says where each rule comes from and which do not count; test says what would fire where", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write(".maia/rules/calm.md", "---\ntrigger: SHOUT\n---\nDo not shout.\n")
      userRule(
        box,
        "no-any.md",
        "---\ntrigger: '\\bas any\\b'\nscope: tool:Edit(*.ts)\ninterrupt: never\n---\nDo not.\n"
      )
      box.write("a.ts", "one\nlet x = y as any\nSHOUT\n")
      const listed = yield* maia(box, ["rules", "list"])
      assert.strictEqual(
        listed.stdout,
        `calm  project  text, tool  ${box.folder}/.maia/rules/calm.md  [folder not trusted]\n` +
          `no-any  user  tool:Edit(*.ts)  ${box.home}/.maia/rules/no-any.md\n`
      )
      const asText = yield* maia(box, ["rules", "test", "a.ts"])
      assert.strictEqual(asText.stdout, 'a.ts:3:1  calm  "SHOUT"\n')
      const asEdit = yield* maia(box, ["rules", "test", "a.ts", "--as", "tool:Edit", "--path", "a.ts"])
      assert.strictEqual(asEdit.stdout, 'a.ts:2:11  no-any  (note)  "as any"\na.ts:3:1  calm  "SHOUT"\n')
      const wrong = yield* maia(box, ["rules", "test", "a.ts", "--as", "edit"])
      assert.deepStrictEqual([wrong.code, wrong.stdout], [2, ""])
      const missing = yield* maia(box, ["rules", "test", "b.ts"])
      assert.deepStrictEqual([missing.code, missing.stdout], [1, ""])
    }).pipe(Effect.scoped)
  )

  it.effect("test --stream takes the debug file of a run", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      userRule(box, "calm.md", "---\ntrigger: SHOUT\n---\nDo not shout.\n")
      const server = yield* scriptedServer([
        toolCalls([{ name: "Read", args: { path: "SHOUT.md" } }]),
        textAnswer("fine"),
        textAnswer("not SHOUT")
      ])
      // With the rule the answers would be stopped; they are recorded without.
      box.settings({ streamRules: { enabled: false } })
      const env = { MAIA_DEBUG_LLM: join(box.root, "debug.log") }
      yield* maia(box, ["run", "-p", "one", "--no-save", "--allow", "Read(**)"], { url: server.url, env })
      yield* maia(box, ["run", "-p", "two", "--no-save"], { url: server.url, env })
      const tested = yield* maia(box, ["rules", "test", "--stream", "--json", join(box.root, "debug.log")])
      const answers: ReadonlyArray<ReadonlyArray<Record<string, unknown>>> = JSON.parse(tested.stdout)
      const places = answers.flat().map((hit) => [hit["rule"], hit["scope"], hit["line"], hit["column"]])
      assert.deepStrictEqual(places, [
        ["calm", "tool", 1, 1],
        ["calm", "text", 1, 5]
      ])
    }).pipe(Effect.scoped)
  )
})
