/** Judges a shell command (spec 03): every program it would run, every file it would write, one by one. Pure. */
import { text, type Text } from "../domain/text.ts"
import { findRule, strictest, type Judge, type JudgeContext, type Judgement } from "./judgement.ts"
import { judgePath } from "./judgePath.ts"
import { displaySubject } from "./display.ts"
import { absolutePath, isInside } from "./paths.ts"
import { commandPattern, type ParsedRule } from "./rules.ts"
import { guardedPath } from "./secrets.ts"
import { analyse, type FileTarget, type SimpleCommand } from "./shell/analyse.ts"
import { dangerousUse } from "./shell/dangerousUse.ts"
import { baseName, TRANSPARENT } from "./shell/wrappers.ts"

export const judgeBash: Judge = (call, context) => {
  const command = typeof call.input["command"] === "string" ? call.input["command"] : ""
  const subject = displaySubject(command)
  if (context.parser === undefined) {
    return { decision: "ask", reason: text("The parser is missing.", "L'analyseur manque."), subject, suggestions: [] }
  }
  const found = analyse(command, context.parser)
  const whole: SimpleCommand = {
    words: [],
    text: command.trim(),
    source: command.trim(),
    wrapper: undefined,
    folder: "."
  }
  const parts: Array<Judgement> = [
    ...forbidden([whole, ...found.commands], context),
    ...found.commands.map((part) => judgeCommand(part, context)),
    ...found.writes.map((target) => judgeTarget(target, true, context)),
    ...found.reads.map((target) => judgeTarget(target, false, context)),
    ...found.concerns.map((concern): Judgement => ({ decision: "ask", reason: sentence(concern) }))
  ]
  const exact = exactRule(command, context)
  const worst = strictest(parts)
  // The user's own words for this very command count for all but what rules forbid, and for its redirections.
  const redirects = found.writes.length > 0
  if (
    exact !== undefined &&
    worst?.decision !== "deny" &&
    !redirects &&
    worst?.rule === undefined &&
    found.concerns.every((concern) => concern.en !== SYNTAX)
  ) {
    return { ...allowedBy(exact), subject, suggestions: [] }
  }
  const verdict: Judgement = worst ?? {
    decision: "ask",
    reason: text("It runs nothing that a rule could speak of.", "Elle n'exécute rien dont une règle puisse parler.")
  }
  return {
    ...verdict,
    subject,
    suggestions: verdict.decision === "allow" ? [] : suggestions(command, found.commands, parts)
  }
}

const SYNTAX = "the command does not parse"

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

/** A deny or ask rule holds for any spelling: as written, de-quoted, without its folder, without assignments. */
const spellings = (command: SimpleCommand): ReadonlyArray<string> => {
  const [program, ...rest] = command.words
  const plain =
    program === undefined ? command.text : [baseName(program.value), ...rest.map(({ value }) => value)].join(" ")
  return [...new Set([command.text, command.source, plain])]
}

const forbidden = (commands: ReadonlyArray<SimpleCommand>, context: JudgeContext): ReadonlyArray<Judgement> => {
  const found: Array<Judgement> = []
  for (const kind of ["deny", "ask"] as const) {
    for (const command of commands) {
      const all = spellings(command)
      const hit = findRule(context.rules, kind, ["Bash"], (pattern, rule) =>
        all.some((one) => matches(rule, pattern, one))
      )
      if (hit === undefined) continue
      const shown = displaySubject(command.text)
      found.push({
        decision: kind,
        rule: hit.rule,
        reason:
          kind === "deny"
            ? text(`"${shown}" is denied by ${hit.rule.text}.`, `« ${shown} » est refusé par ${hit.rule.text}.`)
            : text(
                `${hit.rule.text} wants to be asked for "${shown}".`,
                `${hit.rule.text} demande une confirmation pour « ${shown} ».`
              )
      })
    }
  }
  return found
}

const exactRule = (command: string, { rules }: JudgeContext): ParsedRule | undefined =>
  rules.find(
    ({ pattern, rule, tool }) =>
      rule.kind === "allow" &&
      tool === "Bash" &&
      pattern !== undefined &&
      !pattern.includes("*") &&
      pattern.trim() === command.trim()
  )

/** Programs that change nothing but the shell they run in. */
const HARMLESS = new Set(["cd", "true", "false", ":"])

