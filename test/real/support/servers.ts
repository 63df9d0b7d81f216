/** What the tests know of the servers that run (started by setup.ts). */

/** Key of every server that wants one. */
export const KEY = "sk-real-0123456789abcdef"
/** Name under which llama.cpp serves its model. */
export const MODEL = "smollm2-135m"
/** Name under which LiteLLM offers the llama.cpp of the small window. */
export const NARROW_MODEL = "smollm2-narrow"

export interface Server {
  readonly url: string
  readonly log: string
}

export interface Servers {
  /** llama.cpp, window of 8 192 tokens, no key. */
  readonly llama: Server
  /** llama.cpp, window of 2 048 tokens, wants the key. */
  readonly narrow: Server
  /** llama.cpp with the model's own chat template, which has no tools. */
  readonly plain: Server
  /** LiteLLM's proxy, wants the key. */
  readonly litellm: Server
  /** What stands behind LiteLLM in place of the paid providers. */
  readonly upstream: string
}

declare module "vitest" {
  interface ProvidedContext {
    servers: Servers
  }
}
