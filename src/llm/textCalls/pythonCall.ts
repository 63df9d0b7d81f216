/**
 * A call written the way Python would: `name(a="b", n=3, list=[True, None])` (spec 06, Llama's pythonic form). Arguments
 * by position are no call: their meaning would be a guess. Pure.
 */
import { END, MORE, peek, spaces, type Cursor, type Parsing, type Read } from "./Cursor.ts"
import type { DeclaredTools } from "./DeclaredTools.ts"
import { cutCall, withArguments, type FoundCall } from "./foundCall.ts"

const OPEN = 0x28
const CLOSE = 0x29

/** `name(…)`; undefined where this is something else. */
export function* pythonCall(cursor: Cursor, tools: DeclaredTools): Parsing<FoundCall | undefined> {
  const name = yield* tools.name(cursor)
  if (name === undefined || (yield* peek(cursor)) !== OPEN) return undefined
  cursor.next()
  yield* spaces(cursor)
  if (!(yield* startsKeyword(cursor))) return undefined
  const inside = yield* toClosing(cursor, CLOSE)
  if (!inside.isWhole) return cutCall(name, inside.text)
  const input = keywords(inside.text)
  return input === undefined ? undefined : withArguments(name, input)
}

/** `{'key': value, …}`; undefined where it is none or does not end. */
export function* pythonDictionary(cursor: Cursor): Parsing<unknown> {
  cursor.next()
  const inside = yield* toClosing(cursor, 0x7d)
  return inside.isWhole ? dictionary(inside.text) : undefined
}

/** `)` or `word =`, without reading it: prose in brackets is given up at once. */
function* startsKeyword(cursor: Cursor): Parsing<boolean> {
  const start = cursor.place
  let length = 0
  for (;;) {
    const code = yield* peek(cursor)
    if (code === END || (code === CLOSE && length === 0)) break
    if (!isWordCode(code)) {
      yield* spaces(cursor)
      const isKeyword = length > 0 && (yield* peek(cursor)) === 0x3d
      cursor.place = start
      return isKeyword
    }
    length++
    cursor.next()
  }
  cursor.place = start
  return true
}

const isWordCode = (code: number): boolean =>
  (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || (code >= 0x61 && code <= 0x7a) || code === 0x5f

/** What stands up to the closing bracket; quotes of one and of three characters count. */
function* toClosing(cursor: Cursor, close: number): Parsing<Read> {
  const start = cursor.place
  let depth = 0
  for (;;) {
    const code = cursor.peek()
    if (code === MORE) {
      yield
      continue
    }
    if (code === END) return { text: cursor.between(start), isWhole: false }
    if (code === close && depth === 0) {
      const text = cursor.between(start)
      cursor.next()
      return { text, isWhole: true }
    }
    cursor.next()
    if (code === 0x22 || code === 0x27) yield* quoted(cursor, code)
    else if (code === OPEN || code === 0x5b || code === 0x7b) depth++
    else if (code === CLOSE || code === 0x5d || code === 0x7d) depth--
  }
}

/** Past the end of a text whose first quote has been read. */
function* quoted(cursor: Cursor, quote: number): Parsing<void> {
  let run = 1
  while (run < 3 && (yield* peek(cursor)) === quote) {
    cursor.next()
    run++
  }
  if (run === 2) return
  let closing = 0
  while (closing < run) {
    const code = yield* peek(cursor)
    if (code === END) return
    cursor.next()
    if (code === 0x5c) {
      if ((yield* peek(cursor)) !== END) cursor.next()
      closing = 0
    } else closing = code === quote ? closing + 1 : 0
  }
}

// --- literals, once they are whole -----------------------------------------------------------------------------------

class NoLiteral extends Error {}

/** `a="b", n=3` as an object; undefined where it is not made of literals by keyword. */
export const keywords = (text: string): Record<string, unknown> | undefined =>
  read(() => new LiteralReader(text).keywords())

/** What stands between the braces of a dictionary, as an object. */
const dictionary = (inside: string): Record<string, unknown> | undefined =>
  read(() => new LiteralReader(`{${inside}}`).object())

const read = <A>(literal: () => A): A | undefined => {
  try {
    return literal()
  } catch (error) {
    if (error instanceof NoLiteral) return undefined
    throw error
  }
}

const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ["True", true],
  ["true", true],
  ["False", false],
  ["false", false],
  ["None", null],
  ["null", null]
])

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
  ["v", "\v"],
  ["0", "\0"],
  ["\\", "\\"],
  ["'", "'"],
  ['"', '"'],
  ["\n", ""]
])