const judgeCommand = (command: SimpleCommand, context: JudgeContext): Judgement => {
  const files = fileArguments(command, context)
  const worstFile = strictest(files)
  if (worstFile?.decision === "deny") return worstFile
  const [program] = command.words
  const name = baseName(program?.value ?? "")
  if (isTransparent(command))
    return (
      worstFile ?? {
        decision: "allow",
        reason: text("It only runs another one.", "Elle ne fait qu'en lancer une autre.")
      }
    )
  const rule = findRule(context.rules, "allow", ["Bash"], (pattern, parsed) => matches(parsed, pattern, command.text))
  const isHarmless =
    HARMLESS.has(name) && command.folder !== undefined && command.words.every(({ isLiteral }) => isLiteral)
  if (rule === undefined && !isHarmless) {
    return {
      decision: "ask",
      reason: text(
        `No rule allows "${displaySubject(command.text)}".`,
        `Aucune règle n'autorise « ${displaySubject(command.text)} ».`
      )
    }
  }
  const isWide = rule === undefined || rule.pattern === undefined || rule.pattern.includes("*")
  const danger = isWide ? dangerousUse(command.words.map(({ value }) => value)) : undefined
  if (danger !== undefined && !namesUse(rule, danger.flag)) {
    return {
      decision: "ask",
      reason: text(
        `${danger.program} ${danger.flag}: ${danger.why.en}.`,
        `${danger.program} ${danger.flag} : ${danger.why.fr}.`
      )
    }
  }
  if (worstFile !== undefined && (isWide || worstFile.rule !== undefined)) return worstFile
  return rule === undefined
    ? { decision: "allow", reason: text(`${name} is harmless.`, `${name} est sans danger.`) }
    : allowedBy(rule)
}

/** `npm run *` names what makes it dangerous: the user's explicit choice. */
const namesUse = (rule: ParsedRule | undefined, flag: string): boolean => {
  const written = rule?.pattern?.replace(/:\*$/, " *").split("*")[0] ?? ""
  return written.endsWith(" ") && written.trim().split(/\s+/).slice(1).includes(flag)
}

/** The rule for the command inside is enough. */
const isTransparent = (command: SimpleCommand): boolean => {
  const [program, second] = command.words
  if (program === undefined || !program.isLiteral || !TRANSPARENT.has(program.value)) return false
  return (
    second !== undefined && command.words.length > 1 && !(program.value === "command" && /^-[vV]/.test(second.value))
  )
}

const judgeTarget = (target: FileTarget, write: boolean, context: JudgeContext): Judgement => {
  const path = resolve(target.path, target.folder, context)
  if (path === undefined) {
    return {
      decision: "ask",
      reason: text(
        "It is not known which file it would write or read.",
        "On ne sait pas quel fichier elle écrirait ou lirait."
      )
    }
  }
  const judged = judgePath({ path, tools: write ? ["Write", "Edit"] : ["Read"], write }, context)
  // Reading by `<` needs no rule of its own inside the folder; what forbids holds.
  if (!write && judged.decision === "ask" && judged.rule === undefined && isPlain(path, context)) {
    return { decision: "allow", reason: judged.reason }
  }
  return judged
}

const isPlain = (path: string, context: JudgeContext): boolean => {
  const real = context.facts.real(path)
  return isInside(real, context.places.launchFolder) && guardedPath(real, context.places, false) === undefined
}

const resolve = (path: string | undefined, folder: string | undefined, context: JudgeContext): string | undefined => {
  if (path === undefined) return undefined
  if (path.startsWith("/") || path === "~" || path.startsWith("~/")) return absolutePath(path, context.places)
  return folder === undefined ? undefined : absolutePath(path, context.places, absolutePath(folder, context.places))
}

const WALKS = new Set(["rg", "ag", "ack", "tar", "zip", "rsync", "scp", "find", "fd", "du", "git"])

