/**
 * What is known to work for families of models (spec 06, "Profiles"; seed 003 p13). Data only: sampling as their makers
 * recommend it for agents and code, and what small ones need. Settings win over all of it.
 */
import type { ModelSettings } from "./settings.ts"

export interface Profile {
  readonly name: string
  /** Looked for in the model's name, lower case, without the provider's folders. */
  readonly match: RegExp
  /** The family reasons before it answers unless it is told not to. */
  readonly reasons?: boolean
  readonly settings: ModelSettings
}

/** One call at a time: several at once are where open models of this size go wrong. */
const oneCall: ModelSettings = { parallelToolCalls: false, loopTemperature: 0.5 }

/** The first that matches counts: the more special names stand first. */
export const profiles: ReadonlyArray<Profile> = [
  {
    name: "qwen3-coder",
    match: /qwen-?3[\d.]*-?coder/,
    settings: { ...oneCall, temperature: 0.7, topP: 0.8, topK: 20, repeatPenalty: 1.05, loopTemperature: 0.9 }
  },
  {
    name: "qwen3-instruct",
    match: /qwen-?3.*instruct/,
    settings: { ...oneCall, temperature: 0.7, topP: 0.8, topK: 20, minP: 0, loopTemperature: 0.9 }
  },
  {
    name: "qwen3",
    match: /qwen-?3|\bqwq\b/,
    reasons: true,
    settings: { ...oneCall, temperature: 0.6, topP: 0.95, topK: 20, minP: 0, loopTemperature: 0.9 }
  },
  {
    name: "qwen2.5",
    match: /qwen-?2/,
    settings: { ...oneCall, temperature: 0.2, topP: 0.9, topK: 20, repeatPenalty: 1.05 }
  },
  {
    name: "gemma",
    match: /gemma/,
    settings: { ...oneCall, temperature: 1, topP: 0.95, topK: 64, minP: 0, loopTemperature: 1 }
  },
  { name: "gpt-oss", match: /gpt-?oss/, reasons: true, settings: { ...oneCall, temperature: 1, loopTemperature: 1 } },
  { name: "devstral", match: /devstral/, settings: { ...oneCall, temperature: 0.15 } },
  {
    name: "magistral",
    match: /magistral/,
    reasons: true,
    settings: { ...oneCall, temperature: 0.7, topP: 0.95, loopTemperature: 1 }
  },
  { name: "mistral", match: /mi[sx]tral|codestral|nemo\b/, settings: { ...oneCall, temperature: 0.15 } },
  {
    name: "deepseek-r1",
    match: /deepseek-?r1|r1-distill/,
    reasons: true,
    settings: { ...oneCall, temperature: 0.6, topP: 0.95, loopTemperature: 0.9 }
  },
  { name: "llama", match: /llama-?[34]/, settings: { ...oneCall, temperature: 0.2, topP: 0.9 } },
  { name: "granite", match: /granite/, settings: { ...oneCall, temperature: 0 } },
  { name: "phi", match: /\bphi-?[34]/, settings: { ...oneCall, temperature: 0.2, topP: 0.95 } },
  {
    name: "smollm3",
    match: /smollm-?3/,
    reasons: true,
    settings: { ...oneCall, temperature: 0.6, topP: 0.95, loopTemperature: 0.9 }
  },
  { name: "smollm2", match: /smollm/, settings: { ...oneCall, temperature: 0.2, topP: 0.9 } },
  {
    name: "glm",
    match: /\bglm-?4/,
    reasons: true,
    settings: { ...oneCall, temperature: 0.6, topP: 0.95, loopTemperature: 0.9 }
  }
]

/** What the number of parameters alone says. */
export interface SizeProfile {
  readonly name: string
  /** Billions of parameters, at most. */
  readonly upTo: number
  readonly settings: ModelSettings
}

/** Smallest first. Files are named instead of brought in, results and the prompt are short: every token is read slowly. */
export const sizeProfiles: ReadonlyArray<SizeProfile> = [
  {
    name: "up to 4B",
    upTo: 4.5,
    settings: {
      attachments: "path",
      prompt: "short",
      outputLimit: 8_000,
      tools: ["Read", "Glob", "Grep", "Write", "Edit", "Bash"]
    }
  },
  { name: "up to 14B", upTo: 14.5, settings: { attachments: "path", prompt: "short", outputLimit: 12_000 } },
  { name: "up to 36B", upTo: 36, settings: { outputLimit: 20_000 } }
]
