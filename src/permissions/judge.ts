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
    case "lsp":
      // It says of a file what Read would show.
      return judgeFile(call, context, ["lsp", "Read"], false)
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
  const judged = judgePath({ path, tools, write, ...(write ? { forbiddenWith: ["Write", "Edit"] } : {}) }, context)
  // What may not be read may not be listed or searched either.
  const reading =
    write || call.tool === "Read" ? undefined : judgePath({ path, tools: ["Read"], write: false }, context)
  const strict =
    reading?.decision === "deny" || (reading?.rule?.kind === "ask" && judged.decision === "allow") ? reading : judged
  const isFolder = call.tool === "Glob" || call.tool === "Grep"
  const pattern = isFolder ? (shown === "." ? "**" : `${shown}/**`) : shown
  return {
    ...strict,
    subject: displaySubject(shown),
    realPath: context.facts.real(path),
    suggestions: strict.decision === "allow" ? [] : [`${call.tool}(${pattern})`]
  }
}

const judgeWebFetch = (call: PermissionCall, context: JudgeContext): Judged => {
  const url = typeof call.input["url"] === "string" ? call.input["url"] : ""
  const host = hostOf(url)
  // A pattern without `domain:` can only forbid: it says a URL, or a host all the same.
  const matches = (pattern: string, forbids: boolean) => {
    const isDomain = pattern.trim().startsWith("domain:")
    const fits = host !== undefined && wildcard(canonicalHost(pattern.trim().replace(/^domain:/, "")))(host)
    return fits || (forbids && !isDomain && wildcard(pattern.trim())(url))
  }
  const page = judgeWith(context, ["WebFetch"], matches, "ask")
  const output = call.input["output"]
  const saved =
    typeof output === "string" && output !== ""
      ? [
          judgePath(
            { path: toolPath(output, context), tools: ["Write"], write: true, forbiddenWith: ["Edit"] },
            context
          )
        ]
      : []
  const worst = strictest([page, ...saved]) ?? page
  return {
    ...worst,
    subject: displaySubject(url),
    suggestions: worst.decision === "allow" || host === undefined ? [] : [`WebFetch(domain:${host})`]
  }
}

const hostOf = (url: string): string | undefined => URL.parse(url)?.hostname.replace(/\.$/, "")

/** A rule's host as a URL would write it: lower case, Punycode, brackets around IPv6, no last dot. */
const canonicalHost = (pattern: string): string => {
  const host = pattern.trim().toLowerCase().replace(/\.$/, "")
  if (host.includes("*")) return host
  const bracketed = host.includes(":") && !host.startsWith("[") ? `[${host}]` : host
  return hostOf(`http://${bracketed}/`) ?? host
}

/** Tools whose rules name one thing: the parameter that says it. No other value may stand in for it. */
const NAMED_BY: Readonly<Record<string, string>> = { Agent: "agent", Skill: "name" }

/** `mcp__server` speaks for every tool of that server, `mcp__server__tool` for one. */
const rulesFor = (tool: string): ReadonlyArray<string> => {
  const server = /^mcp__.+?(?=__)/.exec(tool)?.[0]
  return server === undefined ? [tool] : [tool, server]
}

/** Custom tools, MCP tools, skills and agents: a text value of the input. */
const judgeByValue = (call: PermissionCall, context: JudgeContext): Judged => {
  const values = textsIn(Object.values(call.input), 0)
  const names = NAMED_BY[call.tool]
  const judgedBy = names === undefined ? Object.values(call.input) : [call.input[names]]
  // What forbids also looks inside lists and objects; what allows must fit a value that is plain to see.
  const deep = textsIn(judgedBy, 0)
  const plain = judgedBy.flatMap((value) => textsIn(value, MAX_DEPTH))
  const judged = judgeWith(
    context,
    rulesFor(call.tool),
    (pattern, forbids) => (forbids ? deep : plain).some(wildcard(pattern)),
    call.fallback
  )
  const [first] = plain
  const suggestions = [
    ...(first === undefined || first.length > 100 || /[\n()*]/.test(first) ? [] : [`${call.tool}(${first})`]),
    ...rulesFor(call.tool)
  ]
  return {
    ...judged,
    subject: displaySubject(values.join(" ")),
    suggestions: judged.decision === "allow" ? [] : suggestions
  }
}

/** Lists and objects deeper than this are not looked into. */
const MAX_DEPTH = 8

/** Text, numbers as text; what lists and objects hold, down to `MAX_DEPTH`. */
const textsIn = (value: unknown, depth: number): ReadonlyArray<string> => {
  if (typeof value === "string") return [value]
  if (typeof value === "number" || typeof value === "boolean") return [String(value)]
  if (depth >= MAX_DEPTH || typeof value !== "object" || value === null) return []
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1))
}

const judgeWith = (
  context: JudgeContext,
  tools: ReadonlyArray<string>,
  matches: (pattern: string, forbids: boolean) => boolean,
  fallback: "auto" | "ask"
) => {
  for (const kind of ["deny", "ask", "allow"] as const) {
    const hit = findRule(context.rules, kind, tools, (pattern) => matches(pattern, kind !== "allow"))
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

/** What a sub-agent does is judged call by call, in the same mode. */
const READING = new Set(["Read", "Glob", "Grep", "WebFetch", "Agent", "lsp"])

/** What a mode makes of a decision (spec 03, "Modes"). Rules that deny hold in all. */
export const applyMode = (
  judged: Judged,
  call: PermissionCall,
  mode: PermissionMode,
  context: JudgeContext
): Judged => {
  if (judged.decision === "deny" || mode === "ask") return judged
  if (mode === "auto") {
    return judged.decision === "allow" || judged.mayBeDenied === true
      ? judged
      : {
          ...judged,
          decision: "allow",
          reason: text("Mode auto says yes to every question.", "Le mode auto accepte toute question.")
        }
  }
  if (mode === "plan") {
    const saves = call.tool === "WebFetch" && typeof call.input["output"] === "string" && call.input["output"] !== ""
    if ((READING.has(call.tool) && !saves) || call.fallback === "auto") return judged
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
