/** What the monitor sees, where, and that the cuts of the stream make no difference. */
import { assert, describe, it } from "@effect/vitest"
import type { LlmEvent } from "../../src/domain/llm.ts"
import type { RuleSet } from "../../src/stream-rules/RuleSet.ts"
import { StreamRuleMonitor, type RuleMatch } from "../../src/stream-rules/StreamRuleMonitor.ts"
import { callEvents, rulesOf } from "./support.ts"
import { cpuTime } from "../support/cpuTime.ts"

const monitorOf = (rules: RuleSet) => new StreamRuleMonitor({ rules, launchFolder: "/work" })

const shown = ({ rule, scope, tool, path, key, offset }: RuleMatch): string =>
  [rule.name, scope, tool, path, key, offset].filter((part) => part !== undefined).join(" ")

const watch = async (frontMatter: Readonly<Record<string, string>>, events: ReadonlyArray<LlmEvent>) => {
  const monitor = monitorOf(await rulesOf(frontMatter))
  return [...monitor.pushAll(events), ...monitor.end()].map(shown)
}

const say = (text: string): LlmEvent => ({ type: "text-delta", text })
const think = (text: string): LlmEvent => ({ type: "reasoning-delta", text })
const write = (content: string, path = "src/a.ts") => callEvents("Write", [JSON.stringify({ path, content })])