class LiteralReader {
  private readonly text: string
  private at = 0

  constructor(text: string) {
    this.text = text
  }

  keywords(): Record<string, unknown> {
    const input: Record<string, unknown> = {}
    for (this.blanks(); this.at < this.text.length; this.blanks()) {
      const key = this.match(/[A-Za-z_]\w*/y)
      this.blanks()
      this.expect("=")
      input[key] = this.value()
      this.blanks()
      if (this.at < this.text.length) this.expect(",")
    }
    return input
  }

  private value(): unknown {
    this.blanks()
    const char = this.text[this.at]
    if (char === '"' || char === "'") return this.string(char)
    if (char === "[") return this.list("]")
    if (char === "(") return this.list(")")
    if (char === "{") return this.object()
    if (char !== undefined && /[\d+.-]/.test(char)) return this.number()
    const word = this.match(/[A-Za-z_]\w*/y)
    if (!WORDS.has(word)) throw new NoLiteral()
    return WORDS.get(word)
  }

  private number(): number {
    const value = Number(this.match(/[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y).replaceAll("_", ""))
    if (!Number.isFinite(value)) throw new NoLiteral()
    return value
  }

  private list(close: string): ReadonlyArray<unknown> {
    this.at++
    const items: Array<unknown> = []
    for (this.blanks(); this.text[this.at] !== close; this.blanks()) {
      if (items.length > 0) this.expect(",")
      this.blanks()
      if (this.text[this.at] === close) break
      items.push(this.value())
    }
    this.at++
    return items
  }

  object(): Record<string, unknown> {
    this.at++
    const input: Record<string, unknown> = {}
    let isFirst = true
    for (this.blanks(); this.text[this.at] !== "}"; this.blanks()) {
      if (!isFirst) this.expect(",")
      isFirst = false
      this.blanks()
      const quote = this.text[this.at]
      if (quote === "}") break
      if (quote !== '"' && quote !== "'") throw new NoLiteral()
      const key = this.string(quote)
      this.blanks()
      this.expect(":")
      input[key] = this.value()
    }
    this.at++
    return input
  }

  private string(quote: string): string {
    const isLong = this.text.startsWith(quote.repeat(3), this.at)
    const close = isLong ? quote.repeat(3) : quote
    this.at += close.length
    let out = ""
    while (!this.text.startsWith(close, this.at)) {
      const char = this.text[this.at]
      if (char === undefined) throw new NoLiteral()
      this.at++
      out += char === "\\" ? this.escape() : char
    }
    this.at += close.length
    return out
  }

  private escape(): string {
    const char = this.text[this.at++] ?? ""
    const digits = { x: 2, u: 4, U: 8 }[char]
    if (digits === undefined) return ESCAPES.get(char) ?? `\\${char}`
    const code = this.text.slice(this.at, this.at + digits)
    if (!/^[\da-fA-F]+$/.test(code) || code.length < digits || Number.parseInt(code, 16) > 0x10ffff) {
      throw new NoLiteral()
    }
    this.at += digits
    return String.fromCodePoint(Number.parseInt(code, 16))
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    if (found === undefined || found === "") throw new NoLiteral()
    this.at += found.length
    return found
  }

  private blanks(): void {
    while (/\s/.test(this.text[this.at] ?? "")) this.at++
  }

  private expect(char: string): void {
    if (this.text[this.at] !== char) throw new NoLiteral()
    this.at++
  }
}
