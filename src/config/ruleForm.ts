/** How a permission rule is written (spec 03): `Tool`, `Tool(pattern)`, `mcp__server`, `mcp__server__*`. Pure. */
import { editDistance } from "./nearest.ts"

/** A `*` in the name of a tool is for the tools of MCP servers: `mcp__github__*`, `mcp__*__delete_*`, `mcp__*`. */
const FORM = /^([A-Za-z0-9_.-]+|mcp__[A-Za-z0-9_.*-]+)(?:\(([\s\S]*)\))?$/

export interface RuleParts {
  readonly tool: string
  /** What stands in the parentheses; undefined for a bare tool. */
  readonly pattern: string | undefined
}

/** Undefined for what is no rule. */
export const ruleParts = (rule: string): RuleParts | undefined => {
  const parts = FORM.exec(rule)
  const tool = parts?.[1]
  return tool === undefined ? undefined : { tool, pattern: parts?.[2] }
}

export const isRule = (rule: string): boolean => FORM.test(rule)

const BUILT_IN = "Read Write Edit Glob Grep Bash BashOutput KillBash TodoWrite WebFetch CurrentModel Skill Agent".split(
  " "
)

/**
 * The tool of maia that a rule was probably written for, where it names another: `bash(rm *)`, `Wirte(**)`. Such a rule
 * stops and allows nothing, unless a custom tool bears that name.
 */
export const meantTool = (rule: string): string | undefined => {
  const tool = ruleParts(rule)?.tool
  if (tool === undefined || BUILT_IN.includes(tool)) return undefined
  return BUILT_IN.find(
    (known) => known.toLowerCase() === tool.toLowerCase() || (known.length > 3 && editDistance(known, tool, 1) === 1)
  )
}
