/** Words of a command as the shell would read them. Pure. */
import type { CommandArgument, Word, WordPart } from "unbash"
import { expandBraces, type Alternative } from "./braces.ts"

/** Stand-ins in `ShellWord.shape`: one character but `/`; a run without `/`; anything at all. */
export const ONE = "\uE000"
export const RUN = "\uE001"
export const ANYTHING = "\uE002"

const STAND_INS = /[\uE000-\uE002]/g

export interface ShellWord {
  /** De-quoted; the source where the shell would expand something. */
  readonly value: string
  /** Nothing in it is expanded: the value is what the program gets. */
  readonly isLiteral: boolean
  /** A glob or brace: it may become several names. */
  readonly isPattern: boolean
  /** An expansion beyond a plain `$name`: what it does cannot be seen. */
  readonly isOpaque: boolean
  /** What the shell may make of it: literal text, `$HOME` and `$PWD` kept as `${HOME}` and `${PWD}`, stand-ins elsewhere. */
  readonly shape: string
  /** Variables before any text of its own: what they hold can make it a flag. */
  readonly leads?: ReadonlyArray<string>
}

export const literalWord = (value: string): ShellWord => ({
  value,
  isLiteral: true,
  isPattern: false,
  isOpaque: false,
  shape: plain(value)
})

/** Text that looks like a stand-in stands for any character: it must not be taken for more or less. */
const plain = (value: string): string => value.replace(STAND_INS, ONE)

interface Facts {
  isLiteral: boolean
  isPattern: boolean
  isOpaque: boolean
  shape: string
  leads: Array<string>
}

export const readWord = (word: Word): ShellWord => {
  const { parts } = word
  if (SOMEONES_HOME.test(word.text)) return homeOf(word.value)
  if (parts === undefined) return literalWord(word.value)
  const facts: Facts = { isLiteral: true, isPattern: false, isOpaque: false, shape: "", leads: [] }
  for (const part of parts) look(part, facts)
  return { value: word.value, ...facts }
}

/** `~root`, `~+`, `~-`: a folder that only the shell knows; a quoted one is a name. */
const SOMEONES_HOME = /^(?:[A-Za-z_]\w*\+?=)?~[^/\s'"\\]/

const homeOf = (value: string): ShellWord => {
  const at = value.indexOf("~")
  const rest = value.indexOf("/", at)
  const shape = `${value.slice(0, at)}/${RUN}${rest === -1 ? "" : plain(value.slice(rest))}`
  return { value, isLiteral: false, isPattern: false, isOpaque: false, shape }
}

/** The words that a word becomes: more than one where braces can be told apart, none known better otherwise. */
export const readWords = (word: Word): ReadonlyArray<ShellWord> => {
  if (word.parts?.some(({ type }) => type === "BraceExpansion") !== true) return [readWord(word)]
  return expandBraces(word.text)?.map(ofAlternative) ?? [readWord(word)]
}

const ofAlternative = ({ isGlob, value }: Alternative): ShellWord => {
  if (!isGlob) return literalWord(value)
  const shape = plain(value)
    .replaceAll(/\[[^\]]+\]|\?/g, ONE)
    .replaceAll(/\*+/g, RUN)
  return { value, isLiteral: false, isPattern: true, isOpaque: false, shape }
}

/** An argument that has the form of an assignment (`export A=1`, `dd if=x`) is a word to the program. */
export const readArgument = (argument: CommandArgument): ReadonlyArray<ShellWord> => {
  if (argument.type === "Word") return readWords(argument)
  if (argument.value.type === "ArrayValue" || argument.index !== undefined) {
    return [{ value: argument.text, isLiteral: false, isPattern: false, isOpaque: true, shape: ANYTHING }]
  }
  const prefix = `${argument.name}${argument.append === true ? "+" : ""}=`
  const value = readWord(argument.value)
  return [{ ...value, value: prefix + value.value, shape: prefix + value.shape }]
}

const look = (part: WordPart, facts: Facts): void => {
  const leading = /^[\uE000-\uE002]*$/.test(facts.shape)
  switch (part.type) {
    case "Literal":
    case "SingleQuoted":
    case "AnsiCQuoted":
      facts.shape += plain(part.value)
      return
    case "DoubleQuoted":
    case "LocaleString":
      for (const child of part.parts) look(child, facts)
      return
    case "Glob":
      facts.isLiteral = false
      facts.isPattern = true
      facts.shape += part.kind === "star" ? RUN : ONE
      return
    case "ExtendedGlob":
    case "BraceExpansion":
      facts.isLiteral = false
      facts.isPattern = true
      facts.shape += ANYTHING
      return
    case "SimpleExpansion":
      facts.isLiteral = false
      if (leading) facts.leads.push(part.text.slice(1))
      facts.shape += KNOWN_NAMES.has(part.text) ? `\${${part.text.slice(1)}}` : ANYTHING
      return
    case "ParameterExpansion": {
      facts.isLiteral = false
      if (leading) facts.leads.push(part.parameter)
      const isPlain = part.operation === undefined && part.prefix === undefined && part.index === undefined
      if (!isPlain) facts.isOpaque = true
      facts.shape += isPlain && KNOWN_NAMES.has(`$${part.parameter}`) ? `\${${part.parameter}}` : ANYTHING
      return
    }
    case "CommandExpansion":
    case "ProcessSubstitution":
    case "ArithmeticExpansion":
      facts.isLiteral = false
      facts.shape += ANYTHING
      return
  }
}

const KNOWN_NAMES = new Set(["$HOME", "$PWD"])
