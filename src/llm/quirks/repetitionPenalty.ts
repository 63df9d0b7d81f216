/** vLLM's name for what llama.cpp calls `repeat_penalty`. */
import type { Quirk } from "./quirk.ts"

export const repetitionPenalty: Quirk = {
  name: "repetition penalty",
  applies: (server) => server.kind === "vllm",
  patch: ({ repeat_penalty, ...parameters }) =>
    repeat_penalty === undefined ? parameters : { ...parameters, repetition_penalty: repeat_penalty }
}
