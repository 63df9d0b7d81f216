/** What the user has sent, as it is shown: pastes and images as their labels. Pure. */
import { plainContent, type Content } from "../input/content.ts"
import { labelOf } from "../input/paste.ts"
import type { Language, Sent } from "./state.ts"

export const typedText = (text: string): Sent => ({ text, content: plainContent(text) })

export const shownText = ({ marks, text }: Content, language: Language): string => {
  let shown = ""
  let done = 0
  for (const { at, token } of marks) {
    shown += text.slice(done, at) + labelOf(token, language)
    done = at + 1
  }
  return shown + text.slice(done)
}

/** A line for maia itself: a command, a shell command, a skill. It is never joined to a running turn. */
export const isCommand = ({ text }: Sent): boolean => /^\s*[/!§]/.test(text)
