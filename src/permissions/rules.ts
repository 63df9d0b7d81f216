/** Rules as written, taken apart once (seed §9.1). Pure. */
import type { PermissionRuleSource } from "../config/Config.ts"
import { ruleParts } from "../config/ruleForm.ts"
import type { Rule } from "./Permissions.ts"

export interface ParsedRule {
  readonly rule: Rule
  readonly tool: string
  /** What stands in the parentheses; undefined for a bare tool. */
  readonly pattern: string | undefined
}

/** Undefined for what has not the form `Tool` or `Tool(pattern)`. */
export const parseRule = (rule: Rule): ParsedRule | undefined => {
  const parts = ruleParts(rule.text.trim())
  return parts === undefined ? undefined : { rule, ...parts }
}

export const fromSource = (source: PermissionRuleSource): Rule => ({
  text: source.rule,
  kind: source.kind,
  scope: source.scope,
  file: source.file,
  line: source.line
})

/** `*` matches any run of characters; the rest is literal. */
export const wildcard = (pattern: string): ((text: string) => boolean) => {
  const parts = pattern.split("*")
  const first = parts[0] ?? ""
  if (parts.length === 1) return (text) => text === first
  const last = parts.at(-1) ?? ""
  const middle = parts.slice(1, -1)
  return (text) => {
    if (!text.startsWith(first)) return false
    let at = first.length
    for (const part of middle) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return text.length - last.length >= at && text.endsWith(last)
  }
}

/** `cmd *` covers `cmd` with or without arguments, `cmd:*` is the same; without `*` the exact command (seed §9.3). */
export const commandPattern = (pattern: string): ((command: string) => boolean) => {
  const plain = pattern.trim().replace(/:\*$/, " *")
  if (!plain.endsWith(" *")) return wildcard(plain)
  const whole = wildcard(plain)
  const bare = wildcard(plain.slice(0, -2))
  return (command) => bare(command) || whole(command)
}
