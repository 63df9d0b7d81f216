/**
 * Markdown tokens as lines of a given width: headings, lists, quotes, code, tables. Pure; the tokens come from text that is
 * safe, and no line that comes out is wider than the view, down to `LEAST_WIDTH`.
 */
import type { MarkedToken, Token, Tokens } from "marked"
import { safeText } from "../safeText.ts"
import { cellWidth, wrapWords } from "../width.ts"
import { codeLines } from "./code.ts"
import { inlineText } from "./inline.ts"
import { tableLines } from "./table.ts"
import { narrower, type MarkdownView } from "./view.ts"

/** Lines of the blocks, with an empty line between two. */
export const layout = (tokens: ReadonlyArray<Token>, view: MarkdownView): ReadonlyArray<string> =>
  blocksOf(tokens, view, "apart", 0)

type Spacing = "apart" | "together"

const blocksOf = (
  tokens: ReadonlyArray<Token>,
  view: MarkdownView,
  spacing: Spacing,
  depth: number
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (const token of tokens) {
    const block = blockLines(token, view, depth)
    if (block.length === 0) continue
    if (lines.length > 0 && spacing === "apart") lines.push("")
    lines.push(...block)
  }
  return lines
}

const blockLines = (given: Token, view: MarkdownView, depth: number): ReadonlyArray<string> => {
  // The lexer gives its own tokens only; the member for those of its extensions would match every type.
  const token = given as MarkedToken
  const { theme, width } = view
  switch (token.type) {
    case "space":
    case "checkbox":
      return []
    case "heading":
      return heading(token, view)
    case "hr":
      return [theme.frames ? theme.muted("─".repeat(Math.min(width, 40))) : "* * *"]
    case "code":
      return codeLines(safeText(token.text), token.lang ?? "", view)
    case "blockquote": {
      const bar = theme.frames ? theme.muted("│ ") : "> "
      return blocksOf(token.tokens, narrower(view, 2), "apart", depth).map((line) => bar + line)
    }
    case "list":
      return listLines(token, view, depth)
    case "table":
      return tableLines(token, view)
    case "paragraph":
      return wrapWords(inlineText(token.tokens, theme), width)
    case "text":
      return wrapWords(token.tokens === undefined ? safeText(token.text) : inlineText(token.tokens, theme), width)
    default:
      // HTML, link definitions and whatever is new: shown as it was written.
      return wrapWords(safeText(token.raw).trimEnd(), width)
  }
}

/** Without colours the number signs say which heading it is. */
const heading = ({ depth, tokens }: Tokens.Heading, { theme, width }: MarkdownView): ReadonlyArray<string> => {
  const text = inlineText(tokens, theme)
  const marked = theme.depth === "none" ? `${"#".repeat(depth)} ${text}` : text
  const style = depth === 1 ? both(theme.heading, theme.underline) : depth === 2 ? theme.heading : theme.strong
  return wrapWords(marked, width).map((line) => (depth <= 2 ? theme.accent(style(line)) : style(line)))
}

const both =
  (outer: (text: string) => string, inner: (text: string) => string) =>
  (text: string): string =>
    outer(inner(text))

const BULLETS = ["•", "◦", "▪"]

const listLines = (list: Tokens.List, view: MarkdownView, depth: number): ReadonlyArray<string> => {
  const bullets = list.items.map((item) => bulletOf(item, list, depth))
  const widest = Math.max(...bullets.map(cellWidth))
  return list.items.flatMap((item, at) => {
    const bullet = (bullets[at] ?? "").padStart(widest)
    const lines = itemLines(item, bullet, view, list.loose ? "apart" : "together", depth + 1)
    return at > 0 && list.loose ? ["", ...lines] : lines
  })
}

/** The number of an item is the one that was written, as the model refers to it. */
const bulletOf = (item: Tokens.ListItem, list: Tokens.List, depth: number): string => {
  if (item.task) return item.checked === true ? "☑ " : "☐ "
  const number = list.ordered ? /^\s*(\d+)/.exec(item.raw)?.[1] : undefined
  return number === undefined ? `${BULLETS[depth % BULLETS.length] ?? "•"} ` : `${number}. `
}

const itemLines = (
  item: Tokens.ListItem,
  bullet: string,
  view: MarkdownView,
  spacing: Spacing,
  depth: number
): ReadonlyArray<string> => {
  const indent = cellWidth(bullet)
  const body = blocksOf(item.tokens, narrower(view, indent), spacing, depth)
  const mark = view.theme.bullet(bullet)
  if (body.length === 0) return [mark.trimEnd()]
  return body.map((line, at) => (at === 0 ? mark + line : line === "" ? "" : " ".repeat(indent) + line))
}
