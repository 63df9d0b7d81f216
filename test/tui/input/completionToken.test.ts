import { assert, describe, it } from "@effect/vitest"
import { completionToken } from "../../../src/tui/input/completion/completionToken.ts"
import { plainContent } from "../../../src/tui/input/content.ts"
import { bestTime } from "./support.ts"
import { pasted } from "../../../src/tui/input/paste.ts"

/** `|` is the cursor; the answer is `kind[what is replaced]query`. */
const at = (drawn: string): string => {
  const text = drawn.replace("|", "")
  const token = completionToken(plainContent(text), drawn.indexOf("|"))
  if (token === undefined) return "none"
  const command = token.command === undefined ? "" : `${token.command}:`
  return `${token.spaced === true ? "spaced " : ""}${token.kind}[${text.slice(token.start, token.end)}]${command}${token.query}`
}

describe("what is completed at the cursor", () => {
  for (const [drawn, expected] of [
    ["/|", "command[/]"],
    ["/he|", "command[/he]he"],
    ["/h|elp", "command[/help]h"],
    ["  /he|", "command[/he]he"],
    ["|/he", "none"],
    ["see /he|", "none"],
    ["/model |", "argument[]model:"],
    ["/model gp|t", "argument[gpt]model:gp"],
    ["/load my session|", "argument[my session]load:my session"],
    ["/model x\ny|", "none"],
    ["§|", "skill[§]"],
    ["§rev|", "skill[§rev]rev"],
    ["§rev it|", "none"],
    ["@|", "path[@]"],
    ["see @|", "path[@]"],
    ["see @src/a|", "path[@src/a]src/a"],
    ["see @src|/a.ts now", "path[@src/a.ts]src"],
    ["see @src/a.ts |", "none"],
    ["ann@exa|", "none"],
    ["ann@|", "none"],
    ["@ sr|", "spaced path[@ sr]sr"],
    ["@ |", "none"],
    ['@"my fi|', 'path[@"my fi]my fi'],
    ['@"my fi|le.txt" x', 'path[@"my file.txt"]my fi'],
    ['@"my file.txt"|', "none"],
    ["@'it\\'s |", "path[@'it\\'s ]it's "],
    ['@"|', 'path[@"]'],
    ["(@sr|", "path[@sr]sr"],
    ["@~/do|", "path[@~/do]~/do"],
    ["@../|", "path[@../]../"],
    ["!git log @|", "none"],
    ["/review @sr|", "path[@sr]sr"],
    ["one\n@tw|\nthree", "path[@tw]tw"],
    ["@a @b| @c", "path[@b]b"],
    ["|@a", "none"],
    ["", "none"]
  ] as const) {
    it(JSON.stringify(drawn), () => assert.strictEqual(at(drawn === "" ? "|" : drawn), expected))
  }

  it("nothing where a pasted text is part of it", () => {
    const token = pasted("x".repeat(2_000), 1).content
    const content = { text: `@a${token.text}`, marks: [{ ...token.marks[0], at: 2 }] }
    assert.isUndefined(completionToken(content as never, 3))
  })

  it("is not looked for in a line of a megabyte", () => {
    const text = "@a ".repeat(400_000)
    assert.isBelow(
      bestTime(() => void completionToken(plainContent(text), text.length - 1)),
      20
    )
  })
})
