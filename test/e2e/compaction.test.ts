/** Long tasks of the compiled executable on windows of known size, and servers that refuse what is too long. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import {
  json,
  scriptedServer,
  textAnswer,
  toolCalls,
  type ChatBody,
  type ScriptedResponse
} from "../support/scriptedServer.ts"
import { maia, ofType, sandbox, type Finished } from "./support.ts"

const GO = ["run", "-o", "stream-json", "--permissions", "allow"]

const sent = (body: ChatBody): string => JSON.stringify(body.messages ?? [])

/** A request for a summary has no tools. */
const isSummary = (body: ChatBody): boolean =>
  body.tools === undefined && /You summarise conversations/.test(String(body.messages?.[0]?.content))

/** A summarising model that keeps what is named like a fact and forgets the rest. */
const factSummary = (body: ChatBody): ScriptedResponse => {
  const facts = [...new Set(sent(body).match(/FACT-\d+/g) ?? [])]
  return textAnswer(
    `## Decisions and conclusions\n${["the work goes on", ...facts].map((fact) => `- ${fact}`).join("\n")}`
  )
}

/** Answers a task of `steps` commands and reads, with summaries in between; the n-th command says FACT-n (up to 3). */
const longTask = (steps: number, lines: number, reads: boolean) => {
  let step = 0
  return (_n: number, body: ChatBody): ScriptedResponse => {
    if (isSummary(body)) return factSummary(body)
    if (step >= steps) return textAnswer("all done")
    step++
    const id = `call_${step}`
    if (reads && step > 3) return toolCalls([{ id, name: "Read", args: { path: `f${step % 40}.txt`, offset: step } }])
    const command = `${step <= 3 ? `echo FACT-${step}; ` : ""}seq -f 'line of step ${step}: %g' ${lines}`
    return toolCalls([{ id, name: "Bash", args: { command } }])
  }
}

/** Every call has its result right behind it, in order. */
const assertValid = (body: ChatBody): void => {
  let open: Array<unknown> = []
  for (const message of body.messages ?? []) {
    if (message.role === "tool") {
      assert.strictEqual(message["tool_call_id"], open.shift())
      continue
    }
    assert.deepStrictEqual(open, [])
    const calls = message["tool_calls"]
    open = Array.isArray(calls) ? calls.map((call: { readonly id: string }) => call.id) : []
  }
  assert.deepStrictEqual(open, [])
}

const result = (done: Finished) => done.lines.at(-1) ?? assert.fail("no line")

const summaryCalls = (done: Finished): ReadonlyArray<number> =>
  ofType(done, "compaction")
    .filter((line) => line["phase"] === "finished")
    .map((line) => Number(line["summaryCalls"]))

describe("a long task on a window of known size", () => {
  for (const [window, steps, lines, reads] of [
    [8_192, 40, 40, false],
    [32_768, 60, 150, true],
    [200_000, 60, 900, true]
  ] as const) {
    it.live(
      `${window} tokens: compacts in the middle, goes to its end, early facts survive`,
      () =>
        Effect.gen(function* () {
          const box = yield* sandbox
          box.settings({ models: { "*": { contextWindow: window } } })
          for (let n = 0; n < 40; n++) box.write(`f${n}.txt`, `a line of file ${n} that is read\n`.repeat(1_500))
          const server = yield* scriptedServer(longTask(steps, lines, reads))
          const done = yield* maia(
            box,
            [...GO, "-p", "Do the long task. FACT-0 is given.", "--max-iterations", "400"],
            {
              url: server.url
            }
          )
          assert.strictEqual(done.code, 0, done.stderr + JSON.stringify(done.lines.slice(-3)))
          assert.strictEqual(result(done)["text"], "all done")
          assert.strictEqual(result(done)["iterations"], steps + 1)
          const rounds = summaryCalls(done)
          assert.isAtLeast(rounds.length, 1)
          assert.isAtMost(rounds.length, steps / 3)
          for (const calls of rounds) assert.isAtMost(calls, 3)
          assert.deepStrictEqual(
            ofType(done, "compaction").filter((line) => line["phase"] === "failed"),
            []
          )
          const bodies = server.chats.map(({ body }) => body)
          assert.strictEqual(
            bodies.filter(isSummary).length,
            rounds.reduce((sum, calls) => sum + calls, 0)
          )
          const last = bodies.at(-1) ?? assert.fail("no request")
          for (const fact of ["FACT-0", "FACT-1", "FACT-2", "FACT-3"]) assert.include(sent(last), fact)
          for (const body of bodies) assertValid(body)
          const largest = Math.max(...bodies.map((body) => JSON.stringify(body).length))
          assert.isBelow(largest / 3, window, "no request far over the window")
          // The session has it all, and opens again with the summary in place of what it stands for.
          const again = yield* scriptedServer([textAnswer("back")])
          yield* maia(box, ["run", "-p", "again", "--continue"], { url: again.url })
          const reopened = again.chats[0]?.body ?? assert.fail("no request")
          assert.include(sent(reopened), "FACT-1")
          assert.include(sent(reopened), "<summary>")
        }).pipe(Effect.scoped),
      60_000
    )
  }
})

