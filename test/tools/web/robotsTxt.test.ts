import { assert, describe, it } from "@effect/vitest"
import { parseRobots, robotsAllow } from "../../../src/tools/web/robotsTxt.ts"
import { cpuTime } from "../../support/cpuTime.ts"

const allows = (file: string, path: string): boolean => robotsAllow(parseRobots(file, "maia"), path)

describe("robots.txt (RFC 9309)", () => {
  const cases: ReadonlyArray<readonly [string, string, string, boolean]> = [
    ["nothing said", "", "/x", true],
    ["everyone refused", "User-agent: *\nDisallow: /", "/x", false],
    ["an empty Disallow", "User-agent: *\nDisallow:", "/x", true],
    ["our own group wins over *", "User-agent: *\nDisallow: /\n\nUser-agent: Maia\nDisallow: /no", "/x", true],
    ["our own group refuses", "User-agent: maia/2.0\nDisallow: /no", "/no/x", false],
    ["an empty group of our own", "User-agent: *\nDisallow: /\n\nUser-agent: maia\nDisallow:", "/x", true],
    ["another agent's group", "User-agent: maiabot\nDisallow: /\nUser-agent: other\nDisallow: /", "/x", true],
    ["several agents in one group", "User-agent: other\nUser-agent: maia\nDisallow: /", "/x", false],
    ["two groups of ours", "User-agent: maia\nDisallow: /a\n\nUser-agent: maia\nDisallow: /b", "/b", false],
    ["other lines between agent and rule", "User-agent: *\nCrawl-delay: 3\nDisallow: /a", "/a", false],
    ["a longer Allow", "User-agent: *\nDisallow: /\nAllow: /public", "/public/x", true],
    ["a longer Disallow", "User-agent: *\nAllow: /p\nDisallow: /page", "/page", false],
    ["a tie", "User-agent: *\nDisallow: /page\nAllow: /page", "/page", true],
    ["a star", "User-agent: *\nDisallow: /*/private", "/a/b/private/x", false],
    ["a star that finds nothing", "User-agent: *\nDisallow: /*/private", "/private", true],
    ["an end", "User-agent: *\nDisallow: /*.gif$", "/a/b.gif", false],
    ["an end that is not the end", "User-agent: *\nDisallow: /*.gif$", "/a/b.gif?x", true],
    ["an end without a star", "User-agent: *\nAllow: /$\nDisallow: /", "/", true],
    ["an end without a star, elsewhere", "User-agent: *\nAllow: /$\nDisallow: /", "/x", false],
    ["overlapping pieces", "User-agent: *\nDisallow: /ab*ba$", "/aba", true],
    ["a query", "User-agent: *\nDisallow: /*?s=", "/find?s=x", false],
    ["percent-encoded one way", "User-agent: *\nDisallow: /caf%C3%A9", "/café", false],
    ["percent-encoded the other way", "User-agent: *\nDisallow: /café", "/caf%c3%a9", false],
    ["an encoded letter", "User-agent: *\nDisallow: /%70rivate", "/private", false],
    ["an encoded slash stays one", "User-agent: *\nDisallow: /a%2Fb", "/a/b", true],
    ["comments, BOM, CR and spaces", "\uFEFFuser-AGENT : * # all\rDISALLOW : /a # no", "/a", false],
    ["rules before any agent", "Disallow: /", "/x", true],
    ["robots.txt itself", "User-agent: *\nDisallow: /", "/robots.txt", true]
  ]
  for (const [name, file, path, allowed] of cases) it(name, () => assert.strictEqual(allows(file, path), allowed))

  it("is linear on patterns full of stars", () => {
    const start = cpuTime()
    allows(`User-agent: *\nDisallow: /${"a*".repeat(50_000)}b$`, `/${"a".repeat(100_000)}`)
    assert.isBelow(cpuTime() - start, 2000)
  })
})
