/** Tools other than Bash: hosts, values, modes, and the path that was judged (spec 03). */
import { assert, describe, it } from "@effect/vitest"
import { applyMode, judge } from "../../src/permissions/judge.ts"
import type { Judged } from "../../src/permissions/judgement.ts"
import type { PermissionMode } from "../../src/permissions/Permissions.ts"
import { displaySubject } from "../../src/permissions/display.ts"
import { contextFor, file, type Rules, type World } from "./support.ts"
import { cpuTime } from "../support/cpuTime.ts"

const decide = (
  tool: string,
  input: Readonly<Record<string, unknown>>,
  rules: Rules,
  mode: PermissionMode = "ask",
  world: Partial<World> = {}
): Judged => {
  const call = { tool, input, fallback: "ask" as const }
  const context = contextFor({ rules, ...world })
  return applyMode(judge(call, context), call, mode, context)
}

describe("lsp", () => {
  it("what Read allows or denies of a file, lsp does too; its own rules speak for it alone", () => {
    const ask = (path: string | undefined, rules: Rules, mode: PermissionMode = "ask") =>
      decide(
        "lsp",
        { operation: "hover", ...(path === undefined ? {} : { path }), symbol: "src/secret.ts" },
        rules,
        mode
      )
    assert.strictEqual(ask("src/a.ts", {}).decision, "ask")
    assert.strictEqual(ask("src/a.ts", { allow: ["Read(src/**)"] }).decision, "allow")
    assert.strictEqual(ask("src/a.ts", { allow: ["lsp"] }).decision, "allow")
    assert.strictEqual(ask("src/a.ts", { allow: ["lsp"], deny: ["Read(src/**)"] }).decision, "deny")
    assert.strictEqual(ask("src/a.ts", { allow: ["lsp(src/secret.ts)"] }).decision, "ask")
    assert.strictEqual(ask("../a.ts", { allow: ["lsp(**)"] }).decision, "ask")
    assert.strictEqual(ask(undefined, { allow: ["Read(**)"] }).decision, "allow")
    assert.strictEqual(ask("src/a.ts", { allow: ["Read(**)"] }, "plan").decision, "allow")
    assert.deepStrictEqual(ask("src/a.ts", {}).suggestions, ["lsp(src/a.ts)"])
  })
})

describe("Skill", () => {
  it("rules speak of the name, whatever the arguments say", () => {
    const input = { name: "deploy", arguments: "review" }
    assert.strictEqual(decide("Skill", input, { allow: ["Skill(review)"] }).decision, "ask")
    assert.strictEqual(decide("Skill", input, { deny: ["Skill(deploy)"] }).decision, "deny")
    assert.strictEqual(decide("Skill", input, { deny: ["Skill(review)"] }).decision, "ask")
    assert.strictEqual(decide("Skill", input, { allow: ["Skill(dep*)"] }).decision, "allow")
    assert.deepStrictEqual(decide("Skill", input, {}).suggestions, ["Skill(deploy)", "Skill"])
  })
})

describe("WebFetch", () => {
  const rows: ReadonlyArray<readonly [url: string, rule: string, decision: string]> = [
    ["https://example.com/x", "domain:example.com", "allow"],
    ["https://EXAMPLE.com./x", "domain:example.com", "allow"],
    ["https://example.com:8080/", "domain:Example.com", "allow"],
    ["https://sub.example.com/x", "domain:example.com", "ask"],
    ["https://sub.example.com", "domain:*.example.com", "allow"],
    ["https://example.com", "domain:*.example.com", "ask"],
    ["https://evilexample.com", "domain:*.example.com", "ask"],
    ["https://example.com@evil.com/", "domain:example.com", "ask"],
    ["https://evil.com/example.com", "domain:example.com", "ask"],
    ["https://a.com\\@evil.com/", "domain:evil.com", "ask"],
    ["https://xn--exmple-cua.com/", "domain:exämple.com", "allow"],
    ["https://[::1]/", "domain:::1", "allow"],
    ["not a url", "domain:*", "ask"]
  ]
  for (const [url, rule, decision] of rows) {
    it(`${decision}: ${url} by ${rule}`, () =>
      assert.strictEqual(decide("WebFetch", { url }, { allow: [`WebFetch(${rule})`] }).decision, decision))
  }
  it("a URL without domain: can forbid, never allow", () => {
    const url = "https://a.com/private/x"
    const rule = "WebFetch(https://a.com/private/*)"
    assert.strictEqual(decide("WebFetch", { url }, { allow: ["WebFetch"], deny: [rule] }).decision, "deny")
    assert.strictEqual(decide("WebFetch", { url }, { allow: [rule] }).decision, "ask")
    assert.strictEqual(
      decide("WebFetch", { url: "https://a.com/open" }, { allow: ["WebFetch"], deny: [rule] }).decision,
      "allow"
    )
  })
  it("saving a page is a write", () => {
    const save = (output: string, rules: Rules) => decide("WebFetch", { url: "https://a.com", output }, rules).decision
    assert.strictEqual(save("/etc/x", { allow: ["WebFetch", "Write(**)"] }), "ask")
    assert.strictEqual(save("x", { allow: ["WebFetch", "Write(**)"], deny: ["Write(x)"] }), "deny")
    assert.strictEqual(save("x", { allow: ["WebFetch", "Write(**)"], deny: ["Edit(x)"] }), "deny")
    assert.strictEqual(save("y", { allow: ["WebFetch", "Write(**)"], deny: ["Write(x)"] }), "allow")
  })
})

