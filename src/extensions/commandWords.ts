/** A command line that no shell reads, taken apart into its words. Pure. */

export interface Word {
  readonly text: string
  readonly quoted: boolean
}

/** Blanks separate; '…' and "…" group, also inside a word. No other character means anything. */
export const splitWords = (line: string): ReadonlyArray<Word> | undefined => {
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

/** A word that only a shell would understand; undefined where there is none. */
export const shellOperator = (words: ReadonlyArray<Word>): string | undefined =>
  words.find(({ text, quoted }) => !quoted && OPERATORS.has(text))?.text

const OPERATORS = new Set(["|", "||", "&&", "&", ";", ">", ">>", "<", "2>", "2>&1", "&>"])
