/**
 * A call as a JSON object (spec 06): `{"name": …, "arguments": …}` and the other spellings models have been trained on, also
 * `{"function": {…}}`, `{"tool_calls": […]}` and lists. Anything else about the object, and it is no call. Pure.
 */
import { END, json, MORE, peek, spaces, type Cursor, type Parsing, type Read } from "./Cursor.ts"
import type { DeclaredTools } from "./DeclaredTools.ts"
import { cutCall, fromJson, none, type FoundCall } from "./foundCall.ts"

export interface CallRules {
  readonly tools: DeclaredTools
  /**
   * The text around says already that this is a call: it may come without arguments, with broken ones, and with a bracket
   * missing or too many.
   */
  readonly isMarked: boolean
}

type Role = "name" | "arguments" | "late arguments" | "call" | "list" | "type" | "other"

const KEYS: ReadonlyMap<string, Role> = new Map<string, Role>([
  ["name", "name"],
  ["tool", "name"],
  ["tool_name", "name"],
  ["function_name", "name"],
  ["action", "name"],
  ["arguments", "arguments"],
  ["parameters", "arguments"],
  // Common words: arguments only once the name has said what this is.
  ["args", "late arguments"],
  ["input", "late arguments"],
  ["params", "late arguments"],
  ["kwargs", "late arguments"],
  ["tool_input", "late arguments"],
  ["action_input", "late arguments"],
  ["function", "call"],
  ["tool_call", "call"],
  ["function_call", "call"],
  ["tool_calls", "list"],
  ["type", "type"],
  ["id", "other"],
  ["call_id", "other"],
  ["tool_call_id", "other"]
])

const TYPES: ReadonlyMap<string, true> = new Map(
  ["function", "tool_use", "tool_call", "function_call", "tool"].map((type) => [type, true] as const)
)

type Calls = ReadonlyArray<FoundCall>

/** One object or a list of them, from the bracket on; undefined where this is something else. */
export function* callsAsJson(cursor: Cursor, rules: CallRules): Parsing<Calls | undefined> {
  const code = yield* peek(cursor)
  if (code === BRACE) return yield* callObject(cursor, rules)
  return code === BRACKET ? yield* callList(cursor, rules) : undefined
}

const BRACE = 0x7b
const BRACE_END = 0x7d
const BRACKET = 0x5b
const BRACKET_END = 0x5d
const QUOTE = 0x22
const COMMA = 0x2c
const COLON = 0x3a

function* callList(cursor: Cursor, rules: CallRules): Parsing<Calls | undefined> {
  cursor.next()
  const calls: Array<FoundCall> = []
  for (;;) {
    yield* spaces(cursor)
    const code = yield* peek(cursor)
    if (code === BRACE) {
      const found = yield* callObject(cursor, rules)
      if (found === undefined) return undefined
      calls.push(...found)
    } else if (code === COMMA && calls.length > 0) cursor.next()
    else if (calls.length > 0 && isOver(code, rules)) {
      if (code === BRACKET_END) cursor.next()
      return calls
    } else return undefined
  }
}

/** The end of a list; or, in marked text, of what is there of it. */
const isOver = (code: number, { isMarked }: CallRules): boolean =>
  code === BRACKET_END || (isMarked && (code === END || code === 0x3c))

interface ObjectSoFar {
  name: string | undefined
  args: Read | undefined
  inner: Calls | undefined
}

function* callObject(cursor: Cursor, rules: CallRules): Parsing<Calls | undefined> {
  const read: ObjectSoFar = { name: undefined, args: undefined, inner: undefined }
  cursor.next()
  const fits = yield* members(cursor, rules, read)
  const { name, args, inner } = read
  if (!fits) {
    const isCut = name !== undefined && cursor.peek() === END
    return isCut ? [cutCall(name, args?.text ?? "")] : undefined
  }
  if (inner !== undefined) return name === undefined && args === undefined ? inner : undefined
  if (name === undefined) return undefined
  if (args === undefined) return rules.isMarked ? [none(name)] : undefined
  const call = fromJson(name, args)
  return call.problem?.kind === "malformed" && !rules.isMarked ? undefined : [call]
}

/** Up to the end of the object; false at the first character that does not fit. */
function* members(cursor: Cursor, rules: CallRules, read: ObjectSoFar): Parsing<boolean> {
  for (;;) {
    yield* spaces(cursor)
    const code = yield* peek(cursor)
    if (code === COMMA) cursor.next()
    else if (code === BRACE_END) {
      cursor.next()
      return true
    } else if (code !== QUOTE) {
      // Between marks the last bracket may be missing.
      return rules.isMarked && (code === END || code === 0x3c) && read.args?.isWhole === true
    } else if (!(yield* member(cursor, rules, read))) return false
  }
}

function* member(cursor: Cursor, rules: CallRules, read: ObjectSoFar): Parsing<boolean> {
  const role = yield* word(cursor, KEYS)
  if (role === undefined || (role === "late arguments" && read.name === undefined)) return false
  if (!(yield* colon(cursor))) return false
  const first = yield* peek(cursor)
  if (role === "type") return (yield* word(cursor, TYPES)) !== undefined
  if (role === "name" || (role === "call" && first === QUOTE)) {
    if (read.name !== undefined || first !== QUOTE) return false
    read.name = yield* toolName(cursor, rules.tools)
    return read.name !== undefined
  }
  if (role === "call" || role === "list") {
    read.inner = yield* callsAsJson(cursor, rules)
    return read.inner !== undefined
  }
  const value = yield* anyValue(cursor)
  if (value !== undefined && role !== "other") read.args = value
  return value?.isWhole === true
}

function* colon(cursor: Cursor): Parsing<boolean> {
  yield* spaces(cursor)
  if ((yield* peek(cursor)) !== COLON) return false
  cursor.next()
  yield* spaces(cursor)
  return true
}

/** A quoted word of the table; undefined as soon as no word begins so. */
function* word<A>(cursor: Cursor, words: ReadonlyMap<string, A>): Parsing<A | undefined> {
  if ((yield* peek(cursor)) !== QUOTE) return undefined
  cursor.next()
  let read = ""
  let possible = [...words.keys()]
  for (;;) {
    const code = cursor.peek()
    if (code === MORE) {
      yield
      continue
    }
    if (code === END) return undefined
    if (code === QUOTE) {
      cursor.next()
      return words.get(read)
    }
    read += String.fromCharCode(code)
    possible = possible.filter((one) => one.startsWith(read))
    if (possible.length === 0) return undefined
    cursor.next()
  }
}

function* toolName(cursor: Cursor, tools: DeclaredTools): Parsing<string | undefined> {
  cursor.next()
  const name = yield* tools.name(cursor)
  if (name === undefined || (yield* peek(cursor)) !== QUOTE) return undefined
  cursor.next()
  return name
}

/** An object, a list, a text, a number or a word of JSON. */
function* anyValue(cursor: Cursor): Parsing<Read | undefined> {
  const first = yield* peek(cursor)
  if (first === BRACE || first === BRACKET || first === QUOTE) return yield* json(cursor)
  const start = cursor.place
  for (;;) {
    const code = cursor.peek()
    if (code === MORE) yield
    else if (isScalarCode(code)) cursor.next()
    else {
      const text = cursor.between(start)
      return text === "" ? undefined : { text, isWhole: true }
    }
  }
}

/** Of numbers, `true`, `false`, `null`. */
const isScalarCode = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x7a) || code === 0x2d || code === 0x2b || code === 0x2e
