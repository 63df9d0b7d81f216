/** Reads the pages a server has about itself (spec 01, README "context size of a model"; MAIA §7.4). Pure. */
import type { ModelInfo, Prices } from "../domain/llm.ts"
import type { ServerKind } from "./quirks/index.ts"
import { arrayOf, fieldsOf, isFields, numberOf, stringOf, type Fields } from "./wire.ts"

/** Fields that say how many tokens the server takes. What the model was trained for (`n_ctx_train`) is not it. */
const windowFields = [
  "max_model_len",
  "context_length",
  "context_window",
  "max_context_length",
  "loaded_context_length",
  "max_context_window_tokens",
  "max_input_tokens",
  "context_size",
  "n_ctx"
] as const

const entriesOf = (body: unknown): ReadonlyArray<Fields> => {
  const fields = fieldsOf(body)
  const list = Array.isArray(body) ? body : Array.isArray(fields["data"]) ? fields["data"] : arrayOf(fields["models"])
  return list.map((entry) => (typeof entry === "string" ? { id: entry } : fieldsOf(entry)))
}

const idOf = (entry: Fields): string =>
  stringOf(entry["id"]) || stringOf(entry["model_name"]) || stringOf(entry["model"]) || stringOf(entry["name"])

const positive = (value: unknown): number | undefined => {
  const number = numberOf(value)
  return number !== undefined && number > 0 ? number : undefined
}

const windowOf = (entry: Fields): readonly [tokens: number, field: string] | undefined => {
  // LM Studio: what is loaded is smaller than what the model could take.
  const loaded = positive(entry["loaded_context_length"])
  if (loaded !== undefined) return [loaded, "loaded_context_length"]
  for (const holder of [entry, fieldsOf(entry["meta"]), fieldsOf(entry["top_provider"])]) {
    for (const field of windowFields) {
      const tokens = positive(holder[field])
      if (tokens !== undefined) return [tokens, field]
    }
  }
  return undefined
}

/** The list of `/v1/models`, sorted by id, without duplicates; undefined for a body that is no list. */
export const modelsOf = (body: unknown): ReadonlyArray<ModelInfo> | undefined => {
  const fields = fieldsOf(body)
  if (!Array.isArray(body) && !Array.isArray(fields["data"]) && !Array.isArray(fields["models"])) return undefined
  const byId = new Map<string, ModelInfo>()
  for (const entry of entriesOf(body)) {
    const id = idOf(entry)
    if (id === "" || byId.has(id)) continue
    const found = windowOf(entry)
    byId.set(id, { id, ...(found === undefined ? {} : { contextWindow: found[0], contextWindowField: found[1] }) })
  }
  return [...byId.values()].sort((left, right) => (left.id < right.id ? -1 : 1))
}

/** Who serves, by what the list says of itself. */
export const kindOfList = (body: unknown): ServerKind | undefined => {
  const owners = new Set(entriesOf(body).map((entry) => stringOf(entry["owned_by"])))
  if (owners.has("llamacpp")) return "llama.cpp"
  if (owners.has("vllm")) return "vllm"
  if (owners.has("library")) return "ollama"
  return owners.has("docker") ? "docker-model-runner" : undefined
}

/** Who answered, by the headers of a response. */
export const kindOfHeaders = (headers: Readonly<Record<string, string | undefined>>): ServerKind | undefined => {
  if (Object.keys(headers).some((name) => name.startsWith("x-litellm-"))) return "litellm"
  return headers["server"]?.toLowerCase().startsWith("llama.cpp") === true ? "llama.cpp" : undefined
}

/** LiteLLM's `/model/info`: the input limit of a model group, the smallest one where several servers stand behind it. */
export const windowOfModelInfo = (body: unknown, model: string): number | undefined => {
  const windows = entriesOf(body)
    .filter((entry) => entry["model_name"] === model)
    .map((entry) => fieldsOf(entry["model_info"]))
    .map((info) => positive(info["max_input_tokens"]) ?? positive(info["max_tokens"]))
    .filter((tokens) => tokens !== undefined)
  return windows.length === 0 ? undefined : Math.min(...windows)
}

export const isModelInfo = (body: unknown): boolean =>
  entriesOf(body).some((entry) => isFields(entry["model_info"]) || isFields(entry["litellm_params"]))

/** llama.cpp's `/props`: tokens of one slot, which is what a request can use. */
export const windowOfProps = (body: unknown): number | undefined => {
  const fields = fieldsOf(body)
  return positive(fieldsOf(fields["default_generation_settings"])["n_ctx"]) ?? positive(fields["n_ctx"])
}

/** Ollama's `/api/ps`: what a loaded model was given, which can be less than what it was trained for. */
export const windowOfOllamaPs = (body: unknown, model: string): number | undefined => {
  const loaded = arrayOf(fieldsOf(body)["models"])
    .map(fieldsOf)
    .find((entry) => [entry["name"], entry["model"]].some((name) => stringOf(name).replace(/:latest$/, "") === model))
  return positive(loaded?.["context_length"])
}

/** Ollama's `/api/show`: `num_ctx` of the model's own file; how it was trained says nothing of what it is given. */
export const windowOfOllamaShow = (body: unknown): number | undefined => {
  const found = /^num_ctx\s+(\d+)\s*$/m.exec(stringOf(fieldsOf(body)["parameters"]))
  return found === null ? undefined : positive(Number(found[1]))
}

/** llama.cpp's `/props`: what the chat template can express; undefined where it does not say. */
export const templateHasToolsIn = (body: unknown): boolean | undefined => {
  const caps = fieldsOf(fieldsOf(body)["chat_template_caps"])
  const value = caps["supports_tools"]
  return typeof value === "boolean" ? value : undefined
}

/** LiteLLM's `/model/info`: what a token costs; free models and those of unknown price have none. */
export const pricesOfModelInfo = (body: unknown, model: string): Prices | undefined => {
  const info = entriesOf(body)
    .filter((entry) => entry["model_name"] === model)
    .map((entry) => fieldsOf(entry["model_info"]))
    .find((one) => positive(one["output_cost_per_token"]) !== undefined)
  const output = positive(info?.["output_cost_per_token"])
  if (info === undefined || output === undefined) return undefined
  const cached = numberOf(info["cache_read_input_token_cost"])
  const input = numberOf(info["input_cost_per_token"]) ?? 0
  return { input, output, ...(cached === undefined ? {} : { cached }) }
}