describe("tools judged by their values", () => {
  it("what forbids looks inside lists and objects, what allows does not", () => {
    const nested = { a: { b: ["the secret"] } }
    assert.strictEqual(
      decide("mcp__x__y", nested, { allow: ["mcp__x__y"], deny: ["mcp__x__y(*secret*)"] }).decision,
      "deny"
    )
    assert.strictEqual(decide("mcp__x__y", nested, { allow: ["mcp__x__y(*secret*)"] }).decision, "ask")
    assert.strictEqual(
      decide("mcp__x__y", { a: ["open"] }, { allow: ["mcp__x__y"], deny: ["mcp__x__y(*secret*)"] }).decision,
      "allow"
    )
  })
  it("numbers count as text", () => {
    assert.strictEqual(decide("T", { n: 5 }, { allow: ["T"], deny: ["T(5)"] }).decision, "deny")
    assert.strictEqual(decide("T", { n: 50 }, { allow: ["T"], deny: ["T(5)"] }).decision, "allow")
  })
  it("a value with a star is no precise rule", () => {
    assert.deepStrictEqual(decide("T", { n: "a*" }, {}).suggestions, ["T"])
    assert.deepStrictEqual(decide("T", { n: "a" }, {}).suggestions, ["T(a)", "T"])
  })
})

describe("empty parentheses", () => {
  it("allow nothing and forbid everything", () => {
    assert.strictEqual(decide("Bash", { command: "ls" }, { allow: ["Bash()"] }).decision, "ask")
    assert.strictEqual(file("Read", "x", { rules: { allow: ["Read()"] } }), "ask")
    assert.strictEqual(file("Read", "x", { rules: { allow: ["Read"], deny: ["Read()"] } }), "deny")
    assert.strictEqual(file("Read", "x", { rules: { allow: ["Read"] } }), "allow")
  })
})

describe("writing and editing", () => {
  it("what may not be written may not be edited, and the other way round; yes is for one tool", () => {
    assert.strictEqual(file("Edit", "a", { rules: { allow: ["Edit(**)"], deny: ["Write(a)"] } }), "deny")
    assert.strictEqual(file("Write", "a", { rules: { allow: ["Write(**)"], deny: ["Edit(a)"] } }), "deny")
    assert.strictEqual(file("Write", "a", { rules: { allow: ["Edit(**)"] } }), "ask")
    assert.strictEqual(file("Write", "b", { rules: { allow: ["Write(**)"], deny: ["Edit(a)"] } }), "allow")
    assert.strictEqual(file("Read", "a", { rules: { allow: ["Read(**)"], deny: ["Write(a)"] } }), "allow")
  })
})

