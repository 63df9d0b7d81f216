/** The model under examination, and the requests that are put to it: with its settings, as a turn would send them. Pure. */
import type { Config } from "../config/Config.ts"
import { modelSettings } from "../config/modelSettings.ts"
import type { ModelSettings } from "../config/settings.ts"
import type { LlmRequest, Sampling } from "../domain/llm.ts"

export interface Subject {
  readonly model: string
  /** It was seen to reason: its answers need room. */
  readonly reasons?: boolean
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

/** Tokens of an answer that needs one line. */
const BRIEF = 512

/** An output limit for short answers, so that a model that rambles does not use up the check's time. */
export const briefly = ({ outputLimit, reasons }: Subject): Pick<LlmRequest, "maxTokens"> =>
  reasons === true ? {} : { maxTokens: Math.min(outputLimit ?? BRIEF, BRIEF) }

const samplingOf = (settings: ModelSettings): Sampling => {
  const { temperature, topP, topK, minP, frequencyPenalty, presencePenalty, repeatPenalty } = settings
  const all = { temperature, topP, topK, minP, frequencyPenalty, presencePenalty, repeatPenalty }
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
}

/** The key of `models` to put a setting of this model under. */
export const settingFor = (subject: Subject, setting: string): string => `"models": {"${subject.model}": {${setting}}}`
