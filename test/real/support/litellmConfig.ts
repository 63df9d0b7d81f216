/** The configuration of LiteLLM's proxy: several models, as a household would have them. */
import { MODEL } from "./servers.ts"

export const litellmConfig = (servers: { readonly llama: string }): string =>
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
          litellm_params: { model: `openai/${MODEL}`, api_base: `${servers.llama}/v1`, api_key: "none" }
        }
      ],
      general_settings: { master_key: "os.environ/LITELLM_MASTER_KEY" },
      litellm_settings: { telemetry: false, num_retries: 0 }
    },
    null,
    2
  )
