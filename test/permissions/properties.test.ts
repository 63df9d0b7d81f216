/**
 * Random compositions of commands (lists, pipes, substitutions, quotes, wrappers, redirections), seeded: a denied command in
 * them never comes out as allowed, nor does one that no rule speaks of; harmless ones are seldom asked for.
 */
import { assert, describe, it } from "@effect/vitest"
import { bash, type Rules } from "./support.ts"

/** A small seeded generator: the same sentences every time. */
const generator = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
  return { next, pick: <A>(items: ReadonlyArray<A>): A => items[Math.floor(next() * items.length)] as A }
}

type Random = ReturnType<typeof generator>

const rules: Rules = {
  allow: [
    "Bash(echo *)",
    "Bash(ls *)",
    "Bash(cat *)",
    "Bash(git *)",
    "Bash(grep *)",
    "Bash(wc *)",
    "Bash(head *)",
    "Write(out/**)"
  ],
  deny: ["Bash(rm *)"]
}

const HARMLESS = [
  "echo a",
  "ls -la src",
  "cat README.md",
  "git status",
  "git log --oneline -n 5",
  "grep -n foo src/a.ts",
  "wc -l a.txt",
  "head -n 3 a.txt",
  "echo 'a; rm x'",
  'echo "a && b"',
  "git diff --stat",
  "ls",
  "echo \\$HOME",
  "cat a.txt b.txt"
]
const SPELLINGS = [
  "rm x",
  "rm -rf /",
  "/bin/rm x",
  "\\rm x",
  "r''m x",
  'r"m" x',
  "'rm' x",
  "$'r\\x6d' x",
  "$'\\162m' x",
  "command rm x",
  "env rm x",
  "env A=1 rm x",
  "sudo rm x",
  "sudo -u u rm x",
  "timeout 5 rm x",
  "nohup rm x",
  "nice -n 5 rm x",
  "xargs rm",
  "bash -c 'rm x'",
  "sh -ec 'rm x'",
  "eval 'rm x'",
  "exec rm x",
  "FOO=1 rm x",
  "find . -exec rm {} +",
  "time rm x",
  "! rm x",
  "setsid rm x",
  "stdbuf -o0 rm x",
  "busybox rm x",
  "(rm x)",
  "{ rm x; }",
  "rm x >/dev/null 2>&1",
  "if true; then rm x; fi",
  "while true; do rm x; done",
  "case a in a) rm x;; esac",
  "f() { rm x; }",
  "for i in 1; do rm $i; done"
]
/** No rule speaks of these: they must be asked for, wherever they stand. */
const UNKNOWN = ["curl http://x", "python3 -c 'x'", "make", "node x.js", "touch y", "mv a b", "tee f", "sh x.sh"]

const wrap = (random: Random, inner: string, depth: number): string => {
  const other = () => random.pick(HARMLESS)
  const shapes: ReadonlyArray<() => string> = [
    () => `${other()} && ${inner}`,
    () => `${inner} && ${other()}`,
    () => `${other()}; ${inner}`,
    () => `${other()} || ${inner}`,
    () => `${other()} | ${inner}`,
    () => `${inner} | ${other()}`,
    () => `${other()}\n${inner}`,
    () => `${other()} # note\n${inner}`,
    () => `( ${inner})`,
    () => `{ ${inner}; }`,
    () => `if ${other()}; then ${inner}\nfi`,
    () => `echo "$( ${inner})"`,
    () => `echo $( ${inner})`,
    () => `cat <(${inner})`,
    () => `echo ok > >(${inner})`,
    () => `${other()} 2>/dev/null; ${inner}`,
    () => `cat <<EOF\n$( ${inner})\nEOF`,
    // The line behind the marker would be text of the here-document, so only one line fits there.
    () => (inner.includes("\n") ? `( ${inner}\n)` : `cat <<'EOF'; ${inner}\ntext\nEOF`),
    () => `for i in a b; do ${inner}\ndone`,
    () => `${inner} &`
  ]
  const made = random.pick(shapes)()
  return depth > 1 ? wrap(random, made, depth - 1) : made
}

const compose = (random: Random, core: string) => wrap(random, core, 1 + Math.floor(random.next() * 3))

const allowed = (commands: ReadonlyArray<string>): ReadonlyArray<string> =>
  commands.filter((command) => bash(command, rules) === "allow")

describe("compositions", () => {
  it("a denied command in any spelling is never allowed (10 000)", () => {
    const random = generator(1)
    assert.deepStrictEqual(allowed(Array.from({ length: 10_000 }, () => compose(random, random.pick(SPELLINGS)))), [])
  })

  it("a denied command written plainly in a list or pipe is denied, not asked for", () => {
    const random = generator(2)
    const plain = ["rm x", "/bin/rm x", "\\rm x", "'rm' x"]
    for (let n = 0; n < 1_000; n++) {
      const command = `${random.pick(HARMLESS)} ${random.pick(["&&", ";", "|", "||"])} ${random.pick(plain)}`
      assert.strictEqual(bash(command, rules), "deny", command)
    }
  })

  it("what no rule speaks of is never allowed (10 000)", () => {
    const random = generator(3)
    assert.deepStrictEqual(allowed(Array.from({ length: 10_000 }, () => compose(random, random.pick(UNKNOWN)))), [])
  })

  it("harmless compositions are asked for in less than 5 % (1 000)", () => {
    const random = generator(4)
    const command = () => {
      const parts = Array.from({ length: 1 + Math.floor(random.next() * 3) }, () => random.pick(HARMLESS))
      const joined = parts.reduce((left, right) => `${left} ${random.pick(["&&", "||", ";", "|", "\n"])} ${right}`)
      return random.pick([
        () => joined,
        () => `(${joined})`,
        () => `{ ${joined}; }`,
        () => `${joined} 2>/dev/null`,
        () => `${joined} > out/log.txt`,
        () => `if ${parts[0]}; then ${joined}; fi`,
        () => `cd src && ${joined}`,
        () => `timeout 30 ${joined}`,
        () => `NO_COLOR=1 ${joined}`
      ])()
    }
    const commands = Array.from({ length: 1_000 }, command)
    const asked = commands.filter((one) => bash(one, rules) !== "allow")
    console.log(`harmless commands asked for: ${asked.length} of ${commands.length}`)
    assert.isBelow(asked.length, 50, asked.slice(0, 5).join("\n---\n"))
  })
})
