/**
 * Many expressions over one stream in one pass: a deterministic automaton whose states are made when they are first
 * reached (as in RE2), so that each character costs one look-up however many expressions there are, and never more than
 * the sum of their sizes. Because the state is carried from piece to piece, where the stream is cut makes no difference
 * and nothing of it is kept. Pure.
 *
 * A match is reported where it first ends: the shortest, earliest one. An end that depends on the next character (`$`,
 * `\b`) is reported when that character, or the end, has come; its offset is still the match's own end.
 */
import { Alphabet } from "./alphabet.ts"
import { ASSERT, type Op, type Program } from "./program.ts"

/** States kept; then they are made anew, which costs time but bounds memory. */
const MOST_STATES = 2000
const END = -1
const NEWLINE = 10

/** What stands before a position. */
const BEFORE = { text: 0, line: 1, word: 2, other: 3 } as const
type Before = (typeof BEFORE)[keyof typeof BEFORE]

export interface State {
  /** Instructions reached after the last character, without the beginnings of the expressions. */
  readonly kernel: ReadonlyArray<number>
  readonly before: Before
  /** Expressions that matched up to here. */
  readonly now: ReadonlyArray<number>
  /** Expressions that matched up to the character before, as was seen only now. */
  readonly late: ReadonlyArray<number>
  readonly speaks: boolean
  readonly next: Array<State | undefined>
  end: ReadonlyArray<number> | undefined
}

/** `id`: as given with the program; `offset`: UTF-16 units from the beginning of the stream to the end of the match. */
export type OnMatch = (id: number, offset: number) => void

export class Automaton {
  private readonly ops: Array<Op> = []
  private readonly starts: Array<number> = []
  /** Expression of each match instruction. */
  private readonly ids = new Map<number, number>()
  private readonly watchesEnds: boolean
  private readonly alphabet: Alphabet
  private readonly marks: Uint32Array
  private generation = 0
  private states = new Map<string, State>()
  readonly initial: State

  constructor(programs: ReadonlyArray<{ readonly id: number; readonly program: Program }>) {
    for (const { id, program } of programs) {
      const base = this.ops.length
      this.starts.push(base + program.start)
      for (const op of program.ops) {
        if (op.op === "match") this.ids.set(this.ops.length, id)
        this.ops.push(moved(op, base))
      }
    }
    this.watchesEnds = this.ops.some(({ op }) => op === "assert")
    this.alphabet = new Alphabet(this.ops, this.watchesEnds)
    this.marks = new Uint32Array(this.ops.length)
    this.initial = this.state([], this.watchesEnds ? BEFORE.text : BEFORE.other, [])
  }

  get ascii(): Uint16Array {
    return this.alphabet.ascii
  }

  classOf(rune: number): number {
    return this.alphabet.classOf(rune)
  }

  /** Makes the edge of a state that was not walked before. */
  step(from: State, index: number): State {
    const rune = this.alphabet.representative(index)
    const matched: Array<number> = []
    const kernel: Array<number> = []
    this.closure(from.kernel, assertions(from.before, rune), (pc, op) => {
      if (op.op === "match") this.collect(pc, matched)
      else if (op.op === "rune" && isIn(op.ranges, rune)) kernel.push(op.out)
    })
    const late = inOrder(matched.filter((id) => !from.now.includes(id)))
    const made = this.state(kernel, this.watchesEnds ? kindOf(rune) : BEFORE.other, late)
    from.next[index] = made
    return made
  }

  /** What matches because the stream ends after this state. */
  atEnd(from: State): ReadonlyArray<number> {
    if (from.end !== undefined) return from.end
    const matched: Array<number> = []
    this.closure(from.kernel, assertions(from.before, END), (pc, op) => {
      if (op.op === "match") this.collect(pc, matched)
    })
    from.end = inOrder(matched.filter((id) => !from.now.includes(id)))
    return from.end
  }

  private state(reached: ReadonlyArray<number>, before: Before, late: ReadonlyArray<number>): State {
    const kernel = [...new Set(reached)].sort((left, right) => left - right)
    const key = `${before}|${late.join()}|${kernel.join()}`
    const known = this.states.get(key)
    if (known !== undefined) return known
    const now: Array<number> = []
    this.closure(kernel, assertionsBehind(before), (pc, op) => {
      if (op.op === "match") this.collect(pc, now)
    })
    const made: State = {
      kernel,
      before,
      now: inOrder(now),
      late,
      speaks: now.length > 0 || late.length > 0,
      next: Array.from({ length: this.alphabet.size }, () => undefined),
      end: undefined
    }
    if (this.states.size >= MOST_STATES) this.forget()
    this.states.set(key, made)
    return made
  }

  /** Old states are no longer reachable from new ones: the first state loses its edges. */
  private forget(): void {
    for (const state of this.states.values()) state.next.fill(undefined)
    this.states = new Map()
  }

