/** The model under examination, and the requests that are put to it: with its settings, as a turn would send them. Pure. */
import type { Config } from "../config/Config.ts"
import { modelSettings } from "../config/modelSettings.ts"
import type { ModelSettings } from "../config/settings.ts"
import type { LlmRequest, Sampling } from "../domain/llm.ts"

export interface Subject {
  readonly model: string
  readonly settings: ModelSettings
  /** Tokens; undefined: none is sent. */
  readonly outputLimit: number | undefined
}

export const subjectOf = (config: Config["Service"], model: string): Subject => {
  const settings = modelSettings(config.settings, model)
  return { model, settings, outputLimit: settings.maxOutputTokens ?? config.settings.MaxOutputTokens }
}

/** A request with one question; `extra` wins. */
export const requestTo = (subject: Subject, question: string, extra: Partial<LlmRequest> = {}): LlmRequest => ({
  model: subject.model,
  system: "",
  messages: [{ role: "user", text: question }],
  tools: [],
  sampling: samplingOf(subject.settings),
  ...(subject.outputLimit === undefined ? {} : { maxTokens: subject.outputLimit }),
  ...extra
})

const samplingOf = (settings: ModelSettings): Sampling => {
  const { temperature, topP, topK, minP, frequencyPenalty, presencePenalty, repeatPenalty } = settings
  const all = { temperature, topP, topK, minP, frequencyPenalty, presencePenalty, repeatPenalty }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** The key of `models` to put a setting of this model under. */
export const settingFor = (subject: Subject, setting: string): string => `"models": {"${subject.model}": {${setting}}}`
