/** The texts of a command that rules are held against (spec 03, field cases C8, C9, C10). Pure. */
import type { SimpleCommand } from "./analyse.ts"
import type { ShellWord } from "./words.ts"
import { baseName } from "./wrappers.ts"

/** As the program gets it. */
export const shownCommand = ({ words }: SimpleCommand): string => words.map(({ value }) => value).join(" ")

/** For rules that forbid: as written, de-quoted, without folder and assignments, without `git`'s options before its subcommand. */
export const forbidSpellings = (command: SimpleCommand, ignoreCase: boolean): ReadonlyArray<string> => {
  const [program, ...rest] = command.words.map(({ value }) => value)
  if (program === undefined) return []
  const found = new Set([command.source, [program, ...rest].join(" "), [baseName(program), ...rest].join(" ")])
  const bare = baseName(program).replace(/\.exe$/i, "")
  found.add([bare, ...rest].join(" "))
  if (bare === "git") found.add(["git", ...behindGitOptions(rest)].join(" "))
  return ignoreCase ? [...found].map((one) => one.toLowerCase()) : [...found]
}

/** The words that rules on flags are held against: the same forms, as words. */
export const forbidArguments = ({ words }: SimpleCommand): ReadonlyArray<ReadonlyArray<string>> => {
  const [program, ...rest] = words.map(({ value }) => value)
  if (program === undefined) return []
  const bare = baseName(program).replace(/\.exe$/i, "")
  return bare === "git"
    ? [
        [bare, ...rest],
        [bare, ...behindGitOptions(rest)]
      ]
    : [[bare, ...rest]]
}

const GIT_VALUES = new Set([
  "-C",
  "-c",
  "--git-dir",
  "--work-tree",
  "--namespace",
  "--super-prefix",
  "--exec-path",
  "--config-env",
  "--attr-source"
])

const behindGitOptions = (words: ReadonlyArray<string>): ReadonlyArray<string> => {
  let at = 0
  while (at < words.length && words[at]?.startsWith("-") === true) at += GIT_VALUES.has(words[at] ?? "") ? 2 : 1
  return words.slice(at)
}

/** For rules that allow: words that hold blanks keep quotes, so that two words are never taken for one or one for two. */
export const allowSpellings = (command: SimpleCommand): ReadonlyArray<string> => {
  const canonical = command.words.map(written).join(" ")
  const asWritten = command.redirected || command.wrapper !== undefined ? canonical : withoutAssignments(command.source)
  return canonical === asWritten ? [canonical] : [canonical, asWritten]
}

const written = ({ value }: ShellWord): string =>
  value === "" || /[\s'"]/.test(value) ? `'${value.replaceAll("'", "'\\''")}'` : value

/** Only harmless assignments get here with a chance to be allowed; a value never holds a blank without quotes. */
const withoutAssignments = (source: string): string => source.replace(/^(?:[A-Za-z_]\w*=[^\s'"\\$`]*\s+)+/, "")