describe("the monitor", () => {
  it("sees a trigger that is split at every byte, at the same character, once", async () => {
    const rules = await rulesOf({ bad: "trigger: 'naïve😀 (?:any|all)'" })
    const text = "so naïve😀 any and naïve😀 all"
    const whole = monitorOf(rules)
      .pushAll([say(text)])
      .map(shown)
    assert.deepStrictEqual(whole, ["bad text 14"])
    for (let cut = 0; cut <= text.length; cut++) {
      const found = monitorOf(rules).pushAll([say(text.slice(0, cut)), say(text.slice(cut))])
      assert.deepStrictEqual(found.map(shown), whole, `cut at ${cut}`)
      // The match and what came before it, whatever the cut.
      const [match] = found
      const before = match?.event === 1 ? cut : 0
      assert.strictEqual(before + (match?.units ?? 0), 14)
    }
    const single = monitorOf(rules)
    assert.deepStrictEqual(
      text.split("").flatMap((unit) => single.pushAll([say(unit)]).map(shown)),
      whole
    )
  })

  it("sees code in arguments as code, whatever its escapes and its cuts", async () => {
    const rules = await rulesOf({ bad: "trigger: 'if \\(x\\) \\{\\n\\treturn \"é\"'\nscope: tool" })
    const json = JSON.stringify({ path: "a.ts", content: 'if (x) {\n\treturn "é"\n}' }).replace("é", "\\u00e9")
    for (let cut = 0; cut <= json.length; cut++) {
      const found = monitorOf(rules).pushAll(callEvents("Write", [json.slice(0, cut), json.slice(cut)]))
      assert.deepStrictEqual(found.map(shown), ["bad tool Write a.ts content 20"], `cut at ${cut}`)
    }
  })

  it("keeps to its scopes; text and tools where none is given", async () => {
    const rules = {
      standard: "trigger: evil",
      thoughts: "trigger: evil\nscope: thinking",
      prose: "trigger: evil\nscope: text",
      edits: "trigger: evil\nscope: 'tool:Edit'"
    }
    assert.deepStrictEqual(await watch(rules, [think("evil")]), ["thoughts thinking 4"])
    assert.deepStrictEqual(await watch(rules, [say("evil")]), ["standard text 4", "prose text 4"])
    assert.deepStrictEqual(await watch(rules, write("evil")), ["standard tool Write src/a.ts content 4"])
  })

  it("knows the file as soon as the path is complete, and waits for one that comes late", async () => {
    const rules = { ts: "trigger: evil\nscope: tool:Write(*.ts)" }
    const late = (path: string) => callEvents("Write", [JSON.stringify({ content: "evil", path })])
    assert.deepStrictEqual(await watch(rules, write("evil", "a.ts")), ["ts tool Write a.ts content 4"])
    assert.deepStrictEqual(await watch(rules, write("evil", "a.js")), [])
    assert.deepStrictEqual(await watch(rules, late("deep/b.ts")), ["ts tool Write deep/b.ts content 4"])
    assert.deepStrictEqual(await watch(rules, late("b.js")), [])
    assert.deepStrictEqual(await watch(rules, callEvents("Write", ['{"content":"evil"}'])), [])
    // Before the content is complete.
    const monitor = monitorOf(await rulesOf(rules))
    const [begun, delta] = callEvents("Write", ['{"path":"a.ts","content":"ev'])
    if (begun === undefined || delta === undefined) throw new Error("no events")
    assert.deepStrictEqual(monitor.pushAll([begun, delta]), [])
    assert.strictEqual(monitor.pushAll([{ type: "tool-call-delta", index: 0, delta: "il" }]).length, 1)
  })

  it("matches no text across two parts: texts, calls and arguments are apart", async () => {
    const rules = { bad: "trigger: 'ev\\s*il'" }
    const split = callEvents("Edit", ['{"path":"a","edits":[{"old":"","new":"ev"},{"old":"","new":"il"}]}'])
    assert.deepStrictEqual(await watch(rules, split), [])
    assert.deepStrictEqual(await watch(rules, [say("ev"), ...callEvents("X", ['{"a":"il"}'])]), [])
    const [open] = callEvents("X", [])
    if (open === undefined) throw new Error("no event")
    const two = [open, { ...open, index: 1 }, argument(0, '{"a":"ev'), argument(1, '{"a":"il'), argument(0, 'il"}')]
    assert.deepStrictEqual(await watch(rules, two), ["bad tool X a 4"])
    // Thinking between two pieces of text does not tear the text apart.
    assert.deepStrictEqual(await watch(rules, [say("ev"), think("…"), say("il")]), ["bad text 4"])
  })

  it("takes lines and ends as written: ^ and $ for a line, \\A and \\z for the part", async () => {
    const rules = { line: "trigger: '^ab$'", part: "trigger: '\\Aab\\z'" }
    assert.deepStrictEqual(await watch(rules, [say("x\nab"), say("\ny")]), ["line text 4"])
    assert.deepStrictEqual(await watch(rules, [say("ab")]), ["line text 2", "part text 2"])
    assert.deepStrictEqual(await watch(rules, [say("ab"), say("c")]), [])
    assert.deepStrictEqual(await watch(rules, write("ab")), [
      "line tool Write src/a.ts content 2",
      "part tool Write src/a.ts content 2"
    ])
  })

  it("forgets what a discard makes void", async () => {
    const rules = { bad: "trigger: evil" }
    assert.deepStrictEqual(await watch(rules, [say("ev"), { type: "discard", reason: "again" }, say("il")]), [])
    assert.deepStrictEqual(await watch(rules, [say("evil"), { type: "discard", reason: "again" }, say("fine")]), [])
    const void_ = [...write("ev").slice(0, 2), { type: "discard", reason: "again" } as const, ...write("evil")]
    assert.deepStrictEqual(await watch(rules, void_), ["bad tool Write src/a.ts content 4"])
  })

  it("sees a call that comes without pieces, and none of what an edit replaces", async () => {
    const rules = { bad: "trigger: evil" }
    const end = { id: "c", name: "Bash", arguments: '{"command":"evil"}' }
    assert.deepStrictEqual(await watch(rules, [{ type: "tool-call-end", index: 0, call: end }]), [
      "bad tool Bash command 4"
    ])
    const edit = callEvents("Edit", ['{"path":"a","edits":[{"old":"evil","new":"good"}]}'])
    assert.deepStrictEqual(await watch(rules, edit), [])
  })

  it("costs no more with the length of the stream", async () => {
    const rules = await rulesOf(
      Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`r${i}`, `trigger: 'w${i}ord[a-z]+x{3}$'`]))
    )
    const monitor = monitorOf(rules)
    const start = cpuTime()
    for (let i = 0; i < 200_000; i++) monitor.pushAll([say(` word${i}`)])
    assert.isBelow(cpuTime() - start, 5000)
  })
})

const argument = (index: number, delta: string): LlmEvent => ({ type: "tool-call-delta", index, delta })