const overflowTexts: ReadonlyArray<readonly [string, number, unknown]> = [
  [
    "llama.cpp",
    400,
    {
      error: {
        code: 400,
        message: "the request exceeds the available context size, try increasing it",
        type: "exceed_context_size_error",
        n_prompt_tokens: 9000,
        n_ctx: 8192
      }
    }
  ],
  [
    "LiteLLM around OpenAI",
    400,
    {
      error: {
        message:
          "litellm.ContextWindowExceededError: litellm.BadRequestError: ContextWindowExceededError: OpenAIException - " +
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9000 tokens.",
        type: null,
        code: "400"
      }
    }
  ],
  [
    "LiteLLM around another error",
    503,
    {
      error: {
        message:
          "litellm.ServiceUnavailableError: ContextWindowExceededError: prompt is too long: 9000 tokens > 8192 maximum",
        code: "503"
      }
    }
  ]
]

describe("a server that refuses a request as too long", () => {
  for (const [who, status, body] of overflowTexts) {
    it.live(`${who}: one to three summaries and one retry`, () =>
      Effect.gen(function* () {
        const box = yield* sandbox
        let tasks = 0
        const server = yield* scriptedServer((_n, request) => {
          if (isSummary(request)) return factSummary(request)
          tasks++
          if (tasks === 1) {
            return toolCalls([
              { id: "a", name: "Bash", args: { command: "echo FACT-1; seq -f 'line %g of a long output' 400" } }
            ])
          }
          return tasks === 2 ? json(status, body) : textAnswer("went on")
        })
        const done = yield* maia(box, [...GO, "-p", "go, with FACT-0"], { url: server.url })
        assert.strictEqual(done.code, 0, done.stdout + done.stderr)
        assert.strictEqual(result(done)["text"], "went on")
        const [calls, ...more] = summaryCalls(done)
        assert.deepStrictEqual(more, [])
        assert.isAtLeast(calls ?? 0, 1)
        assert.isAtMost(calls ?? 9, 3)
        assert.strictEqual(tasks, 3)
        const last = server.chats.at(-1)?.body ?? assert.fail("no request")
        assert.include(sent(last), "FACT-0")
        assertValid(last)
        assert.deepStrictEqual(
          ofType(done, "compaction").map((line) => `${String(line["reason"])} ${String(line["phase"])}`),
          ["overflow started", "overflow finished"]
        )
      }).pipe(Effect.scoped)
    )
  }

  it.live("that goes on refusing ends the turn after one retry", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer((_n, request) =>
        isSummary(request) ? factSummary(request) : json(400, overflowTexts[0]?.[2])
      )
      const done = yield* maia(box, [...GO, "-p", `go ${"word ".repeat(3_000)}`], { url: server.url })
      assert.strictEqual(done.code, 1)
      assert.strictEqual(ofType(done, "error")[0]?.["code"], "context_overflow")
      assert.strictEqual(server.chats.filter(({ body }) => !isSummary(body)).length, 2)
      assert.isAtMost(server.chats.length, 5)
    }).pipe(Effect.scoped)
  )

  it.live("throttling that speaks of tokens is no overflow: no summary is asked for", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ maxRetryAfter: 1 })
      const server = yield* scriptedServer(() =>
        json(
          429,
          {
            error: {
              message: "Rate limit reached: too many tokens per minute (TPM): Limit 30000, Requested 40000.",
              type: "tokens",
              code: "rate_limit_exceeded"
            }
          },
          { "retry-after": "120" }
        )
      )
      const done = yield* maia(box, [...GO, "-p", `go ${"word ".repeat(4_000)}`], { url: server.url })
      assert.strictEqual(done.code, 1)
      assert.strictEqual(ofType(done, "error")[0]?.["code"], "rate_limit")
      assert.deepStrictEqual(ofType(done, "compaction"), [])
      assert.isFalse(server.chats.some(({ body }) => isSummary(body)))
    }).pipe(Effect.scoped)
  )
})