/** Read rules hold for what a command names, whatever the command is (field case C19). */
const fileArguments = (command: SimpleCommand, context: JudgeContext): ReadonlyArray<Judgement> => {
  const found: Array<Judgement> = []
  const guarded = context.rules.some(
    ({ rule, tool }) => rule.kind !== "allow" && (tool === "Read" || tool === "Edit" || tool === "Write")
  )
  const [program, ...words] = command.words
  const name = baseName(program?.value ?? "")
  const isCd = name === "cd" || name === "pushd"
  for (const word of words) {
    if (word.isPattern || !word.isLiteral) {
      const risky = guarded || /(?:^|\/)\.[^./]*[*?[{]|\.(?:pem|key)$|id_[a-z0-9]*[*?[{]|\.env/.test(word.value)
      if (risky) {
        found.push({
          decision: "ask",
          reason: text(
            `"${displaySubject(word.value)}" may name a guarded file.`,
            `« ${displaySubject(word.value)} » peut désigner un fichier protégé.`
          )
        })
      }
      continue
    }
    for (const candidate of pathsIn(word.value)) {
      const judged = judgeWord(candidate, command.folder, isCd, context)
      if (judged !== undefined) found.push(judged)
    }
  }
  const recursive =
    WALKS.has(name) || words.some(({ value }) => value === "--recursive" || /^-[A-Za-z]*[rR][A-Za-z]*$/.test(value))
  const hasReadRule = context.rules.some(({ rule, tool }) => rule.kind !== "allow" && tool === "Read")
  const shows =
    name !== "git" || words.some(({ value }) => /^(?:grep|archive|show|cat-file|diff|log|blame)$/.test(value))
  const onlyNames = (name === "find" && !words.some(({ value }) => /^-(?:exec|ok)/.test(value))) || name === "du"
  if (hasReadRule && recursive && shows && !onlyNames) {
    found.push({
      decision: "ask",
      reason: text(
        `${name} may read files that rules guard.`,
        `${name} peut lire des fichiers protégés par des règles.`
      )
    })
  }
  return found
}

/** A word, the value of `--flag=value`, and what stands behind `REV:` for git. */
const pathsIn = (word: string): ReadonlyArray<string> => {
  const value = /^--?[A-Za-z][\w-]*=(.+)$/.exec(word)?.[1]
  if (value !== undefined) return [value]
  if (word.startsWith("-")) return []
  const behind = /^[\w./~^@{}-]+:(.+)$/.exec(word)?.[1]
  return behind === undefined || word.includes("://") ? [word] : [word, behind]
}

/** Undefined where the word is no file, or one that nothing guards. */
const judgeWord = (
  word: string,
  folder: string | undefined,
  isFolderChange: boolean,
  context: JudgeContext
): Judgement | undefined => {
  if (word === "" || word.length > 4_096 || word.includes("\n")) return undefined
  const path = resolve(word, folder, context)
  if (path === undefined) {
    return folder === undefined && looksLikePath(word)
      ? {
          decision: "ask",
          reason: text("The folder it runs in is not known.", "Le dossier où elle s'exécute n'est pas connu.")
        }
      : undefined
  }
  if (path.startsWith("/dev/") || path.startsWith("/proc/self/fd/")) return undefined
  const judged = judgePath({ path, tools: ["Read"], write: false }, context)
  if (judged.decision === "deny" || judged.rule?.kind === "ask") return judged
  const changed = judgePath({ path, tools: ["Edit", "Write"], write: true }, context)
  if (changed.decision === "deny") return { ...changed, decision: "ask" }
  const real = context.facts.real(path)
  const isThere = context.facts.exists(path)
  if (
    guardedPath(real, context.places, false) !== undefined &&
    (isThere || looksLikePath(word)) &&
    judged.decision !== "allow"
  )
    return judged
  const isOutside = !isInside(real, context.places.launchFolder)
  if (!isOutside || judged.decision === "allow") return undefined
  // A word that only looks like a path (`/foo/d`, `s/a/b/`) names nothing; a folder change out of the project is one.
  return isThere || isFolderChange || /^(?:~|\.\.)(?:\/|$)/.test(word) ? judged : undefined
}

const looksLikePath = (word: string): boolean => /[/.]/.test(word)

/** Rules an "always" could write: the exact command, then a wider one where that is reasonable. */
const suggestions = (
  command: string,
  commands: ReadonlyArray<SimpleCommand>,
  parts: ReadonlyArray<Judgement>
): ReadonlyArray<string> => {
  if (parts.some(({ decision, rule }) => decision === "deny" || rule?.kind === "ask")) return []
  const single = command.trim()
  const found = single.includes("\n") || single.length > 200 ? [] : [`Bash(${single})`]
  const [only] = commands
  if (commands.length !== 1 || only === undefined || only.words.length < 2) return found
  const [program, sub] = only.words
  if (program === undefined || sub === undefined || !WIDENED.has(program.value)) return found
  if (!/^[a-z][\w-]*$/.test(sub.value)) return found
  return [...found, `Bash(${program.value} ${sub.value} *)`]
}

/** Programs whose first word says what they do. */
const WIDENED = new Set([
  "git",
  "npm",
  "bun",
  "pnpm",
  "yarn",
  "cargo",
  "go",
  "make",
  "docker",
  "kubectl",
  "gh",
  "dotnet",
  "mvn",
  "gradle"
])
