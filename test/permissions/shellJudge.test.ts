import { assert, describe, it } from "@effect/vitest"
import { bash, type Rules, type World } from "./support.ts"

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

const wide: Rules = { allow: ["Bash(git *)", "Bash(echo *)", "Bash(cd *)", "Bash(cat *)", "Bash(ls *)"] }
const noRm: Rules = { allow: ["Bash(*)"], deny: ["Bash(rm *)"] }

table("chaining after an allowed command", wide, [
  ["git status", "allow"],
  ["git status && rm x", "ask"],
  ["git status; rm x", "ask"],
  ["echo a | tee f", "ask"],
  ["echo a & rm x", "ask"],
  ["echo a\nrm x", "ask"],
  ["echo a # c\nrm x", "ask"],
  ["cd d && python s.py", "ask"],
  ["! git status || rm x", "ask"],
  ["git status && echo ok", "allow"],
  ["git log | cat", "allow"],
  ["echo a # rm x", "allow"],
  ["git status;", "allow"],
  ["(git status)", "allow"],
  ["{ git status; }", "allow"],
  ["if git status; then echo a; fi", "allow"],
  ["for f in a b; do echo x; done", "allow"],
  ["echo 'a && rm x'", "allow"]
])

table("a denied part denies all", noRm, [
  ["git status && rm x", "deny"],
  ["rm", "deny"],
  ["rmdir x", "allow"],
  ["echo rm x", "allow"],
  ["ls | rm -f x", "deny"],
  ["if true; then rm x; fi", "deny"],
  ["f() { rm x; }", "deny"],
  ["while read x; do rm $x; done", "deny"]
])

table("substitution", wide, [
  ["git log $(rm x)", "ask"],
  ['echo "`rm x`"', "ask"],
  ['echo "$(rm x)"', "ask"],
  ["cat <(rm x)", "ask"],
  ["echo ok > >(rm x)", "ask"],
  ["git log --grep='$(rm x)'", "allow"],
  ["echo $(echo $(rm x))", "ask"],
  ["echo $((a[$(rm x)]))", "ask"]
])

table("denied inside a substitution", noRm, [
  ["git log $(rm x)", "deny"],
  ['echo "`rm x`"', "deny"],
  ["cat <(rm x)", "deny"],
  ["echo $(echo $(rm x))", "deny"],
  ["git log --grep='$(rm x)'", "allow"]
])

table("subscripts that run even in quotes", { allow: ["Bash(printf *)", "Bash(test *)", "Bash([ *)"] }, [
  ["printf -v 'a[$(rm x)]' 1", "ask"],
  ["test -v 'a[$(rm x)]'", "ask"],
  ["[[ -v a[$(rm x)] ]]", "ask"],
  ["printf '%s' x", "allow"],
  ["test -f x", "allow"],
  ["[ -f x ]", "allow"]
])

table("expansions beyond a plain name", wide, [
  ["x='$(rm y)'; echo ${x@P}", "ask"],
  ["echo ${x:=y}", "ask"],
  ["echo ${!x}", "ask"],
  ["echo ${x/a/b}", "ask"],
  ["echo $x", "allow"],
  ["echo ${x}", "allow"]
])

table("environment prefixes", { allow: ["Bash(*)"], ask: ["Bash(git *)"] }, [
  ["CI=1 git commit", "ask"],
  ["FOO=1 git commit", "ask"]
])

table(
  "environment prefixes under an allow rule",
  { allow: ["Bash(npm --version)", "Bash(git *)", "Bash(ls *)", "Bash(bash *)"] },
  [
    ["npm --version", "allow"],
    ["CI=1 npm --version", "allow"],
    ["LC_ALL=C NO_COLOR=1 npm --version", "allow"],
    ["NODE_OPTIONS=--require=./p.js npm --version", "ask"],
    ["GIT_EXTERNAL_DIFF=./h git diff", "ask"],
    ["LD_PRELOAD=./x ls", "ask"],
    ["PATH=.:$PATH ls", "ask"],
    ["X=$(id) ls", "ask"]
  ]
)

table("wrappers", noRm, [
  ["env rm x", "deny"],
  ["env -S 'rm x'", "deny"],
  ["env A=1 -u B rm x", "deny"],
  ["timeout -k 1 5 rm x", "deny"],
  ["nohup nice -n 5 stdbuf -o0 rm x", "deny"],
  ["command rm x", "deny"],
  ["\\rm x", "deny"],
  ["sudo -u u rm x", "deny"],
  ["xargs rm", "deny"],
  ["xargs -n 1 rm", "deny"],
  ["bash -c 'rm x'", "deny"],
  ["sh -ec 'rm x'", "deny"],
  ["bash -lc 'echo a; rm x'", "deny"],
  ["eval 'rm x'", "deny"],
  ["exec rm x", "deny"],
  ["setsid rm x", "deny"],
  ["flock l rm x", "deny"],
  ["watch rm x", "deny"],
  ["busybox rm x", "deny"],
  ["script -c 'rm x'", "deny"],
  ["/bin/rm x", "deny"],
  ["find . -exec rm {} +", "deny"],
  ["time rm x", "deny"],
  ["builtin echo a", "allow"],
  ["command -v rm", "allow"]
])

