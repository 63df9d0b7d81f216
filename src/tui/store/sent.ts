/** What the user has sent, as it is shown: pastes and images as their labels. Pure. */
import { plainContent, type Content, type Token } from "../input/content.ts"
import { labelOf } from "../input/paste.ts"
import type { Language, Sent } from "./state.ts"

export const typedText = (text: string): Sent => ({ text, content: plainContent(text) })

export const shownText = (content: Content, language: Language): string =>
  withTokens(content, (token) => labelOf(token, language))

/** Where `@file` counts: what was typed, and images. What was pasted is data. */
export const typedPart = (content: Content): string =>
  withTokens(content, ({ kind, text }) => (kind === "image" ? text : " "))

const withTokens = ({ marks, text }: Content, write: (token: Token) => string): string => {
  let whole = ""
  let done = 0
  for (const { at, token } of marks) {
    whole += text.slice(done, at) + write(token)
    done = at + 1
  }
  return whole + text.slice(done)
}

/**
 * What a message is for. Its beginning says so, as far as it was seen: what stands there in a long paste runs nothing. A path
 * (`/home/ann/a.txt`) is no command.
 */
export const kindOf = ({ content }: Sent): "shell" | "skill" | "command" | "request" => {
  const text = content.text.trimStart()
  if (text.startsWith("!")) return "shell"
  if (text.startsWith("§")) return "skill"
  return /^\/(?:mcp__|[^\s/]*(?:\s|$))/.test(text) ? "command" : "request"
}

/** A line for maia itself: a command, a shell command, a skill. It is never joined to a running turn. */
export const isCommand = (sent: Sent): boolean => kindOf(sent) !== "request"
