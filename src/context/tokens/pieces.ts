/**
 * Cuts text into the pieces that o200k_base merges within: the pattern of the vocabulary, written as a scanner. A regular
 * expression gives the same pieces, but is slower and backtracks without a bound on long runs; this never looks at a character
 * more than twice. Pure.
 *
 * The pattern's alternatives, in order (`U` = Lu Lt Lm Lo M, `L` = Ll Lm Lo M, `c` = an English contraction):
 * 1. `[^\r\n\p{L}\p{N}]? U* L+ c?`   2. `[^\r\n\p{L}\p{N}]? U+ L* c?`   3. `\p{N}{1,3}`   4. ` ?[^\s\p{L}\p{N}]+ [\r\n/]*`
 * 5. `\s*[\r\n]+`   6. `\s+(?!\S)`   7. `\s+`
 */

const UPPER = 1
const LOWER = 2
const LETTER = 4
const NUMBER = 8
const NEWLINE = 16
const SPACE = 32
/** Neither space, letter nor number; marks belong here and to `UPPER` and `LOWER`. */
const SYMBOL = 64

/** Class bits by code point, filled as code points are met; 0 means not yet. */
const classes = new Uint8Array(0x110000)

const classOf = (code: number): number => {
  const known = classes[code] ?? 0
  return known === 0 ? classify(code) : known
}

const classify = (code: number): number => {
  const value = bitsOf(String.fromCodePoint(code))
  classes[code] = value
  return value
}

const bitsOf = (char: string): number => {
  if (char === "\r" || char === "\n") return NEWLINE | SPACE
  if (/[\p{Lu}\p{Lt}]/u.test(char)) return UPPER | LETTER
  if (/\p{Ll}/u.test(char)) return LOWER | LETTER
  if (/[\p{Lm}\p{Lo}]/u.test(char)) return UPPER | LOWER | LETTER
  if (/\p{M}/u.test(char)) return UPPER | LOWER | SYMBOL
  if (/\p{N}/u.test(char)) return NUMBER
  return /\s/u.test(char) ? SPACE : SYMBOL
}

/** The code point at `at`; a lone surrogate stands for itself, as in a regular expression with the `u` flag. */
const codeAt = (text: string, at: number): number => {
  const unit = text.charCodeAt(at)
  if (unit < 0xd800 || unit > 0xdbff || at + 1 >= text.length) return unit
  const low = text.charCodeAt(at + 1)
  return low < 0xdc00 || low > 0xdfff ? unit : (unit - 0xd800) * 0x400 + low - 0xdc00 + 0x10000
}

const width = (code: number): number => (code > 0xffff ? 2 : 1)

/** End of the piece that begins at `start`, in UTF-16 units; `start` must be inside the text. */
export const pieceEnd = (text: string, start: number): number => {
  const code = codeAt(text, start)
  const bits = classOf(code)
  const second = start + width(code)
  if ((bits & (LETTER | NUMBER | NEWLINE)) === 0) {
    // A mark is also a word's first letter: alternative 1 without its optional character comes before alternative 2 with it.
    const end = wordEnd(text, second, (bits & UPPER) === 0)
    if (end > 0) return end
  }
  // A letter, or a mark: either can begin a word.
  if ((bits & (UPPER | LOWER)) !== 0) return wordEnd(text, start, true)
  if ((bits & NUMBER) !== 0) return numberEnd(text, second)
  if ((bits & SYMBOL) !== 0) return symbolEnd(text, second)
  if (code === 0x20 && second < text.length && (classOf(codeAt(text, second)) & SYMBOL) !== 0) {
    return symbolEnd(text, second)
  }
  return spaceEnd(text, start)
}

/** Alternatives 1 and 2 without their optional first character, the latter only where `second` is set; 0 where no word begins at `start`. */
const wordEnd = (text: string, start: number, second: boolean): number => {
  const { length } = text
  let at = start
  let lastBoth = 0
  let bits = 0
  while (at < length) {
    const code = codeAt(text, at)
    bits = classOf(code)
    if ((bits & UPPER) === 0) break
    at += width(code)
    if ((bits & LOWER) !== 0) lastBoth = at
  }
  if (at < length && (bits & LOWER) !== 0 && (bits & UPPER) === 0) {
    do {
      const code = codeAt(text, at)
      if ((classOf(code) & LOWER) === 0) break
      at += width(code)
    } while (at < length)
    return contractionEnd(text, at)
  }
  // `U*` took everything: `L+` gets the last character that is in both classes, what follows it begins the next piece.
  if (lastBoth > 0) return contractionEnd(text, lastBoth)
  return second && at > start ? contractionEnd(text, at) : 0
}

const contractionEnd = (text: string, at: number): number => {
  if (text.charCodeAt(at) !== 0x27) return at
  const first = text.charCodeAt(at + 1) | 0x20
  // s, t, m, d
  if (first === 0x73 || first === 0x74 || first === 0x6d || first === 0x64) {
    return isAsciiLetter(text.charCodeAt(at + 1)) ? at + 2 : at
  }
  if (at + 2 >= text.length) return at
  const second = text.charCodeAt(at + 2) | 0x20
  // re, ve, ll
  const pair =
    (first === 0x72 && second === 0x65) || (first === 0x76 && second === 0x65) || (first === 0x6c && second === 0x6c)
  return pair && isAsciiLetter(text.charCodeAt(at + 1)) && isAsciiLetter(text.charCodeAt(at + 2)) ? at + 3 : at
}

/** Guards the `| 0x20` above: other characters can fall on a letter by it. */
const isAsciiLetter = (unit: number): boolean => (unit >= 0x41 && unit <= 0x5a) || (unit >= 0x61 && unit <= 0x7a)

const numberEnd = (text: string, second: number): number => {
  let at = second
  for (let count = 1; count < 3 && at < text.length; count++) {
    const code = codeAt(text, at)
    if ((classOf(code) & NUMBER) === 0) break
    at += width(code)
  }
  return at
}

const symbolEnd = (text: string, start: number): number => {
  const { length } = text
  let at = start
  while (at < length) {
    const code = codeAt(text, at)
    if ((classOf(code) & SYMBOL) === 0) break
    at += width(code)
  }
  while (at < length) {
    const unit = text.charCodeAt(at)
    if (unit !== 0x0a && unit !== 0x0d && unit !== 0x2f) break
    at++
  }
  return at
}

/** Alternatives 5 to 7; all spaces are single UTF-16 units. */
const spaceEnd = (text: string, start: number): number => {
  const { length } = text
  let at = start
  let afterNewline = 0
  while (at < length) {
    const bits = classOf(text.charCodeAt(at))
    if ((bits & SPACE) === 0) break
    at++
    if ((bits & NEWLINE) !== 0) afterNewline = at
  }
  if (afterNewline > 0) return afterNewline
  return at === length || at - start === 1 ? at : at - 1
}
