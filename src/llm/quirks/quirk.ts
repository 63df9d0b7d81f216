/** What a quirk is: a change of a request's parameters that only some servers want (spec 01). Pure. */
import type { LlmRequest } from "../../domain/llm.ts"

export type ServerKind = "litellm" | "llama.cpp" | "vllm" | "ollama" | "docker-model-runner" | "lm-studio"

/** What is known of the server by now; `kind` is undefined until a page or a header has told it. */
export interface Server {
  readonly url: string
  readonly kind: ServerKind | undefined
}

export interface Quirk {
  readonly name: string
  readonly applies: (server: Server, request: LlmRequest) => boolean
  readonly patch: (parameters: Readonly<Record<string, unknown>>, server: Server) => Record<string, unknown>
}
