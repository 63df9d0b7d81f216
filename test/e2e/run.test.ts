import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { chunk, scriptedServer, sse, textAnswer, toolCalls } from "../support/scriptedServer.ts"
import { MAIA, maia, ofType, sandbox } from "./support.ts"

const ALLOW = ["--allow", "Read(**)", "Edit(**)", "Write(**)", "Glob(**)", "Grep(**)", "Bash(*)"]

describe("maia run", () => {
  it.effect("prints the answer on stdout and nothing else there", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([textAnswer("Hello **you**.")])
      const done = yield* maia(box, ["run", "-p", "hi"], { url: server.url })
      assert.strictEqual(done.stdout, "Hello **you**.\n")
      assert.strictEqual(done.stderr, "")
      assert.strictEqual(done.code, 0)
      assert.strictEqual(server.chats.length, 1)
    }).pipe(Effect.scoped)
  )

  it.effect("reads, edits and runs, with the results in call order", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("a.txt", "one\ntwo\n")
      const server = yield* scriptedServer([
        toolCalls([{ name: "Read", args: { path: "a.txt" } }]),
        toolCalls([
          { name: "Edit", args: { path: "a.txt", edits: [{ old: "two", new: "2" }] } },
          { name: "Bash", args: { command: "echo hello" } }
        ]),
        textAnswer("done")
      ])
      const done = yield* maia(box, ["run", "-p", "go", "--output", "stream-json", ...ALLOW], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr + done.stdout)
      assert.strictEqual(box.read("a.txt"), "one\n2\n")
      assert.deepStrictEqual(
        ofType(done, "tool_result").map((line) => [line["name"], line["isError"]]),
        [
          ["Read", false],
          ["Edit", false],
          ["Bash", false]
        ]
      )
      const types = done.lines.map((line) => line["type"])
      assert.strictEqual(types[0], "session")
      assert.strictEqual(types.at(-1), "result")
      const last = done.lines.at(-1)
      assert.strictEqual(last?.["reason"], "done")
      assert.strictEqual(last?.["iterations"], 3)
      const sent = server.chats[2]?.body.messages ?? []
      assert.deepStrictEqual(
        sent.map((message) => message.role),
        ["system", "user", "assistant", "tool", "assistant", "tool", "tool"]
      )
      assert.deepStrictEqual(
        sent.slice(5).map((message) => message["tool_call_id"]),
        ["call_0", "call_1"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("refuses what no rule allows, names the rule, and exits 4", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([
        toolCalls([{ name: "Bash", args: { command: "touch made" } }]),
        textAnswer("I could not.")
      ])
      const done = yield* maia(box, ["run", "-p", "go", "--output", "stream-json"], { url: server.url })
      assert.strictEqual(done.code, 4)
      assert.throws(() => box.read("made"))
      const [permission] = ofType(done, "permission")
      assert.strictEqual(permission?.["decision"], "refused")
      assert.strictEqual(permission?.["rule"], "Bash(touch made)")
      const [result] = ofType(done, "tool_result")
      assert.strictEqual(result?.["isError"], true)
      assert.include(String(result?.["content"]), "Bash(touch made)")
      assert.strictEqual(done.lines.at(-1)?.["reason"], "refused")
    }).pipe(Effect.scoped)
  )

  it.effect("--permissions allow says yes, and deny rules still hold", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([
        toolCalls([
          { name: "Bash", args: { command: "echo yes > made" } },
          { name: "Bash", args: { command: "rm made" } }
        ]),
        textAnswer("ok")
      ])
      const done = yield* maia(
        box,
        ["run", "-p", "go", "--permissions", "allow", "--deny", "Bash(rm *)", "--output", "stream-json"],
        { url: server.url }
      )
      assert.strictEqual(done.code, 0)
      assert.strictEqual(box.read("made"), "yes\n")
      assert.deepStrictEqual(
        ofType(done, "permission").map((line) => line["decision"]),
        ["allow", "deny"]
      )
    }).pipe(Effect.scoped)
  )

  it.effect("stops at the iteration limit with one last call without tools, and exits 3", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer((n, body) =>
        body["tool_choice"] === "none"
          ? textAnswer("did two, one remains")
          : toolCalls([{ id: `c${n}`, name: "Bash", args: { command: `echo ${n}` } }])
      )
      const done = yield* maia(
        box,
        ["run", "-p", "go", "--max-iterations", "2", "--output", "json", "--allow", "Bash(echo *)"],
        { url: server.url }
      )
      assert.strictEqual(done.code, 3, done.stderr)
      assert.strictEqual(server.chats.length, 3)
      assert.isArray(server.chats[2]?.body.tools)
      const [result] = done.lines
      assert.strictEqual(done.lines.length, 1)
      assert.strictEqual(result?.["reason"], "max_iterations")
      assert.strictEqual(result?.["text"], "did two, one remains")
    }).pipe(Effect.scoped)
  )

  it.effect("joins stdin as data, and takes the request from stdin alone", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([textAnswer("a"), textAnswer("b")])
      yield* maia(box, ["run", "-p", "review this"], { url: server.url, stdin: "diff --git\n" })
      yield* maia(box, ["run"], { url: server.url, stdin: "only this\n" })
      const user = (n: number) => JSON.stringify(server.chats[n]?.body.messages?.at(-1))
      assert.include(user(0), "review this")
      assert.include(user(0), "diff --git")
      assert.include(user(1), "only this")
    }).pipe(Effect.scoped)
  )

  it.effect("continues a named session, and the newest one", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([textAnswer("first"), textAnswer("second"), textAnswer("third")])
      yield* maia(box, ["run", "-p", "one", "--session", "work"], { url: server.url })
      yield* maia(box, ["run", "-p", "two", "--session", "work", "--continue"], { url: server.url })
      yield* maia(box, ["run", "-p", "three", "--continue"], { url: server.url })
      assert.deepStrictEqual(
        server.chats[2]?.body.messages?.map((message) => [message.role, message.content]).slice(1),
        [
          ["user", "one"],
          ["assistant", "first"],
          ["user", "two"],
          ["assistant", "second"],
          ["user", "three"]
        ]
      )
      const entries = box.session("work").slice(1)
      assert.isTrue(entries.every((entry) => typeof entry["id"] === "string" && typeof entry["parentId"] === "string"))
    }).pipe(Effect.scoped)
  )

  it.effect("--no-save leaves no session file", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([textAnswer("first")])
      const done = yield* maia(box, ["run", "-p", "one", "--no-save", "-o", "json"], { url: server.url })
      assert.strictEqual(done.lines[0]?.["session"], null)
      assert.throws(() => box.session())
    }).pipe(Effect.scoped)
  )

  it.effect("20 tool iterations in a row", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer((n) =>
        n < 20 ? toolCalls([{ id: `c${n}`, name: "Bash", args: { command: `echo n${n}` } }]) : textAnswer("end")
      )
      const done = yield* maia(box, ["run", "-p", "go", "-o", "stream-json", "--allow", "Bash(echo *)"], {
        url: server.url
      })
      assert.strictEqual(done.code, 0)
      assert.deepStrictEqual(
        ofType(done, "tool_result").map((line) => String(line["content"]).split("\n")[0]),
        Array.from({ length: 20 }, (_, n) => `n${n}`)
      )
    }).pipe(Effect.scoped)
  )

  it.effect("8 parallel tools, two of them on one file", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("f.txt", Array.from({ length: 100 }, (_, n) => `line ${n}`).join("\n"))
      const edit = (n: number) => ({
        name: "Edit",
        args: { path: n === 1 ? "f.txt" : "./f.txt", edits: [{ old: `line ${n * 25}\n`, new: `LINE ${n * 25}\n` }] }
      })
      const server = yield* scriptedServer([
        toolCalls([{ name: "Read", args: { path: "f.txt" } }]),
        toolCalls(
          [...[0, 1, 2, 3, 4, 5].map((n) => ({ name: "Bash", args: { command: `echo ${n}` } })), edit(1), edit(2)].map(
            (call, n) => ({ ...call, id: `p${n}` })
          )
        ),
        textAnswer("end")
      ])
      const done = yield* maia(box, ["run", "-p", "go", "-o", "stream-json", ...ALLOW], { url: server.url })
      assert.isTrue(
        ofType(done, "tool_result").every((line) => line["isError"] === false),
        done.stdout
      )
      assert.include(box.read("f.txt"), "LINE 25\n")
      assert.include(box.read("f.txt"), "LINE 50\n")
      assert.strictEqual(box.read("f.txt").split("\n").length, 100)
    }).pipe(Effect.scoped)
  )

  it.effect("a 40 MB command output reaches the model cut, and whole in a file that Read takes without asking", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer((n, body) => {
        if (n === 0) return toolCalls([{ name: "Bash", args: { command: "yes 0123456789abcdef | head -c 40000000" } }])
        if (n > 1) return textAnswer("end")
        const path = /(\/\S+?)[\s\])]/.exec(String(body.messages?.at(-1)?.content))?.[1]
        return toolCalls([{ id: "r", name: "Read", args: { path, limit: 2 } }])
      })
      const done = yield* maia(
        box,
        ["run", "-p", "go", "-o", "stream-json", "--allow", "Bash(yes *)", "Bash(head *)"],
        {
          url: server.url
        }
      )
      const [bash, read] = ofType(done, "tool_result")
      assert.isBelow(String(bash?.["content"]).length, 31_000)
      assert.strictEqual(read?.["isError"], false, String(read?.["content"]))
      assert.include(String(read?.["content"]), "0123456789abcdef")
    }).pipe(Effect.scoped)
  )

  it.effect("a 10 MB answer into a slow pipe arrives whole", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const answer = "0123456789".repeat(1_000_000)
      const server = yield* scriptedServer([
        sse([
          ...Array.from({ length: 100 }, (_, n) => chunk({ content: answer.slice(n * 100_000, (n + 1) * 100_000) })),
          chunk({}, "stop")
        ])
      ])
      const script = `"${MAIA}" run -p go | (sleep 1; wc -c)`
      const done = yield* maia(box, ["--version"], {})
      assert.strictEqual(done.code, 0)
      const piped = yield* shell(box, script, { LITELLM_URL: server.url, MAIA_MODEL: "test-model" })
      assert.strictEqual(piped.trim(), String(answer.length + 1))
    }).pipe(Effect.scoped)
  )
})

