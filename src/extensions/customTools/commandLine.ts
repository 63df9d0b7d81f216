/**
 * The `run` line of a custom tool (MAIA §10.3): taken apart once, without a shell; a value that comes later stays inside its
 * argument, whatever is in it. Pure.
 */

import { text, type Text } from "../../domain/text.ts"

/** Fixed text and names of parameters, in order. */
export type ArgumentPart = { readonly text: string } | { readonly parameter: string }

export interface CommandLine {
  /** Each is one argument; the first is the program. */
  readonly words: ReadonlyArray<ReadonlyArray<ArgumentPart>>
  readonly parameters: ReadonlySet<string>
}

/** A problem is a clause. */
export const parseCommandLine = (line: string): CommandLine | { readonly problem: Text } => {
  const split = splitWords(line)
  if (split === undefined) {
    return problem("run has a quote that is never closed", "run contient un guillemet qui n'est pas fermé")
  }
  const words = split.map(({ text }) => partsOf(text))
  const [program] = words
  if (program === undefined) return problem("run is empty", "run est vide")
  if (program.some((part) => "parameter" in part)) {
    return problem(
      "the program, the first word of run, must not be a {{parameter}}",
      "le programme, premier mot de run, ne peut pas être un {{paramètre}}"
    )
  }
  const operator = split.find(({ text, quoted }) => !quoted && OPERATORS.has(text))?.text
  if (operator !== undefined) {
    return problem(
      `run is not read by a shell, so ${operator} does nothing there: put it into a script and run that (sh ./script.sh {{p}})`,
      `run n'est pas lu par un shell, donc ${operator} n'y fait rien : mettez-le dans un script et lancez celui-ci (sh ./script.sh {{p}})`
    )
  }
  const parameters = new Set(words.flat().flatMap((part) => ("parameter" in part ? [part.parameter] : [])))
  return { words, parameters }
}

/** Program and arguments. Values are put in once: a `{{b}}` inside a value is text. */
export const fillCommandLine = (
  { words }: CommandLine,
  values: Readonly<Record<string, unknown>>
): ReadonlyArray<string> =>
  words.map((parts) => parts.map((part) => ("text" in part ? part.text : String(values[part.parameter]))).join(""))

const problem = (en: string, fr: string) => ({ problem: text(en, fr) })

/** Words that only a shell would understand. */
const OPERATORS = new Set(["|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "&>"])

interface Word {
  readonly text: string
  readonly quoted: boolean
}

/** Blanks separate; '…' and "…" group, also inside a word. No other character means anything. */
const splitWords = (line: string): ReadonlyArray<Word> | undefined => {
  const words: Array<Word> = []
  let word: Word | undefined
  let quote = ""
  const add = (character: string, quoted: boolean): void => {
    word = { text: `${word?.text ?? ""}${character}`, quoted: quoted || word?.quoted === true }
  }
  for (const character of line) {
    if (quote !== "") {
      if (character === quote) quote = ""
      else add(character, true)
    } else if (character === "'" || character === '"') {
      quote = character
      add("", true)
    } else if (!/\s/.test(character)) add(character, false)
    else if (word !== undefined) {
      words.push(word)
      word = undefined
    }
  }
  if (quote !== "") return undefined
  return word === undefined ? words : [...words, word]
}

const partsOf = (word: string): ReadonlyArray<ArgumentPart> =>
  word
    .split(/(\{\{\s*[^{}]*?\s*\}\})/)
    .filter((piece) => piece !== "")
    .map((piece): ArgumentPart => {
      const name = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(piece)?.[1]
      return name === undefined ? { text: piece } : { parameter: name }
    })
