/** Columns a character takes on a terminal: 0, 1 or 2. Pure; only as exact as redrawn lines of program output need. */
export const characterWidth = (character: string): 0 | 1 | 2 => {
  const code = character.codePointAt(0) ?? 0
  if (code < 0x300) return 1
  if (zeroWidth.test(character)) return 0
  return isWide(code) ? 2 : 1
}

const zeroWidth = /^(?:\p{Mn}|\p{Me}|[\u200b-\u200f]|\u2060|\ufeff)$/u

const isWide = (code: number): boolean =>
  (code >= 0x1100 && code <= 0x115f) ||
  (code >= 0x2e80 && code <= 0xa4cf && code !== 0x303f) ||
  (code >= 0xa960 && code <= 0xa97f) ||
  (code >= 0xac00 && code <= 0xd7a3) ||
  (code >= 0xf900 && code <= 0xfaff) ||
  (code >= 0xfe30 && code <= 0xfe6f) ||
  (code >= 0xff01 && code <= 0xff60) ||
  (code >= 0xffe0 && code <= 0xffe6) ||
  (code >= 0x1f300 && code <= 0x1f64f) ||
  (code >= 0x1f680 && code <= 0x1f6ff) ||
  (code >= 0x1f900 && code <= 0x1faff) ||
  (code >= 0x20000 && code <= 0x3fffd)