  private collect(pc: number, into: Array<number>): void {
    const id = this.ids.get(pc)
    if (id !== undefined && !into.includes(id)) into.push(id)
  }

  /** Visits each rune and match instruction that is reached without a character, each once. */
  private closure(kernel: ReadonlyArray<number>, holds: number, visit: (pc: number, op: Op) => void): void {
    const generation = ++this.generation
    const stack = [...this.starts, ...kernel]
    for (let pc = stack.pop(); pc !== undefined; pc = stack.pop()) {
      const op = this.ops[pc]
      if (op === undefined || this.marks[pc] === generation) continue
      this.marks[pc] = generation
      if (op.op === "either") stack.push(op.other, op.out)
      else if (op.op === "goto") stack.push(op.out)
      else if (op.op === "assert") {
        if ((op.flags & ~holds) === 0) stack.push(op.out)
      } else visit(pc, op)
    }
  }
}

/** A place in one stream. */
export class Cursor {
  private state: State
  private offset = 0
  /** First half of a character whose second half has not come. */
  private half = 0
  private readonly automaton: Automaton

  constructor(automaton: Automaton) {
    this.automaton = automaton
    this.state = automaton.initial
  }

  feed(text: string, onMatch: OnMatch): void {
    const { ascii } = this.automaton
    let { state, offset } = this
    for (let i = 0; i < text.length; i++) {
      const code = text.charCodeAt(i)
      if (code < 128 && this.half === 0) {
        const index = ascii[code] ?? 0
        state = state.next[index] ?? this.automaton.step(state, index)
        offset++
        if (state.speaks) report(state, offset, 1, onMatch)
        continue
      }
      this.state = state
      this.offset = offset
      this.wide(code, onMatch)
      state = this.state
      offset = this.offset
    }
    this.state = state
    this.offset = offset
  }

  /** The stream ends here. */
  end(onMatch: OnMatch): void {
    if (this.half !== 0) this.walk(this.half, 1, onMatch)
    this.half = 0
    for (const id of this.automaton.atEnd(this.state)) onMatch(id, this.offset)
  }

  private wide(code: number, onMatch: OnMatch): void {
    const high = this.half
    this.half = 0
    if (high !== 0) {
      if (code >= 0xdc00 && code <= 0xdfff) {
        this.walk(((high - 0xd800) << 10) + (code - 0xdc00) + 0x10000, 2, onMatch)
        return
      }
      this.walk(high, 1, onMatch)
    }
    if (code >= 0xd800 && code <= 0xdbff) this.half = code
    else this.walk(code, 1, onMatch)
  }

  private walk(rune: number, units: number, onMatch: OnMatch): void {
    const index = rune < 128 ? (this.automaton.ascii[rune] ?? 0) : this.automaton.classOf(rune)
    this.state = this.state.next[index] ?? this.automaton.step(this.state, index)
    this.offset += units
    if (this.state.speaks) report(this.state, this.offset, units, onMatch)
  }
}

const report = (state: State, offset: number, units: number, onMatch: OnMatch): void => {
  for (const id of state.late) onMatch(id, offset - units)
  for (const id of state.now) onMatch(id, offset)
}

const inOrder = (ids: ReadonlyArray<number>): ReadonlyArray<number> => [...ids].sort((left, right) => left - right)

const moved = (op: Op, base: number): Op => {
  switch (op.op) {
    case "either":
      return { op: "either", out: op.out + base, other: op.other + base }
    case "match":
    case "fail":
      return op
    default:
      return { ...op, out: op.out + base }
  }
}

const isIn = (ranges: ReadonlyArray<number>, rune: number): boolean => {
  for (let i = 0; i + 1 < ranges.length; i += 2) {
    if (rune < (ranges[i] ?? 0)) return false
    if (rune <= (ranges[i + 1] ?? 0)) return true
  }
  return false
}

const isWord = (rune: number): boolean =>
  (rune >= 0x30 && rune <= 0x39) || (rune >= 0x41 && rune <= 0x5a) || rune === 0x5f || (rune >= 0x61 && rune <= 0x7a)

const kindOf = (rune: number): Before => (rune === NEWLINE ? BEFORE.line : isWord(rune) ? BEFORE.word : BEFORE.other)

/** What is certain whatever comes next. */
const assertionsBehind = (before: Before): number => {
  if (before === BEFORE.text) return ASSERT.beginText | ASSERT.beginLine
  return before === BEFORE.line ? ASSERT.beginLine : 0
}

const assertions = (before: Before, next: number): number => {
  const boundary = (before === BEFORE.word) !== isWord(next)
  return (
    assertionsBehind(before) |
    (boundary ? ASSERT.boundary : ASSERT.noBoundary) |
    (next === END ? ASSERT.endText | ASSERT.endLine : next === NEWLINE ? ASSERT.endLine : 0)
  )
}
