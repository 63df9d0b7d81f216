/** Where readline's motions lead (spec 07 "Input"): offsets in the content for the cursor at `at`. Pure. */
import { tokenAt, type Content } from "./content.ts"
import { boundaryFrom, nextBoundary, previousBoundary } from "./graphemes.ts"

/** Ctrl+B, ←. */
export const left = (content: Content, at: number): number => previousBoundary(content, at)

/** Ctrl+F, →. */
export const right = (content: Content, at: number): number => nextBoundary(content, at)

/** Ctrl+A: beginning of the line. */
export const lineStart = ({ text }: Content, at: number): number => (at === 0 ? 0 : text.lastIndexOf("\n", at - 1) + 1)

/** Ctrl+E: end of the line. */
export const lineEnd = ({ text }: Content, at: number): number => {
  const end = text.indexOf("\n", at)
  return end === -1 ? text.length : end
}

/** Alt+F: behind the next word. A token is a word. */
export const wordRight = (content: Content, at: number): number => {
  const { text } = content
  let place = at
  while (place < text.length && !isWord(content, place)) place += unitsAt(text, place)
  if (tokenAt(content, place) !== undefined) return place + 1
  while (place < text.length && isWordCharacter(content, place)) place += unitsAt(text, place)
  return boundaryFrom(content, place)
}

/** Alt+B: the beginning of the word before. */
export const wordLeft = (content: Content, at: number): number => {
  const { text } = content
  let place = at
  while (place > 0 && !isWord(content, before(text, place))) place = before(text, place)
  if (place > 0 && tokenAt(content, place - 1) !== undefined) return place - 1
  while (place > 0 && isWordCharacter(content, before(text, place))) place = before(text, place)
  return boundaryFrom(content, place)
}

/** Ctrl+W: the beginning of what stands between spaces before. A token is taken alone. */
export const spacedWordLeft = (content: Content, at: number): number => {
  const { text } = content
  let place = at
  while (place > 0 && isSpace(text, place - 1)) place--
  if (place > 0 && tokenAt(content, place - 1) !== undefined) return place - 1
  while (place > 0 && !isSpace(text, place - 1) && tokenAt(content, place - 1) === undefined) place--
  return boundaryFrom(content, place)
}

const isSpace = (text: string, at: number): boolean => /\s/.test(text[at] ?? "")

const isWord = (content: Content, at: number): boolean =>
  tokenAt(content, at) !== undefined || isWordCharacter(content, at)

const isWordCharacter = (content: Content, at: number): boolean =>
  /^[\p{L}\p{N}\p{M}_]/u.test(content.text.slice(at, at + 2)) && tokenAt(content, at) === undefined

const unitsAt = (text: string, at: number): number => ((text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1)

/** The beginning of the code point that ends at `at`. */
const before = (text: string, at: number): number =>
  at >= 2 && (text.codePointAt(at - 2) ?? 0) > 0xffff ? at - 2 : at - 1
