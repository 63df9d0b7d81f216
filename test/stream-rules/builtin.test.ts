/**
 * The built-in rules: for each, what must fire and what must not, in the tools they watch.
 */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { BUILTIN_RULES } from "../../src/stream-rules/builtin/index.ts"
import { RuleSet } from "../../src/stream-rules/RuleSet.ts"
import { StreamRuleMonitor } from "../../src/stream-rules/StreamRuleMonitor.ts"
import { builtinRules } from "../../src/stream-rules/StreamRules.ts"

const namesFor = async (name: string, args: Record<string, unknown>): Promise<ReadonlyArray<string>> => {
  const monitor = new StreamRuleMonitor({ rules: new RuleSet(await builtinRules(true)), launchFolder: "/work" })
  const json = JSON.stringify(args)
  const call = { id: "call_1", name, arguments: json }
  const matches = monitor.pushAll([
    { type: "tool-call-start", index: 0, id: "call_1", name },
    { type: "tool-call-delta", index: 0, delta: json },
    { type: "tool-call-end", index: 0, call }
  ])
  return [...matches, ...monitor.end()].map(({ rule }) => rule.name)
}

const written = (line: string) => namesFor("Write", { path: "a.ts", content: `before\n${line}\nafter\n` })
const edited = (line: string) => namesFor("Edit", { path: "a.ts", edits: [{ old: "x", new: `before\n  ${line}` }] })
const ran = (command: string) => namesFor("Bash", { command })

interface Cases {
  readonly via: ReadonlyArray<(line: string) => Promise<ReadonlyArray<string>>>
  readonly fires: ReadonlyArray<string>
  readonly stays: ReadonlyArray<string>
}

const CASES: Readonly<Record<string, Cases>> = {
  "placeholder-code": {
    via: [written, edited],
    fires: [
      "// rest of the code unchanged",
      "// ... rest of the code unchanged ...",
      "// ... existing code ...",
      "# ... rest of the file remains the same",
      "/* rest of file unchanged */",
      "<!-- rest of the page unchanged -->",
      "// (rest of the code unchanged)",
      "// [rest of code unchanged]",
      "// …existing code…",
      "// ... (rest of the code remains the same)",
      "// rest of your code here",
      "// the rest remains unchanged",
      "{/* ... rest of the component */}",
      "// other methods unchanged",
      "// previous code here",
      "// unchanged code above",
      "// code remains the same",
      "// ... keep existing code ...",
      "-- rest of the query unchanged"
    ],
    stays: [
      "// the rest of the arguments are passed on",
      "const [first, ...rest] = list",
      "// copies the rest of the file into the buffer",
      "// leaves the existing code alone",
      "// existing code here was slow",
      "fn(...rest) // remaining args",
      "# the rest of the file is parsed lazily",
      "// the rest is the same for all platforms",
      "# other functions here are pure",
      "## rest of the world"
    ]
  },
  "skipped-test": {
    via: [written, edited],
    fires: [
      "it.skip('adds', () => {})",
      'test.skip("adds", run)',
      "describe.skip('all', run)",
      "describe.concurrent.skip('all', run)",
      "xit('adds', run)",
      "@pytest.mark.skip(reason='slow')",
      "@unittest.skip('slow')",
      "pytest.skip('slow')",
      "self.skipTest('slow')",
      't.Skip("slow")',
      "#[ignore]",
      "@Disabled",
      "test.fixme('adds', run)"
    ],
    stays: [
      "list.skip(2)",
      "commit.skip(1)",
      "unit.skip(2)",
      "exit(1)",
      "it('skips the header', run)",
      "it.todo('adds')",
      "import { Ignore } from 'x'",
      "@pytest.mark.skipif(sys.platform == 'win32', reason='no fork')"
    ]
  },
  "force-push": {
    via: [ran],
    fires: [
      "git push --force",
      "git push -f",
      "git push -uf origin x",
      "git push origin main --force",
      "git -C sub push -f origin main",
      "git push origin +main",
      "cd x && git push --force && echo done",
      "git push \\\n  --force",
      "git push --force-with-lease --force"
    ],
    stays: [
      "git push",
      "git push --force-with-lease",
      "git push --follow-tags",
      "git push origin main; rm -f x",
      "git push && docker build -f x .",
      "git commit -m 'push --force is bad'",
      "git stash push -f",
      "git push --no-force",
      "git push origin fix-f"
    ]
  },
  "hooks-bypassed": {
    via: [ran],
    fires: ["git commit -m x --no-verify", "git push --no-verify", "HUSKY=0 git commit -m x"],
    stays: ["git commit -m x", "git commit -m x; echo --no-verify", "git commit -m '--no-verify-x'"]
  },
  "silenced-checker": {
    via: [written, edited],
    fires: ["// @ts-ignore", "/* @ts-nocheck */", "# mypy: ignore-errors", "# type: ignore"],
    stays: ["// @ts-expect-error the library lacks it", "x = f()  # type: ignore[arg-type]"]
  },
  "private-key": {
    via: [written, edited, ran],
    fires: [
      "k = '-----BEGIN RSA PRIVATE KEY-----\nMIIEpAIBAAKCAQEA1234",
      "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAA",
      "k = '-----BEGIN PRIVATE KEY-----\\nMIIEpAIBAAKCAQEA1234",
      "-----BEGIN EC PRIVATE KEY-----\r\nMHcCAQEEIIIIIIIIIIIII"
    ],
    stays: [
      "-----BEGIN PUBLIC KEY-----\nMIIEpAIBAAKCAQEA1234",
      "if (x.includes('-----BEGIN PRIVATE KEY-----')) throw refused",
      "-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----"
    ]
  }
}

describe("built-in rules", () => {
  it("all have cases here", () => {
    assert.deepStrictEqual(BUILTIN_RULES.map(({ name }) => name).sort(), Object.keys(CASES).sort())
  })

  for (const [name, { via, fires, stays }] of Object.entries(CASES)) {
    it(`${name} fires on what it is about`, async () => {
      for (const line of fires) for (const write of via) assert.deepStrictEqual(await write(line), [name], line)
    })

    it(`${name} leaves everything else alone`, async () => {
      for (const line of stays) for (const write of via) assert.deepStrictEqual(await write(line), [], line)
    })
  }

  it("let a skipped test be taken out: what is replaced was there before", async () => {
    const names = await namesFor("Edit", { path: "a.ts", edits: [{ old: "it.skip('a', run)", new: "it('a', run)" }] })
    assert.deepStrictEqual(names, [])
  })

  it("may be talked about in an answer", async () => {
    const monitor = new StreamRuleMonitor({ rules: new RuleSet(await builtinRules(true)), launchFolder: "/work" })
    const text = "Never run `git push --force`, and do not leave\n// rest of the code unchanged\nbehind.\n"
    assert.deepStrictEqual([...monitor.pushAll([{ type: "text-delta", text }]), ...monitor.end()], [])
  })

  it("compile in the executable, where Bun writes non-ASCII characters of String.raw as escapes", () => {
    const room = join(import.meta.dirname, "../../src/stream-rules")
    for (const file of readdirSync(room, { recursive: true, encoding: "utf8" }).filter((name) =>
      name.endsWith(".ts")
    )) {
      assert.notMatch(readFileSync(join(room, file), "utf8"), /String\.raw`[^`]*[^\0-\x7f]/, file)
    }
  })
})
