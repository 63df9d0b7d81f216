/** The token counts of an answer, in every shape servers send them (spec 01). Pure. */
import type { Usage } from "../domain/message.ts"
import { fieldsOf, isFields, numberOf, type Fields } from "./wire.ts"

/** Usage and llama.cpp's `timings` of one chunk, wherever the server put them; undefined when it has neither. */
export const usageOf = (chunk: Fields): Usage | undefined => {
  const raw = usageFields(chunk)
  const timings = isFields(chunk["timings"]) ? chunk["timings"] : undefined
  if (raw === undefined && timings === undefined) return undefined
  const usage = raw === undefined ? fromTimings(timings ?? {}) : fromUsage(raw)
  return usage === undefined ? undefined : { ...usage, ...speedOf(timings ?? {}) }
}

const usageFields = (chunk: Fields): Fields | undefined => {
  if (isFields(chunk["usage"])) return chunk["usage"]
  const groq = fieldsOf(chunk["x_groq"])["usage"]
  if (isFields(groq)) return groq
  // Moonshot puts it inside the last choice.
  const choices = chunk["choices"]
  const inChoice = Array.isArray(choices) ? fieldsOf(choices[0])["usage"] : undefined
  return isFields(inChoice) ? inChoice : undefined
}

const fromUsage = (raw: Fields): Usage | undefined => {
  const input = numberOf(raw["prompt_tokens"]) ?? numberOf(raw["input_tokens"])
  const completion = numberOf(raw["completion_tokens"]) ?? numberOf(raw["output_tokens"])
  if (input === undefined && completion === undefined) return undefined
  const reasoning =
    numberOf(fieldsOf(raw["completion_tokens_details"])["reasoning_tokens"]) ??
    numberOf(fieldsOf(raw["output_tokens_details"])["reasoning_tokens"]) ??
    numberOf(raw["reasoning_tokens"])
  const cached =
    numberOf(fieldsOf(raw["prompt_tokens_details"])["cached_tokens"]) ??
    numberOf(raw["prompt_cache_hit_tokens"]) ??
    numberOf(raw["cache_read_input_tokens"])
  const total = completion ?? 0
  // A few servers count reasoning beside the completion, not inside it.
  const visible = reasoning !== undefined && reasoning <= total ? total - reasoning : total
  return {
    inputTokens: input ?? 0,
    outputTokens: visible,
    ...(reasoning === undefined ? {} : { reasoningTokens: reasoning }),
    ...(cached === undefined ? {} : { cachedTokens: cached }),
    ...(completion === undefined ? {} : { completionTokens: completion })
  }
}

const fromTimings = (timings: Fields): Usage | undefined => {
  const read = numberOf(timings["prompt_n"])
  const written = numberOf(timings["predicted_n"])
  if (read === undefined || written === undefined) return undefined
  const cached = numberOf(timings["cache_n"])
  return {
    inputTokens: read + (cached ?? 0),
    outputTokens: written,
    completionTokens: written,
    ...(cached === undefined ? {} : { cachedTokens: cached })
  }
}

const speedOf = (timings: Fields): Partial<Usage> => {
  const prompt = numberOf(timings["prompt_per_second"])
  const output = numberOf(timings["predicted_per_second"])
  return {
    ...(prompt === undefined ? {} : { promptPerSecond: prompt }),
    ...(output === undefined ? {} : { outputPerSecond: output })
  }
}
