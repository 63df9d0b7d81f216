/** What users and projects add, in the compiled executable: the examples, in trusted and untrusted folders. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { scriptedServer, textAnswer, toolCalls } from "../support/scriptedServer.ts"
import { maia, ofType, sandbox, type Sandbox } from "./support.ts"

const EXAMPLES = resolve(import.meta.dirname, "../../examples")

/** Puts an example into the launch folder's `.maia`. */
const example = (box: Sandbox, name: string): void =>
  cpSync(join(EXAMPLES, name), join(box.folder, ".maia", name), { recursive: true })

describe("skills", () => {
  it.effect("the example is in the catalogue, and Skill gives its steps and its file without a question", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      example(box, "skills/release-notes")
      const server = yield* scriptedServer([
        toolCalls([{ name: "Skill", args: { name: "release-notes", arguments: "1.2" } }]),
        textAnswer("done")
      ])
      const done = yield* maia(box, ["run", "-p", "notes for 1.2", "--trust", "-o", "stream-json"], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      const [system] = server.chats[0]?.body.messages ?? []
      assert.include(String(system?.content), "- release-notes: Writes release notes")
      const [result] = ofType(done, "tool_result")
      assert.include(String(result?.["content"]), "release notes of version 1.2.")
      assert.include(String(result?.["content"]), "- Fixed: what was broken")
    }).pipe(Effect.scoped)
  )

  it.effect("§name arguments sends the steps; an unknown name is refused with the list and nothing is sent", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      example(box, "skills/release-notes")
      const server = yield* scriptedServer([textAnswer("done")])
      const done = yield* maia(box, ["run", "--trust", "-p", "§release-notes 2.0"], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(String(server.chats[0]?.body.messages?.at(-1)?.content), "release notes of version 2.0.")
      const unknown = yield* maia(box, ["run", "--trust", "-p", "§relnotes 2.0"], { url: server.url })
      assert.strictEqual(unknown.code, 2)
      assert.include(unknown.stderr, "Available: release-notes")
      assert.strictEqual(server.chats.length, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("of an untrusted folder there is neither catalogue nor tool, and maia skills says why", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      example(box, "skills/release-notes")
      const server = yield* scriptedServer([textAnswer("done")])
      const done = yield* maia(box, ["run", "-p", "hi"], { url: server.url })
      assert.include(done.stderr, "not trusted")
      assert.notInclude(server.chats[0]?.text ?? "", "release-notes")
      const list = yield* maia(box, ["skills", "list", "--json"])
      assert.deepStrictEqual(
        JSON.parse(list.stdout).map(({ name, state }: { name: string; state: string }) => [name, state]),
        [["release-notes", "untrusted"]]
      )
      const show = yield* maia(box, ["skills", "show", "release-notes", "--trust"])
      assert.include(show.stdout, "Sort the commits")
      rmSync(join(box.folder, ".maia/skills/release-notes/sections.md"))
      const checked = yield* maia(box, ["skills", "show", "release-notes", "--trust"])
      assert.include(checked.stderr, "no such file")
      const missing = yield* maia(box, ["skills", "show", "other"])
      assert.deepStrictEqual([missing.code, missing.stdout], [1, ""])
    }).pipe(Effect.scoped)
  )

  it.effect("maia config --prompt-cost counts the catalogue and the tool", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("../home/.maia/skills/greet/SKILL.md", "---\ndescription: Greets\n---\nSay hello.")
      const cost = yield* maia(box, ["config", "--prompt-cost", "--json"])
      const { parts } = JSON.parse(cost.stdout)
      const names = parts.map(({ part }: { part: string }) => part)
      assert.includeMembers(names, ["skills", "tool Skill"])
      assert.deepStrictEqual(Object.keys(JSON.parse(cost.stdout).kinds), ["skills"])
      assert.isAbove(JSON.parse(cost.stdout).kinds.skills, 50)
    }).pipe(Effect.scoped)
  )
})

