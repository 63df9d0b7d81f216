/**
 * `--allow RULE…`: a flag of rules takes all the rules behind it. Pure.
 *
 * Only what has the form of a rule is taken, so that a request may still stand behind: `--allow Read "Edit(src/**)" fix it`.
 */
const RULE_FLAGS = new Set(["--allow", "--deny"])

const RULE =
  /^(?:[A-Za-z0-9_.-]+\([\s\S]*\)|Read|Write|Edit|Glob|Grep|Bash|BashOutput|KillBash|TodoWrite|WebFetch|CurrentModel|Skill|Agent|mcp__[A-Za-z0-9_.*-]+)$/

export const expandArguments = (argv: ReadonlyArray<string>): ReadonlyArray<string> => {
  const expanded: Array<string> = []
  let flag: string | undefined
  for (const [index, argument] of argv.entries()) {
    if (argument === "--") return [...expanded, ...argv.slice(index)]
    if (argument.startsWith("-")) flag = RULE_FLAGS.has(argument) ? argument : undefined
    else if (flag !== undefined && expanded.at(-1) !== flag) {
      if (RULE.test(argument)) expanded.push(flag)
      else flag = undefined
    }
    expanded.push(argument)
  }
  return expanded
}
