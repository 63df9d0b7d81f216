/** Judges any call: which rules speak of it, and what they say (spec 03). Pure but for the facts it is handed. */
import { text } from "../domain/text.ts"
import { displaySubject } from "./display.ts"
import { findRule, strictest, type Judge, type JudgeContext, type Judged } from "./judgement.ts"
import { judgeBash } from "./judgeBash.ts"
import { judgePath, toolPath } from "./judgePath.ts"
import type { PermissionCall, PermissionMode } from "./Permissions.ts"
import { displayPath, isInside } from "./paths.ts"
import { wildcard } from "./rules.ts"
import { guardedPath } from "./secrets.ts"

/** Deny, then ask, then allow, then the tool's own default. */
export const judge: Judge = (call, context) => {
  switch (call.tool) {
    case "Bash":
      return judgeBash(call, context)
    case "Read":
    case "Glob":
    case "Grep":
      return judgeFile(call, context, [call.tool], false)
    case "Write":
    case "Edit":
      return judgeFile(call, context, [call.tool], true)
    case "WebFetch":
      return judgeWebFetch(call, context)
    default:
      return judgeByValue(call, context)
  }
}

const judgeFile = (
  call: PermissionCall,
  context: JudgeContext,
  tools: ReadonlyArray<string>,
  write: boolean
): Judged => {
  const path = toolPath(call.input["path"], context)
  const shown = displayPath(path, context.places)
  const judged = judgePath({ path, tools, write }, context)
  // What may not be read may not be listed or searched either.
  const reading =
    write || call.tool === "Read" ? undefined : judgePath({ path, tools: ["Read"], write: false }, context)
  const strict = reading?.decision === "deny" ? reading : judged
  const isFolder = call.tool === "Glob" || call.tool === "Grep"
  const pattern = isFolder ? (shown === "." ? "**" : `${shown}/**`) : shown
  return {
    ...strict,
    subject: displaySubject(shown),
    suggestions: strict.decision === "allow" ? [] : [`${call.tool}(${pattern})`]
  }
}

const judgeWebFetch = (call: PermissionCall, context: JudgeContext): Judged => {
  const url = typeof call.input["url"] === "string" ? call.input["url"] : ""
  const host = hostOf(url)
  const matches = (pattern: string) => {
    const domain = pattern
      .trim()
      .replace(/^domain:/, "")
      .toLowerCase()
    return host !== undefined && wildcard(domain)(host)
  }
  const page = judgeWith(context, ["WebFetch"], matches, "ask")
  const output = call.input["output"]
  const saved =
    typeof output === "string" && output !== ""
      ? [judgePath({ path: toolPath(output, context), tools: ["Write"], write: true }, context)]
      : []
  const worst = strictest([page, ...saved]) ?? page
  return {
    ...worst,
    subject: displaySubject(url),
    suggestions: worst.decision === "allow" || host === undefined ? [] : [`WebFetch(domain:${host})`]
  }
}

const hostOf = (url: string): string | undefined => {
  try {
    return new URL(url).hostname.toLowerCase().replace(/\.$/, "")
  } catch {
    return undefined
  }
}

/** Custom tools, MCP tools, skills and agents: a text value of the input. */
const judgeByValue = (call: PermissionCall, context: JudgeContext): Judged => {
  const values = Object.values(call.input).flatMap((value) =>
    typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? [String(value)] : []
  )
  const judged = judgeWith(context, [call.tool], (pattern) => values.some(wildcard(pattern)), call.fallback)
  const [first] = values
  const suggestions = [
    ...(first === undefined || first.length > 100 || /[\n()]/.test(first) ? [] : [`${call.tool}(${first})`]),
    call.tool
  ]
  return {
    ...judged,
    subject: displaySubject(values.join(" ")),
    suggestions: judged.decision === "allow" ? [] : suggestions
  }
}

const judgeWith = (
  context: JudgeContext,
  tools: ReadonlyArray<string>,
  matches: (pattern: string) => boolean,
  fallback: "auto" | "ask"
) => {
  for (const kind of ["deny", "ask", "allow"] as const) {
    const hit = findRule(context.rules, kind, tools, matches)
    if (hit === undefined) continue
    const { rule } = hit
    const reason =
      kind === "deny"
        ? text(`Denied by ${rule.text}.`, `Refusé par ${rule.text}.`)
        : kind === "ask"
          ? text(`${rule.text} wants to be asked.`, `${rule.text} demande une confirmation.`)
          : text(`Allowed by ${rule.text}.`, `Autorisé par ${rule.text}.`)
    return { decision: kind, rule, reason }
  }
  return fallback === "auto"
    ? {
        decision: "allow" as const,
        reason: text("It touches nothing outside maia.", "Il ne touche à rien hors de maia.")
      }
    : { decision: "ask" as const, reason: text("No rule speaks of it.", "Aucune règle n'en parle.") }
}

const READING = new Set(["Read", "Glob", "Grep", "WebFetch"])

/** What a mode makes of a decision (spec 03, "Modes"). Rules that deny hold in all. */
export const applyMode = (
  judged: Judged,
  call: PermissionCall,
  mode: PermissionMode,
  context: JudgeContext
): Judged => {
  if (judged.decision === "deny" || mode === "ask") return judged
  if (mode === "auto") {
    return judged.decision === "allow"
      ? judged
      : {
          ...judged,
          decision: "allow",
          reason: text("Mode auto says yes to every question.", "Le mode auto accepte toute question.")
        }
  }
  if (mode === "plan") {
    if (READING.has(call.tool) || call.fallback === "auto") return judged
    const reason = text(
      "Mode plan only reads: propose the change.",
      "Le mode plan ne fait que lire : proposez le changement."
    )
    return { ...judged, decision: "deny", reason }
  }
  if (judged.decision === "allow" || judged.rule !== undefined || (call.tool !== "Write" && call.tool !== "Edit"))
    return judged
  const path = context.facts.real(toolPath(call.input["path"], context))
  if (!isInside(path, context.places.launchFolder) || guardedPath(path, context.places, true) !== undefined)
    return judged
  return {
    ...judged,
    decision: "allow",
    reason: text("Mode accept-edits allows it.", "Le mode accept-edits l'autorise.")
  }
}
