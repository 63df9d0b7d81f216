/**
 * What a turn asks about each answer (spec 05): watches it with `StreamRuleMonitor`, decides with `RulePolicy`, and hands
 * back what to do in plain data. Knows no session and no loop; it writes nothing by itself.
 */
import { Effect, type Scope } from "effect"
import { text, type Text } from "../domain/text.ts"
import type { Entry, UnknownEntry } from "../domain/entry.ts"
import type { LlmEvent } from "../domain/llm.ts"
import type { UserMessage } from "../domain/message.ts"
import { makeJsRunner } from "./JsRunner.ts"
import { interruptText, noteText } from "./reminder.ts"
import { MOST_INTERRUPTIONS, RulePolicy, type RulePolicySettings } from "./RulePolicy.ts"
import type { RuleSet } from "./RuleSet.ts"
import { StreamRuleMonitor, type RuleMatch } from "./StreamRuleMonitor.ts"

/** What the model is to be told. */
export interface Injection {
  /** Names, for the `stream_rule_injection` entry and the event. */
  readonly rules: ReadonlyArray<string>
  /** For the entry. */
  readonly turn: number
  readonly reminder: UserMessage
}

/** The answer must be stopped now. */
export interface Verdict extends Injection {
  readonly mode: "discard" | "keep"
  /** Of the batch, what came up to the match. */
  readonly before: ReadonlyArray<LlmEvent>
}

export interface StreamWatch {
  /** Takes each batch before anyone else sees it. A verdict means: hand on `before`, stop the answer. */
  readonly push: (events: ReadonlyArray<LlmEvent>) => Verdict | undefined
  /** After the last batch, before any tool runs: what depended on the end, and on rules with `engine: js`. */
  readonly settle: Effect.Effect<Verdict | undefined>
}

export interface GuardOptions {
  readonly rules: RuleSet
  readonly settings: RulePolicySettings
  readonly launchFolder: string
}

/** One per conversation. */
export class StreamRuleGuard {
  private readonly options: GuardOptions
  private readonly policy: RulePolicy
  private readonly disabled = new Set<number>()
  private warnings: Array<Text> = []
  private notes: Array<RuleMatch> = []
  private saidLimit = false

  constructor(options: GuardOptions) {
    this.options = options
    this.policy = new RulePolicy(options.settings)
  }

  /** The user's request is on the branch. Linear in the branch, once a turn. */
  beginTurn(path: ReadonlyArray<Entry | UnknownEntry>): void {
    this.policy.beginTurn(path)
    this.notes = []
    this.saidLimit = false
  }

  /** The branch changed otherwise than by an append: a compaction, a move in the tree. */
  restore(path: ReadonlyArray<Entry | UnknownEntry>): void {
    this.policy.restore(path)
  }

  /** Undefined where no rule can fire: there is nothing to watch for. */
  readonly begin: Effect.Effect<StreamWatch | undefined, never, Scope.Scope> = Effect.suspend(() => {
    const { rules, launchFolder } = this.options
    const armed = rules.rules.flatMap(({ rule }, id) =>
      this.policy.mayFire(rule) && !this.disabled.has(id) ? [id] : []
    )
    if (armed.length === 0) return Effect.undefined
    if (!armed.some((id) => rules.rule(id)?.engine === "js")) {
      return Effect.succeed(this.watch(new StreamRuleMonitor({ rules, armed, launchFolder }), Effect.void))
    }
    const warn = (warning: Text) => void this.warnings.push(warning)
    return Effect.map(makeJsRunner({ rules, disabled: this.disabled, warn }), (sink) =>
      this.watch(new StreamRuleMonitor({ rules, armed, launchFolder, sink }), sink.settle)
    )
  })

  /** Notes of rules that do not interrupt, to be told after the tool results or after the turn; empties them. */
  takeNotes(): Injection | undefined {
    const { notes } = this
    if (notes.length === 0) return undefined
    this.notes = []
    return this.inject(
      notes.filter(({ rule }, index) => notes.findIndex((note) => note.rule === rule) === index),
      "note"
    )
  }

  /** Each once, for people. */
  takeWarnings(): ReadonlyArray<Text> {
    const { warnings } = this
    if (warnings.length > 0) this.warnings = []
    return warnings
  }

  private watch(monitor: StreamRuleMonitor, settled: Effect.Effect<void>): StreamWatch {
    let notes: ReadonlyArray<RuleMatch> = []
    const judge = (matches: ReadonlyArray<RuleMatch>, events: ReadonlyArray<LlmEvent>): Verdict | undefined => {
      if (matches.length === 0) return undefined
      notes = [...notes, ...matches.filter(({ rule }) => rule.interrupt === "never")]
      const violations = matches.filter(({ rule }) => rule.interrupt === "always")
      const [first] = violations
      if (first === undefined) return undefined
      if (!this.policy.mayInterrupt) {
        this.sayLimit(first)
        return undefined
      }
      const mode = this.policy.contextMode(violations.map(({ rule }) => rule))
      // What was only noted stands with the answer, and goes with it.
      if (mode === "keep") this.notes.push(...notes)
      return { ...this.inject(violations, "interrupt"), mode, before: upTo(events, violations) }
    }
    return {
      push: (events) => {
        const matches = monitor.pushAll(events)
        if (events.some(({ type }) => type === "discard")) notes = []
        return judge(matches, events)
      },
      settle: Effect.gen({ self: this }, function* () {
        const atEnd = monitor.end()
        yield* settled
        const verdict = judge([...atEnd, ...monitor.end()], [])
        if (verdict === undefined) this.notes.push(...notes)
        return verdict
      })
    }
  }

  private inject(matches: ReadonlyArray<RuleMatch>, how: "interrupt" | "note"): Injection {
    const rules = matches.map(({ rule }) => rule)
    this.policy.note(rules, how)
    return {
      rules: rules.map(({ name }) => name),
      turn: this.policy.currentTurn,
      reminder: { role: "user", text: how === "note" ? noteText(matches) : interruptText(matches), origin: "reminder" }
    }
  }

  private sayLimit({ rule }: RuleMatch): void {
    if (this.saidLimit) return
    this.saidLimit = true
    const name = JSON.stringify(rule.name)
    this.warnings.push(
      text(
        `The stream rule ${name} matched, but rules have already stopped ${MOST_INTERRUPTIONS} answers of this turn: this answer stands.`,
        `La règle de flux ${name} correspond, mais des règles ont déjà arrêté ${MOST_INTERRUPTIONS} réponses de ce tour : cette réponse est conservée.`
      )
    )
  }
}

/** Events before the first match, the one it ends in cut there. */
const upTo = (events: ReadonlyArray<LlmEvent>, matches: ReadonlyArray<RuleMatch>): ReadonlyArray<LlmEvent> => {
  const [first] = [...matches].sort((left, right) => left.event - right.event || left.units - right.units)
  if (first === undefined) return events
  const before = events.slice(0, first.event)
  const last = events[first.event]
  if (last === undefined || first.units === 0) return before
  if (last.type !== "text-delta" && last.type !== "reasoning-delta") return before
  return [...before, { ...last, text: last.text.slice(0, first.units) }]
}
