/** `maia config`: effective values and where each comes from; the key is never shown. */
import { Effect, Redacted } from "effect"
import type { Config, Origin } from "../../config/Config.ts"
import { settingsKeys } from "../../config/settingsKeys.ts"
import { Output } from "../../process/stdout.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"

export interface ConfigFlags {
  readonly cwd: string | undefined
  readonly model: string | undefined
  readonly json: boolean
  readonly promptCost: boolean
}

interface Row {
  readonly key: string
  readonly value: unknown
  readonly origin: Origin
}

export const config = (flags: ConfigFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const effective = yield* configFor({ cwd: flags.cwd, model: flags.model })
      const output = yield* Output
      yield* reportErrors(effective.warnings)
      if (flags.promptCost) {
        const { promptCost } = yield* Effect.promise(() => import("./promptCost.ts"))
        return yield* promptCost(effective, flags.json)
      }
      const rows = settingRows(effective)
      if (flags.json) {
        yield* output.out(
          `${JSON.stringify({ launchFolder: effective.launchFolder, settings: rows, rules: effective.rules }, null, 2)}\n`
        )
        return 0
      }
      yield* output.out(`launch folder: ${effective.launchFolder}\n`)
      for (const { key, value, origin } of rows) {
        yield* output.out(`${key} = ${JSON.stringify(value) ?? "(not set)"}  (${describeOrigin(origin)})\n`)
      }
      for (const rule of effective.rules) {
        yield* output.out(`${rule.kind} ${rule.rule}  (${rule.line === 0 ? rule.file : `${rule.file}:${rule.line}`})\n`)
      }
      return 0
    })
  )

const settingRows = (effective: Config["Service"]): ReadonlyArray<Row> => {
  const rows: Array<Row> = []
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

const describeOrigin = (origin: Origin): string => {
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
