/**
 * Some rules' expressions as a few automata, each over a handful of rules: one look-up per character and automaton.
 * Pure; made once per set of rules and used for every part that the same rules watch.
 */
import { Automaton, Cursor, type OnMatch } from "./automaton.ts"
import type { Program } from "./program.ts"

/** Small expressions in one automaton: each automaton costs a look-up per character. */
const GROUP = 64
/**
 * Instructions from which an expression may have many states by itself, as `.{0,40}` has. Those of two such expressions
 * multiply, so that each rule has an automaton for its own.
 */
const LARGE = 90

export interface RuleProgram {
  /** The rule's number. */
  readonly id: number
  readonly program: Program
}

export class RuleMatcher {
  private readonly automata: ReadonlyArray<Automaton>

  constructor(programs: ReadonlyArray<RuleProgram>) {
    const small = programs.filter(({ program }) => program.ops.length < LARGE)
    const groups: Array<ReadonlyArray<RuleProgram>> = []
    for (let i = 0; i < small.length; i += GROUP) groups.push(small.slice(i, i + GROUP))
    const large = programs.filter(({ program }) => program.ops.length >= LARGE)
    groups.push(...Map.groupBy(large, ({ id }) => id).values())
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
  private hits: Array<readonly [id: number, offset: number]> = []
  private readonly note: OnMatch = (id, offset) => void this.hits.push([id, offset])

  constructor(cursors: ReadonlyArray<Cursor>) {
    this.cursors = cursors
  }

  /** Tells the matches in the order of their places, so that where a text is cut makes no difference. */
  feed(text: string, onMatch: OnMatch): void {
    for (const cursor of this.cursors) cursor.feed(text, this.note)
    if (this.hits.length > 0) this.tell(onMatch)
  }

  end(onMatch: OnMatch): void {
    for (const cursor of this.cursors) cursor.end(this.note)
    if (this.hits.length > 0) this.tell(onMatch)
  }

  private tell(onMatch: OnMatch): void {
    const { hits } = this
    this.hits = []
    if (this.cursors.length > 1) hits.sort(([a, from], [b, to]) => from - to || a - b)
    for (const [id, offset] of hits) onMatch(id, offset)
  }
}
