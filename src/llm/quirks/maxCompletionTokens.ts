/** OpenAI's own reasoning models refuse `max_tokens` and want `max_completion_tokens`. LiteLLM translates by itself. */
import type { Quirk } from "./quirk.ts"

export const maxCompletionTokens: Quirk = {
  name: "max completion tokens",
  applies: (server, request) =>
    /^https:\/\/(?:[\w-]+\.)?api\.openai\.com(?:[:/]|$)/.test(server.url) && /^(?:o\d|gpt-5)/.test(request.model),
  patch: ({ max_tokens, ...parameters }) =>
    max_tokens === undefined ? parameters : { ...parameters, max_completion_tokens: max_tokens }
}
