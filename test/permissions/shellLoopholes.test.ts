/** What a wide rule let through, or asked for without need; each named after the symptom (spec 03). */
import { assert, describe, it } from "@effect/vitest"
import { judge, applyMode } from "../../src/permissions/judge.ts"
import type { PermissionMode } from "../../src/permissions/Permissions.ts"
import { bash, contextFor, type Rules, type World } from "./support.ts"

const inMode = (command: string, world: World, mode: PermissionMode): string => {
  const call = { tool: "Bash", input: { command }, fallback: "ask" } as const
  const context = contextFor(world)
  return applyMode(judge(call, context), call, mode, context).decision
}

const table = (
  name: string,
  world: World,
  rows: ReadonlyArray<readonly [command: string, decision: "allow" | "ask" | "deny"]>
) =>
  describe(name, () => {
    for (const [command, decision] of rows)
      it(`${decision}: ${command}`, () => assert.strictEqual(bash(command, world), decision))
  })

const wide: Rules = {
  allow: ["Bash(cat *)", "Bash(ls *)", "Bash(grep *)", "Bash(git *)", "Bash(sed *)", "Bash(echo *)", "Read(**)"]
}
const onDisk: World = { rules: wide, existing: ["/etc", "/etc/passwd"] }

table("a glob or another user's home at the root of a path is no file of the project", onDisk, [
  ["cat /e*/passwd", "ask"],
  ["cat /[e]tc/passwd", "ask"],
  ["cat /?tc/passwd", "ask"],
  ["cat ~root/.ssh/id_rsa", "ask"],
  ["cat ~-/x", "ask"],
  ["ls /*", "ask"],
  ["cat src/*", "allow"]
])

table("a file given to the last option of a group is seen", onDisk, [
  ["grep -rf/etc/passwd x", "ask"],
  ["grep -rf../x y", "ask"],
  ["grep -rnE a/b x", "allow"],
  ["sed -ne/foo/p x", "allow"]
])

table(
  "git checkout of a file or folder without a slash throws changes away",
  { rules: wide, existing: ["/w/app/src", "/w/app/Makefile"] },
  [
    ["git checkout src", "ask"],
    ["git checkout Makefile", "ask"],
    ["git checkout main", "allow"],
    ["git checkout -b src", "allow"]
  ]
)

table(
  "git that changes files is judged by the rules for writing",
  { rules: { allow: ["Bash(git *)"], deny: ["Write(locked/**)"] } },
  [
    ["git checkout locked/x", "ask"],
    ["git mv a locked/x", "ask"],
    ["git log locked/x", "allow"]
  ]
)

table("programs that run the command behind them", { rules: { allow: ["Bash"], deny: ["Bash(rm *)"] } }, [
  ["jobs -x rm x", "deny"],
  ["ip netns exec a rm x", "deny"],
  ["ssh-agent rm x", "deny"],
  ["chronic rm x", "deny"],
  ["gosu user rm x", "deny"],
  ["start-stop-daemon --start --exec /bin/rm -- x", "ask"]
])

table("tests need no rule beside commands that have one", { rules: wide }, [
  ["[ -f x ] && cat x", "allow"],
  ['test -n "$a" && cat x', "allow"],
  ['cat x | while read -r l; do echo "$l"; done', "allow"],
  ["pwd && ls", "allow"],
  ["test -f x", "ask"],
  ["[ -v 'a[$(id)]' ] && ls", "ask"],
  ["read PATH && ls", "ask"],
  ["read x < /etc/passwd; echo $x", "ask"]
])

describe("mode auto keeps what a rule denies", () => {
  const denied: World = {
    rules: { deny: ["Bash(rm *)", "Read(secrets.json)", "Write(locked/**)"] },
    existing: ["/w/app/locked/x"]
  }
  for (const command of [
    "echo x > lock*/x",
    "echo x > $f",
    "git checkout locked/x",
    "sort -o locked/x a",
    "jobs -x rm x",
    "wrap rm x",
    "cat < sec*"
  ])
    it(command, () => assert.notStrictEqual(inMode(command, denied, "auto"), "allow"))

  it("and says yes to the rest", () => {
    for (const command of ["echo x > out", "git checkout main", "sort -o b a", "wrap x", "echo rm x", "cat < a"])
      assert.strictEqual(inMode(command, denied, "auto"), "allow", command)
  })

  it("whichever of two rules stands first", () => {
    const both: World = { rules: { ask: ["Write(**)"], deny: ["Write(locked/**)"] } }
    assert.strictEqual(inMode("touch lock*/x", both, "auto"), "ask")
  })
})