describe("globs of paths", () => {
  const allows = (pattern: string, path: string) => file("Read", path, { rules: { allow: [`Read(${pattern})`] } })
  it("a last star allows names, not what is in them", () => {
    assert.strictEqual(allows("src/*", "src/a.ts"), "allow")
    assert.strictEqual(allows("src/*", "src/a/b.ts"), "ask")
    assert.strictEqual(allows("src/**", "src/a/b.ts"), "allow")
    assert.strictEqual(allows("src", "src/a/b.ts"), "allow")
    assert.strictEqual(allows("src/**/*.ts", "src/b.ts"), "allow")
    assert.strictEqual(allows("src/*.{ts,js}", "src/a.ts"), "allow")
  })
  it("a folder that a wildcard forbids is forbidden whole", () => {
    const rules: Rules = { allow: ["Read(**)"], deny: ["Read(priv*)"] }
    assert.strictEqual(file("Read", "private/a/b", { rules }), "deny")
    assert.strictEqual(file("Read", "public/a", { rules }), "allow")
  })
  it("two slashes at the start are one", () =>
    assert.strictEqual(file("Read", "/etc/passwd", { rules: { deny: ["Read(//etc/**)"] } }), "deny"))
  it("hostile patterns take no time", () => {
    const started = cpuTime()
    file("Read", `x/${"a".repeat(250)}`, { rules: { deny: [`Read(x/${"*a".repeat(20)}b)`] } })
    assert.isBelow(cpuTime() - started, 500)
  })
})

describe("modes", () => {
  it("plan only reads", () => {
    const all: Rules = { allow: ["Bash(*)", "Read(**)", "Write(**)", "WebFetch"] }
    assert.strictEqual(decide("Bash", { command: "ls" }, all, "plan").decision, "deny")
    assert.strictEqual(decide("Write", { path: "a" }, all, "plan").decision, "deny")
    assert.strictEqual(decide("WebFetch", { url: "https://a.com", output: "x.md" }, all, "plan").decision, "deny")
    assert.strictEqual(decide("WebFetch", { url: "https://a.com" }, all, "plan").decision, "allow")
    assert.strictEqual(decide("Read", { path: "a" }, all, "plan").decision, "allow")
  })
  it("accept-edits stays in the folder, away from what is guarded, behind rules", () => {
    const accepts = (path: string, rules: Rules = {}, world: Partial<World> = {}) =>
      decide("Write", { path }, rules, "accept-edits", world).decision
    assert.strictEqual(accepts("a"), "allow")
    for (const path of ["../a", ".maia/settings.json", ".env", ".git/config", ".git"])
      assert.strictEqual(accepts(path), "ask", path)
    assert.strictEqual(accepts("out/x", {}, { links: { "/w/app/out": "/w/o" } }), "ask")
    assert.strictEqual(accepts("a", { ask: ["Write(a)"] }), "ask")
    assert.strictEqual(decide("Bash", { command: "ls" }, {}, "accept-edits").decision, "ask")
  })
  it("auto says yes to every question and to no denial", () => {
    assert.strictEqual(decide("Bash", { command: "rm x" }, { ask: ["Bash(rm *)"] }, "auto").decision, "allow")
    assert.strictEqual(decide("Bash", { command: "rm x" }, { deny: ["Bash(rm *)"] }, "auto").decision, "deny")
  })
})

describe("guarded names", () => {
  for (const path of [".ENV", "id_ed25519.bak", "x.PEM", "/home/me/.bash_history", "/home/me/.config/gh/hosts.yml"]) {
    it(`ask: ${path}`, () =>
      assert.strictEqual(file("Read", path, { rules: { allow: ["Read(**)", "Read(/**)"] } }), "ask"))
  }
  for (const path of ["id_ed25519.pub", "id_card.ts", "credentials.ts", "src/secret/index.ts", ".github/x.yml"]) {
    it(`allow: ${path}`, () => assert.strictEqual(file("Read", path, { rules: { allow: ["Read(**)"] } }), "allow"))
  }
})

describe("a link planted between the decision and the use", () => {
  it("can be seen: the decision names the real path it was made for", () => {
    const judged = decide("Write", { path: "out/x" }, {}, "ask", { links: { "/w/app/out": "/w/app/build" } })
    assert.strictEqual(judged.realPath, "/w/app/build/x")
  })
})

describe("what is shown before a yes, blanks", () => {
  it("shows blanks that are no space to the shell, and counts mixed runs", () => {
    assert.strictEqual(displaySubject("rm\u00a0x"), "rm\\u{00a0}x")
    assert.strictEqual(displaySubject("rm\u3000x\u2800y"), "rm\\u{3000}x\\u{2800}y")
    assert.strictEqual(displaySubject(`ls${" \t".repeat(40)}; rm x`), "ls [80 blanks] ; rm x")
    assert.strictEqual(displaySubject("if a:\n        b"), "if a:\n        b")
  })
})