describe("custom tools", () => {
  const script = [toolCalls([{ name: "Addition", args: { a: 2, b: 3 } }]), textAnswer("done")]

  it.effect("the example runs under its rule in a trusted folder", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      example(box, "tools/addition")
      const server = yield* scriptedServer(script)
      const args = ["run", "-p", "2 + 3", "--trust", "-o", "stream-json", "--allow", "Addition(2)"]
      const done = yield* maia(box, args, { url: server.url })
      const [result] = ofType(done, "tool_result")
      assert.deepStrictEqual([done.code, result?.["content"], result?.["isError"]], [0, "5", false])
    }).pipe(Effect.scoped)
  )

  it.effect("asks without a rule, and does not exist in an untrusted folder, whatever the project's rules say", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      example(box, "tools/addition")
      box.write(".maia/settings.json", '{ "permissions": { "allow": ["Addition"] } }')
      const server = yield* scriptedServer([...script, ...script])
      const untrusted = yield* maia(box, ["run", "-p", "2 + 3", "-o", "stream-json"], { url: server.url })
      assert.include(String(ofType(untrusted, "tool_result")[0]?.["content"]), "no tool named")
      assert.notInclude(server.chats[0]?.text ?? "", "Adds two numbers")
      box.write(".maia/settings.json", "{}")
      const asked = yield* maia(box, ["run", "-p", "2 + 3", "--trust", "-o", "stream-json"], { url: server.url })
      assert.deepStrictEqual([asked.code, ofType(asked, "permission")[0]?.["rule"]], [4, "Addition(2)"])
    }).pipe(Effect.scoped)
  )

  it.effect("maia tools lists and runs them", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      example(box, "tools/addition")
      box.write(".maia/tools/broken/TOOL.json", "{")
      const list = yield* maia(box, ["tools", "list", "--trust"])
      assert.strictEqual(list.stdout, "Addition a=number [b=0]  Adds two numbers and returns their sum.\n")
      assert.include(list.stderr, "broken/TOOL.json: line 1 is not valid JSON")
      const ran = yield* maia(box, ["tools", "run", "--trust", "Addition", "a=2", "b=-3"])
      assert.deepStrictEqual([ran.code, ran.stdout], [0, "-1\n"])
      const bad = yield* maia(box, ["tools", "run", "--trust", "Addition", "a=two"])
      assert.deepStrictEqual([bad.code, bad.stdout], [2, ""])
      const untrusted = yield* maia(box, ["tools", "run", "Addition", "a=2"])
      assert.deepStrictEqual([untrusted.code, untrusted.stdout], [4, ""])
    }).pipe(Effect.scoped)
  )
})

describe("commands of the user", () => {
  it.effect("the example becomes its request with its rules; without trust the text is sent as it is", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      example(box, "commands")
      const script = [toolCalls([{ name: "Bash", args: { command: "git status --short" } }]), textAnswer("done")]
      const server = yield* scriptedServer([...script, ...script, textAnswer("done")])
      const args = ["run", "-p", "/review the names", "-o", "stream-json"]
      const done = yield* maia(box, [...args, "--trust"], { url: server.url })
      assert.include(String(server.chats[0]?.body.messages?.at(-1)?.content), "Look at: the names")
      assert.deepStrictEqual(
        ofType(done, "permission").map(({ decision, rule }) => [decision, rule]),
        [["allow", "Bash(git status *)"]]
      )
      const untrusted = yield* maia(box, args, { url: server.url })
      assert.strictEqual(server.chats[2]?.body.messages?.at(-1)?.content, "/review the names")
      assert.strictEqual(untrusted.code, 4)
      yield* maia(box, ["run", "--trust", "-p", "/etc/hosts: what is it?"], { url: server.url })
      assert.strictEqual(server.chats[4]?.body.messages?.at(-1)?.content, "/etc/hosts: what is it?")
    }).pipe(Effect.scoped)
  )

  it.effect("a command's model is asked, unless --model says another", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("../home/.maia/commands/quick.md", "---\nmodel: litellm:small\n---\nBe quick: $1")
      const server = yield* scriptedServer([textAnswer("a"), textAnswer("b")])
      yield* maia(box, ["run", "-p", "/quick x"], { url: server.url })
      yield* maia(box, ["run", "-p", "/quick x", "--model", "big"], { url: server.url })
      assert.deepStrictEqual(
        server.chats.map(({ body }) => body.model),
        ["small", "big"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect(".maia/env reaches commands and custom tools of a trusted folder, not maia itself", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write(".maia/env", "GREETING='hello there'\nLITELLM_URL=http://127.0.0.1:1\nLITELLM_API_KEY=x\n")
      box.write(".maia/tools/greet/TOOL.json", '{"description":"x","run":"sh -c \'echo $GREETING\'"}')
      const server = yield* scriptedServer([
        toolCalls([
          { name: "Bash", args: { command: 'echo "$GREETING"' } },
          { name: "greet", args: {} }
        ]),
        textAnswer("done")
      ])
      const args = ["run", "-p", "go", "--trust", "-o", "stream-json", "--allow", "Bash", "--allow", "greet"]
      const done = yield* maia(box, args, { url: server.url })
      assert.deepStrictEqual(
        ofType(done, "tool_result").map(({ content }) => String(content).split("\n", 1)[0]),
        ["hello there", "hello there"],
        done.stderr
      )
    }).pipe(Effect.scoped)
  )
})

