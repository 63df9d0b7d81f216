/** The configuration of LiteLLM's proxy: several models, as a household or a company would have them. */
import { upstreamModels } from "./scenarios.ts"
import { KEY, MODEL, NARROW_MODEL } from "./servers.ts"

export interface Behind {
  /** llama.cpp. */
  readonly llama: string
  /** llama.cpp with a small window and a key. */
  readonly narrow: string
  /** In place of the paid providers. */
  readonly upstream: string
}

export const litellmConfig = ({ llama, narrow, upstream }: Behind): string =>
  // JSON is YAML.
  JSON.stringify(
    {
      model_list: [
        {
          model_name: "mock",
          litellm_params: { model: "openai/mock", api_key: "none", mock_response: "Hello from LiteLLM's own mock." },
          model_info: { max_input_tokens: 32_768 }
        },
        {
          model_name: MODEL,
          litellm_params: { model: `openai/${MODEL}`, api_base: `${llama}/v1`, api_key: "none" },
          model_info: { max_input_tokens: 8_192 }
        },
        {
          // No window is given: maia learns it from the refusal.
          model_name: NARROW_MODEL,
          litellm_params: { model: `openai/${MODEL}`, api_base: `${narrow}/v1`, api_key: KEY }
        },
        ...upstreamModels.map(({ name, provider, base, params }) => ({
          model_name: name,
          litellm_params: { model: provider, api_base: `${upstream}/${name}${base ?? ""}`, api_key: "none", ...params }
        }))
      ],
      general_settings: { master_key: "os.environ/LITELLM_MASTER_KEY" },
      // Every request gets the answer of the scenario, not of the router's memory of earlier ones.
      router_settings: { disable_cooldowns: true, num_retries: 0 },
      litellm_settings: { telemetry: false, num_retries: 0 }
    },
    null,
    2
  )
