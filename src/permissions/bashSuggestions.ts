/** Rules that an "always" could write for a command (spec 03): the most precise first. Pure. */
import { displaySubject } from "./display.ts"
import type { JudgeContext, Judgement } from "./judgement.ts"
import { absolutePath, displayPath } from "./paths.ts"
import type { Analysis, FileTarget, SimpleCommand } from "./shell/analyse.ts"
import { READERS } from "./shell/programs.ts"
import { shownCommand } from "./shell/spellings.ts"

/** One command or target, and what was decided of it. */
export interface Part {
  readonly judged: Judgement
  readonly command?: SimpleCommand
  readonly target?: FileTarget
  /** A wide rule allows the program, but not this use: only an exact one helps. */
  readonly byRule?: boolean
}

/**
 * The exact command where that is enough; where it writes files, the rules still missing, each a step. None where no rule
 * helps.
 */
export const suggestRules = (
  command: string,
  found: Analysis,
  parts: ReadonlyArray<Part>,
  context: JudgeContext
): ReadonlyArray<string> => {
  const missing = parts.filter(({ judged }) => judged.decision === "ask")
  if (missing.some(({ judged }) => judged.rule !== undefined)) return []
  const targets = missing.flatMap(({ target }) => (target === undefined ? [] : (targetRule(target, context) ?? [])))
  const commands = missing.flatMap(({ command: one }) => one ?? [])
  if (found.writes.length > 0) {
    const own = commands.filter(({ wrapper }) => wrapper === undefined).map(shownCommand)
    return [...new Set([...own.filter(isWritable).map((one) => `Bash(${one})`), ...targets])]
  }
  const exact = isWritable(command) ? [`Bash(${command})`] : []
  const [only] = commands
  const wide =
    found.concerns.length === 0 &&
    commands.length === 1 &&
    missing.length === 1 &&
    missing[0]?.byRule !== true &&
    only !== undefined
  return wide ? [...exact, ...widened(only)] : exact
}

/** A rule is one line and shows what it holds. An asterisk in it means more than it says: only for what reads. */
const isWritable = (command: string): boolean =>
  command.length <= 300 &&
  !command.includes("\n") &&
  displaySubject(command) === command &&
  (!command.includes("*") || READERS.has(command.split(" ", 1)[0] ?? ""))

const targetRule = ({ folder, word }: FileTarget, context: JudgeContext): ReadonlyArray<string> | undefined => {
  if (!word.isLiteral || folder === undefined || /[*?[{]/.test(word.value)) return undefined
  const base = absolutePath(folder.path, context.places)
  return [`Write(${displayPath(absolutePath(word.value, context.places, base), context.places)})`]
}

/** Programs whose first word says what they do. */
const WIDENED = new Set(
  "git npm bun pnpm yarn cargo go make docker kubectl gh dotnet mvn gradle pip uv poetry terraform deno".split(" ")
)

const widened = ({ words }: SimpleCommand): ReadonlyArray<string> => {
  const [program, sub] = words
  if (program === undefined || sub === undefined || words.length < 3 || !WIDENED.has(program.value)) return []
  return /^[a-z][\w-]*$/.test(sub.value) && sub.isLiteral ? [`Bash(${program.value} ${sub.value} *)`] : []
}
