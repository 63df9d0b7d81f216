/**
 * Long pastes as tokens (spec 07 "Input"): shown as `[Pasted text #1 +200 lines]`, edited as one unit, sent whole. Pure.
 */
import { plainContent, tokenContent, type Content, type Token } from "./content.ts"
import { quotedMention } from "./completion/quoting.ts"
import { imagePaths } from "./imagePaths.ts"

export type Language = "en" | "fr"

/** Lines up to which a paste is shown as it is. */
const MOST_LINES = 10
/** Characters up to which it is. */
const MOST_CHARACTERS = 1_000

export interface Pasted {
  readonly content: Content
  /** Images whose paths the caller may look at; a path that is none becomes text again (`imageMissing`). */
  readonly images: ReadonlyArray<Token>
}

/** What a paste puts into the input; `number` is that of the next token. */
export const pasted = (text: string, number: number): Pasted => {
  const images = imagePaths(text)
  if (images !== undefined) return imageTokens(text, images, number)
  return { content: longText(text, number), images: [] }
}

/** Text as a token where it is long. */
export const longText = (text: string, number: number): Content => {
  const lines = countLines(text)
  const isLong = lines > MOST_LINES || text.length > MOST_CHARACTERS
  return isLong ? tokenContent({ kind: "paste", number, text, lines }) : plainContent(text)
}

/** A line end at the end begins no line. */
const countLines = (text: string): number => {
  let lines = 1
  for (let at = text.indexOf("\n"); at !== -1 && at < text.length - 1; at = text.indexOf("\n", at + 1)) lines++
  return lines
}

/** Each image is sent as a reference to its file, parted by spaces. */
const imageTokens = (text: string, paths: ReadonlyArray<string>, number: number): Pasted => {
  const images = paths.flatMap((path, index): ReadonlyArray<Token> => {
    const reference = quotedMention(path)
    if (reference === undefined) return []
    return [
      { kind: "image", number: number + index, text: reference, lines: 1, pasted: paths.length === 1 ? text : path }
    ]
  })
  if (images.length !== paths.length) return { content: longText(text, number), images: [] }
  const pieces = images.map(tokenContent)
  return {
    content: {
      text: pieces.map((piece) => piece.text).join(" ") + " ",
      marks: images.map((token, index) => ({ at: index * 2, token }))
    },
    images
  }
}

/** What a token is shown as. */
export const labelOf = ({ kind, number, lines, text }: Token, language: Language): string => {
  if (kind === "image") return `[Image #${number}]`
  if (language === "fr") {
    return `[Texte collé #${number} ${lines > 1 ? `+${lines} lignes` : `${text.length} caractères`}]`
  }
  return `[Pasted text #${number} ${lines > 1 ? `+${lines} lines` : `${text.length} characters`}]`
}
