/**
 * What `maia rules` shows (spec 05): the rules in force, and what of a text or a recorded stream would fire which rule,
 * and where. Plain data; nothing is stopped, written or repeated here.
 */
import { Effect } from "effect"
import type { LlmEvent } from "../domain/llm.ts"
import type { Text } from "../domain/text.ts"
import { startFinder } from "./engine/program.ts"
import { makeJsRunner } from "./JsRunner.ts"
import type { RuleSet } from "./RuleSet.ts"
import type { RuleLevel } from "./rule.ts"
import { formatScope } from "./scope.ts"
import { StreamRuleMonitor, type RuleMatch } from "./StreamRuleMonitor.ts"

export interface RuleDescription {
  readonly name: string
  readonly description: string
  readonly level: RuleLevel
  /** Absent for built-in rules. */
  readonly file?: string
  readonly triggers: ReadonlyArray<string>
  /** As they are written in a rule file. */
  readonly scopes: ReadonlyArray<string>
  readonly interrupt: "always" | "never"
  readonly engine: "re2" | "js"
}

/** In order of precedence. */
export const describeRules = (rules: RuleSet): ReadonlyArray<RuleDescription> =>
  rules.rules.map(({ rule: { name, description, level, file, triggers, scopes, interrupt, engine } }) => ({
    name,
    description,
    level,
    ...(file === undefined ? {} : { file }),
    triggers,
    scopes: scopes.map(formatScope),
    interrupt,
    engine
  }))

/** What a text is taken for. */
export type TestedAs =
  | { readonly scope: "text" | "thinking" }
  | { readonly scope: "tool"; readonly tool: string; readonly path?: string }

export type TestInput = {
  readonly rules: RuleSet
  readonly launchFolder: string
} & (
  | { readonly text: string; readonly as: TestedAs }
  /** The events of one answer. */
  | { readonly events: ReadonlyArray<LlmEvent> }
)

export interface RuleHit {
  readonly rule: string
  readonly interrupt: "always" | "never"
  readonly scope: "text" | "thinking" | "tool"
  readonly tool?: string
  readonly path?: string
  /** The argument, like `content` or `edits[].new`. */
  readonly key?: string
  /** Where the match begins (`engine: js`: ends) in its part, from 1; columns are characters. */
  readonly line: number
  readonly column: number
  /** The matched text; of an `engine: js` rule the line up to the end of the match. At most 200 characters of it. */
  readonly excerpt: string
}

export interface TestReport {
  /** Each rule's first match, in the order in which they would have fired. */
  readonly hits: ReadonlyArray<RuleHit>
  /** Rules that were given up. */
  readonly warnings: ReadonlyArray<Text>
}

const LONGEST_EXCERPT = 200

/** Tries all rules on one text or one recorded answer, whatever fired before. */
export const testRules = Effect.fn("testRules")(function* (input: TestInput): Effect.fn.Return<TestReport> {
  const { rules, launchFolder } = input
  const warnings: Array<Text> = []
  const matches = yield* Effect.scoped(
    Effect.gen(function* () {
      const sink = yield* makeJsRunner({ rules, disabled: new Set(), warn: (warning) => void warnings.push(warning) })
      const monitor = new StreamRuleMonitor({ rules, launchFolder, sink, keepText: true })
      const events = "events" in input ? input.events : eventsOf(input.text, input.as)
      const found = [...monitor.pushAll(events), ...monitor.end()]
      yield* sink.settle
      return [...found, ...monitor.end()]
    })
  )
  const hits = yield* Effect.forEach(matches, (match) => Effect.promise(() => hitOf(match)))
  return { hits, warnings }
})

/** Where each tool takes what the model writes. */
const argumentsOf = (text: string, tool: string): Record<string, unknown> => {
  switch (tool) {
    case "Edit":
      return { edits: [{ old: "", new: text }] }
    case "Bash":
      return { command: text }
    default:
      return { content: text }
  }
}

const eventsOf = (text: string, as: TestedAs): ReadonlyArray<LlmEvent> => {
  if (as.scope !== "tool") return [{ type: as.scope === "text" ? "text-delta" : "reasoning-delta", text }]
  const path = as.path === undefined ? {} : { path: as.path }
  const json = JSON.stringify({ ...path, ...argumentsOf(text, as.tool) })
  return [
    { type: "tool-call-start", index: 0, id: "call_0", name: as.tool },
    { type: "tool-call-delta", index: 0, delta: json },
    { type: "tool-call-end", index: 0, call: { id: "call_0", name: as.tool, arguments: json } }
  ]
}

const hitOf = async ({ rule, scope, tool, path, key, offset, text = "" }: RuleMatch): Promise<RuleHit> => {
  const start = rule.engine === "js" ? undefined : await startOf(rule.triggers, text, offset)
  const at = start ?? offset
  // At 0 nothing stands before; `lastIndexOf` would look at the first character all the same.
  const lineStart = at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1
  const excerpt = text.slice(start ?? lineStart, offset)
  return {
    rule: rule.name,
    interrupt: rule.interrupt,
    scope,
    ...(tool === undefined ? {} : { tool }),
    ...(path === undefined ? {} : { path }),
    ...(key === undefined ? {} : { key }),
    line: text.slice(0, lineStart).split("\n").length,
    column: Array.from(text.slice(lineStart, at)).length + 1,
    excerpt: Array.from(excerpt.slice(0, 2 * LONGEST_EXCERPT))
      .slice(0, LONGEST_EXCERPT)
      .join("")
  }
}

/** The automaton knows only where a match ends. */
const startOf = async (triggers: ReadonlyArray<string>, text: string, end: number): Promise<number | undefined> => {
  const starts: Array<number> = []
  for (const trigger of triggers) {
    const start = (await startFinder(trigger))(text, end)
    if (start !== undefined) starts.push(start)
  }
  return starts.length === 0 ? undefined : Math.min(...starts)
}
