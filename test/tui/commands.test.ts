/** The pure parts of the slash commands: the tree's rows, what was said before, where an export goes. */
import { assert, describe, it } from "@effect/vitest"
import type { AnyEntry } from "../../src/sessions/checkEntry.ts"
import { target } from "../../src/tui/commands/export.ts"
import { COMMANDS } from "../../src/tui/commands/table.ts"
import { requestsOf, treeRows } from "../../src/tui/commands/treeRows.ts"
import { historyItems } from "../../src/tui/store/history.ts"

const entry = (id: string, parentId: string, body: object): AnyEntry =>
  // The fields that every entry has are here; the body is checked where it is read.
  ({ id, parentId, time: "2026-01-01T00:00:00.000Z", ...body }) as AnyEntry

const user = (text: string, origin?: string) => ({
  type: "message",
  message: { role: "user", text, ...(origin === undefined ? {} : { origin }) }
})
const assistant = (text: string) => ({ type: "message", message: { role: "assistant", text, toolCalls: [] } })

const trunk = [
  entry("u1", "root", user("first")),
  entry("a1", "u1", assistant("one")),
  entry("p2", "a1", { type: "pending_context", text: "a file" }),
  entry("u2", "p2", user("second")),
  entry("a2", "u2", assistant("two"))
]
const branch = [entry("u3", "a1", user("third")), entry("a3", "u3", assistant("three"))]

describe("/edit", () => {
  it("goes back before a request and the context that was added for it", () => {
    assert.deepStrictEqual(
      requestsOf(trunk).map(({ before, message }) => [message.text, before]),
      [
        ["first", null],
        ["second", "a1"]
      ]
    )
  })

  it("knows only what the user typed", () => {
    const path = [...trunk, entry("r", "a2", user("a reminder", "reminder"))]
    assert.strictEqual(requestsOf(path).length, 2)
  })
})

describe("/tree", () => {
  it("shows each request once, branches beside the trunk, and the ends that are not here", () => {
    const path = [...trunk.slice(0, 2), ...branch]
    const rows = treeRows([...trunk, ...branch], path)
    assert.deepStrictEqual(
      rows.map((row) => [row.kind === "request" ? row.message.text : row.text, row.lane, row.isCurrent, row.target]),
      [
        ["first", 0, true, null],
        ["second", 0, false, "a1"],
        ["two", 0, false, "a2"],
        ["third", 1, true, "a1"]
      ]
    )
  })

  it("is not stopped by thousands of entries in a row", () => {
    const deep = Array.from({ length: 20_000 }, (_, n) => entry(`e${n}`, n === 0 ? "root" : `e${n - 1}`, user(`r${n}`)))
    assert.strictEqual(treeRows(deep, deep).length, 20_000)
  })
})

describe("what was said before", () => {
  it("shows requests and answers, not what maia added, and says how much is left out", () => {
    const path = [...trunk, entry("c", "a2", user("go on", "continue"))]
    const { items } = historyItems(path, "en", 2)
    assert.deepStrictEqual(
      items.map((item) => (item.type === "info" ? "note" : item.type === "user" ? item.text : item.type)),
      ["note", "answer"]
    )
    assert.strictEqual(historyItems(trunk, "en").items.length, 4)
  })

  it("gives a result to the call before it, although servers use an id again", () => {
    const round = (n: number, parent: string) => [
      entry(`c${n}`, parent, {
        type: "message",
        message: {
          role: "assistant",
          text: "",
          toolCalls: [{ id: "call_0", name: "Bash", arguments: JSON.stringify({ command: `echo ${n}` }) }]
        }
      }),
      entry(`r${n}`, `c${n}`, {
        type: "message",
        message: { role: "tool", toolCallId: "call_0", toolName: "Bash", text: String(n), isError: false }
      })
    ]
    const { items } = historyItems([...round(1, "root"), ...round(2, "r1")], "en")
    assert.deepStrictEqual(
      items.map((item) => item.type === "tool" && item.tool.input),
      [{ command: "echo 1" }, { command: "echo 2" }]
    )
  })

  it("cuts a long request", () => {
    const { items } = historyItems([entry("u", "root", user("x".repeat(5_000)))], "fr")
    const [first] = items
    assert.strictEqual(first?.type === "user" && first.text.length, 1_501)
  })
})

describe("/export", () => {
  it("takes the format from the word, else from the file's name, else Markdown", () => {
    assert.deepStrictEqual(target("", "s"), { format: "markdown", file: "s.md" })
    assert.deepStrictEqual(target("html", "s"), { format: "html", file: "s.html" })
    assert.deepStrictEqual(target("json out file.txt", "s"), { format: "json", file: "out file.txt" })
    assert.deepStrictEqual(target("page.html", "s"), { format: "html", file: "page.html" })
  })
})

describe("the table of commands", () => {
  it("has the commands of the reference, each once", () => {
    const names = COMMANDS.map(({ name }) => name)
    assert.strictEqual(new Set(names).size, names.length)
    for (const name of (
      "help model clear compact rename load new tree fork undo status permissions agents skills rules todo export copy " +
      "config effort init exit"
    ).split(" ")) {
      assert.include(names, name)
    }
  })
})
