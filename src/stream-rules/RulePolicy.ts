/**
 * Which rules may fire (spec 05): once or again after a gap of completed turns, at most five interruptions a turn, restored
 * from the entries on the branch. Pure state.
 */
import { Predicate } from "effect"
import type { Entry, UnknownEntry } from "../domain/entry.ts"
import type { Settings } from "../config/settings.ts"
import type { StreamRule } from "./rule.ts"

/** Interruptions of one turn; then the answer stands. */
export const MOST_INTERRUPTIONS = 5

export type RulePolicySettings = Pick<Settings["streamRules"], "contextMode" | "repeatMode" | "repeatGap">

export class RulePolicy {
  private readonly settings: RulePolicySettings
  /** Turn in which each rule was told last, by name. */
  private injected = new Map<string, number>()
  private turn = 0
  private interruptions = 0

  constructor(settings: RulePolicySettings) {
    this.settings = settings
  }

  /** The turn at hand, counted from 1 along the branch. */
  get currentTurn(): number {
    return this.turn
  }

  get mayInterrupt(): boolean {
    return this.interruptions < MOST_INTERRUPTIONS
  }

  /** The user's request is on the branch; `path` runs from the first entry to the leaf. */
  beginTurn(path: ReadonlyArray<Entry | UnknownEntry>): void {
    this.restore(path)
    this.interruptions = 0
  }

  /** Takes the state of a branch that changed while the turn runs, as by a compaction. */
  restore(path: ReadonlyArray<Entry | UnknownEntry>): void {
    const { injected, turn } = readBranch(path)
    this.injected = injected
    this.turn = turn
  }

  mayFire(rule: StreamRule): boolean {
    const told = this.injected.get(rule.name)
    if (told === undefined) return true
    if ((rule.repeat ?? this.settings.repeatMode) === "once") return false
    return this.turn - told >= (rule.repeatGap ?? this.settings.repeatGap)
  }

  /** The rules were told to the model in this turn. */
  note(rules: ReadonlyArray<StreamRule>, how: "interrupt" | "note"): void {
    for (const { name } of rules) this.injected.set(name, this.turn)
    if (how === "interrupt") this.interruptions++
  }

  /** One rule that wants the answer gone is enough. */
  contextMode(rules: ReadonlyArray<StreamRule>): "discard" | "keep" {
    const modes = rules.map(({ contextMode }) => contextMode ?? this.settings.contextMode)
    return modes.includes("discard") ? "discard" : "keep"
  }
}

interface Injection {
  readonly rules: ReadonlyArray<string>
  readonly turn: number
  /** Place of the reminder's entry on the path; undefined until it is found: a rule counts only when the model was told. */
  reminder: number | undefined
}

const readBranch = (path: ReadonlyArray<Entry | UnknownEntry>) => {
  let injections: Array<Injection> = []
  let turn = 0
  const places = new Map<string, number>()
  for (const [index, entry] of path.entries()) {
    places.set(entry.id, index)
    switch (entry.type) {
      case "stream_rule_injection": {
        const { rules, turn: told } = entry
        if (!Array.isArray(rules) || typeof told !== "number") break
        injections.push({ rules: rules.filter(Predicate.isString), turn: told, reminder: undefined })
        break
      }
      case "message": {
        const origin = userOrigin(entry.message)
        if (origin === undefined) break
        if (origin === "typed") turn++
        if (origin === "reminder") for (const injection of injections) injection.reminder ??= index
        break
      }
      case "compaction": {
        // What was told before the kept part is forgotten by the model, so the rule starts anew.
        const kept = typeof entry.firstKeptEntryId === "string" ? places.get(entry.firstKeptEntryId) : undefined
        injections = injections.filter(({ reminder }) => reminder !== undefined && reminder >= (kept ?? index))
        break
      }
      case "clear":
        injections = []
        break
      default:
        break
    }
  }
  const injected = new Map<string, number>()
  for (const { rules, turn: told, reminder } of injections) {
    if (reminder !== undefined) for (const rule of rules) injected.set(rule, told)
  }
  return { injected, turn }
}

/** `typed` for a request of the user; undefined for what no user said. */
const userOrigin = (message: unknown): string | undefined => {
  if (!Predicate.hasProperty(message, "role") || message.role !== "user") return undefined
  const origin = Predicate.hasProperty(message, "origin") ? message.origin : undefined
  return typeof origin === "string" ? origin : "typed"
}
