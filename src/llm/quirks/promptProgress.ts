/** llama.cpp tells how far it has read the prompt when asked; other servers may refuse the field. */
import type { Quirk } from "./quirk.ts"

export const promptProgress: Quirk = {
  name: "prompt progress",
  applies: (server) => server.kind === "llama.cpp",
  patch: (parameters) => (parameters["stream"] === true ? { ...parameters, return_progress: true } : { ...parameters })
}
