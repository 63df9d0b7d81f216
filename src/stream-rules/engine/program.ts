/**
 * Turns an expression into the instructions that `Automaton` walks. Parsing and compiling are re2js's; this file alone
 * knows how its compiled programs look inside (the version is pinned, `test/stream-rules/automaton.test.ts` compares the
 * results with re2js's own matcher). The library is loaded when the first rule is compiled.
 */
import { Predicate } from "effect"

export type Op =
  | { readonly op: "rune"; readonly out: number; readonly ranges: ReadonlyArray<number> }
  | { readonly op: "either"; readonly out: number; readonly other: number }
  | { readonly op: "assert"; readonly out: number; readonly flags: number }
  | { readonly op: "goto"; readonly out: number }
  | { readonly op: "match" }
  | { readonly op: "fail" }

export interface Program {
  readonly ops: ReadonlyArray<Op>
  readonly start: number
}

export type Compiled =
  | { readonly ok: true; readonly program: Program }
  /** `problem`: English, as short as the engine says it. */
  | { readonly ok: false; readonly problem: string; readonly needsJs: boolean }

/** What must hold between two characters; a set of bits. */
export const ASSERT = { beginLine: 1, endLine: 2, beginText: 4, endText: 8, boundary: 16, noBoundary: 32 } as const

/** Instructions of one expression; beyond, each character could cost too much. */
export const LARGEST_PROGRAM = 3000

const LAST_RUNE = 0x10ffff
const FOLD_CASE = 1

type Library = typeof import("re2js")
let library: Promise<Library> | undefined
const load = (): Promise<Library> => (library ??= import("re2js"))

/** Compiles with `^` and `$` at line ends. Rejects only where the library itself cannot be loaded. */
export const compileTrigger = async (expression: string): Promise<Compiled> => {
  const { RE2JS } = await load()
  try {
    const compiled = RE2JS.compile(expression, RE2JS.MULTILINE)
    if (compiled.test("")) return { ok: false, problem: "it matches the empty text", needsJs: false }
    const program = flatten(compiled.re2())
    if (program.ops.length <= LARGEST_PROGRAM) return { ok: true, program }
    return { ok: false, problem: "it is too large (repeat counts multiply its size)", needsJs: false }
  } catch (cause) {
    if (!(cause instanceof Error) || !cause.name.startsWith("RE2JS")) throw cause
    // Its own flag for line ends is not the author's.
    const problem = cause.message.replace(/^error parsing regexp: /, "").replace("`(?m)", "`")
    return { ok: false, problem, needsJs: /\(\?<?[=!]|\\[1-9]|\\k</.test(expression) }
  }
}

/** Where the match that ends at `end` begins, at the earliest; undefined where none does. */
export type StartFinder = (text: string, end: number) => number | undefined

/** For an expression that compiles. */
export const startFinder = async (expression: string): Promise<StartFinder> => {
  const { RE2JS } = await load()
  // What follows decides `$` and `\b`, so one character of it is looked at.
  const within = RE2JS.compile(`(${expression})(?s:.)\\z`, RE2JS.MULTILINE)
  const atEnd = RE2JS.compile(`(${expression})\\z`, RE2JS.MULTILINE)
  return (text, end) => {
    const next = text.codePointAt(end)
    const until = next === undefined ? end : end + String.fromCodePoint(next).length
    const matcher = (next === undefined ? atEnd : within).matcher(text.slice(0, until))
    return matcher.find() ? matcher.start(1) : undefined
  }
}

/** Numbers of re2js's instructions. */
const OP = {
  alt: 1,
  altMatch: 2,
  capture: 3,
  empty: 4,
  fail: 5,
  match: 6,
  nop: 7,
  rune: 8,
  rune1: 9,
  any: 10,
  anyNotNl: 11
}

interface Instruction {
  readonly op: number
  readonly out: number
  readonly arg: number
  readonly runes: Iterable<number>
  readonly matchRune: (rune: number) => boolean
}

const flatten = (re2: unknown): Program => {
  const prog = Predicate.hasProperty(re2, "prog") ? re2.prog : undefined
  if (!Predicate.hasProperty(prog, "inst") || !Predicate.hasProperty(prog, "start")) throw new TypeError(UNKNOWN_SHAPE)
  if (!Array.isArray(prog.inst) || typeof prog.start !== "number") throw new TypeError(UNKNOWN_SHAPE)
  // re2js does not declare its instructions; the version is pinned and the shape is held by tests.
  const instructions = prog.inst as ReadonlyArray<Instruction>
  return { ops: instructions.map(toOp), start: prog.start }
}

const UNKNOWN_SHAPE = "re2js has another shape than the pinned version"

const toOp = (instruction: Instruction): Op => {
  const { op, out, arg } = instruction
  switch (op) {
    case OP.alt:
    case OP.altMatch:
      return { op: "either", out, other: arg }
    case OP.capture:
    case OP.nop:
      return { op: "goto", out }
    case OP.empty:
      return { op: "assert", out, flags: arg }
    case OP.match:
      return { op: "match" }
    case OP.fail:
      return { op: "fail" }
    case OP.rune:
    case OP.rune1:
    case OP.any:
    case OP.anyNotNl:
      return { op: "rune", out, ranges: rangesOf(instruction) }
    default:
      throw new TypeError(UNKNOWN_SHAPE)
  }
}

/** Pairs of first and last code point. */
const rangesOf = (instruction: Instruction): ReadonlyArray<number> => {
  if (instruction.op === OP.any) return [0, LAST_RUNE]
  if (instruction.op === OP.anyNotNl) return [0, 9, 11, LAST_RUNE]
  const runes = [...instruction.runes]
  const [only] = runes
  if (runes.length !== 1 || only === undefined) return runes
  if ((instruction.arg & FOLD_CASE) === 0) return [only, only]
  return casesOf(only, instruction.matchRune.bind(instruction))
}

/** Every character that equals `rune` without regard to case. */
const casesOf = (rune: number, equals: (rune: number) => boolean): ReadonlyArray<number> => {
  const found: Array<number> = []
  const test = (candidate: number) => {
    if (equals(candidate)) found.push(candidate, candidate)
  }
  for (let candidate = 0x41; candidate <= 0x7a; candidate++) test(candidate)
  if (rune < 0x80) {
    // Long s and the Kelvin sign are the only characters outside ASCII with an ASCII sibling.
    test(0x17f)
    test(0x212a)
    if (found.length === 0) found.push(rune, rune)
    return found
  }
  // Cased letters end with the Adlam block.
  for (let candidate = 0x80; candidate <= 0x1e95f; candidate++) test(candidate)
  return found
}
