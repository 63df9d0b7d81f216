/** The input of the executable in a pseudo terminal: keys, pastes, width, candidates, history (spec 07 "Input"). */
import { assert, describe, it } from "@effect/vitest"
import { Effect, type Scope } from "effect"
import { readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { scriptedServer, textAnswer, type ScriptedServer } from "../support/scriptedServer.ts"
import { openTerminal, type TerminalProgram } from "../support/terminal.ts"
import { environment, MAIA, sandbox, type Sandbox } from "./support.ts"

const E = "\u001b"
const PLACEHOLDER = "Your request"

interface Trial {
  readonly box: Sandbox
  readonly server: ScriptedServer
  /** A session, once its input can be typed in. */
  readonly session: Effect.Effect<TerminalProgram, never, Scope.Scope>
}

const withMaia = (use: (trial: Trial) => Effect.Effect<void, never, Scope.Scope>) =>
  Effect.scoped(
    Effect.gen(function* () {
      const box = yield* sandbox
      const server = yield* scriptedServer(() => textAnswer("all done"))
      const session = Effect.gen(function* () {
        const program = yield* openTerminal([MAIA], { cwd: box.folder, env: environment(box, { url: server.url }) })
        yield* program.shows("No permission rule")
        yield* program.shows(PLACEHOLDER)
        return program
      })
      yield* use({ box, server, session })
    })
  )

/** The last thing the model was sent. */
const lastRequest = (server: ScriptedServer): unknown => server.chats.at(-1)?.body.messages?.at(-1)?.content

/** Sends the input and waits until the answer is there and the input empty again. */
const submit = Effect.fnUntraced(function* (program: TerminalProgram) {
  program.send("\r")
  yield* program.shows("all done")
  yield* program.shows(PLACEHOLDER)
})

/** Rows between the borders. */
const input = ({ screen }: TerminalProgram): ReadonlyArray<string> => {
  const rows = screen()
  const last = rows.findLastIndex((row) => row.startsWith("┈┈"))
  const first = rows.slice(0, last).findLastIndex((row) => row.startsWith("┈┈"))
  return rows.slice(first + 1, last).map((row) => row.slice(2).trimEnd())
}

const showsInput = (program: TerminalProgram, ...rows: ReadonlyArray<string>): Effect.Effect<void> =>
  program.until(`input ${JSON.stringify(rows)}`, (now) => JSON.stringify(input(now)) === JSON.stringify(rows))

describe("G2 pastes", () => {
  for (const [name, write] of [
    ["in one read", (text: string) => [text]],
    ["byte by byte", (text: string) => text.split("")],
    ["with the end marker cut", (text: string) => [text.slice(0, -3), text.slice(-3)]]
  ] as const) {
    it.live(`a paste ${name} is one draft, and nothing is sent`, () =>
      withMaia(({ server, session }) =>
        Effect.gen(function* () {
          const program = yield* session
          for (const part of write(`${E}[200~a\r\nb\rc\n${E}[201~`)) program.send(part)
          yield* showsInput(program, "a", "b", "c", "")
          assert.strictEqual(server.chats.length, 0)
          yield* submit(program)
          assert.strictEqual(lastRequest(server), "a\nb\nc")
        })
      )
    )
  }

  it.live("2 KB without markers are one paste, not many requests", () =>
    withMaia(({ server, session }) =>
      Effect.gen(function* () {
        const program = yield* session
        program.send("some words of text\r".repeat(108))
        yield* showsInput(program, "[Pasted text #1 +108 lines]")
        assert.strictEqual(server.chats.length, 0)
        yield* submit(program)
        assert.strictEqual(lastRequest(server), "some words of text\n".repeat(108))
      })
    )
  )

  it.live("a long paste is one unit: shown as a token, deleted with one key, sent whole", () =>
    withMaia(({ server, session }) =>
      Effect.gen(function* () {
        const program = yield* session
        const lines = Array.from({ length: 200 }, (_, at) => `line ${at}`).join("\n")
        program.send(`see ${E}[200~${lines}${E}[201~ and ${E}[200~${lines}${E}[201~`)
        yield* showsInput(program, "see [Pasted text #1 +200 lines] and [Pasted text #2 +200 lines]")
        program.send("\u007f")
        yield* showsInput(program, "see [Pasted text #1 +200 lines] and")
        program.send("that")
        yield* submit(program)
        assert.strictEqual(lastRequest(server), `see ${lines} and that`)
      })
    )
  )

  it.live("a megabyte does not freeze the input", () =>
    withMaia(({ server, session }) =>
      Effect.gen(function* () {
        const program = yield* session
        const text = "0123456789abcde\n".repeat(65_536)
        program.send(`${E}[200~${text}${E}[201~x`)
        yield* showsInput(program, "[Pasted text #1 +65536 lines]x")
        program.send("\u0003")
        yield* program.shows(PLACEHOLDER)
        assert.strictEqual(server.chats.length, 0)
      })
    )
  )
})

describe("G1 the terminal's cursor stands at the caret", () => {
  for (const [name, text, column] of [
    ["wide characters", "你好，世界", 12],
    ["two code points for one letter", "e\u0301e\u0301", 4],
    ["half-width kana", "ｱｲｳ", 5],
    ["letters", "héllo", 7]
  ] as const) {
    it.live(name, () =>
      withMaia(({ session }) =>
        Effect.gen(function* () {
          const program = yield* session
          program.send(text)
          yield* program.until(`column ${column}`, ({ cursor }) => cursor().column === column)
          program.send("\u007f")
          yield* program.until("one grapheme less", ({ cursor }) => cursor().column < column)
          program.send("\u007f".repeat(10))
          yield* program.shows(PLACEHOLDER)
        })
      )
    )
  }
})

describe("keys", () => {
  it.live("answers of the terminal are never typed", () =>
    withMaia(({ session }) =>
      Effect.gen(function* () {
        const program = yield* session
        program.send(`${E}[?62;22c${E}[12;40R${E}]11;rgb:1e1e/1e1e/1e1e\u0007${E}P>|term${E}\\${E}[I${E}[O${E}[<0;1;1M`)
        program.send(`${E}]11;rgb:1e`)
        program.send(`1e/1e1e${E}`)
        program.send("\\x")
        yield* showsInput(program, "x")
      })
    )
  )

  it.live("line ends by Shift+Enter, Alt+Enter, Ctrl+J and a backslash", () =>
    withMaia(({ server, session }) =>
      Effect.gen(function* () {
        const program = yield* session
        program.send(`one${E}[13;2utwo${E}\rthree\nfour\\`)
        yield* showsInput(program, "one", "two", "three", "four\\")
        program.send("\r")
        yield* showsInput(program, "one", "two", "three", "four", "")
        program.send("five")
        yield* showsInput(program, "one", "two", "three", "four", "five")
        yield* submit(program)
        assert.strictEqual(lastRequest(server), "one\ntwo\nthree\nfour\nfive")
      })
    )
  )

  it.live("readline's motions, kills, yank and undo", () =>
    withMaia(({ session }) =>
      Effect.gen(function* () {
        const program = yield* session
        program.send("one two three\u0017\u0017\u0001\u0019|")
        yield* showsInput(program, "two three|one")
        program.send("\u0005!\u001f")
        yield* showsInput(program, "two three|one")
        program.send(`${E}b${E}\u007f`)
        yield* showsInput(program, "two one")
      })
    )
  )

  it.live("Ctrl+C clears, twice on an empty input leaves, and the terminal gets its modes back", () =>
    withMaia(({ session }) =>
      Effect.gen(function* () {
        const program = yield* session
        program.send("draft")
        yield* showsInput(program, "draft")
        program.send("\u0003")
        yield* program.shows(PLACEHOLDER)
        program.send("\u0003")
        yield* program.shows("Ctrl+C again to leave")
        program.send("\u0003")
        assert.strictEqual(yield* program.exit, 0)
        // What it wrote last may come after its end.
        yield* program.until("the modes given back", ({ raw }) => raw().includes(`${E}[?2004l`))
      })
    )
  )
})

describe("candidates", () => {
  it.live("a path is completed, quoted, and its file goes with the request", () =>
    withMaia(({ box, server, session }) =>
      Effect.gen(function* () {
        box.write("docs/my notes.md", "the secret word is heron")
        const program = yield* session
        program.send("read @my")
        yield* program.shows("docs/my notes.md")
        program.send("\t")
        yield* showsInput(program, 'read @"docs/my notes.md"')
        yield* submit(program)
        assert.include(String(lastRequest(server)), "heron")
      })
    )
  )

  it.live("a command is completed and run", () =>
    withMaia(({ session }) =>
      Effect.gen(function* () {
        const program = yield* session
        program.send("/hel")
        yield* program.shows("/help")
        program.send("\t")
        yield* showsInput(program, "/help")
        program.send("\r")
        yield* program.shows("Shift+Tab")
      })
    )
  )
})

describe("history", () => {
  it.live("↑ finds what an earlier session sent; the file is the user's only; a leading space keeps out of it", () =>
    withMaia(({ box, session }) =>
      Effect.gen(function* () {
        const first = yield* session
        first.send("remember me")
        yield* showsInput(first, "remember me")
        yield* submit(first)
        first.send(" not me")
        yield* showsInput(first, " not me")
        first.send("\r")
        yield* first.shows("› not me")
        yield* first.shows(PLACEHOLDER)
        first.send("\u0004")
        assert.strictEqual(yield* first.exit, 0)
        const file = join(box.home, ".maia/history.jsonl")
        assert.strictEqual(statSync(file).mode & 0o777, 0o600)
        assert.notInclude(readFileSync(file, "utf8"), "not me")
        const second = yield* session
        second.send("draft")
        yield* showsInput(second, "draft")
        second.send(`${E}[A`)
        yield* showsInput(second, "remember me")
        second.send(`${E}[B`)
        yield* showsInput(second, "draft")
        second.send("\u0012mem")
        yield* showsInput(second, "remember me")
      })
    )
  )
})
