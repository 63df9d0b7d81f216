/**
 * Some rules' expressions as a few automata, each over a handful of rules: one look-up per character and automaton.
 * Pure; made once per set of rules and used for every part that the same rules watch.
 */
import { Automaton, Cursor, type OnMatch } from "./automaton.ts"
import type { Program } from "./program.ts"

/** Expressions in one automaton: more would multiply the states, fewer the look-ups. */
const GROUP = 24
/** Instructions from which an expression gets an automaton of its own, so that it cannot slow the others. */
const LARGE = 250

export interface RuleProgram {
  /** The rule's number. */
  readonly id: number
  readonly program: Program
}

export class RuleMatcher {
  private readonly automata: ReadonlyArray<Automaton>

  constructor(programs: ReadonlyArray<RuleProgram>) {
    const small = programs.filter(({ program }) => program.ops.length < LARGE)
    const groups = programs.filter(({ program }) => program.ops.length >= LARGE).map((large) => [large])
    for (let i = 0; i < small.length; i += GROUP) groups.push(small.slice(i, i + GROUP))
    this.automata = groups.map((group) => new Automaton(group))
  }

  get isEmpty(): boolean {
    return this.automata.length === 0
  }

  begin(): MatchCursor {
    return new MatchCursor(this.automata.map((automaton) => new Cursor(automaton)))
  }
}

/** A place in one part, in all automata. */
export class MatchCursor {
  private readonly cursors: ReadonlyArray<Cursor>

  constructor(cursors: ReadonlyArray<Cursor>) {
    this.cursors = cursors
  }

  feed(text: string, onMatch: OnMatch): void {
    for (const cursor of this.cursors) cursor.feed(text, onMatch)
  }

  end(onMatch: OnMatch): void {
    for (const cursor of this.cursors) cursor.end(onMatch)
  }
}
