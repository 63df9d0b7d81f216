import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import type { ToolMessage } from "../../../src/domain/message.ts"
import { diffOfTexts } from "../../../src/tools/files/diff.ts"
import { pinnedTodos, todoLines } from "../../../src/tui/text/todoView.ts"
import {
  finishedCall,
  RESULT_PREVIEW,
  runningCall,
  shellResult,
  type FinishedCall
} from "../../../src/tui/text/toolView.ts"
import { cellWidth } from "../../../src/tui/text/width.ts"
import { draw } from "./screen.ts"
import { expectScreen, named, plain, WIDTHS } from "./snapshot.ts"

const view = { width: 80, theme: plain, language: "en" } as const

const result = (toolName: string, text: string, more: Partial<ToolMessage> = {}): ToolMessage => ({
  role: "tool",
  toolCallId: "1",
  toolName,
  text,
  isError: false,
  ...more
})

const call = (
  name: string,
  input: unknown,
  text: string,
  more: Partial<ToolMessage> & { readonly seconds?: number } = {}
): FinishedCall => {
  const { seconds = 0.1, ...rest } = more
  return { name, input, result: result(name, text, rest), seconds }
}

const changed = diffOfTexts("a\nb\nc\nd\ne\n", "a\nB b\nc\nd\nnew\ne\n")
const todos = [
  { content: "Read the code", status: "completed" },
  { content: "Write it", activeForm: "Writing it", status: "in_progress" },
  { content: "Test all of it, with a description that goes on for longer than a line has room", status: "pending" }
] as const
const tests = Array.from({ length: 100 }, (_, n) => `ok ${n} a test with a name`).join("\n")
const exited = (code: number): Partial<ToolMessage> => ({ details: { status: { kind: "exited", code } } })

const CALLS: ReadonlyArray<FinishedCall> = [
  call("Bash", { command: "npm test" }, `${tests}\n[exit code: 0]`, { ...exited(0), seconds: 12.34 }),
  call("Bash", { command: "grep x y\nls" }, "(no output)\n[exit code: 1]", exited(1)),
  call("Bash", { command: "sleep 1000" }, "started\n[timed out after 120 s]", {
    details: { status: { kind: "timedOut", seconds: 120 } },
    seconds: 120
  }),
  call("Bash", { command: "npm run dev", run_in_background: true }, "Started in the background with the id b1."),
  call("BashOutput", { id: "b1" }, "ready\n[still running]"),
  call("KillBash", { id: "b1" }, "Job b1: ended"),
  call(
    "Read",
    { path: "src/some/path/that/is/rather/long/and/does/not/fit/file.ts", offset: 10, limit: 50 },
    "    10\tline\n    11\t\tindented\n[more lines follow: go on with offset 12]"
  ),
  call("Read", { path: "logo.png" }, "[image image/png, 12 kB]"),
  call("Edit", { path: "src/a.ts", edits: [] }, "2 replacements in src/a.ts", {
    details: { path: "/x/src/a.ts", diff: changed.lines, added: changed.added, removed: changed.removed }
  }),
  call("Write", { path: "src/b.ts", content: "hello\n" }, "Created src/b.ts (1 line)", {
    details: { path: "/x", diff: [{ kind: "added", number: 1, text: "hello" }], added: 1, removed: 0 }
  }),
  call("Glob", { pattern: "**/*.ts" }, "a.ts\nb.ts\n[3 more not shown: use a narrower pattern]"),
  call("Grep", { pattern: "foo\\(", path: "src", glob: "*.ts" }, "src/a.ts:1:foo(\nsrc/b.ts:2:foo("),
  call(
    "Grep",
    { pattern: "foo", context: 1 },
    "a.ts-1-x\na.ts:2:foo\n--\nb.ts:9:foo\n[more matches: raise limit (100)]"
  ),
  call("Grep", { pattern: "foo", output_mode: "files" }, "a.ts"),
  call(
    "Grep",
    { pattern: "zzz", path: "." },
    "(no match; ignored and protected files, binaries and .git are not searched)"
  ),
  call("WebFetch", { url: "https://example.org/page" }, "URL: https://example.org/page\nType: text/html\n\n# Hello", {
    details: { url: "https://example.org/page", title: "A page", characters: 12_345 },
    seconds: 2.5
  }),
  call("TodoWrite", { todos }, "…", { details: { todos } }),
  call("CurrentModel", {}, "qwen3-coder"),
  call("Skill", { name: "release", arguments: "1.2" }, "Do this.\nThen that."),
  call("Agent", { agent: "reviewer", task: "Look at the\nlast commit" }, "Summary of the sub-agent"),
  call("mcp__github__search_issues", { query: "is:open label:bug", repo: "a/b", page: 1 }, '{"items": []}', {
    seconds: 1.5
  }),
  call("Addition", { a: 1, b: 2 }, "3"),
  call("Deploy", "not understood", "Parameter missing", { isError: true }),
  call("Edit", { path: "src/a.ts" }, '"old" was not found in src/a.ts. Read the file again and copy it exactly.', {
    isError: true
  })
]

