/** The table of dangerous uses (spec 03; field cases C5, C7): each row fires, and spares what looks like it. */
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { list } from "../../../src/permissions/shell/dangerous/table.ts"
import { dangerousMatch, dangerousPrograms, dangerousUse } from "../../../src/permissions/shell/dangerousUse.ts"
import { all, words } from "./dangerousExamples.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const fires = Object.values(all).flatMap((family) => family.fires)
const harmless = Object.values(all).flatMap((family) => family.harmless)

describe("dangerousUse", () => {
  for (const [family, { fires, harmless }] of Object.entries(all)) {
    describe(family, () => {
      for (const line of fires) {
        it(`asks: ${line}`, () => {
          const use = dangerousUse(words(line))
          assert.isDefined(use)
          assert.isNotEmpty(use?.flag)
        })
      }
      for (const line of harmless) {
        it(`does not ask: ${line}`, () => assert.isUndefined(dangerousUse(words(line))))
      }
    })
  }

  it("knows nothing of other programs", () => {
    for (const line of ["ls -la", "cat f", "wrap rm x", "echo -delete", ""])
      assert.isUndefined(dangerousUse(words(line)))
    assert.isUndefined(dangerousUse([]))
  })

  it("names the program, what makes the use dangerous as typed, and why in both languages", () => {
    const use = dangerousUse(["/usr/bin/git", "branch", "-vD", "m"])
    assert.strictEqual(use?.program, "git")
    assert.strictEqual(use?.flag, "-D")
    assert.isNotEmpty(use?.why.en)
    assert.isNotEmpty(use?.why.fr)
    assert.strictEqual(dangerousUse(["sort", "--compress-pro", "x"])?.flag, "--compress-pro")
    assert.strictEqual(dangerousUse(["git", "push", "origin", "+main"])?.flag, "+main")
    assert.strictEqual(dangerousUse(["git", "rm", "f"])?.flag, "rm")
    assert.strictEqual(dangerousUse(["npm", "run", "build"])?.flag, "run")
    assert.strictEqual(dangerousUse(["yarn"])?.flag, "yarn")
  })
})

describe("the table", () => {
  const label = (names: string, row: { readonly sub?: string; readonly flags?: string }): string =>
    [names, row.sub, row.flags].filter((part) => part !== undefined).join(" | ")

  it("has for each row an example that fires by it", () => {
    const fired = new Set(fires.map((line) => dangerousMatch(words(line))?.row))
    const silent = dangerousPrograms().flatMap((program) =>
      program.rows.filter((row) => !fired.has(row)).map((row) => label(program.names, row))
    )
    assert.isAbove(fired.size, 200)
    assert.deepStrictEqual(silent, [])
  })

  it("has for each row a harmless use of the same program and subcommand", () => {
    const lines = harmless.map(words)
    const missing: Array<string> = []
    for (const program of dangerousPrograms()) {
      const own = lines.filter(([command]) => list(program.names).includes((command ?? "").replace(/[\d.]+$/, "")))
      const exact = lines.filter(([command]) => list(program.names).includes(command ?? ""))
      for (const row of program.rows) {
        const near = [...own, ...exact].some(
          (argv) => row.sub === undefined || row.sub === "*" || argv.some((word) => list(row.sub).includes(word))
        )
        if (!near) missing.push(label(program.names, row))
      }
    }
    assert.deepStrictEqual(missing, [])
  })

  it("names no program twice", () => {
    const names = dangerousPrograms().flatMap((program) => list(program.names))
    assert.deepStrictEqual(
      names.filter((name, at) => names.indexOf(name) !== at),
      []
    )
  })
})

describe("any words", () => {
  const word = fc.oneof(
    fc.constantFrom("--", "-", "-c", "-e", "--out", "=", "push", "run", "-xdf", "s/a/b/", "{print}", "/", "[", "\\"),
    fc.string({ maxLength: 12 })
  )
  const command = fc.constantFrom(...dangerousPrograms().flatMap((program) => list(program.names)))

  it("never throws", () => {
    fc.assert(
      fc.property(command, fc.array(word, { maxLength: 8 }), (name, rest) => {
        dangerousUse([name, ...rest])
      }),
      { seed: 5, numRuns: 3000 }
    )
  })

  it("an option before `--` that fires alone still fires after harmless words", () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom("f", "-u", "-n", "g"), { maxLength: 20 }), (rest) => {
        assert.isDefined(dangerousUse(["sort", ...rest, "--compress-program=x"]))
        assert.isUndefined(dangerousUse(["sort", ...rest, "f", "--", "--compress-program=x"]))
      }),
      { seed: 7 }
    )
  })

  it("is linear: ten times the words cost about ten times the time, whatever the words", () => {
    const inputs: ReadonlyArray<(size: number) => ReadonlyArray<string>> = [
      (size) => ["git", "log", ...Array.from({ length: size }, () => "--stat")],
      (size) => ["find", ".", ...Array.from({ length: size }, () => "-print")],
      (size) => ["sed", "s/[/]/x/;".repeat(size)],
      (size) => ["sed", "[[:a".repeat(size)],
      (size) => ["awk", `{ x = "|" } /a[b/ ${"/[/\n".repeat(size)}`],
      (size) => ["awk", `|${'"'.repeat(size)}`],
      (size) => ["awk", `x > "${"/ ".repeat(size)}`],
      (size) => ["rg", `-${"n".repeat(size)}`],
      (size) => ["git", "push", "origin", ...Array.from({ length: size }, () => "a:b")]
    ]
    const time = (argv: ReadonlyArray<string>): number => {
      dangerousUse(argv)
      let best = Infinity
      for (let i = 0; i < 5; i++) {
        const start = cpuTime()
        dangerousUse(argv)
        best = Math.min(best, cpuTime() - start)
      }
      return best
    }
    for (const input of inputs) {
      const small = time(input(2_000))
      const large = time(input(20_000))
      // A quadratic reader takes a hundred times as long.
      assert.isBelow(large, Math.max(small, 0.2) * 40, input(1).join(" "))
    }
  })
})
