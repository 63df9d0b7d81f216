/** How a model is asked for a summary: as in a turn, and hotter where its first answer went round in circles. Pure. */
import { modelSettings } from "../../config/modelSettings.ts"
import type { Settings } from "../../config/settings.ts"
import type { Sampling } from "../../domain/llm.ts"

/** The temperature of most servers when nobody sets one. */
const UNSET = 0.6
const HEAT = 0.4
const HOTTEST = 1

export const summarySampling = (settings: Settings, model: string, isRetry: boolean): Sampling => {
  const { temperature, loopTemperature, topP, topK, minP, frequencyPenalty, presencePenalty, repeatPenalty } =
    modelSettings(settings, model)
  // The same request at the same temperature would often bring the same answer.
  const raised = loopTemperature ?? Math.min(HOTTEST, Math.round(((temperature ?? UNSET) + HEAT) * 100) / 100)
  const sampling = {
    temperature: isRetry ? Math.max(temperature ?? 0, raised) : temperature,
    topP,
    topK,
    minP,
    frequencyPenalty,
    presencePenalty,
    repeatPenalty
  }
  return Object.fromEntries(Object.entries(sampling).filter(([, value]) => value !== undefined))
}