table("transparent wrappers need no rule of their own", { allow: ["Bash(npm test)"] }, [
  ["timeout 60 npm test", "allow"],
  ["nice -n 5 npm test", "allow"],
  ["timeout 60 rm x", "ask"],
  ["sudo npm test", "ask"]
])

table("spelling of the program", noRm, [
  ["r''m x", "deny"],
  ["r\\m x", "deny"],
  ["$'r\\x6d' x", "deny"],
  ["$'r\\155' x", "deny"],
  ['"r"m x', "deny"],
  ["{rm,x}", "deny"],
  ["/bin/r?m x", "ask"],
  ["x=rm; $x f", "ask"],
  ['echo \\\\"; rm x; echo "', "allow"]
])

table("here-documents", { allow: ["Bash(cat *)", "Bash(bash *)", "Bash(python3 *)"] }, [
  ["cat <<EOF && rm x\nhi\nEOF", "ask"],
  ["cat <<EOF\n$(rm x)\nEOF", "ask"],
  ["cat <<'EOF'\n$(rm x)\nEOF", "allow"],
  ["bash <<'EOF'\nrm x\nEOF", "ask"],
  ["python3 <<'EOF'\nprint(1)\nEOF", "ask"],
  ["cat <<A <<B\na\nA\nb\nB", "allow"]
])

table("redirections", { allow: ["Bash(echo *)", "Bash(ls *)", "Write(out/**)"] }, [
  ["echo a > /etc/x", "ask"],
  ["echo a >> ~/.ssh/authorized_keys", "ask"],
  ["echo a > $HOME/.bashrc", "ask"],
  ["echo a >| f", "ask"],
  ["echo a &> f", "ask"],
  ["echo a >& f", "ask"],
  ["echo a 2>f", "ask"],
  ["echo a >&2file", "ask"],
  ["echo a <>f", "ask"],
  ["echo a 1>&2", "allow"],
  ["echo a 2>/dev/null", "allow"],
  ["echo a > out/f", "allow"],
  ["echo a > out/../f", "ask"],
  ["cd out && echo a > f", "allow"],
  ["cd .. && echo a > f", "ask"]
])

table("folders", { allow: ["Bash(cat *)", "Bash(ls *)"] }, [
  ["cd sub && cat ../y", "allow"],
  ["cd .. && cat x", "ask"],
  ["cd a 2>&1 | cat; cd .. && ls", "ask"],
  ["cd $X && cat y", "ask"],
  ["pushd .. && cat x", "ask"],
  ["cat ./a", "allow"],
  ["cat /etc/passwd", "ask"],
  ["cat ../other/x", "ask"]
])

const secret: World = {
  rules: { allow: ["Bash(*)"], deny: ["Read(secrets.json)"] },
  existing: ["/w/app/secrets.json"]
}
table("read rules hold for any command", secret, [
  ["cat secrets.json", "deny"],
  ["head -n 1 ./secrets.json", "deny"],
  ["anything secrets.json", "deny"],
  ["git show HEAD:secrets.json", "deny"],
  ["cat sec*", "ask"],
  ["grep -r x .", "ask"],
  ["rg x", "ask"],
  ["find . -exec cat {} +", "ask"],
  ["cat other.json", "allow"],
  ["node --env-file=secrets.json x", "deny"]
])

table("secrets by default", { allow: ["Bash(cat *)"] }, [
  ["cat .env", "ask"],
  ["cat .env.example", "allow"],
  ["cat .e*", "ask"],
  ["cat ~/.ssh/id_rsa", "ask"],
  ["cat README.md", "allow"]
])

table("what does not parse", { allow: ["Bash(*)"] }, [
  ["echo 'a", "ask"],
  ["if true", "ask"],
  ["echo $(", "ask"],
  ["f() { ls; }; f", "ask"],
  ["sleep 5 &", "ask"],
  ["coproc ls", "ask"],
  ["", "ask"],
  [`echo ${"x".repeat(200_000)}`, "ask"]
])

describe("exact rules", () => {
  it("cover a command exactly as written", () => {
    assert.strictEqual(bash("bash test.sh", { allow: ["Bash(bash test.sh)"] }), "allow")
    assert.strictEqual(bash("bash test.sh x", { allow: ["Bash(bash test.sh)"] }), "ask")
    assert.strictEqual(bash("bash test.sh > /etc/x", { allow: ["Bash(bash test.sh > /etc/x)"] }), "ask")
  })
  it("never win over a rule that denies or asks", () => {
    assert.strictEqual(bash("rm x", { allow: ["Bash(rm x)"], deny: ["Bash(rm *)"] }), "deny")
    assert.strictEqual(bash("rm x", { allow: ["Bash(rm x)"], ask: ["Bash(rm *)"] }), "ask")
  })
  it("the form cmd:* is a prefix", () => {
    assert.strictEqual(bash("npm run build", { allow: ["Bash(echo:*)"] }), "ask")
    assert.strictEqual(bash("echo a b", { allow: ["Bash(echo:*)"] }), "allow")
    assert.strictEqual(bash("echox", { allow: ["Bash(echo *)"] }), "ask")
  })
})
