/** The parent's settings as the `Config` of the process that plays a sub-agent. */
import { Redacted } from "effect"
import type { Config, ExtensionSettings } from "../../../config/Config.ts"
import type { Settings } from "../../../config/settings.ts"
import type { Start } from "../protocol.ts"

export interface ProcessFacts {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly platform: NodeJS.Platform
  readonly version: string
}

export const toConfig = ({ config, maxIterations, model }: Start, facts: ProcessFacts): Config["Service"] => {
  const { apiKey, extensionSettings, settings, ...places } = config
  return {
    ...places,
    ...facts,
    // Both come from the same build, over a pipe that nobody else has: what it checked once holds.
    settings: { ...(settings as Settings), model, maxIterations },
    extensionSettings: extensionSettings as ReadonlyArray<ExtensionSettings>,
    apiKey: apiKey === undefined ? undefined : Redacted.make(apiKey, { label: "LiteLLM_API_Key" }),
    origins: new Map(),
    rules: [],
    warnings: []
  }
}
