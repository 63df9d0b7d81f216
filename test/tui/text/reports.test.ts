import { assert, describe, it } from "@effect/vitest"
import { text } from "../../../src/domain/text.ts"
import { statusRows, type StatusFacts } from "../../../src/tui/text/statusView.ts"
import { firstLine, treeLine } from "../../../src/tui/text/treeView.ts"

const facts: StatusFacts = {
  model: "qwen3-coder",
  effort: "high",
  server: "http://localhost:4000",
  window: { tokens: 200_000, origin: text("said by the server", "dit par le serveur") },
  tokens: 45_700,
  usage: { inputTokens: 12_345, outputTokens: 456, cachedTokens: 11_234, outputPerSecond: 38.4 },
  cache: undefined,
  cost: undefined,
  servers: { all: 0, failed: 0 },
  session: "session_x",
  file: "/p/.maia/.sessions/session_x.jsonl",
  folder: "/p",
  mode: text("asks", "demande"),
  rules: 3,
  streamRules: 12
}

describe("/status", () => {
  it("says who answers, how full the context is, cache rate and speed, where the session is", () => {
    assert.deepStrictEqual(statusRows(facts, "en"), [
      ["Model", "qwen3-coder (high)"],
      ["Server", "http://localhost:4000"],
      ["Window", "200k (said by the server)"],
      ["Context", "45.7k · 23%"],
      ["Last answer", "↑ 12.3k (91% cache) ↓ 456 · 38 tokens/s"],
      ["Session", "session_x (/p/.maia/.sessions/session_x.jsonl)"],
      ["Folder", "/p"],
      ["Permissions", "asks"],
      ["Rules", "3 + 12 stream rules"]
    ])
  })

  it("names why the server read again what it knew, the cost and the MCP servers, where there are any", () => {
    const more: StatusFacts = {
      ...facts,
      cache: { readAgain: 9_900, reason: text("the model was changed", "le modèle a été changé") },
      cost: 0.01234,
      servers: { all: 3, failed: 1 }
    }
    const rows = new Map(statusRows(more, "en"))
    assert.strictEqual(rows.get("Cache"), "9.9k tokens read again: the model was changed")
    assert.strictEqual(rows.get("Cost"), "$0.0123")
    assert.strictEqual(rows.get("MCP servers"), "3 (1 failed)")
    assert.strictEqual(new Map(statusRows({ ...more, cost: 1.5 }, "fr")).get("Coût"), "$1.50")
  })

  it("says what is not known, and why", () => {
    const rows = (window: StatusFacts["window"]): ReadonlyArray<string> =>
      statusRows(
        { ...facts, effort: undefined, server: undefined, usage: undefined, file: undefined, window },
        "fr"
      ).map(([, value]) => value)
    assert.deepStrictEqual(rows({ unknown: undefined }).slice(0, 5), [
      "qwen3-coder",
      "—",
      "inconnue",
      "45.7k",
      "session_x"
    ])
    assert.strictEqual(rows({ unknown: text("no page", "pas de page") })[2], "pas de page")
  })
})

describe("/tree", () => {
  it("a line for a point, with its lane and its label", () => {
    assert.strictEqual(treeLine({ lane: 0, isCurrent: true, text: "Fix it\nplease", label: undefined }), "● Fix it")
    assert.strictEqual(treeLine({ lane: 2, isCurrent: false, text: "other", label: "try 2" }), "│ │ ○ other [try 2]")
    assert.strictEqual(treeLine({ lane: 50, isCurrent: false, text: "x", label: undefined }), `${"│ ".repeat(6)}○ x`)
  })

  it("requests and labels draw nothing", () => {
    assert.strictEqual(
      treeLine({ lane: 0, isCurrent: false, text: "\u001b[2Jx\rb", label: "\u001b]0;t\u0007" }),
      "○ ␛[2Jx␍b [␛]0;t␇]"
    )
    assert.strictEqual(firstLine(`${"😀".repeat(200)}`), `${"😀".repeat(60)}…`)
  })
})