describe("finished calls of every tool", () => {
  for (const width of WIDTHS) {
    it(`at ${width} columns`, () =>
      expectScreen(
        `tools-${width}`,
        CALLS.flatMap((one) => finishedCall(one, { ...view, width })),
        width
      ))
  }

  it("in French and in colour", () =>
    expectScreen(
      "tools-fr",
      CALLS.flatMap((one) => finishedCall(one, { width: 80, theme: named, language: "fr" })),
      80
    ))

  it("the preview of a result has 600 characters", () => {
    const shown = finishedCall(call("Addition", {}, "x".repeat(5_000)), { ...view, width: 120 }).join("")
    assert.strictEqual([...shown].filter((character) => character === "x").length, RESULT_PREVIEW)
    assert.include(shown, "more line")
  })

  it("of output the end is shown too", () => {
    const lines = finishedCall(call("Bash", { command: "x" }, `first\n${"y".repeat(90_000)}\nlast`, exited(0)), view)
    assert.strictEqual(lines.at(-1), "  last")
    assert.strictEqual(lines[1], "  first")
    assert.isAtMost(lines.length, 9)
  })

  it("the command is shown before anything else when there is no room, and a failure is never left out", () => {
    const lines = finishedCall(
      call("Bash", { command: "make everything from scratch" }, "[exit code: 2]", { ...exited(2), seconds: 30 }),
      { ...view, width: 40 }
    )
    assert.deepStrictEqual(lines, ["✗ Bash make everything from scratch", "  → exit code: 2"])
  })
})

describe("G6 names, arguments and results of others", () => {
  const hostile = "\u001b]0;t\u0007\u001b[2J\r\nx\u202e\u009b1A"

  it("reach the screen as text", async () => {
    for (const name of [hostile, `mcp__${hostile}__${hostile}`, "Bash", "Read", "Grep", "WebFetch", "TodoWrite"]) {
      const input = {
        [hostile]: hostile,
        command: hostile,
        path: hostile,
        pattern: hostile,
        url: hostile,
        list: [hostile]
      }
      const details = { todos: [{ content: hostile, status: "pending" }], title: hostile, characters: 1, url: "x" }
      const lines = [
        ...finishedCall(call(name, input, hostile, { details }), view),
        ...finishedCall(call(name, input, hostile, { isError: true }), view),
        ...runningCall({ name, input, phase: "running", elapsed: 1, tail: hostile }, { mark: "*", rows: 4 }, view),
        ...shellResult({ command: hostile, shown: hostile, status: hostile }, view)
      ]
      const drawn = await draw(lines.join("\n"))
      assert.deepStrictEqual([drawn.said, drawn.titles, drawn.row], [[], [], lines.length - 1])
      assert.notMatch(lines.join(""), /[\u0000-\u001f\u007f-\u009f\u202e]/)
    }
  })

  it("nothing is wider than the screen, whatever the input is", () => {
    fc.assert(
      fc.property(
        fc.constantFrom("Bash", "Read", "Grep", "TodoWrite", "x", "mcp__a__b"),
        fc.anything({ maxDepth: 2 }),
        fc.string({ unit: fc.constantFrom("a", "你", " ", "\n", "\t", "👩‍👩‍👧"), maxLength: 300 }),
        fc.integer({ min: 12, max: 60 }),
        fc.boolean(),
        (name, input, text, width, isError) => {
          const some = { ...view, theme: named, width }
          for (const line of [
            ...finishedCall(call(name, input, text, { isError, seconds: 70 }), some),
            ...runningCall({ name, input, phase: "running", elapsed: 9, tail: text }, { mark: "*", rows: 3 }, some)
          ]) {
            assert.isAtMost(cellWidth(line), width)
          }
        }
      ),
      { seed: 12, numRuns: 400 }
    )
  })
})

