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
