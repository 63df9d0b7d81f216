/** The permission rules of an agent's header: `ask` and `deny` only, since they can only tighten (spec 08). Pure. */
import { Predicate } from "effect"
import { isRule } from "../../config/ruleForm.ts"
import type { PlainField } from "../plainYaml.ts"
import type { AgentRule } from "./definition.ts"

type Warn = (en: string, fr: string) => void

export const readRules = (field: PlainField, warn: Warn): ReadonlyArray<AgentRule> => {
  if (!Predicate.isObject(field.value) || Array.isArray(field.value)) {
    warn(
      "permissions: expected lists deny and ask; it is ignored",
      "permissions : des listes deny et ask sont attendues ; ignoré"
    )
    return []
  }
  return Object.entries(field.value).flatMap(([key, value]) => readList(key.toLowerCase(), value, field.line, warn))
}

const readList = (kind: string, value: unknown, line: number, warn: Warn): ReadonlyArray<AgentRule> => {
  if (value === null) return []
  if (kind === "allow") {
    warn(
      "permissions.allow is ignored: a sub-agent may not do more than the main agent. Put the rule into settings.json",
      "permissions.allow est ignoré : un sous-agent ne peut pas faire plus que l'agent principal. Mettez la règle dans settings.json"
    )
    return []
  }
  if (kind !== "ask" && kind !== "deny") {
    warn(
      `permissions.${kind} is unknown (expected deny, ask); it is ignored`,
      `permissions.${kind} est inconnu (deny, ask attendus) ; ignoré`
    )
    return []
  }
  const items: ReadonlyArray<unknown> = Array.isArray(value) ? value : [value]
  return items.flatMap((item) => {
    const rule = typeof item === "string" ? item.trim() : ""
    if (isRule(rule)) return [{ kind, text: rule, line }]
    const shown = JSON.stringify(item)
    warn(
      `permissions.${kind}: ${shown} is no rule (expected Tool or Tool(pattern)); it is ignored`,
      `permissions.${kind} : ${shown} n'est pas une règle (Outil ou Outil(motif) attendu) ; ignorée`
    )
    return []
  })
}
