import { assert, describe, it } from "@effect/vitest"
import { checkName, defaultName, freeName, nextCompactedName, suggestNames } from "../../src/sessions/names.ts"

const problem = (name: string): boolean => "problem" in checkName(name)

describe("session names", () => {
  it("default name is the local time", () => {
    assert.strictEqual(defaultName(new Date(2026, 0, 2, 3, 4, 5)), "session_2026-01-02_03_04_05")
  })

  it("removes spaces and quotes around a typed name", () => {
    assert.deepStrictEqual(checkName('  "my session" '), { name: "my session" })
    assert.deepStrictEqual(checkName("« été »"), { name: "été" })
  })

  it("refuses what MAIA refuses", () => {
    for (const name of [
      "",
      "  ",
      '""',
      "a/b",
      "a\\b",
      "a:b",
      "a*",
      "a?",
      'a"b',
      "<a",
      "a>",
      "a|b",
      "a\nb",
      "a\u0000",
      ".a",
      "a."
    ]) {
      assert.isTrue(problem(name), JSON.stringify(name))
    }
    assert.isTrue(problem("x".repeat(101)))
    assert.isFalse(problem("x".repeat(100)))
  })

  it("a name cannot lead out of the folder, nor be a device, nor be too long for a file system", () => {
    for (const name of [
      "..",
      "../x",
      "a/../../b",
      "/etc/passwd",
      "C:\\x",
      "nul",
      "COM1.x",
      "語".repeat(90),
      "a\u202eb"
    ]) {
      assert.isTrue(problem(name), name)
    }
  })

  it("a suffix is added until the name is free, shortening a long one", () => {
    const taken = new Set(["a", "a_2"])
    assert.strictEqual(
      freeName("a", (name) => taken.has(name)),
      "a_3"
    )
    assert.strictEqual(
      freeName("b", (name) => taken.has(name)),
      "b"
    )
    const long = "😀".repeat(50)
    const free = freeName(long, (name) => name === long)
    assert.isTrue(free.endsWith("_2") && free.isWellFormed() && free.length <= 100)
  })

  it("names of compacted sessions count to 1000 and begin again", () => {
    const next: ReadonlyArray<readonly [string, string]> = [
      ["xxx", "xxx__1"],
      ["xxx__1", "xxx__2"],
      ["xxx__999", "xxx__1000"],
      ["xxx__1000", "xxx__1"],
      ["xxx__0", "xxx__0__1"],
      ["xxx__1001", "xxx__1001__1"],
      ["a__b", "a__b__1"],
      ["__5", "__5__1"],
      ["x".repeat(100), `${"x".repeat(97)}__1`]
    ]
    for (const [name, expected] of next) assert.strictEqual(nextCompactedName(name), expected)
  })

  it("suggests near names, nearest first", () => {
    const names = ["refactor parser", "parser", "Parsing notes", "deploy", "praser"]
    assert.deepStrictEqual(suggestNames("parser", names), ["parser", "refactor parser", "praser"])
    assert.deepStrictEqual(suggestNames("DEPLYO", names), ["deploy"])
    assert.deepStrictEqual(suggestNames("zzz", names), [])
  })
})
