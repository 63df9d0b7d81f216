/**
 * How long an answer is waited for (spec 01, "Watchdog"). A server at home reads a long prompt for minutes, in silence where a
 * proxy stands in front of it: it gets the time its processor needs. Pure.
 */
import { modelSettings } from "../config/modelSettings.ts"
import type { Settings } from "../config/settings.ts"
import type { LlmRequest } from "../domain/llm.ts"
import { isLocal } from "./serverUrl.ts"
import type { Patience } from "./watchdog.ts"

/** Seconds without a byte in models that think in silence. */
const SILENT_IDLE = 300
/** Characters that a slow processor reads in a second: 20 tokens. */
const READ_SLOWLY = 80

export const patienceFor = (settings: Settings, request: LlmRequest): Patience => {
  const times = request.patience ?? 1
  const isSilent = modelSettings(settings, request.model).silentReasoning === true
  const idle = isSilent ? Math.max(settings.idleTimeout, SILENT_IDLE) : settings.idleTimeout
  const reading = isLocal(settings.LiteLLM_URL ?? "") ? Math.ceil(lengthOf(request) / READ_SLOWLY) : 0
  return { first: Math.max(settings.firstTokenTimeout, reading) * times, idle: idle * times }
}

/** Characters of the prompt; images and files are not counted. */
const lengthOf = ({ messages, system, tools }: LlmRequest): number =>
  messages.reduce((sum, message) => sum + message.text.length, system.length) +
  tools.reduce((sum, tool) => sum + tool.description.length + JSON.stringify(tool.parameters).length, 0)
