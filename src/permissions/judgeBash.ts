/** Judges a shell command (spec 03): every program it would run, every file it would write, one by one. Pure. */
import { text, type Text } from "../domain/text.ts"
import { judgeArguments, judgeMention, judgeTarget } from "./bashFiles.ts"
import { suggestRules, type Part } from "./bashSuggestions.ts"
import { findRule, strictest, type Judge, type JudgeContext, type Judgement } from "./judgement.ts"
import { displaySubject } from "./display.ts"
import type { PathFacts } from "./paths.ts"
import { commandPattern, type ParsedRule } from "./rules.ts"
import { analyse, type Analysis, type SimpleCommand } from "./shell/analyse.ts"
import { dangerousUse, hasDangerousUses } from "./shell/dangerousUse.ts"
import { sameUse } from "./shell/flagSets.ts"
import { forbidArguments, forbidSpellings, allowSpellings, shownCommand } from "./shell/spellings.ts"
import { baseName, isTransparent } from "./shell/wrappers.ts"

export const judgeBash: Judge = (call, given) => {
  const context = { ...given, facts: remembered(given.facts) }
  // Judged as it is: blanks at its end can belong to it (`rm\` and a line end are `rm`).
  const whole = typeof call.input["command"] === "string" ? call.input["command"] : ""
  const command = whole.trim()
  const subject = displaySubject(whole)
  if (context.parser === undefined) {
    return { decision: "ask", reason: text("The parser is missing.", "L'analyseur manque."), subject, suggestions: [] }
  }
  const found = analyse(whole, context.parser)
  const exact = exactRule(command, context)
  const forbidden = strictest([
    ...forbiddenAs([command, command.replaceAll(/\s+/g, " ")], [], command, false, context),
    ...found.commands.flatMap((one) =>
      forbiddenAs(
        forbidSpellings(one, context.places.ignoreCase),
        forbidArguments(one),
        shownCommand(one),
        one.isGuess,
        context
      )
    )
  ])
  const parts = found.commands
    .filter(({ isGuess }) => !isGuess)
    .map((one) => judgePart(one, exact, found.held, context))
  const targets = [
    ...found.writes.map((target): Part => ({ judged: judgeTarget(target, true, context), target })),
    ...found.reads.map((target): Part => ({ judged: judgeTarget(target, false, context) })),
    ...found.mentions.flatMap((target) => judgeMention(target, context).map((judged): Part => ({ judged })))
  ]
  const open = found.concerns.filter(({ exactCovers }) => exact === undefined || exactCovers !== true)
  const concerns = open.map((concern): Judgement => ({ decision: "ask", reason: sentence(concern.text) }))
  const all = [...parts, ...targets].map(({ judged }) => judged)
  const worst = strictest([...(forbidden === undefined ? [] : [forbidden]), ...all.filter(isDeny), ...concerns, ...all])
  const verdict = nothingSaid(worst, found, parts)
  const mayBeDenied =
    verdict.decision === "ask" &&
    (all.some(({ rule }) => rule?.kind === "deny") ||
      forbidden?.rule?.kind === "deny" ||
      (hasDeny(context) && (open.some(({ hides }) => hides === true) || found.commands.some(hidesUse(context)))))
  if (verdict.decision === "allow") return { ...verdict, subject, suggestions: [] }
  const isFinal =
    verdict.decision === "deny" || forbidden !== undefined || open.some(({ exactCovers }) => exactCovers !== true)
  return {
    ...verdict,
    subject,
    ...(mayBeDenied ? { mayBeDenied } : {}),
    suggestions: isFinal ? [] : suggestRules(command, found, [...parts, ...targets], context)
  }
}

/** An argument that is expanded may be the flag or word that a rule forbids for this program. */
const hidesUse =
  ({ rules }: JudgeContext) =>
  ({ words }: SimpleCommand): boolean =>
    words.some(({ isLiteral }) => !isLiteral) &&
    rules.some(({ pattern, rule, tool }) => {
      const [program = ""] = (pattern ?? "").trim().split(/\s+/)
      return rule.kind === "deny" && tool === "Bash" && program === baseName(words[0]?.value ?? "")
    })

const hasDeny = ({ rules }: JudgeContext): boolean =>
  rules.some(({ rule, tool }) => rule.kind === "deny" && tool === "Bash")

