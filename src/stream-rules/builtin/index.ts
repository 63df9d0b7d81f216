/**
 * Rules that come with maia, off until `streamRules.builtin` turns them on (spec 05). Data only.
 */
import type { RuleScope, StreamRule } from "../rule.ts"

const builtin = (
  rule: Pick<StreamRule, "name" | "description" | "triggers" | "reminder"> & { readonly tools: ReadonlyArray<string> }
): StreamRule => {
  const { tools, ...rest } = rule
  return {
    ...rest,
    scopes: tools.map((tool): RuleScope => ({ kind: "tool", tool })),
    interrupt: "always",
    engine: "re2",
    level: "builtin"
  }
}

const COMMENT = String.raw`(?://|#|/\*|<!--|--|%|;)[ \t]*`
const DOTS = String.raw`(?:\.{3}|…)`

export const BUILTIN_RULES: ReadonlyArray<StreamRule> = [
  builtin({
    name: "placeholder-code",
    description: "A comment that stands for code that was left out",
    tools: ["Write", "Edit"],
    triggers: [
      String.raw`(?i)${COMMENT}${DOTS}?[ \t]*\(?[ \t]*(?:the[ \t]+)?(?:rest|remainder)[ \t]+of[ \t]+(?:the|your|this)?[ \t]*(?:\w+[ \t]+){0,3}(?:code|file|function|class|implementation|method|component|module|script)s?(?:[ \t]+(?:code[ \t]+)?(?:(?:remains?|stays?|is|are)[ \t]+)?(?:unchanged|the[ \t]+same|as[ \t]+before|same[ \t]+as[ \t]+before|here|omitted|unmodified)|[ \t]*${DOTS}|[ \t]*\)?[ \t]*(?:\*/|-->)?[ \t]*$)`,
      String.raw`(?i)${COMMENT}${DOTS}[ \t]*\(?(?:the[ \t]+)?(?:existing|previous|remaining|other|unchanged)[ \t]+(?:\w+[ \t]+){0,2}(?:code|imports?|methods?|functions?|implementation|content|lines|tests|logic|fields|props)\b`,
      String.raw`(?i)${COMMENT}(?:existing|previous|remaining)[ \t]+(?:code|implementation|methods|functions)[ \t]+(?:(?:remains?|stays?|is|goes)[ \t]+)?(?:unchanged|the[ \t]+same|as[ \t]+before|here)`
    ],
    reminder:
      'The code you were writing leaves a part out behind a comment such as "rest of the code unchanged". What you write ' +
      "replaces what is there, so the part would be lost. Write the code in full, or use Edit with only the lines that change."
  }),
  builtin({
    name: "skipped-test",
    description: "A test made to pass by skipping it",
    tools: ["Write", "Edit"],
    triggers: [
      String.raw`\b(?:it|test|describe|suite|context)(?:\.concurrent|\.sequential)?\.skip(?:\.each)?[ \t]*[(\x60]`,
      String.raw`\b(?:xit|xtest|xdescribe|xcontext)[ \t]*\(`,
      String.raw`@(?:pytest\.mark|unittest)\.skip\b`,
      String.raw`\bpytest\.skip[ \t]*\(`,
      String.raw`\bt\.(?:Skip|SkipNow|Skipf)\(`,
      String.raw`#\[ignore(?:[ \t]*=|\])`,
      String.raw`^[ \t]*@(?:Disabled|Ignore)\b`
    ],
    reminder:
      "The change you were writing skips a test. A skipped test proves nothing. Find out why it fails and correct the code, or " +
      "the test where the test itself is wrong. If it really cannot be run here, leave it as it is and say so in your answer."
  }),
  builtin({
    name: "force-push",
    description: "git push --force, which can destroy the work of others",
    tools: ["Bash"],
    triggers: [
      String.raw`\bgit\b[^\n;|&]*[ \t]push\b(?:[^\n;|&]*[ \t])?(?:--force(?:[ \t;|&"')]|$)|-[a-zA-Z]*f[a-zA-Z]*(?:[ \t;|&"')]|$)|["']?\+[\w./-]+)`
    ],
    reminder:
      "The command you were writing forces a push, which overwrites what others pushed. Do not force. Fetch and merge or rebase, " +
      "then push. If the user asked for it in so many words, use --force-with-lease and say what it replaces."
  }),
  builtin({
    name: "private-key",
    description: "A private key written into a file",
    tools: ["Write", "Edit", "Bash"],
    triggers: [
      String.raw`-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:\\r)?(?:\\n|\s)+(?:[A-Za-z-]+: [^\n]*\s+)*[A-Za-z0-9+/]{16}`
    ],
    reminder:
      "You were writing a private key into a file or a command. Keys do not belong in code, tests or history. Read the key from the " +
      "environment or from a file that is not under version control; where a test needs one, make it when the test runs."
  })
]
