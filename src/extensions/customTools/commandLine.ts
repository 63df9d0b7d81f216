/**
 * The `run` line of a custom tool (MAIA §10.3): taken apart once, without a shell; a value that comes later stays inside its
 * argument, whatever is in it. Pure.
 */

import { text, type Text } from "../../domain/text.ts"
import { shellOperator, splitWords } from "../commandWords.ts"

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
  const operator = shellOperator(split)
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

const partsOf = (word: string): ReadonlyArray<ArgumentPart> =>
  word
    .split(/(\{\{\s*[^{}]*?\s*\}\})/)
    .filter((piece) => piece !== "")
    .map((piece): ArgumentPart => {
      const name = /^\{\{\s*([^{}]*?)\s*\}\}$/.exec(piece)?.[1]
      return name === undefined ? { text: piece } : { parameter: name }
    })