/** One decision sees one state of the disk, and asks for each path once. */
const remembered = ({ exists, names, real }: PathFacts): PathFacts => ({
  exists: once(exists),
  names: once(names),
  real: once(real)
})

const once = <A>(ask: (path: string) => A): ((path: string) => A) => {
  const known = new Map<string, A>()
  return (path) => {
    const before = known.get(path)
    if (before !== undefined) return before
    const answer = ask(path)
    known.set(path, answer)
    return answer
  }
}

const isDeny = ({ decision }: Judgement): boolean => decision === "deny"

/** What only changes folders, or runs nothing, is asked for where no rule speaks of any part. */
const nothingSaid = (worst: Judgement | undefined, found: Analysis, parts: ReadonlyArray<Part>): Judgement => {
  if (worst === undefined || (found.commands.length === 0 && worst.decision === "allow" && found.writes.length === 0)) {
    return {
      decision: "ask",
      reason: text("It runs nothing that a rule could speak of.", "Elle n'exécute rien dont une règle puisse parler.")
    }
  }
  const isCovered = parts.length === 0 || parts.some(({ judged }) => judged.rule !== undefined)
  return worst.decision !== "allow" || isCovered ? withRule(worst, parts) : { decision: "ask", reason: NO_RULE }
}

/** An allowed command is told with the rule of its first part that has one. */
const withRule = (worst: Judgement, parts: ReadonlyArray<Part>): Judgement =>
  worst.decision !== "allow" || worst.rule !== undefined
    ? worst
    : (parts.find(({ judged }) => judged.rule !== undefined)?.judged ?? worst)

const NO_RULE = text("No rule speaks of it.", "Aucune règle n'en parle.")

const sentence = (reason: Text): Text =>
  text(
    `${reason.en[0]?.toUpperCase() ?? ""}${reason.en.slice(1)}.`,
    `${reason.fr[0]?.toUpperCase() ?? ""}${reason.fr.slice(1)}.`
  )

const allowedBy = ({ rule }: ParsedRule): Judgement => ({
  decision: "allow",
  rule,
  reason: text(`Allowed by ${rule.text}.`, `Autorisé par ${rule.text}.`)
})

const matchers = new WeakMap<ParsedRule, (command: string) => boolean>()

const matches = (rule: ParsedRule, pattern: string, command: string): boolean => {
  const known = matchers.get(rule) ?? commandPattern(pattern)
  matchers.set(rule, known)
  return known(command)
}

/** A deny or ask rule holds for any spelling. One that only may be meant (`isGuess`) asks. */
const forbiddenAs = (
  spellings: ReadonlyArray<string>,
  argvs: ReadonlyArray<ReadonlyArray<string>>,
  shown: string,
  isGuess: boolean,
  context: JudgeContext
): ReadonlyArray<Judgement> => {
  const { ignoreCase } = context.places
  for (const kind of ["deny", "ask"] as const) {
    const hit = findRule(
      context.rules,
      kind,
      ["Bash"],
      (pattern, rule) =>
        spellings.some((one) => matches(rule, ignoreCase ? pattern.toLowerCase() : pattern, one)) ||
        (pattern.includes(" -") && argvs.some((argv) => sameUse(pattern, argv)))
    )
    if (hit === undefined) continue
    const { rule } = hit
    const quoted = displaySubject(shown)
    return [
      kind === "deny" && !isGuess
        ? {
            decision: "deny",
            rule,
            reason: text(`"${quoted}" is denied by ${rule.text}.`, `« ${quoted} » est refusé par ${rule.text}.`)
          }
        : {
            decision: "ask",
            rule,
            reason: text(
              `${rule.text} wants to be asked for "${quoted}".`,
              `${rule.text} demande une confirmation pour « ${quoted} ».`
            )
          }
    ]
  }
  return []
}

/** A variable that the command itself has filled, or one of its own arguments, in the place of a flag. */
const mayHoldFlag = ({ words }: SimpleCommand, held: Analysis["held"]): boolean =>
  words.slice(1).some(({ leads = [] }) => leads.some((name) => held.get(name) ?? /^[@*\d]$/.test(name)))

