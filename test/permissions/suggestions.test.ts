/** What an "always" offers for a command (spec 03), and the folders and files a command reaches without saying so. */
import { assert, describe, it } from "@effect/vitest"
import { judge } from "../../src/permissions/judge.ts"
import { bash, contextFor, type Rules, type World } from "./support.ts"

const decide = (command: string, rules: Rules) =>
  judge({ tool: "Bash", input: { command }, fallback: "ask" }, contextFor({ rules }))

const offered = (command: string, rules: Rules = {}) => decide(command, rules).suggestions

describe("suggested rules", () => {
  it("the exact command first, a wider one where its subcommand says what it does", () => {
    assert.deepStrictEqual(offered("touch made"), ["Bash(touch made)"])
    assert.deepStrictEqual(offered("git commit -m 'a b'"), ["Bash(git commit -m 'a b')", "Bash(git commit *)"])
    assert.deepStrictEqual(offered("npm test"), ["Bash(npm test)"])
    assert.deepStrictEqual(offered("git status && npm test"), ["Bash(git status && npm test)"])
  })

  it("each suggested rule does what it promises", () => {
    for (const command of [
      "touch made",
      "git commit -m 'a b'",
      "git status && npm test",
      "bash test.sh",
      "cat .env",
      "ls *.ts"
    ]) {
      const suggestions = offered(command)
      assert.isAbove(suggestions.length, 0, command)
      for (const rule of suggestions)
        assert.strictEqual(bash(command, { allow: [rule] }), "allow", `${rule} for ${command}`)
    }
  })

  it("a redirection is a rule of its own, for what is still missing", () => {
    assert.deepStrictEqual(offered("echo yes > made"), ["Bash(echo yes)", "Write(made)"])
    assert.deepStrictEqual(offered("echo yes > made", { allow: ["Bash(echo *)"] }), ["Write(made)"])
    assert.deepStrictEqual(offered("cd out && echo yes > made", { allow: ["Bash(echo *)"] }), ["Write(out/made)"])
    assert.strictEqual(bash("echo yes > made", { allow: ["Bash(echo yes)", "Write(made)"] }), "allow")
  })

  it("none where no rule can help", () => {
    for (const command of [
      "echo $(id)",
      "sleep 5 &",
      "FOO=1 npm test",
      "f() { ls; }",
      "echo 'a",
      "$x a",
      "rm *",
      "a\nb"
    ]) {
      assert.deepStrictEqual(offered(command), [], command)
    }
    assert.deepStrictEqual(offered("git push", { ask: ["Bash(git push)"] }), [])
    assert.deepStrictEqual(offered("rm x", { deny: ["Bash(rm *)"] }), [])
  })

  it("an exact rule covers neither substitution, nor background, nor assignments", () => {
    for (const command of ["echo $(id)", "sleep 5 &", "FOO=1 npm test", "$x a"]) {
      assert.strictEqual(bash(command, { allow: [`Bash(${command})`] }), "ask", command)
    }
  })
})

describe("words and rules", () => {
  it("one word with blanks is not two words", () => {
    assert.strictEqual(bash("rm 'a b'", { allow: ["Bash(rm a b)"] }), "ask")
    assert.strictEqual(bash("'git log' x", { allow: ["Bash(git log *)"] }), "ask")
    assert.strictEqual(bash("git log 'a b'", { allow: ["Bash(git log *)"] }), "allow")
  })
  it("a rule for git's subcommand holds behind git's own options", () => {
    assert.strictEqual(bash("git -C sub push", { allow: ["Bash(*)"], deny: ["Bash(git push *)"] }), "deny")
    assert.strictEqual(bash("git --no-pager push", { allow: ["Bash(*)"], ask: ["Bash(git push *)"] }), "ask")
  })
  it("a change of folder alone is asked for", () => {
    assert.strictEqual(bash("cd sub", {}), "ask")
    assert.strictEqual(bash("cd sub && ls", { allow: ["Bash(ls *)"] }), "allow")
  })
})

const world = (rules: Rules, existing: ReadonlyArray<string> = []): World => ({
  rules,
  existing,
  links: { "/w/app/out": "/w/outside" }
})

describe("what a command reaches", () => {
  const wide: Rules = { allow: ["Bash(*)", "Write(**)"], deny: ["Write(dist/**)"] }
  it("through a link", () => {
    assert.strictEqual(bash("cat out/x", world(wide, ["/w/outside"])), "ask")
    assert.strictEqual(bash("echo a > out/x", world(wide)), "ask")
    assert.strictEqual(bash("cd out && ls", world(wide, ["/w/app/out"])), "ask")
  })
  it("when a folder does not exist and cd fails", () => {
    assert.strictEqual(bash("cd gone; cat ../x", world(wide)), "ask")
    assert.strictEqual(bash("cd gone; echo a > ../x", world(wide)), "ask")
    assert.strictEqual(bash("cd gone && cat ../x", world(wide)), "allow")
    assert.strictEqual(bash("cd here; cat ../x", world(wide, ["/w/app/here"])), "allow")
  })
  it("outside, where something is or could be made", () => {
    assert.strictEqual(bash("touch /etc/new", world(wide)), "ask")
    assert.strictEqual(bash("mkdir /new", world(wide)), "ask")
    assert.strictEqual(bash("cp a ../b", world(wide)), "ask")
    assert.strictEqual(bash("ls ~", world(wide)), "ask")
    assert.strictEqual(bash("ls ../*", world(wide, ["/w"])), "ask")
    assert.strictEqual(bash("cat ./$OLDPWD/../x", world(wide)), "ask")
    assert.strictEqual(bash("cat */../../x", world(wide)), "ask")
    assert.strictEqual(bash("cat $HOME/*", world(wide, ["/home/me"])), "ask")
    assert.strictEqual(bash("cat /e*/passwd", world(wide)), "ask")
    assert.strictEqual(bash('sed "/$x/d" a', { allow: ["Bash(sed *)"] }), "allow")
    assert.strictEqual(bash("cat src/*.ts $x/a", world(wide)), "allow")
    assert.strictEqual(bash("cat /etc/passwd", { rules: { allow: ["Bash(cat *)", "Read(/etc/passwd)"] } }), "allow")
    assert.strictEqual(bash("cat a > /dev/null", world(wide)), "allow")
  })
  it("by changing what may not be written", () => {
    assert.strictEqual(bash("touch dist/a.js", world(wide)), "deny")
    assert.strictEqual(bash("echo a > dist/a.js", world(wide)), "deny")
    assert.strictEqual(bash("cat dist/a.js", world(wide)), "allow")
    assert.strictEqual(bash("frobnicate dist/a.js", world(wide)), "ask")
    assert.strictEqual(bash("cp x .git/hooks/pre-commit", world(wide)), "ask")
    assert.strictEqual(bash("cp x .maia/settings.json", world(wide)), "ask")
  })
})