describe("what the request brings along", () => {
  it.effect("@file in the prompt brings its content; in piped data it is only data", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("notes.txt", "the secret word is plum\n")
      const server = yield* scriptedServer([textAnswer("a"), textAnswer("b")])
      yield* maia(box, ["run", "-p", "summarise @notes.txt"], { url: server.url })
      yield* maia(box, ["run", "-p", "review"], { url: server.url, stdin: "see @notes.txt\n" })
      assert.include(JSON.stringify(server.chats[0]?.body.messages?.at(-1)), "plum")
      assert.notInclude(JSON.stringify(server.chats[1]?.body.messages?.at(-1)), "plum")
    }).pipe(Effect.scoped)
  )

  it.effect("instructions of home and project are in the system prompt, and --system-append behind them", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("../home/.maia/MAIA.md", "GLOBAL RULE")
      box.write("CLAUDE.md", "PROJECT RULE")
      box.write("AGENTS.md", "NOT THIS ONE")
      box.write("extra.txt", "APPENDED")
      const server = yield* scriptedServer([textAnswer("a")])
      yield* maia(box, ["run", "-p", "hi", "--system-append", "extra.txt"], { url: server.url })
      const system = String(server.chats[0]?.body.messages?.[0]?.content)
      assert.isBelow(system.indexOf("GLOBAL RULE"), system.indexOf("PROJECT RULE"))
      assert.isBelow(system.indexOf("PROJECT RULE"), system.indexOf("APPENDED"))
      assert.notInclude(system, "NOT THIS ONE")
    }).pipe(Effect.scoped)
  )

  it.effect("an image goes along; what is no image is refused with exit 2", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("p.png", new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0]))
      box.write("t.txt", "text")
      const server = yield* scriptedServer([textAnswer("a")])
      const done = yield* maia(box, ["run", "-p", "see", "--image", "p.png"], { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(JSON.stringify(server.chats[0]?.body), "data:image/png;base64,")
      assert.strictEqual((yield* maia(box, ["run", "-p", "see", "--image", "t.txt"], { url: server.url })).code, 2)
      assert.strictEqual((yield* maia(box, ["run", "-p", "see", "--image", "no.png"], { url: server.url })).code, 2)
    }).pipe(Effect.scoped)
  )

  it.effect("--effort is sent only when given; the prefix of consecutive requests is the same", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([
        toolCalls([{ name: "TodoWrite", args: { todos: [{ content: "a", status: "pending" }] } }]),
        textAnswer("a"),
        textAnswer("b")
      ])
      yield* maia(box, ["run", "-p", "one", "--session", "s"], { url: server.url })
      yield* maia(box, ["run", "-p", "two", "--session", "s", "--effort", "low"], { url: server.url })
      assert.notProperty(server.chats[0]?.body, "reasoning_effort")
      assert.strictEqual(server.chats[2]?.body["reasoning_effort"], "low")
      const messages = (n: number) => JSON.stringify(server.chats[n]?.body.messages).slice(0, -1)
      assert.isTrue(messages(1).startsWith(messages(0)))
      assert.isTrue(messages(2).startsWith(messages(1)))
      assert.strictEqual(JSON.stringify(server.chats[0]?.body.tools), JSON.stringify(server.chats[2]?.body.tools))
    }).pipe(Effect.scoped)
  )
})

const shell = (box: { readonly folder: string; readonly home: string }, script: string, env: Record<string, string>) =>
  Effect.promise(async () => {
    const { execFile } = await import("node:child_process")
    return new Promise<string>((resolve, reject) => {
      execFile(
        "bash",
        ["-c", script],
        { cwd: box.folder, env: { PATH: process.env["PATH"], HOME: box.home, ...env } },
        (error, stdout) => (error === null ? resolve(stdout) : reject(error))
      )
    })
  })
