/**
 * What small models do wrong, played against the compiled executable: each failure of the first table of seed 003, and the
 * ways around a server that does not understand its model.
 */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import {
  chunk,
  data,
  hang,
  json,
  scriptedServer,
  sse,
  textAnswer,
  toolCalls,
  type ChatBody
} from "../support/scriptedServer.ts"
import { maia, ofType, sandbox, type Finished } from "./support.ts"

const GO = ["run", "-o", "stream-json", "--permissions", "allow", "-p", "go"]

const result = (done: Finished) => done.lines.at(-1) ?? assert.fail("no line")
const results = (done: Finished) => ofType(done, "tool_result").map((line) => String(line["content"]))
const codes = (done: Finished, type: "warning" | "error") => ofType(done, type).map((line) => line["code"])
/** A document that does not repeat itself. */
const words = (count: number) => Array.from({ length: count }, (_, n) => `word${n}`).join(" ")
const lastMessage = (body: ChatBody | undefined) => String(body?.messages?.at(-1)?.content)

describe("what small models do wrong (seed 003, first table)", () => {
  it.effect("hallucination: after a turn that failed, what was really read is still there for the next one", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("a.txt", "the real content\n")
      const failing = yield* scriptedServer([
        toolCalls([{ name: "Read", args: { path: "a.txt" } }]),
        json(400, { error: { message: "something the model's template cannot say" } })
      ])
      const failed = yield* maia(box, [...GO, "--session", "s"], { url: failing.url })
      assert.strictEqual(failed.code, 1)
      // The output is shown to the person, whatever the model says of it.
      assert.include(results(failed)[0] ?? "", "the real content")
      const next = yield* scriptedServer([textAnswer("It says: the real content.")])
      yield* maia(box, [...GO, "--session", "s"], { url: next.url })
      const messages = next.chats[0]?.body.messages ?? []
      assert.include(JSON.stringify(messages), "the real content")
      assert.include(
        String(messages[0]?.content),
        "Never state the content of a file or the result of a command unless a tool"
      )
    }).pipe(Effect.scoped)
  )

  it.effect("imprecise bytes: blanks for tabs and an extra line are edited right, in the file's own indentation", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("a.go", "func a() {\n\tif x {\n\t\tb()\n\t}\n}\n")
      const server = yield* scriptedServer([
        toolCalls([{ name: "Read", args: { path: "a.go" } }]),
        toolCalls([
          {
            name: "Edit",
            args: {
              path: "a.go",
              edits: [{ old: "    if x {\n        b()\n    }\n\n", new: "    if y {\n        c()\n    }\n\n" }]
            }
          }
        ]),
        textAnswer("done")
      ])
      const done = yield* maia(box, GO, { url: server.url })
      assert.strictEqual(box.read("a.go"), "func a() {\n\tif y {\n\t\tc()\n\t}\n}\n", results(done)[1])
    }).pipe(Effect.scoped)
  )

  it.effect("loops: the same refused call, thirty times over, is told at the third and ended at the sixth", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.write("a.txt", "one\n")
      let n = 0
      const server = yield* scriptedServer(() =>
        toolCalls([
          { id: `c${n++}`, name: "Edit", args: { path: "a.txt", edits: [{ old: `two${" ".repeat(n)}`, new: "2" }] } }
        ])
      )
      const done = yield* maia(box, [...GO, "--max-iterations", "30"], { url: server.url })
      assert.strictEqual(result(done)["reason"], "stuck")
      assert.strictEqual(done.code, 1)
      assert.strictEqual(server.chats.length, 6)
      assert.deepStrictEqual(
        results(done).map((text) => text.includes("[LOOP_DETECTED: ")),
        [false, false, true, true, true, true]
      )
      assert.include(lastMessage(server.chats[3]?.body), "[LOOP_DETECTED: ")
      assert.deepStrictEqual(codes(done, "error"), ["loop"])
      assert.deepStrictEqual(codes(done, "warning"), ["loop_detected"])
    }).pipe(Effect.scoped)
  )

  it.effect("derailing: arguments that repeat themselves end the generation at once, and the model is told", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const part = (fields: object) => chunk({ tool_calls: [{ index: 0, ...fields }] })
      const server = yield* scriptedServer((n) =>
        n === 0
          ? hang([
              part({ id: "c0", type: "function", function: { name: "Bash", arguments: '{"command": "echo ' } }),
              ...Array.from({ length: 60 }, () => part({ function: { arguments: "Greet 2023-06-15 11:16:00 " } }))
            ])
          : textAnswer("I stop.")
      )
      const done = yield* maia(box, GO, { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.isTrue(yield* Effect.promise(() => server.chats[0]?.aborted ?? Promise.resolve(false)))
      assert.include(results(done)[0] ?? "", "ran away")
      assert.include(lastMessage(server.chats[1]?.body), "nothing was run")
    }).pipe(Effect.scoped)
  )

  it.effect("too long a call: nothing is written, the model gets a size, and writes in pieces", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ MaxOutputTokens: 4096 })
      const server = yield* scriptedServer([
        toolCalls([{ name: "Write", args: `{"path":"R.md","content":"# Title\\n${words(2_400)}` }], {
          finishReason: "length"
        }),
        toolCalls([{ id: "c1", name: "Write", args: { path: "R.md", content: "# Title\n" } }]),
        textAnswer("done")
      ])
      const done = yield* maia(box, GO, { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(lastMessage(server.chats[1]?.body), "at most about 6144 characters")
      assert.include(results(done)[0] ?? "", "nothing was run")
      assert.strictEqual(box.read("R.md"), "# Title\n")
      for (const { body } of server.chats) {
        for (const message of body.messages ?? []) {
          const calls = message["tool_calls"]
          for (const call of Array.isArray(calls) ? calls : []) JSON.parse(call.function.arguments)
        }
      }
    }).pipe(Effect.scoped)
  )

  it.effect("too long a call, a third time: one line for the person instead of the document", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ MaxOutputTokens: 300 })
      const server = yield* scriptedServer((n) =>
        toolCalls([{ id: `c${n}`, name: "Write", args: `{"path":"R.md","content":"${n} ${words(200)}` }], {
          finishReason: "length"
        })
      )
      const done = yield* maia(box, ["run", "--permissions", "allow", "-p", "go"], { url: server.url })
      assert.strictEqual(done.code, 1)
      assert.strictEqual(server.chats.length, 3)
      assert.include(done.stderr, "max_tokens is 300")
      assert.notInclude(done.stderr + done.stdout, "word17 word18")
    }).pipe(Effect.scoped)
  )

  it.effect("long reasoning is shown apart and costs the next turns nothing", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([
        sse([
          ...Array.from({ length: 50 }, (_, n) => chunk({ reasoning_content: `thought ${n} ` })),
          chunk({ content: "The answer." }),
          chunk({}, "stop")
        ]),
        textAnswer("ok")
      ])
      const done = yield* maia(box, [...GO, "--session", "s"], { url: server.url })
      assert.strictEqual(result(done)["text"], "The answer.")
      assert.include(
        ofType(done, "reasoning")
          .map((line) => line["delta"])
          .join(""),
        "thought 49"
      )
      yield* maia(box, [...GO, "--session", "s"], { url: server.url })
      assert.notInclude(server.chats[1]?.text ?? "", "thought 49")
    }).pipe(Effect.scoped)
  )

  it.effect("a small window: outputs take a share of it, and an overflow is compacted away", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ models: { "*": { contextWindow: 8192 } } })
      let overflowed = false
      const server = yield* scriptedServer((_n, body) => {
        if (body.tools === undefined) return textAnswer("## Decisions and conclusions\n- the files were listed")
        const done = body.messages?.filter(({ role }) => role === "tool").length ?? 0
        if (done < 4 && !overflowed) {
          return toolCalls([
            { id: `c${done}`, name: "Bash", args: { command: `seq -f 'line ${done} of a long output: %g' 1000` } }
          ])
        }
        if (!overflowed) {
          overflowed = true
          const message = "request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it"
          return json(400, { error: { code: 400, message, type: "exceed_context_size_error", n_ctx: 8192 } })
        }
        return textAnswer("done")
      })
      const done = yield* maia(box, GO, { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr + JSON.stringify(done.lines.slice(-2)))
      for (const text of results(done)) assert.isAtMost(text.length, 4_400)
      assert.strictEqual(result(done)["text"], "done")
      assert.isNotEmpty(ofType(done, "compaction"))
    }).pipe(Effect.scoped)
  )

  it.effect("weak routing: the keywords of a skill are before the model, and §name decides for it", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const folder = join(box.home, ".maia/skills/greetings")
      mkdirSync(folder, { recursive: true })
      writeFileSync(
        join(folder, "SKILL.md"),
        "---\nname: greetings\ndescription: Greets a person.\nkeywords: [saluer, bonjour, hello]\n---\nSay hello to $ARGUMENTS.\n"
      )
      const server = yield* scriptedServer([textAnswer("ok"), textAnswer("ok")])
      yield* maia(box, ["run", "-p", "salue Bob"], { url: server.url })
      assert.include(String(server.chats[0]?.body.messages?.[0]?.content), "[keywords: saluer, bonjour, hello]")
      yield* maia(box, ["run", "-p", "§greetings Bob"], { url: server.url })
      assert.include(lastMessage(server.chats[1]?.body), "Say hello to Bob.")
    }).pipe(Effect.scoped)
  )
})

