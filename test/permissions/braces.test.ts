/** Brace expansion (field cases C5, C10, C19): what stands in parts is found, what is quoted stays text. */
import { assert, describe, it } from "@effect/vitest"
import { spawnSync } from "node:child_process"
import * as fc from "fast-check"
import { expandBraces } from "../../src/permissions/shell/braces.ts"
import { bash, type Rules } from "./support.ts"
import { cpuTime } from "../support/cpuTime.ts"

const values = (source: string) => expandBraces(source)?.map(({ value }) => value)

/** What Bash itself makes of words, one list for each. */
const byBash = (sources: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const script = `set -f\n${sources.map((source) => `printf '%s\\0' ${source}; printf '\\1\\0'`).join("\n")}\n`
  const { stdout } = spawnSync("bash", ["--noprofile", "--norc", "-c", script], { encoding: "utf8" })
  return stdout
    .split("\u0001\0")
    .slice(0, -1)
    .map((part) => part.split("\0").slice(0, -1))
}

const SOURCES = [
  "a{b,c}d",
  "{a,b}{c,d}",
  "a{b,{c,d}e}f",
  "{1..3}",
  "{3..1}",
  "{01..10..3}",
  "{a..e..2}",
  "{-1..1}",
  "x{,y}",
  "{a}",
  "{a,b",
  "a}b{c,d}",
  "'{a,b}'",
  '"{a,b}"',
  "\\{a,b}",
  "{a\\,b,c}",
  "{'a,b',c}",
  "{\"a b\",c}'d e'",
  "-del{ete,}",
  "{}",

  "{a,b}}",
  "pre{x,'*'}",
  '{"\\"q",z}',
  "{a\\\nb,c}"
]

describe("expandBraces", () => {
  it("agrees with Bash", () => {
    const expected = byBash(SOURCES)
    for (const [index, source] of SOURCES.entries()) {
      // Bash prints one empty word where an expansion leaves none that is not empty.
      assert.deepStrictEqual(values(source), expected[index], source)
    }
  })

  it("agrees with Bash on any mix of braces, commas and quotes", () => {
    const piece = fc.constantFrom("{", "}", ",", "a", "b", "..", "1", "4", "'x,y'", '"{p,q}"', "\\,", "\\{", "-", ".")
    const sources = fc
      .sample(fc.array(piece, { minLength: 1, maxLength: 10 }), { seed: 11, numRuns: 1_500 })
      .map((pieces) => pieces.join(""))
      .filter((source) => values(source) !== undefined)
    const expected = byBash(sources.map((source) => `x${source}`))
    for (const [index, source] of sources.entries()) {
      assert.deepStrictEqual(values(`x${source}`), expected[index], source)
    }
  })

  it("does not guess at expansions, nor at very many words", () => {
    for (const source of ["{a,$x}", "{a,`id`}", "{1..1000}", "{a,b}".repeat(10)])
      assert.isUndefined(values(source), source)
  })

  it("takes no time for many braces", () => {
    const started = cpuTime()
    values("{".repeat(2_000))
    values("{a,".repeat(600))
    values("{".repeat(90_000))
    bash(`ls ${"{a,".repeat(30_000)}`, wide)
    assert.isBelow(cpuTime() - started, 1_000)
  })
})

const wide: Rules = { allow: ["Bash(find *)", "Bash(git *)", "Bash(cat *)", "Bash(ls *)"], deny: ["Bash(rm *)"] }

describe("commands with braces", () => {
  const rows: ReadonlyArray<readonly [command: string, decision: string]> = [
    ["find . -del{ete,}", "ask"],
    ["find . -{delete,print}", "ask"],
    ["git log --outp{ut=x,}", "ask"],
    ["git branch -{D,a} m", "ask"],
    ["cat {.env,a}", "ask"],
    ["{rm,x}", "deny"],
    ["r{m,} x", "deny"],
    ["{ls,-la}", "ask"],
    ["cat src/{a,b}.ts", "allow"],
    ["ls {src,test}", "allow"],
    ["ls '{rm,x}'", "allow"],
    ["cat file{1..3}.txt", "allow"],
    ["git show HEAD@{1}", "allow"],
    ["cat src/{*.ts,a.js}", "allow"]
  ]
  for (const [command, decision] of rows) {
    it(`${decision}: ${command}`, () => assert.strictEqual(bash(command, wide), decision))
  }
})

describe("harmless lists", () => {
  it("a && b || c runs in a folder that is known", () => {
    assert.strictEqual(bash("ls && ls || ls", wide), "allow")
    assert.strictEqual(bash("cd sub && ls || ls", wide), "ask")
  })
})
