import { assert, describe, it } from "@effect/vitest"
import { mayOverlap, patternShapes } from "../../src/permissions/overlap.ts"
import { ANYTHING, ONE, RUN } from "../../src/permissions/shell/words.ts"

const places = { launchFolder: "/w", home: "/home/me", ignoreCase: false }

const meets = (typed: string, pattern: string): boolean => {
  const shape = `/w/${typed.replaceAll("**", ANYTHING).replaceAll("*", RUN).replaceAll("?", ONE)}`
  return patternShapes(pattern, places).some((one) => mayOverlap(shape, one))
}

describe("a word the shell expands and the pattern of a rule", () => {
  for (const [typed, pattern] of [
    ["*", "secret.txt"],
    ["s*", "secret.txt"],
    ["*.txt", "secret.txt"],
    ["se?ret.t*t", "secret.txt"],
    ["sub/*", "secret.txt"],
    ["**", "a/b/c"],
    ["a/*/c", "a/b/c"],
    ["a/**", "a/b/c"],
    ["s*/x", "secrets/**"],
    ["secrets/*", "secrets"],
    ["*.pem", "*.pem"],
    ["a*", "*b"],
    ["**", ".env"],
    [".*", ".env"],
    ["sub/.e*", ".env"],
    ["a/b.key", "**/*.key"]
  ] as const) {
    it(`${typed} may be ${pattern}`, () => assert.isTrue(meets(typed, pattern)))
  }
  for (const [typed, pattern] of [
    ["*.ts", "secret.txt"],
    ["t*", "secret.txt"],
    ["*", "a/b"],
    ["a/*", "a/b/c"],
    ["*", ".env"],
    ["?env", ".env"],
    ["sub/*", "sub/.env"],
    ["*.md", "*.pem"],
    ["s*", "secrets/**"]
  ] as const) {
    it(`${typed} is never ${pattern}`, () => assert.isFalse(meets(typed, pattern)))
  }
  it("very long ones are taken to", () => assert.isTrue(mayOverlap("/".padEnd(700, "a"), "/b")))
})