/** A wide rule speaks of arguments that are written out: not of flags that a glob makes, nor of what xargs reads. */
const unseenArguments = (command: SimpleCommand, held: Analysis["held"]): Text | undefined => {
  const isFlag = command.words.some(({ isLiteral, value }, at) => at > 0 && !isLiteral && value.startsWith("-"))
  if (isFlag || (mayHoldFlag(command, held) && hasDangerousUses(command.words[0]?.value ?? ""))) {
    return text("One of its flags is not written out.", "Un de ses drapeaux n'est pas écrit en clair.")
  }
  const feeder = baseName(command.wrapper?.words[0]?.value ?? "")
  return feeder === "xargs" || feeder === "parallel"
    ? text(
        `${feeder} gives it arguments that cannot be seen here.`,
        `${feeder} lui donne des arguments invisibles ici.`
      )
    : undefined
}

/** The user's own words for this very command. */
const exactRule = (command: string, { rules }: JudgeContext): ParsedRule | undefined =>
  rules.find(
    ({ pattern, rule, tool }) =>
      rule.kind === "allow" &&
      tool === "Bash" &&
      pattern !== undefined &&
      pattern.trim() !== "" &&
      !pattern.includes("*") &&
      pattern.trim() === command &&
      !command.endsWith("\\")
  )

/** Programs that change nothing but the shell they run in: they need no rule beside others that have one. */
const HARMLESS = new Set(["cd", "true", "false", ":", "exit", "return", "break", "continue", "pwd"])

/** The same for any arguments: what in them would be evaluated, or set, is a concern of its own. */
const ASKS_ONLY = new Set(["test", "[", "read"])

const judgePart = (
  command: SimpleCommand,
  exact: ParsedRule | undefined,
  held: Analysis["held"],
  context: JudgeContext
): Part => {
  const worstFile = strictest(judgeArguments(command, context))
  const blocked = worstFile !== undefined && worstFile.decision !== "allow" ? worstFile : undefined
  const part = (judged: Judgement, byRule = false): Part => ({ judged, command, byRule })
  if (blocked?.decision === "deny") return part(blocked)
  if (exact !== undefined) return part(blocked?.rule === undefined ? allowedBy(exact) : blocked)
  const argv = command.words.map(({ value }) => value)
  const name = baseName(argv[0] ?? "")
  if (isTransparent(argv) && argv[0] === name) return part(blocked ?? { decision: "allow", reason: ONLY_RUNS })
  const spellings = allowSpellings(command)
  const rule = findRule(context.rules, "allow", ["Bash"], (pattern, parsed) =>
    spellings.some((one) => matches(parsed, pattern, one))
  )
  const isHarmless =
    argv[0] === name &&
    (ASKS_ONLY.has(name) || (HARMLESS.has(name) && command.words.every(({ isLiteral }) => isLiteral)))
  if (rule === undefined && !isHarmless) {
    if (blocked?.rule?.kind === "deny") return part(blocked)
    const shown = displaySubject(shownCommand(command))
    return part({
      decision: "ask",
      reason: text(`No rule allows "${shown}".`, `Aucune règle n'autorise « ${shown} ».`)
    })
  }
  if (rule === undefined) return part(blocked ?? { decision: "allow", reason: HARMLESS_REASON })
  const isWide = rule.pattern === undefined || rule.pattern.trim() === "" || rule.pattern.includes("*")
  if (!isWide) return part(blocked?.rule === undefined ? allowedBy(rule) : blocked)
  const danger = dangerousUse(argv)
  if (danger !== undefined && blocked?.rule === undefined && !namesUse(rule, danger.flag)) {
    return part(
      {
        decision: "ask",
        reason: text(
          `${danger.program} ${danger.flag}: ${danger.why.en}.`,
          `${danger.program} ${danger.flag} : ${danger.why.fr}.`
        )
      },
      true
    )
  }
  const unseen = unseenArguments(command, held)
  if (unseen !== undefined && blocked === undefined) return part({ decision: "ask", reason: unseen }, true)
  return part(blocked ?? allowedBy(rule), blocked !== undefined)
}

const ONLY_RUNS = text("It only runs another one.", "Elle ne fait qu'en lancer une autre.")
const HARMLESS_REASON = text("It is harmless.", "Elle est sans danger.")

/** `npm run *` names what makes it dangerous: the user's explicit choice. */
const namesUse = (rule: ParsedRule, flag: string): boolean => {
  const written = rule.pattern?.replace(/:\*$/, " *").split("*")[0] ?? ""
  return written.endsWith(" ") && written.trim().split(/\s+/).slice(1).includes(flag)
}
