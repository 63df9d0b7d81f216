/**
 * Emphasis, code, links and line breaks inside a paragraph, as styled text that is not wrapped yet. A line end of the source
 * stays one: models mean it. A link shows its address, because a terminal shows nothing else of it; no link of the terminal's
 * own (OSC 8) is made of what a model wrote. The lexer turns `&#27;` into the character, so every text is made safe again
 * here. Pure.
 */
import type { MarkedToken, Token, Tokens } from "marked"
import { safeLine, safeText } from "../safeText.ts"
import type { Theme } from "../theme.ts"

export const inlineText = (tokens: ReadonlyArray<Token>, theme: Theme): string =>
  tokens.map((token) => inlineToken(token, theme)).join("")

const inlineToken = (given: Token, theme: Theme): string => {
  // The lexer gives its own tokens only; the member for those of its extensions would match every type.
  const token = given as MarkedToken
  switch (token.type) {
    case "strong":
      return theme.strong(inlineText(token.tokens, theme))
    case "em":
      return theme.emphasis(inlineText(token.tokens, theme))
    case "del":
      return theme.depth === "none"
        ? `~~${inlineText(token.tokens, theme)}~~`
        : theme.struck(inlineText(token.tokens, theme))
    case "codespan":
      return theme.depth === "none" ? `\`${safeText(token.text)}\`` : theme.code(safeText(token.text))
    case "br":
      return "\n"
    case "link":
      return link(token, theme)
    case "image":
      return `${theme.dim(`▣ ${token.text === "" ? "image" : safeText(token.text)}`)}${address(token.href, token.text, theme)}`
    case "html":
      return /^<br\s*\/?>$/i.test(token.text.trim()) ? "\n" : safeText(token.text)
    case "checkbox":
      return ""
    case "escape":
      return safeText(token.text)
    case "text":
      return token.tokens === undefined ? safeText(entities(token.text)) : inlineText(token.tokens, theme)
    default:
      return safeText(token.raw)
  }
}

const link = (token: Tokens.Link, theme: Theme): string => {
  const label = inlineText(token.tokens, theme)
  return theme.link(label) + address(token.href, token.text, theme)
}

/** ` (https://…)` behind a label that says something else. */
const address = (href: string, label: string, theme: Theme): string => {
  const shown = safeLine(href)
  return shown === "" || sameAddress(shown, label) ? "" : theme.dim(` (${shown})`)
}

const sameAddress = (href: string, label: string): boolean =>
  href === label || href === `mailto:${label}` || href === `http://${label}` || href === encodeURI(label)

const ENTITIES: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  "#39": "'",
  nbsp: " "
}

/** The few that models write; others stay as they are. */
const entities = (text: string): string =>
  text.includes("&")
    ? text.replaceAll(/&(amp|lt|gt|quot|apos|#39|nbsp);/g, (_, name: string) => ENTITIES[name] ?? "")
    : text
