import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { globFilter, namePattern, splitGlob } from "../../../src/tools/search/globFilter.ts"
import { anyLineEnd, unicodeClasses } from "../../../src/tools/search/pattern.ts"

describe("globs", () => {
  const cases: ReadonlyArray<readonly [glob: string, path: string, matches: boolean]> = [
    ["*.ts", "a/b.ts", true],
    ["/*.ts", "a/b.ts", false],
    ["./*.ts", "b.ts", true],
    ["a/*.ts", "a/b.ts", true],
    ["a/*.ts", "x/a/b.ts", false],
    ["**/*.ts", "b.ts", true],
    ["src/", "src/a/b", true],
    ["src/", "lib/src/b", true],
    ["*", ".hidden/x", true],
    ["*.{ts,tsx}", "a.tsx", true],
    ["*.ts, *.js", "x/a.js", true],
    ["!*.test.ts", "a.test.ts", false],
    ["*.ts,!*.test.ts", "a.test.ts", false],
    ["*.ts,!*.test.ts", "a.ts", true],
    ["file[,].txt", "file,.txt", true],
    ["a\\,b", "a,b", true]
  ]
  for (const [glob, path, matches] of cases) {
    it(`${glob} ${matches ? "means" : "does not mean"} ${path}`, () => {
      assert.strictEqual(globFilter(glob)(path), matches)
    })
  }

  it("the pattern of names lets through all that the glob does", () => {
    const part = fc.constantFrom(
      "a",
      "b.ts",
      "*",
      "**",
      "*.ts",
      "{a,b}.ts",
      "?.js",
      "{a/b,c}.ts",
      "x,y",
      "!z",
      "[ab].ts"
    )
    const segment = fc.constantFrom("a", "b", "b.ts", "a.ts", "c.ts", "x", "y", "a.js")
    fc.assert(
      fc.property(
        fc.array(part, { minLength: 1, maxLength: 3 }),
        fc.array(segment, { minLength: 1, maxLength: 3 }),
        (glob, path) => {
          const name = namePattern(glob.join("/"))
          if (name === undefined || !globFilter(glob.join("/"))(path.join("/"))) return
          assert.isTrue(
            globFilter(name)(path.at(-1) ?? ""),
            `${glob.join("/")} by name ${name} loses ${path.join("/")}`
          )
        }
      ),
      { seed: 7, numRuns: 3_000 }
    )
  })

  it("the plain beginning of a glob", () => {
    assert.deepStrictEqual(splitGlob("/a/b/*.ts"), { folder: "/a/b/", rest: "*.ts" })
    assert.deepStrictEqual(splitGlob("/a/b*/c.ts"), { folder: "/a/", rest: "b*/c.ts" })
    assert.deepStrictEqual(splitGlob("../c.ts"), { folder: "../", rest: "c.ts" })
    assert.deepStrictEqual(splitGlob("*.ts"), { folder: "", rest: "*.ts" })
  })
})

describe("expressions", () => {
  it("line ends match both kinds, but not inside a class or behind a backslash", () => {
    assert.deepStrictEqual(anyLineEnd("a\\nb"), { pattern: "a(?:\\r?\\n)b", spansLines: true })
    assert.deepStrictEqual(anyLineEnd("a\nb"), { pattern: "a(?:\\r?\\n)b", spansLines: true })
    assert.deepStrictEqual(anyLineEnd("[^\\n]+"), { pattern: "[^\\n]+", spansLines: false })
    assert.deepStrictEqual(anyLineEnd("a\\\\nb"), { pattern: "a\\\\nb", spansLines: false })
    assert.deepStrictEqual(anyLineEnd("[]\\n]"), { pattern: "[]\\n]", spansLines: false })
    assert.deepStrictEqual(anyLineEnd("[[:alpha:]\\n]\\n"), { pattern: "[[:alpha:]\\n](?:\\r?\\n)", spansLines: true })
    assert.deepStrictEqual(anyLineEnd("\\[\\n"), { pattern: "\\[(?:\\r?\\n)", spansLines: true })
  })
  it("classes get their Unicode meaning", () => {
    assert.strictEqual(
      unicodeClasses("\\w\\\\w[\\w-]"),
      "[\\p{L}\\p{M}\\p{Nd}\\p{Pc}]\\\\w[\\p{L}\\p{M}\\p{Nd}\\p{Pc}-]"
    )
    assert.strictEqual(unicodeClasses("\\D[\\D\\W]"), "[^\\p{Nd}][\\P{Nd}\\W]")
    assert.strictEqual(unicodeClasses("\\pL\\d"), "\\pL[\\p{Nd}]")
  })
  it("no expression makes them fail, and what needs no change has none", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a\\[\]^:nwd\-{}()]{0,12}$/), (pattern) => {
        const { pattern: changed, spansLines } = anyLineEnd(pattern)
        assert.strictEqual(changed === pattern, !spansLines)
        assert.isString(unicodeClasses(pattern))
      }),
      { seed: 7, numRuns: 1_000 }
    )
  })
})
