import { assert, describe, it } from "@effect/vitest"
import { applyMode, judge } from "../../src/permissions/judge.ts"
import type { PermissionMode } from "../../src/permissions/Permissions.ts"
import { bash, contextFor, type Rules, type World } from "./support.ts"

const table = (
  name: string,
  world: World | Rules,
  rows: ReadonlyArray<readonly [command: string, decision: "allow" | "ask" | "deny"]>
) =>
  describe(name, () => {
    for (const [command, decision] of rows) {
      it(`${decision}: ${JSON.stringify(command)}`, () => assert.strictEqual(bash(command, world), decision))
    }
  })

const wide: Rules = {
  allow: ["find", "cat", "echo", "git", "sed", "read", "rg", "tar", "ls", "rm"].map((name) => `Bash(${name} *)`)
}

table("a flag that comes through a variable of the command's own", wide, [
  ["for x in -delete; do find . $x; done", "ask"],
  ["for x in -delete; do :; done; find . $x", "ask"],
  ["for x in a -delete; do find . ${x}; done", "ask"],
  ['for x in -delete; do find . "$x"; done', "ask"],
  ["echo -delete | while read x; do find . $x; done", "ask"],
  ["while true; do find . $x; read x; done", "ask"],
  ["sh -c 'find . \"$@\"' _ -delete", "ask"],
  ["find . $1", "ask"],
  ["for d in src test; do find $d -name x; done", "allow"],
  ["for d in src test; do git log $d; done", "allow"],
  ["for f in -n a; do cat $f; done", "allow"],
  ["for x in -delete; do find ./$x; done", "allow"],
  ["ls | while read f; do cat $f; done", "allow"]
])

table("the home of somebody else", wide, [
  ["cat ~root/x", "ask"],
  ["cat ~root", "ask"],
  ["cat ~+/x", "ask"],
  ["cat ~-/x", "ask"],
  ["cat x=~root/y", "ask"],
  ["echo a > ~root/x", "ask"],
  ["~root/bin/x", "ask"],
  ["cat '~root/x'", "allow"],
  ["git show HEAD~1", "allow"],
  ["git log HEAD~3..HEAD", "allow"]
])

table("a link on the way up", { rules: wide, links: { "/w/app/link": "/srv/data/deep" } }, [
  ["cat link/../x", "ask"],
  ["cat link/./../x", "ask"],
  ["cat sub/../x", "allow"],
  ["cat ../app/x", "allow"]
])

const inFolder: World = {
  rules: { ...wide, deny: ["Read(secrets.json)"] },
  links: { "/w/app/sub/out": "/etc/passwd", "/w/app/sub/mine": "/w/app/a", "/w/app/other/lnk": "/w/app/secrets.json" },
  existing: ["/w/app/sub/plain", "/w/app/other/x"]
}

table("a glob that finds a link", inFolder, [
  ["cat sub/*", "ask"],
  ["cat sub/o*", "ask"],
  ["cat s?b/out", "ask"],
  ["cat */out", "ask"],
  ["cat sub/p*", "allow"],
  ["cat sub/mi*", "allow"],
  ["cat other/l*", "deny"]
])

const flagged: World = {
  rules: wide,
  existing: ["/w/app/flags", "/w/app/third", "/w/app/flags/-delete", "/w/app/third/b"]
}

table("a glob that finds a name like a flag", flagged, [
  ["cd flags && find *", "ask"],
  ["cd flags && rg x -- *", "allow"],
  ["cd flags && find ./*", "allow"],
  ["cd third && find *", "allow"],
  ["cd flags && cat *", "allow"]
])

table("redirections need a rule to write", { allow: ["Bash(echo *)", "Edit(src/**)", "Write(out/**)"] }, [
  ["echo a > src/x", "ask"],
  ["echo a > out/x", "allow"],
  ["echo a >> out/x", "allow"]
])
table("a rule against edits holds for redirections", { allow: ["Bash(echo *)", "Write(**)"], deny: ["Edit(src/**)"] }, [
  ["echo a > src/x", "deny"],
  ["echo a > out/x", "allow"]
])

table(
  "a denied use, spelled otherwise",
  { allow: ["Bash(*)"], deny: ["Bash(rm -rf *)", "Bash(git push --force *)", "Bash(chmod -R 777 *)"] },
  [
    ["rm -rf x", "deny"],
    ["rm -fr x", "deny"],
    ["rm -r -f x", "deny"],
    ["rm -R -f x", "deny"],
    ["rm x -rf", "deny"],
    ["rm --recursive --force x", "deny"],
    ["rm --rec --fo x", "deny"],
    ["rm -rfv x", "deny"],
    ["/bin/rm -f -- -r", "ask"],
    ["git push -f origin main", "deny"],
    ["git push origin main --force", "deny"],
    ["git -C sub push -f", "deny"],
    ["git push origin main", "allow"],
    ["chmod -R 777 x", "deny"],
    ["echo rm -fr x", "allow"]
  ]
)

table("a program nobody knows, before one that is denied", { allow: ["Bash(*)"], deny: ["Bash(rm *)"] }, [
  ["wrap rm x", "ask"],
  ["wrap --opt a rm x", "ask"],
  ["start-stop-daemon --start --exec /bin/rm -- x", "ask"],
  ["wrap a rm x", "ask"],
  ["wrap x", "allow"],
  ["wrap 'rm x'", "allow"],
  ["ls rm", "allow"],
  ["echo rm x", "allow"]
])

describe("mode auto", () => {
  const decide = (command: string, rules: Rules, mode: PermissionMode = "auto") => {
    const call = { tool: "Bash", input: { command }, fallback: "ask" } as const
    const context = contextFor({ rules })
    return applyMode(judge(call, context), call, mode, context).decision
  }
  for (const [command, decision] of [
    ["ls", "allow"],
    ["echo $(ls)", "allow"],
    ["make && ./x &", "allow"],
    ["rm x", "deny"],
    ["rm -fr x", "deny"],
    ["x=rm; $x f", "ask"],
    ["bash <<'EOF'\n${x} f\nEOF", "ask"],
    ["alias ls=rm; ls f", "deny"],
    ["git push $x", "ask"],
    ["python -c 'x'", "allow"],
    ["echo 'unclosed", "ask"],
    ["cat sec*", "ask"]
  ] as const) {
    it(`${decision}: ${JSON.stringify(command)} where a rule denies`, () =>
      assert.strictEqual(
        decide(command, { deny: ["Bash(rm *)", "Bash(git push --force *)", "Read(secrets.json)"] }),
        decision
      ))
  }
  it("says yes to all of them where no rule denies", () => {
    for (const command of ["x=rm; $x f", "alias ls=rm; ls f", "cat sec*"])
      assert.strictEqual(decide(command, {}), "allow")
  })
})