describe("kill -9 while a summary is written", () => {
  it.live("changes nothing: the next run has the whole history and compacts again", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ models: { "*": { contextWindow: 16_384 } } })
      for (let n = 0; n < 40; n++) box.write(`f${n}.txt`, `a line of file ${n} that is read\n`.repeat(300))
      const task = longTask(30, 80, true)
      let killed: (() => void) | undefined
      const server = yield* scriptedServer((n, body) => {
        if (!isSummary(body)) return task(n, body)
        killed?.()
        return { ...textAnswer(""), pieces: ["\0hang"] }
      })
      const first = yield* maia(box, [...GO, "-p", "Do it. FACT-0", "--session", "s"], {
        url: server.url,
        onStart: (child) => {
          killed = () => void child.kill("SIGKILL")
        }
      })
      assert.strictEqual(first.signal, "SIGKILL")
      const before = box.session("s")
      assert.isFalse(before.some((entry) => entry["type"] === "compaction"))
      const results = ofType(first, "tool_result").length
      assert.strictEqual(
        before.filter((entry) => JSON.stringify(entry).includes('"role":"tool"')).length,
        results,
        "all that was told is in the file"
      )
      const next = yield* scriptedServer((_n, body) => (isSummary(body) ? factSummary(body) : textAnswer("back")))
      const done = yield* maia(box, [...GO, "-p", "again", "--continue"], { url: next.url })
      assert.strictEqual(done.code, 0, done.stderr)
      assert.strictEqual(summaryCalls(done).length, 1)
      const last = next.chats.at(-1)?.body ?? assert.fail("no request")
      for (const fact of ["FACT-0", "FACT-1"]) assert.include(sent(last), fact)
      assertValid(last)
    }).pipe(Effect.scoped)
  )
})

describe("the strategy new-session", () => {
  it.live("begins the next request in a new session, from the summary; the old file stays as it was", () =>
    Effect.gen(function* () {
      const box = yield* sandbox
      box.settings({ models: { "*": { contextWindow: 8_192 } }, compaction: { strategy: "new-session" } })
      const server = yield* scriptedServer((_n, body) => (isSummary(body) ? factSummary(body) : textAnswer("ok")))
      const ask = (prompt: string, ...more: ReadonlyArray<string>) =>
        maia(box, [...GO, "-p", prompt, ...more], { url: server.url })
      yield* ask(`FACT-0 ${"word ".repeat(3_000)}`, "--session", "s")
      yield* ask(`FACT-1 ${"word ".repeat(1_500)}`, "--session", "s")
      const before = box.session("s")
      const done = yield* ask(`And now? ${"word ".repeat(1_000)}`, "--session", "s")
      assert.strictEqual(done.code, 0, done.stderr)
      assert.strictEqual(ofType(done, "session")[0]?.["name"], "s__1")
      assert.deepStrictEqual(box.session("s"), before)
      const last = server.chats.at(-1)?.body ?? assert.fail("no request")
      for (const fact of ["FACT-0", "FACT-1"]) assert.include(sent(last), fact)
      assert.strictEqual(last.messages?.length, 2, "the system prompt with the summary, and the request")
    }).pipe(Effect.scoped)
  )
})
