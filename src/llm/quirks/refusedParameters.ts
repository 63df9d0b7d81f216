/**
 * Optional parameters that a server refuses by name (an older gateway and `stream_options`, a model and `temperature`): the
 * request is sent once more without them, and so are the later ones for that model. Pure.
 */
import type { Quirk } from "./quirk.ts"

const optional = [
  "stream_options",
  "parallel_tool_calls",
  "reasoning_effort",
  "return_progress",
  "chat_template_kwargs",
  "temperature",
  "top_p",
  "top_k",
  "min_p",
  "frequency_penalty",
  "presence_penalty",
  "repeat_penalty",
  "repetition_penalty"
]

/** Those of our optional parameters that the text of a refusal names. */
export const refusedIn = (said: string): ReadonlyArray<string> =>
  optional.filter((name) => new RegExp(`(?<!\\w)${name}(?!\\w)`).test(said))

export const refusedParameters = (refused: ReadonlySet<string>): Quirk => ({
  name: "refused parameters",
  applies: () => refused.size > 0,
  patch: (parameters) => Object.fromEntries(Object.entries(parameters).filter(([name]) => !refused.has(name)))
})
