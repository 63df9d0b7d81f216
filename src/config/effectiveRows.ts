/** The effective settings as rows of key, value and origin, for people; the key is never shown. Pure. */
import { Redacted } from "effect"
import type { Config, Origin } from "./Config.ts"
import { settingsKeys } from "./settingsKeys.ts"

export interface EffectiveRow {
  readonly key: string
  readonly value: unknown
  readonly origin: Origin
}

export const effectiveRows = (effective: Config["Service"]): ReadonlyArray<EffectiveRow> => {
  const rows: Array<EffectiveRow> = []
  for (const key of Object.keys(settingsKeys)) {
    if (key.startsWith("permissions.")) continue
    rows.push({ key, value: valueOf(effective, key), origin: effective.origins.get(key) ?? { from: "default" } })
  }
  for (const [pattern, settings] of Object.entries(effective.settings.models)) {
    for (const [name, value] of Object.entries(settings)) {
      const key = `models."${pattern}".${name}`
      rows.push({ key, value, origin: effective.origins.get(key) ?? { from: "default" } })
    }
  }
  return rows
}

const valueOf = (effective: Config["Service"], key: string): unknown => {
  if (key === "LiteLLM_API_Key")
    return effective.apiKey === undefined ? undefined : mask(Redacted.value(effective.apiKey))
  if (key === "language") return effective.language
  let value: unknown = effective.settings
  for (const name of key.split(".")) value = Object(value)[name]
  return value
}

/** Enough to tell two keys apart, never enough to use one. */
const mask = (key: string): string => (key.length < 16 ? "****" : `${key.slice(0, 3)}…${key.slice(-2)} (masked)`)

/** `default`, the flag, the variable, or file and line. */
export const describeOrigin = (origin: Origin): string => {
  switch (origin.from) {
    case "default":
      return "default"
    case "flag":
      return origin.name
    case "environment":
      return `environment ${origin.name}`
    case "file":
      return `${origin.file}:${origin.line}`
  }
}
