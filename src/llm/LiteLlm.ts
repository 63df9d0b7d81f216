/**
 * The LiteLLM (or any OpenAI-format) server as a service (spec 01). Knows HTTP and the wire format; nothing of turns,
 * tools or sessions.
 */
import { Context, type Effect, type Stream } from "effect"
import type { LlmEvent, LlmRequest, ModelInfo, Prices } from "../domain/llm.ts"
import type { LlmError } from "./errors.ts"

export class LiteLlm extends Context.Service<
  LiteLlm,
  {
    readonly stream: (request: LlmRequest) => Stream.Stream<LlmEvent, LlmError>
    /** Sorted by id, without duplicates. */
    readonly models: Effect.Effect<ReadonlyArray<ModelInfo>, LlmError>
    /**
     * Context window of a model as the server's own pages say it: LiteLLM `/model/info`, a field of the model list,
     * llama.cpp `/props`. Never fails and never asks the model; undefined where no page says it.
     */
    readonly contextWindow: (
      model: string
    ) => Effect.Effect<{ readonly tokens: number; readonly source: string } | undefined>
    /**
     * Whether the chat template of the model that is loaded has a place for tools, as llama.cpp's `/props` says it: without one
     * they are dropped in silence. Never fails; undefined where the server does not say.
     */
    readonly templateHasTools: Effect.Effect<boolean | undefined>
    /** As LiteLLM's `/model/info` says; undefined where it says none. Never fails. */
    readonly prices: (model: string) => Effect.Effect<Prices | undefined>
  }
>()("maia/llm/LiteLlm") {}