describe("a tool of an MCP server", () => {
  const input = { path: "a.txt" }
  it("is spoken for by the rules of its server and by its own", () => {
    assert.strictEqual(decide("mcp__files__read", input, { allow: ["mcp__files"] }).decision, "allow")
    assert.strictEqual(decide("mcp__files__read", input, { allow: ["mcp__files__read"] }).decision, "allow")
    assert.strictEqual(decide("mcp__files__read", input, { allow: ["mcp__files(a.txt)"] }).decision, "allow")
    assert.strictEqual(decide("mcp__files__read", input, { allow: ["mcp__file", "mcp__files__rea"] }).decision, "ask")
    assert.strictEqual(decide("mcp__files2__read", input, { allow: ["mcp__files"] }).decision, "ask")
    assert.strictEqual(
      decide("mcp__files__write", input, { allow: ["mcp__files"], deny: ["mcp__files__write"] }).decision,
      "deny"
    )
  })
  it("suggests its own rules before those of the server", () => {
    assert.deepStrictEqual(decide("mcp__files__read", input, {}).suggestions, [
      "mcp__files__read(a.txt)",
      "mcp__files__read",
      "mcp__files"
    ])
  })
})

describe("Agent", () => {
  const input = { agent: "reviewer", task: "cleaner, then reviewer" }
  it("a rule names the agent; the task cannot stand in for it", () => {
    assert.strictEqual(decide("Agent", input, { allow: ["Agent(reviewer)"] }).decision, "allow")
    assert.strictEqual(decide("Agent", input, { allow: ["Agent(cleaner*)"] }).decision, "ask")
    assert.strictEqual(
      decide("Agent", { agent: "x", task: "reviewer" }, { allow: ["Agent(reviewer)"] }).decision,
      "ask"
    )
    assert.strictEqual(decide("Agent", input, { allow: ["Agent"], deny: ["Agent(rev*)"] }).decision, "deny")
    assert.strictEqual(decide("Agent", input, { allow: ["Agent"], deny: ["Agent(cleaner*)"] }).decision, "allow")
  })

  it("is shown with its task, and suggests its own rule first", () => {
    const judged = decide("Agent", input, {})
    assert.strictEqual(judged.subject, "reviewer cleaner, then reviewer")
    assert.deepStrictEqual(judged.suggestions, ["Agent(reviewer)", "Agent"])
  })

  it("may be started in plan mode, where what it does is judged in the same mode", () => {
    assert.strictEqual(decide("Agent", input, { allow: ["Agent"] }, "plan").decision, "allow")
    assert.strictEqual(decide("Agent", input, {}, "plan").decision, "ask")
    assert.strictEqual(decide("Custom", input, { allow: ["Custom"] }, "plan").decision, "deny")
  })
})

describe("rules for the tools of MCP servers by a star", () => {
  const decided = (tool: string, rules: Rules) =>
    judge({ tool, input: {}, fallback: "ask" }, contextFor({ rules })).decision

  it("deny all of a server, or what has such a name on any", () => {
    assert.strictEqual(decided("mcp__github__push", { deny: ["mcp__github__*"], allow: ["mcp__github"] }), "deny")
    assert.strictEqual(decided("mcp__a__delete_x", { deny: ["mcp__*__delete_*"], allow: ["mcp__a"] }), "deny")
    assert.strictEqual(decided("mcp__a__x", { deny: ["mcp__*"] }), "deny")
  })

  it("allow no other server", () => {
    assert.strictEqual(decided("mcp__github__push", { allow: ["mcp__github__*"] }), "allow")
    assert.strictEqual(decided("mcp__github-evil__push", { allow: ["mcp__github__*"] }), "ask")
    assert.strictEqual(decided("Bash", { allow: ["mcp__*"] }), "ask")
  })
})

describe("a search of a file that asks to be read", () => {
  it("asks too", () => {
    const world: World = { rules: { allow: ["Grep", "Glob"], ask: ["Read(plans/**)"] } }
    assert.strictEqual(file("Grep", "plans/a.txt", world), "ask")
    assert.strictEqual(file("Glob", "plans", world), "ask")
    assert.strictEqual(file("Grep", "src", world), "allow")
  })
})
