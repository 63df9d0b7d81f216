/**
 * A block of a model's Markdown as lines for the terminal (spec 07, MAIA §15.3). The text is made safe first, then read by
 * marked's lexer and drawn by `layout.ts`. Pure; whatever fails, or would take too long, is shown as it was written.
 */
import { Lexer } from "marked"
import { safeText } from "../safeText.ts"
import { cellWidth, wrapCells, wrapText } from "../width.ts"
import { layout } from "./layout.ts"
import { mendFences } from "./mendFences.ts"
import type { MarkdownView } from "./view.ts"

/** The lexer is quadratic in one paragraph: 20 000 characters take a tenth of a second. */
const LONGEST_PARAGRAPH = 20_000
const LONGEST_BLOCK = 200_000

/** Lines without line ends; none for a block of blank lines. */
export const renderMarkdown = (source: string, view: MarkdownView): ReadonlyArray<string> => {
  const text = safeText(source).replaceAll(/^\n+|\s+$/g, "")
  if (text === "") return []
  if (text.length > LONGEST_BLOCK || hasLongParagraph(text)) return wrapText(text, view.width)
  try {
    return layout(new Lexer({ gfm: true }).lex(mendFences(text)), view).flatMap((line) =>
      // Lists and quotes deeper than the line is wide.
      cellWidth(line) > view.width ? wrapCells(line, view.width) : [line]
    )
  } catch {
    return wrapText(text, view.width)
  }
}

/** The source itself, safe and wrapped: `MAIA_NO_MARKDOWN`. */
export const renderRaw = (source: string, view: Pick<MarkdownView, "width">): ReadonlyArray<string> => {
  const text = safeText(source).replaceAll(/^\n+|\s+$/g, "")
  return text === "" ? [] : wrapText(text, view.width)
}

/** Code is no paragraph: the lexer passes over it. */
const hasLongParagraph = (text: string): boolean => {
  if (text.length <= LONGEST_PARAGRAPH || /^ {0,3}(?:`{3}|~{3})/.test(text)) return false
  return text.split(/\n\s*\n|\n(?=\s*(?:[-*+]|\d+[.)])\s)/).some((part) => part.length > LONGEST_PARAGRAPH)
}