describe("around the table", () => {
  it.effect("a call written as text is run, and neither shown nor kept as text", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer([
        textAnswer('<tool_call>\n{"name": "Bash", "arguments": {"command": "echo hi"}}\n</tool_call>', {
          step: 3,
          reasoning: "I will run it."
        }),
        textAnswer("done")
      ])
      const done = yield* maia(box, GO, { url: server.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.include(results(done)[0] ?? "", "hi\n[exit code: 0]")
      assert.notInclude(done.stdout, "tool_call>")
      const sent = server.chats[1]?.body.messages?.at(-2)
      assert.deepInclude(sent, { role: "assistant" })
      const calls = sent?.["tool_calls"]
      assert.deepInclude(Array.isArray(calls) ? calls[0] : undefined, {
        type: "function",
        function: { name: "Bash", arguments: '{"command":"echo hi"}' }
      })
      assert.notInclude(server.chats[1]?.text ?? "", "<tool_call>")
    }).pipe(Effect.scoped)
  )

  it.effect("a call inside <think> and one quoted in an answer are not run", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const call = '<tool_call>{"name": "Bash", "arguments": {"command": "touch made"}}</tool_call>'
      const server = yield* scriptedServer([
        textAnswer(`<think>I could write ${call}</think>Like this: ${call}`, { step: 4 })
      ])
      const done = yield* maia(box, GO, { url: server.url })
      assert.isEmpty(ofType(done, "tool_call"))
      assert.strictEqual(result(done)["text"], `Like this: ${call}`)
    }).pipe(Effect.scoped)
  )

  it.effect("an answer cut by the limit is marked for whoever reads it", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ MaxOutputTokens: 20 })
      const server = yield* scriptedServer([textAnswer("Half a sent", { finishReason: "length" }), textAnswer("ence.")])
      const done = yield* maia(box, ["run", "-p", "go", "--session", "s"], { url: server.url })
      assert.strictEqual(done.stdout, "Half a sent\n\n[answer cut off at max_tokens (20)]\n")
      assert.include(done.stderr, '"continue"')
      assert.strictEqual(done.stderr.trim().split("\n").length, 1)
      yield* maia(box, ["run", "-p", "continue", "--session", "s"], { url: server.url })
      assert.include(server.chats[1]?.text ?? "", "[answer cut off at max_tokens (20)]")
    }).pipe(Effect.scoped)
  )

  it.effect(
    "a server without tools for this model: one line, the server's words, what to do, and no second request",
    () =>
      Effect.gen(function* () {
        const box = yield* sandbox
        const server = yield* scriptedServer(() =>
          json(500, { error: { code: 500, message: "tools param requires --jinja flag", type: "server_error" } })
        )
        const done = yield* maia(box, ["run", "-p", "go"], { url: server.url })
        assert.strictEqual(done.code, 1)
        assert.include(done.stderr, "llama-server -m model.gguf --jinja")
        assert.strictEqual(server.chats.length, 1)
        const french = yield* maia(box, ["run", "-p", "go"], { url: server.url, env: { LANG: "fr_FR.UTF-8" } })
        assert.include(french.stderr, "Lancez llama-server avec --jinja")
      }).pipe(Effect.scoped)
  )

  it.effect("an answer with many equal lines that is there at once is nobody's fault: every byte arrives", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      // One that goes on for ever is stopped: test/agent/smallModels/answers.test.ts.
      const line = "I will now check the file again.\n"
      const server = yield* scriptedServer([sse([data(chunk({ content: line.repeat(400) })), chunk({}, "stop")])])
      const done = yield* maia(box, ["run", "-p", "go"], { url: server.url })
      assert.strictEqual(done.stdout.trimEnd(), line.repeat(400).trimEnd())
      assert.strictEqual(done.code, 0)
    }).pipe(Effect.scoped)
  )
})
