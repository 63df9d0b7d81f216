/** What a judge says of one part of a call, before modes and questions. Pure. */
import type { Text } from "../domain/text.ts"
import type { Decision, PermissionCall, Rule } from "./Permissions.ts"
import type { PathFacts, PathPlaces } from "./paths.ts"
import { wildcard, type ParsedRule } from "./rules.ts"
import type { Parser } from "./shell/analyse.ts"

export interface Judgement {
  readonly decision: Decision["decision"]
  readonly rule?: Rule
  readonly reason: Text
}

/** Everything a decision depends on. */
export interface JudgeContext {
  readonly rules: ReadonlyArray<ParsedRule>
  readonly places: PathPlaces & { readonly outputDir: string }
  readonly facts: PathFacts
  /** Needed for Bash only. */
  readonly parser: Parser | undefined
}

export type Judged = Judgement &
  Pick<Decision, "subject" | "suggestions" | "realPath"> & {
    /** A rule that denies may speak of it, which cannot be told: only a person may say yes. */
    readonly mayBeDenied?: boolean
  }

export type Judge = (call: PermissionCall, context: JudgeContext) => Judged

/** Strictest first. */
const ORDER = { deny: 0, ask: 1, allow: 2 } as const

/** The strictest of several; the first among equals. */
export const strictest = (judgements: ReadonlyArray<Judgement>): Judgement | undefined =>
  judgements.reduce<Judgement | undefined>(
    (worst, next) => (worst === undefined || ORDER[next.decision] < ORDER[worst.decision] ? next : worst),
    undefined
  )

/** The first rule of a kind that matches. Empty parentheses forbid everything and allow nothing. */
export const findRule = (
  rules: ReadonlyArray<ParsedRule>,
  kind: Rule["kind"],
  tools: ReadonlyArray<string>,
  matches: (pattern: string, rule: ParsedRule) => boolean
): ParsedRule | undefined =>
  rules.find(
    (parsed) =>
      parsed.rule.kind === kind &&
      isFor(parsed, tools) &&
      (parsed.pattern === undefined ||
        (parsed.pattern.trim() === "" ? kind !== "allow" : matches(parsed.pattern, parsed)))
  )

const isFor = ({ tool }: ParsedRule, tools: ReadonlyArray<string>): boolean =>
  tool.includes("*") ? tools.some(wildcard(tool)) : tools.includes(tool)
