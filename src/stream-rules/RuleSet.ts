/**
 * The rules that are in force, with their compiled expressions, and the matchers made for those of them that watch the
 * same thing. Pure.
 */
import type { Program } from "./engine/program.ts"
import { RuleMatcher } from "./engine/RuleMatcher.ts"
import type { RuleScope, StreamRule } from "./rule.ts"
import { matchesFiles } from "./scope.ts"

export interface CompiledRule {
  readonly rule: StreamRule
  /** One per trigger; empty for `engine: js`. */
  readonly programs: ReadonlyArray<Program>
}

/** Matchers kept; a session rarely needs more than one per tool. */
const MOST_MATCHERS = 50

export class RuleSet {
  readonly rules: ReadonlyArray<CompiledRule>
  private matchers = new Map<string, RuleMatcher>()

  constructor(rules: ReadonlyArray<CompiledRule>) {
    this.rules = rules
  }

  get isEmpty(): boolean {
    return this.rules.length === 0
  }

  rule(id: number): StreamRule | undefined {
    return this.rules[id]?.rule
  }

  /** `id` is the rule's place in `rules`. */
  matcher(ids: ReadonlyArray<number>): RuleMatcher {
    const key = ids.join()
    const known = this.matchers.get(key)
    if (known !== undefined) return known
    if (this.matchers.size >= MOST_MATCHERS) this.matchers = new Map()
    const made = new RuleMatcher(
      ids.flatMap((id) => (this.rules[id]?.programs ?? []).map((program) => ({ id, program })))
    )
    this.matchers.set(key, made)
    return made
  }
}

/** Whether the rule looks at calls of the tool, whatever the file. */
export const watchesTool = (rule: StreamRule, tool: string): boolean =>
  rule.scopes.some((scope) => isOfTool(scope, tool))

/** Whether the rule looks at this call; `unknown` while the file may still be named. */
export const watchesCall = (
  rule: StreamRule,
  call: { readonly tool: string; readonly path: string | undefined; readonly isOpen: boolean },
  launchFolder: string
): "yes" | "no" | "unknown" => {
  let pending = false
  for (const scope of rule.scopes) {
    if (scope.kind !== "tool" || !isOfTool(scope, call.tool)) continue
    if (scope.files === undefined) return "yes"
    if (call.path === undefined) pending ||= call.isOpen
    else if (matchesFiles(scope.files, call.path, launchFolder)) return "yes"
  }
  return pending ? "unknown" : "no"
}

const isOfTool = (scope: RuleScope, tool: string): boolean =>
  scope.kind === "tool" && (scope.tool === undefined || scope.tool === tool)
