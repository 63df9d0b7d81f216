/** Judges a path for reading or writing (spec 03, "Paths"): given and real path, the strictest counts. Pure. */
import { text } from "../domain/text.ts"
import { findRule, type JudgeContext, type Judgement } from "./judgement.ts"
import { absolutePath, displayPath, isInside, pathPattern } from "./paths.ts"
import type { ParsedRule } from "./rules.ts"
import { guardedPath } from "./secrets.ts"

export interface PathUse {
  /** Absolute. */
  readonly path: string
  /** Tools whose rules speak for it. */
  readonly tools: ReadonlyArray<string>
  /** Tools whose rules also forbid it: what may not be edited may not be overwritten either. */
  readonly forbiddenWith?: ReadonlyArray<string>
  readonly write: boolean
}

const compiled = new WeakMap<ParsedRule, (path: string) => boolean>()

const matcher = (rule: ParsedRule, pattern: string, context: JudgeContext): ((path: string) => boolean) => {
  const known = compiled.get(rule)
  if (known !== undefined) return known
  const made = pathPattern(pattern, context.places, rule.rule.kind !== "allow")
  compiled.set(rule, made)
  return made
}

/** Deny, then ask, then allow, then ask. */
export const judgePath = (use: PathUse, context: JudgeContext): Judgement => {
  const { facts, places, rules } = context
  const real = facts.real(use.path)
  const both = real === use.path ? [real] : [real, use.path]
  const hit = (kind: "allow" | "ask" | "deny") =>
    findRule(
      rules,
      kind,
      kind === "allow" ? use.tools : [...use.tools, ...(use.forbiddenWith ?? [])],
      (pattern, rule) => {
        const matches = matcher(rule, pattern, context)
        // What forbids holds for either name; what allows must hold for the file it really is.
        return kind === "allow" ? matches(real) : both.some(matches)
      }
    )
  const shown = displayPath(use.path, places)
  const denied = hit("deny")
  if (denied !== undefined) {
    return {
      decision: "deny",
      rule: denied.rule,
      reason: text(`${shown} is denied by ${denied.rule.text}.`, `${shown} est refusé par ${denied.rule.text}.`)
    }
  }
  const asked = hit("ask")
  if (asked !== undefined) {
    return {
      decision: "ask",
      rule: asked.rule,
      reason: text(`${asked.rule.text} wants to be asked.`, `${asked.rule.text} demande une confirmation.`)
    }
  }
  if (!use.write && isInside(real, places.outputDir)) {
    return {
      decision: "allow",
      reason: text("It is an output that maia kept.", "C'est une sortie conservée par maia.")
    }
  }
  const allowed = hit("allow")
  const guard = guardedPath(real, places, use.write) ?? guardedPath(use.path, places, use.write)
  if (guard !== undefined && !(allowed !== undefined && namesIt(allowed))) {
    return { decision: "ask", reason: text(`${shown}: ${guard.en}.`, `${shown} : ${guard.fr}.`) }
  }
  if (!isInside(real, places.launchFolder) && !(allowed !== undefined && reachesOutside(allowed))) {
    return {
      decision: "ask",
      reason: text(`${shown} is outside the launch folder.`, `${shown} est hors du dossier de lancement.`)
    }
  }
  if (allowed !== undefined) {
    return {
      decision: "allow",
      rule: allowed.rule,
      reason: text(`Allowed by ${allowed.rule.text}.`, `Autorisé par ${allowed.rule.text}.`)
    }
  }
  return { decision: "ask", reason: text("No rule speaks of it.", "Aucune règle n'en parle.") }
}

/** The last part of the pattern is written out: the user meant this very file. */
const namesIt = ({ pattern }: ParsedRule): boolean =>
  pattern !== undefined && !/[*?[{]/.test(pattern.slice(pattern.lastIndexOf("/") + 1)) && pattern.trim() !== ""

/** Only a rule that says an absolute path or the home speaks of what is outside. */
const reachesOutside = ({ pattern }: ParsedRule): boolean =>
  pattern !== undefined && (pattern.trim().startsWith("/") || pattern.trim().startsWith("~"))

/** Absolute path of a path argument of a tool. */
export const toolPath = (given: unknown, context: JudgeContext): string =>
  absolutePath(typeof given === "string" && given !== "" ? given : ".", context.places)