describe("running calls", () => {
  const running = { name: "Bash", input: { command: "npm test" }, phase: "running", elapsed: 65_000 } as const

  it("show their last lines as a terminal would", () => {
    const tail = "first\nsecond\n10%\r20%\r\u001b[32m100%\u001b[0m\nlast\n"
    assert.deepStrictEqual(runningCall({ ...running, tail }, { mark: "⠙", rows: 3 }, view), [
      "⠙ Bash npm test 1 min 05 s",
      "  second",
      "  100%",
      "  last"
    ])
    assert.strictEqual(runningCall({ ...running, tail }, { mark: "⠙", rows: 0 }, view).length, 1)
  })

  it("say what they wait for", () => {
    const fr = { ...view, language: "fr" } as const
    assert.deepStrictEqual(
      (["requested", "asked", "done"] as const).flatMap((phase) =>
        runningCall({ ...running, phase, tail: "" }, { mark: "•", rows: 1 }, fr)
      ),
      ["• Bash npm test en attente", "• Bash npm test attend votre réponse", "✓ Bash npm test terminé 1 min 05 s"]
    )
  })
})

describe("! commands", () => {
  it("show 4 000 characters in forty lines", () => {
    assert.deepStrictEqual(shellResult({ command: "ls", shown: "a\nb\n", status: "[exit code: 0]" }, view), [
      "! ls",
      "  a",
      "  b",
      "[exit code: 0]"
    ])
    assert.strictEqual(shellResult({ command: "yes", shown: "y\n".repeat(9_000), status: "" }, view).length, 42)
  })
})

describe("task list", () => {
  it("☐ ▶ ☑, wrapped under their marks", () => {
    assert.deepStrictEqual(todoLines(todos, { ...view, width: 40 }), [
      "☑ Read the code",
      "▶ Writing it",
      "☐ Test all of it, with a description",
      "  that goes on for longer than a line",
      "  has room"
    ])
  })

  it("pinned: the task under way is always there, one done task above it", () => {
    const many = Array.from({ length: 20 }, (_, n) => ({
      content: `task ${n}`,
      status: n < 9 ? ("completed" as const) : n === 9 ? ("in_progress" as const) : ("pending" as const)
    }))
    assert.deepStrictEqual(pinnedTodos(many, 4, view), ["Tasks 9/20", "☑ task 8", "▶ task 9", "☐ task 10"])
    assert.deepStrictEqual(pinnedTodos(many, 1, { ...view, language: "fr" }), ["Tâches 9/20"])
    assert.strictEqual(pinnedTodos(many, 100, view).length, 21)
  })

  it("nothing pinned when all is done", () => {
    assert.deepStrictEqual(pinnedTodos([{ content: "a", status: "completed" }], 5, view), [])
    assert.deepStrictEqual(pinnedTodos([], 5, view), [])
  })
})