describe("hooks", () => {
  const write = (path: string) => toolCalls([{ name: "Write", args: { path, content: "x" } }])
  const go = ["run", "-p", "go", "-o", "stream-json", "--allow", "Write(**)"]

  const useExample = (box: Sandbox) => {
    example(box, "hooks")
    cpSync(join(EXAMPLES, "hooks/settings.json"), join(box.folder, ".maia/settings.json"))
  }

  it.effect("the example keeps the model away from generated files and says the day", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      useExample(box)
      const server = yield* scriptedServer([write("dist/a.js"), write("src/a.js"), textAnswer("done")])
      const done = yield* maia(box, [...go, "--trust"], { url: server.url })
      assert.deepStrictEqual(
        ofType(done, "tool_result").map(({ isError }) => isError),
        [true, false],
        done.stderr
      )
      assert.include(
        String(ofType(done, "tool_result")[0]?.["content"]),
        "[blocked by a hook of the user: dist/a.js is generated"
      )
      assert.throws(() => box.read("dist/a.js"))
      assert.match(String(server.chats[0]?.body.messages?.at(-1)?.content), /^go\n\nToday is /)
    }).pipe(Effect.scoped)
  )

  it.effect("of an untrusted project none runs; the user's own do", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      useExample(box)
      box.settings({ hooks: { user_prompt: [["sh", "-c", `touch ${box.root}/ran; echo '{"prompt":"GO"}'`]] } })
      const server = yield* scriptedServer([write("dist/a.js"), textAnswer("done")])
      yield* maia(box, go, { url: server.url })
      assert.strictEqual(box.read("dist/a.js"), "x")
      assert.strictEqual(server.chats[0]?.body.messages?.at(-1)?.content, "GO")
    }).pipe(Effect.scoped)
  )

  it.effect("session_start brings context, before_stop makes the model go on, a broken one is a warning", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({
        hooks: {
          session_start: [["sh", "-c", `echo '{"context":"The branch is main."}'`], "no-such-program-here"],
          before_stop: [
            ["sh", "-c", `test -e ${box.root}/once || { touch ${box.root}/once; echo 'run the tests' >&2; exit 2; }`]
          ],
          nonsense: "x"
        }
      })
      const server = yield* scriptedServer([textAnswer("first"), textAnswer("second")])
      const done = yield* maia(box, ["run", "-p", "go"], { url: server.url })
      assert.deepStrictEqual([done.code, done.stdout], [0, "second\n"])
      assert.include(server.chats[0]?.text ?? "", "The branch is main.")
      assert.strictEqual(server.chats[1]?.body.messages?.at(-1)?.content, "run the tests")
      assert.include(done.stderr, "hooks.nonsense: unknown event")
      assert.include(done.stderr, "was not found on PATH")
    }).pipe(Effect.scoped)
  )

  it.effect("session_before_compact gives the summary in place of a model's, and session_compact is told of it", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({
        models: { "*": { contextWindow: 8_192 } },
        pruning: { enabled: false },
        hooks: {
          session_before_compact: [["sh", "-c", `echo '{"compaction":{"summary":"All that matters: 42."}}'`]],
          session_compact: [["sh", "-c", `cat >${box.root}/compacted`]]
        }
      })
      const server = yield* scriptedServer((n) =>
        n < 12
          ? toolCalls([{ id: `c${n}`, name: "Bash", args: { command: `seq -f 'line %g of ${n}' ${150 + n}` } }])
          : textAnswer("done")
      )
      const done = yield* maia(box, ["run", "-p", "go", "-o", "stream-json", "--allow", "Bash(seq *)"], {
        url: server.url
      })
      assert.strictEqual(done.code, 0, done.stderr)
      const finished = ofType(done, "compaction").filter(({ phase }) => phase === "finished")
      assert.isAbove(finished.length, 0)
      assert.deepStrictEqual(new Set(finished.map(({ summaryCalls }) => summaryCalls)), new Set([0]))
      assert.isTrue(
        server.chats.every(({ body }) => body.tools !== undefined),
        "no request for a summary"
      )
      assert.include(server.chats.at(-1)?.text ?? "", "All that matters: 42.")
      const told = JSON.parse(readFileSync(join(box.root, "compacted"), "utf8"))
      assert.deepStrictEqual([told.compaction.summary, told.fromExtension], ["All that matters: 42.", true])
      assert.match(String(told.session), /^session_/)
    }).pipe(Effect.scoped)
  )

  it.effect("a prompt that a hook blocks is not sent and exits 4", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ hooks: { user_prompt: [["sh", "-c", "echo 'no keys please' >&2; exit 2"]] } })
      const server = yield* scriptedServer([textAnswer("never")])
      const done = yield* maia(box, ["run", "-p", "sk-123"], { url: server.url })
      assert.deepStrictEqual([done.code, server.chats.length], [4, 0])
      assert.include(done.stderr, "no keys please")
    }).pipe(Effect.scoped)
  )
})

