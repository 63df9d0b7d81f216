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

/** Expressions stay ASCII: Bun writes other characters of `String.raw` as `\u2026`, which RE2 does not know. */
const DOTS = String.raw`(?:\.{3}|\x{2026})`
const COMMENT = String.raw`(?://|#|/\*|<!--|--|%|;)[ \t]*`
const COMMENT_WITH_DOTS = String.raw`${COMMENT}[(\[]?[ \t]*${DOTS}[ \t]*[(\[]?[ \t]*`
const COMMENT_LEAD = String.raw`${COMMENT}[(\[]?[ \t]*${DOTS}?[ \t]*[(\[]?[ \t]*`
/** Nothing but closing signs up to the end of the line. */
const LINE_END = String.raw`[ \t]*[.)\]]*[ \t]*${DOTS}?[ \t]*[.)\]]*[ \t]*(?:\*/\}?|-->)?[ \t]*$`
const REMAINS = String.raw`(?:remains?|stays?|is|are)[ \t]+`
const UNCHANGED = String.raw`(?:unchanged|the[ \t]+same|as[ \t]+before|same[ \t]+as[ \t]+before|here|omitted|unmodified)`
const CODE = String.raw`(?:code|file|function|class|implementation|method|component|module|script|page|query|template|document)s?`

const GIT = String.raw`\bgit(?:[ \t]+(?:-[cC][ \t]+(?:"[^"\n]*"|'[^'\n]*'|\S+)|--?[\w-]+(?:=\S+)?))*[ \t]+`
/** Up to the end of a command, over line continuations. */
const SAME_COMMAND = String.raw`(?:[^\n;|&]|\\\n)*`
const WORD_END = String.raw`(?:[ \t;|&"')]|$)`

export const BUILTIN_RULES: ReadonlyArray<StreamRule> = [
  builtin({
    name: "placeholder-code",
    description: "A comment that stands for code that was left out",
    tools: ["Write", "Edit"],
    triggers: [
      String.raw`(?i)${COMMENT_LEAD}(?:the[ \t]+)?(?:rest|remainder)[ \t]+of[ \t]+(?:the|your|this)?[ \t]*(?:\w+[ \t]+){0,3}${CODE}(?:[ \t]+(?:code[ \t]+)?(?:${REMAINS})?${UNCHANGED}|${LINE_END})`,
      String.raw`(?i)${COMMENT_LEAD}(?:the[ \t]+)?rest[ \t]+(?:${REMAINS})?(?:unchanged|unmodified|omitted)${LINE_END}`,
      String.raw`(?i)${COMMENT_WITH_DOTS}(?:keep[ \t]+)?(?:the[ \t]+)?(?:existing|previous|remaining|other|unchanged)[ \t]+(?:\w+[ \t]+){0,2}(?:code|imports?|methods?|functions?|implementation|content|lines|tests|logic|fields|props)\b`,
      String.raw`(?i)${COMMENT_LEAD}(?:existing|previous|remaining|other)[ \t]+(?:code|implementation|methods|functions)[ \t]+(?:goes[ \t]+|${REMAINS})?${UNCHANGED}${LINE_END}`,
      String.raw`(?i)${COMMENT_LEAD}(?:unchanged[ \t]+code(?:[ \t]+(?:above|below|here))?|code[ \t]+(?:remains|stays)[ \t]+(?:unchanged|the[ \t]+same))${LINE_END}`
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
      String.raw`\btest(?:\.describe)?\.fixme[ \t]*\(`,
      String.raw`\bself\.skipTest[ \t]*\(`,
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
      String.raw`${GIT}push\b(?:${SAME_COMMAND}[ \t])?(?:--force${WORD_END}|-[a-zA-Z]*f[a-zA-Z]*${WORD_END}|["']?\+[\w./-]+)`
    ],
    reminder:
      "The command you were writing forces a push, which overwrites what others pushed. Do not force. Fetch and merge or rebase, " +
      "then push. If the user asked for it in so many words, use --force-with-lease and say what it replaces."
  }),
  builtin({
    name: "hooks-bypassed",
    description: "A commit or push that skips the project's own checks",
    tools: ["Bash"],
    triggers: [
      String.raw`${GIT}(?:commit|push|merge)\b(?:${SAME_COMMAND}[ \t])?--no-verify${WORD_END}`,
      String.raw`\bHUSKY=0\b`
    ],
    reminder:
      "The command you were writing skips the project's hooks. They are there to stop what should not be committed. Run the command " +
      "without --no-verify, read what the hook says, and correct it. If the hook itself is broken, say so in your answer."
  }),
  builtin({
    name: "silenced-checker",
    description: "A type error silenced instead of corrected",
    tools: ["Write", "Edit"],
    triggers: [
      String.raw`(?://|/\*)[ \t]*@ts-(?:ignore|nocheck)\b`,
      String.raw`^[ \t]*#[ \t]*(?:mypy:[ \t]*ignore-errors|type:[ \t]*ignore)\b`
    ],
    reminder:
      "The code you were writing silences the type checker. Correct the types instead. Where the checker is wrong, silence only that " +
      "line and that error (@ts-expect-error, # type: ignore[code]), with a comment that says why."
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
