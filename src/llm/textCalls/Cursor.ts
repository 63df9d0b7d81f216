/**
 * Reads text that is still arriving (spec 06, tool calls written as text). A parser is a generator that waits (`yield`)
 * where more text is needed, so that it fails at the very character that does not fit, however the text is cut. Each
 * character is read once; several cursors may read the same text. Pure.
 */

/** Waits for text at each `yield`. */
export type Parsing<A> = Generator<undefined, A, undefined>

/** No character: the text has ended, or has not come yet. */
export const END = -1
export const MORE = -2

export class Arriving {
  readonly pieces: Array<string> = []
  /** Nothing more comes. */
  hasEnded = false
}

export interface Place {
  readonly piece: number
  readonly offset: number
}

export class Cursor {
  private readonly source: Arriving
  private piece: number
  private offset: number

  constructor(source: Arriving, place: Place = { piece: 0, offset: 0 }) {
    this.source = source
    this.piece = place.piece
    this.offset = place.offset
  }

  /** The code of the next character, `END` or `MORE`. */
  peek(): number {
    const { pieces } = this.source
    for (;;) {
      const text = pieces[this.piece]
      if (text === undefined) return this.source.hasEnded ? END : MORE
      if (this.offset < text.length) return text.charCodeAt(this.offset)
      this.piece++
      this.offset = 0
    }
  }

  next(): void {
    this.offset++
  }

  get place(): Place {
    return { piece: this.piece, offset: this.offset }
  }

  set place(place: Place) {
    this.piece = place.piece
    this.offset = place.offset
  }

  /** The text from `start` to `end`. */
  between(start: Place, end: Place = this.place): string {
    const { pieces } = this.source
    if (start.piece === end.piece) return (pieces[start.piece] ?? "").slice(start.offset, end.offset)
    const middle = pieces.slice(start.piece + 1, end.piece).join("")
    return (pieces[start.piece] ?? "").slice(start.offset) + middle + (pieces[end.piece] ?? "").slice(0, end.offset)
  }
}

// --- the smallest parsers --------------------------------------------------------------------------------------------

/** The next character, never `MORE`. */
export function* peek(cursor: Cursor): Parsing<number> {
  for (;;) {
    const code = cursor.peek()
    if (code !== MORE) return code
    yield
  }
}

export function* spaces(cursor: Cursor): Parsing<void> {
  for (;;) {
    const code = cursor.peek()
    if (code === MORE) yield
    else if (isSpace(code)) cursor.next()
    else return
  }
}

export const isSpace = (code: number): boolean => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/** Tells characters apart; special tokens are typed in more than one way. */
export type Fold = (code: number) => number
const exact: Fold = (code) => code

/** False where the text is another one; the cursor then stands where it differs. */
export function* literal(cursor: Cursor, text: string, fold: Fold = exact): Parsing<boolean> {
  for (let i = 0; i < text.length;) {
    const code = cursor.peek()
    if (code === MORE) yield
    else if (code === END || fold(code) !== fold(text.charCodeAt(i))) return false
    else {
      cursor.next()
      i++
    }
  }
  return true
}

/** Reads the text where it is there, nothing otherwise. */
export function* optional(cursor: Cursor, text: string, fold: Fold = exact): Parsing<boolean> {
  const start = cursor.place
  if (yield* literal(cursor, text, fold)) return true
  cursor.place = start
  return false
}

/** The first of the texts that is there; the cursor is where it was when none is. */
export function* oneOf<T extends string>(
  cursor: Cursor,
  texts: ReadonlyArray<T>,
  fold: Fold = exact
): Parsing<T | undefined> {
  for (const text of texts) if (yield* optional(cursor, text, fold)) return text
  return undefined
}

/** Some text, and whether its end was there too. */
export interface Read {
  readonly text: string
  readonly isWhole: boolean
}

/** Text up to `stop`, which is read too; all the rest, not whole, where there is none. */
export function* until(cursor: Cursor, stop: string, fold: Fold = exact): Parsing<Read> {
  const start = cursor.place
  const first = fold(stop.charCodeAt(0))
  for (;;) {
    const code = cursor.peek()
    if (code === MORE) yield
    else if (code === END) return { text: cursor.between(start), isWhole: false }
    else if (fold(code) !== first) cursor.next()
    else {
      const end = cursor.place
      if (yield* optional(cursor, stop, fold)) return { text: cursor.between(start, end), isWhole: true }
      cursor.next()
    }
  }
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** A JSON object, list or text, by its brackets and quotes alone. What is inside may still be no JSON. */
export function* json(cursor: Cursor): Parsing<Read> {
  const start = cursor.place
  let depth = 0
  let inText = false
  for (;;) {
    const code = cursor.peek()
    if (code === MORE) {
      yield
      continue
    }
    if (code === END) return { text: cursor.between(start), isWhole: false }
    cursor.next()
    if (inText && code === BACKSLASH) {
      if ((yield* peek(cursor)) !== END) cursor.next()
    } else if (code === QUOTE) inText = !inText
    else if (!inText && (code === 0x7b || code === 0x5b)) depth++
    else if (!inText && (code === 0x7d || code === 0x5d)) depth--
    if (!inText && depth <= 0 && (code === QUOTE || code === 0x7d || code === 0x5d)) {
      return { text: cursor.between(start), isWhole: true }
    }
  }
}
