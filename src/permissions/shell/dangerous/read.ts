/**
 * Reads the words of a command by a program's own syntax: which are options, which are values, which are neither.
 * Pure and linear in the total length of the words.
 */
import { list, type ReadOption, type Syntax, type Use } from "./table.ts"

/** A `Syntax` with its lists ready for look-ups. */
export interface ReadySyntax {
  readonly takes: ReadonlySet<string>
  readonly attached: ReadonlySet<string>
  readonly plain: ReadonlySet<string>
  readonly style: "gnu" | "exact" | "single"
  readonly stops: boolean
  readonly bundled: boolean
}

export const readySyntax = (syntax: Syntax | undefined, stops = false): ReadySyntax => ({
  takes: new Set(list(syntax?.takes)),
  attached: new Set(list(syntax?.attached)),
  plain: new Set(list(syntax?.plain)),
  style: syntax?.style ?? "gnu",
  stops: stops || syntax?.stops === true,
  bundled: syntax?.bundled === true
})

/** The words as read. `end` is the index in `argv` of the first word that was not read. */
export interface ReadUse extends Use {
  readonly end: number
}

/**
 * Reads `argv` from `from`. With `onlyOptions` it stops before the first word that is no option (the subcommand).
 */
export const readUse = (
  argv: ReadonlyArray<string>,
  from: number,
  syntax: ReadySyntax,
  onlyOptions: boolean
): ReadUse => {
  const words: Array<string> = []
  const options: Array<ReadOption> = []
  let beforeDashes: number | undefined
  let ended = false
  let at = from
  // Could the word at `at` be the value of the option before it? `doubtful`: a long option the table does not know.
  let doubtful = false
  let follows = false

  const add = (name: string, value: string | undefined, next: string | undefined): void => {
    options.push({ name, value, next, sure: !doubtful && beforeDashes === undefined })
  }
  const group = (word: string, valuesFollow: boolean): boolean => {
    for (let i = valuesFollow ? 0 : 1; i < word.length; i++) {
      const name = `-${word.charAt(i)}`
      const takes = syntax.takes.has(name)
      if (!valuesFollow && (takes || syntax.attached.has(name))) {
        const rest = word.slice(i + 1)
        add(name, rest !== "" ? rest : takes ? argv[at++] : undefined, undefined)
        return true
      }
      add(name, valuesFollow && takes ? argv[at++] : undefined, undefined)
    }
    return valuesFollow
  }
  const whole = (word: string): boolean => {
    const dashes = word.startsWith("--") ? 2 : 1
    const equals = word.indexOf("=")
    const typed = equals === -1 ? word : word.slice(0, equals)
    const name = syntax.style === "single" ? `-${typed.slice(dashes)}` : typed
    const takes = syntax.takes.has(name)
    if (equals !== -1) add(name, word.slice(equals + 1), undefined)
    else if (takes) add(name, argv[at++], undefined)
    else add(name, undefined, argv[at])
    return equals !== -1 || takes || syntax.plain.has(name) || syntax.attached.has(name)
  }

  while (at < argv.length) {
    const word = argv[at] ?? ""
    if (!ended && word.startsWith("-") && word.length > 1) {
      at++
      if (word === "--" && syntax.style !== "single") {
        beforeDashes ??= words.length
        // After an option that may take a value, `--` may be that value: what follows is still read as options.
        ended = !follows
        follows = false
        doubtful = false
        if (onlyOptions) break
      } else if (syntax.style === "single" || word.startsWith("--")) {
        const complete = whole(word)
        doubtful = !complete
        follows = !complete
      } else {
        follows = !group(word, false)
        doubtful = false
      }
      continue
    }
    if (onlyOptions) break
    at++
    doubtful = false
    follows = false
    if (syntax.bundled && at === from + 1) group(word, true)
    else {
      words.push(word)
      // The rest belongs to the program named here.
      if (syntax.stops) {
        while (at < argv.length) words.push(argv[at++] ?? "")
      }
    }
  }
  const has = (names: string): boolean => {
    const set = list(names)
    return options.some((option) => option.sure && set.includes(option.name))
  }
  const values = (names: string): ReadonlyArray<string> => {
    const set = list(names)
    return options.flatMap((option) => {
      const abbreviated = syntax.style === "gnu" && option.name.startsWith("--")
      if (!set.some((name) => name === option.name || (abbreviated && name.startsWith(option.name)))) return []
      const value = option.value ?? option.next
      return value === undefined ? [] : [value]
    })
  }
  return { words, beforeDashes, options, has, values, end: at }
}
