/**
 * A request without reasoning, for servers that hand `chat_template_kwargs` to the model's template: llama.cpp, Docker
 * Model Runner, vLLM, and local servers not known yet. Cloud providers and LiteLLM refuse the field.
 */
import { isLocal } from "../serverUrl.ts"
import type { Quirk, Server } from "./quirk.ts"

const takesTemplateArguments = (server: Server): boolean =>
  server.kind === undefined
    ? isLocal(server.url)
    : server.kind === "llama.cpp" || server.kind === "docker-model-runner" || server.kind === "vllm"

export const noThinking: Quirk = {
  name: "no thinking",
  applies: (server, request) => request.thinking === false && takesTemplateArguments(server),
  patch: (parameters) => ({ ...parameters, chat_template_kwargs: { enable_thinking: false } })
}