describe("language servers", () => {
  const modules = resolve(import.meta.dirname, "../../node_modules")
  const server = join(modules, "typescript-language-server/lib/cli.mjs")
  const isInstalled = existsSync(server)
  if (!isInstalled) console.warn("typescript-language-server is not installed (bun install): its test is skipped")

  it.effect.skipIf(!isInstalled)(
    "the example's server is started when it is asked, and says what is wrong after an edit",
    () =>
      Effect.gen(function* () {
        const box = yield* sandbox
        box.settings(JSON.parse(readFileSync(join(EXAMPLES, "lsp/settings.json"), "utf8")))
        // What an installed server has on PATH, and the typescript it finds in the project.
        mkdirSync(join(box.root, "bin"))
        writeFileSync(join(box.root, "bin/typescript-language-server"), `#!/bin/sh\nexec node ${server} "$@"\n`, {
          mode: 0o755
        })
        mkdirSync(join(box.folder, "node_modules"))
        symlinkSync(join(modules, "typescript-5"), join(box.folder, "node_modules/typescript"))
        box.write("tsconfig.json", '{ "compilerOptions": { "strict": true, "types": [] } }')
        box.write("a.ts", "export const one: number = 1\n")
        const call = (args: Readonly<Record<string, unknown>>) => toolCalls([{ name: "lsp", args }])
        const provider = yield* scriptedServer([
          call({ operation: "hover", path: "a.ts", symbol: "one" }),
          toolCalls([{ name: "Edit", args: { path: "a.ts", edits: [{ old: "= 1", new: '= "1"' }] } }]),
          call({ operation: "diagnostics", path: "a.ts" }),
          textAnswer("done")
        ])
        const args = ["run", "-p", "go", "-o", "stream-json", "--allow", "Read(**)", "Edit(**)"]
        const env = { PATH: `${box.root}/bin:${process.env["PATH"]}` }
        const done = yield* maia(box, args, { url: provider.url, env })
        const [hover, edit, diagnostics] = ofType(done, "tool_result").map(({ content }) => String(content))
        assert.include(hover, "const one: number", done.stderr)
        assert.include(edit, "1 replacement")
        assert.include(diagnostics, "1:14 error: Type 'string' is not assignable to type 'number'.")
        const without = yield* maia(box, ["run", "-p", "go"], { url: provider.url, env: { PATH: "/usr/bin:/bin" } })
        assert.strictEqual(without.code, 1)
        assert.include(provider.chats[0]?.text ?? "", '"name":"lsp"')
        assert.notInclude(provider.chats.at(-1)?.text ?? "", '"name":"lsp"')
      }).pipe(Effect.scoped),
    120_000
  )
})
