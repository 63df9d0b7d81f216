/** Settings of one model: all matching patterns, the most precise one winning key by key. Pure. */
import type { ModelSettings, Settings } from "./settings.ts"

const matches = (pattern: string, model: string): boolean => {
  const parts = pattern.toLowerCase().split("*")
  const name = model.toLowerCase()
  const first = parts[0] ?? ""
  if (parts.length === 1) return name === first
  if (!name.startsWith(first)) return false
  let at = first.length
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  const last = parts.at(-1) ?? ""
  return name.length - last.length >= at && name.endsWith(last)
}

/** Characters that are not `*`: the more of them, the more precise the pattern. */
const precision = (pattern: string): number => pattern.replaceAll("*", "").length + (pattern.includes("*") ? 0 : 1000)

/** Case is ignored; `*` matches anything. */
export const modelSettings = (settings: Settings, model: string): ModelSettings =>
  Object.entries(settings.models)
    .filter(([pattern]) => matches(pattern, model))
    .sort(([left], [right]) => precision(left) - precision(right))
    .reduce<ModelSettings>((merged, [, value]) => ({ ...merged, ...value }), {})

/** `litellm:NAME` and `NAME` are the same model; the name may hold `:` and `/`. */
export const modelName = (spec: string): string => spec.trim().replace(/^litellm:/, "")
