/** Rules from front matter, without files. */
import type { LlmEvent } from "../../src/domain/llm.ts"
import { parseRuleFile } from "../../src/stream-rules/parseRuleFile.ts"
import { RuleSet, type CompiledRule } from "../../src/stream-rules/RuleSet.ts"

/** Front matter by rule name; the reminder is "Do not <name>.". */
export const rulesOf = async (frontMatter: Readonly<Record<string, string>>): Promise<RuleSet> => {
  const rules: Array<CompiledRule> = []
  for (const [stem, keys] of Object.entries(frontMatter)) {
    const content = `---\n${keys}\n---\nDo not ${stem}.\n`
    const { rule, warnings } = await parseRuleFile({ file: `/rules/${stem}.md`, stem, content, level: "user" })
    const [warning] = warnings
    if (warning !== undefined) throw new Error(warning.en)
    if (rule !== undefined) rules.push(rule)
  }
  return new RuleSet(rules)
}

/** Events of one call, its arguments in the given pieces. */
export const callEvents = (name: string, pieces: ReadonlyArray<string>, index = 0): ReadonlyArray<LlmEvent> => [
  { type: "tool-call-start", index, id: `call_${index}`, name },
  ...pieces.map((delta) => ({ type: "tool-call-delta" as const, index, delta })),
  { type: "tool-call-end", index, call: { id: `call_${index}`, name, arguments: pieces.join("") } }
]
