/** Words of a command as the shell would read them. Pure. */
import type { Word, WordPart } from "unbash"

export interface ShellWord {
  /** De-quoted; the source where the shell would expand something. */
  readonly value: string
  /** Nothing in it is expanded: the value is what the program gets. */
  readonly isLiteral: boolean
  /** A glob or brace: it may become several names. */
  readonly isPattern: boolean
  /** An expansion beyond a plain `$name`: what it does cannot be seen. */
  readonly isOpaque: boolean
}

export const readWord = (word: Word): ShellWord => {
  const parts = word.parts ?? []
  const facts = { isLiteral: true, isPattern: false, isOpaque: false }
  for (const part of parts) look(part, facts)
  // An unquoted tilde at the start is the home.
  return { value: word.value, ...facts }
}

const look = (part: WordPart, facts: { isLiteral: boolean; isPattern: boolean; isOpaque: boolean }): void => {
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      return
    case "DoubleQuoted":
    case "LocaleString":
      for (const child of part.parts) look(child, facts)
      return
    case "Glob":
    case "ExtendedGlob":
    case "BraceExpansion":
      facts.isLiteral = false
      facts.isPattern = true
      for (const child of part.parts ?? []) look(child, facts)
      return
    case "SimpleExpansion":
      facts.isLiteral = false
      return
    case "ParameterExpansion":
      facts.isLiteral = false
      if (part.operation !== undefined || part.prefix === "!" || part.index !== undefined) facts.isOpaque = true
      return
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticExpansion":
      facts.isLiteral = false
      facts.isOpaque = true
      return
  }
}
