/**
 * Every key of the settings files: what it must be, an example, and who may set it (spec 01 to 05). Data only; `maia
 * config` and the messages about wrong settings are made from it.
 */
import { Predicate } from "effect"
import { profiles } from "./profiles.ts"

export interface KeySpec {
  readonly is: (value: unknown) => boolean
  /** Completes "expected …", in both languages. */
  readonly expected: { readonly en: string; readonly fr: string }
  /** JSON text. */
  readonly example: string
  /**
   * Only the user's own file counts: a cloned project must not redirect prompts, loosen a guard or weaken a limit.
   */
  readonly userOnly?: boolean
}

const isPositiveInt = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0
const isPositive = (value: unknown): boolean => Predicate.isNumber(value) && Number.isFinite(value) && value > 0
const isNumber = (value: unknown): boolean => Predicate.isNumber(value) && Number.isFinite(value)
const isStrings = (value: unknown): boolean => Array.isArray(value) && value.every(Predicate.isString)
const isText = (value: unknown): boolean => Predicate.isString(value) && value.trim() !== ""
const isHttpUrl = (value: unknown): boolean => {
  if (!Predicate.isString(value)) return false
  try {
    return ["http:", "https:"].includes(new URL(value).protocol)
  } catch {
    return false
  }
}

const url = (example: string): KeySpec => ({
  is: isHttpUrl,
  expected: { en: "a URL that starts with http:// or https://", fr: "une URL qui commence par http:// ou https://" },
  example: JSON.stringify(example),
  userOnly: true
})
const words = (example: string): KeySpec => ({
  is: isText,
  expected: { en: "a text that is not empty", fr: "un texte non vide" },
  example: JSON.stringify(example)
})
const path = (example: string): KeySpec => ({
  is: (value) => Predicate.isString(value) && /^\/\S*$/.test(value),
  expected: { en: "a path that starts with /", fr: "un chemin qui commence par /" },
  example: JSON.stringify(example),
  userOnly: true
})
const positiveInt = (example: number): KeySpec => ({
  is: isPositiveInt,
  expected: { en: "a positive integer", fr: "un entier positif" },
  example: String(example)
})
const seconds = (example: number): KeySpec => ({
  is: isPositive,
  expected: { en: "a positive number of seconds", fr: "un nombre positif de secondes" },
  example: String(example)
})
const number = (example: number): KeySpec => ({
  is: isNumber,
  expected: { en: "a number", fr: "un nombre" },
  example: String(example)
})
const flag = (example: boolean): KeySpec => ({
  is: Predicate.isBoolean,
  expected: { en: "true or false", fr: "true ou false" },
  example: String(example)
})
const oneOf = (...values: ReadonlyArray<string>): KeySpec => ({
  is: (value) => Predicate.isString(value) && values.includes(value),
  expected: {
    en: `one of ${values.map((value) => `"${value}"`).join(", ")}`,
    fr: `une valeur parmi ${values.map((value) => `"${value}"`).join(", ")}`
  },
  example: JSON.stringify(values[0])
})
const strings = (example: ReadonlyArray<string>): KeySpec => ({
  is: isStrings,
  expected: { en: "a list of texts", fr: "une liste de textes" },
  example: JSON.stringify(example)
})
const userOnly = (spec: KeySpec): KeySpec => ({ ...spec, userOnly: true })

/** Dotted keys of both settings files. */
export const settingsKeys: Readonly<Record<string, KeySpec>> = {
  LiteLLM_URL: url("http://localhost:4000"),
  OpenAI_EndPoint: path("/v1/chat/completions"),
  LiteLLM_Models: path("/v1/models"),
  LiteLLM_API_Key: userOnly(words("sk-...")),
  MaxOutputTokens: positiveInt(8192),
  model: words("litellm:gpt-5"),
  language: oneOf("en", "fr"),
  maxIterations: positiveInt(25),
  firstTokenTimeout: userOnly(seconds(180)),
  idleTimeout: userOnly(seconds(120)),
  maxRetryAfter: userOnly(seconds(120)),
  sandbox: userOnly(oneOf("off", "auto", "required")),
  sandboxNetwork: userOnly(flag(false)),
  mode: userOnly(oneOf("ask", "accept-edits", "plan", "auto")),
  "permissions.allow": strings(["Bash(git status)"]),
  "permissions.ask": strings(["WebFetch"]),
  "permissions.deny": strings(["Read(.env)"]),
  "webFetch.robots": userOnly(flag(true)),
  "compaction.enabled": flag(true),
  "compaction.reserveTokens": positiveInt(16_384),
  "compaction.keepRecentTokens": positiveInt(20_000),
  "compaction.autoContinue": flag(true),
  "compaction.remoteEndpoint": url("http://localhost:8080/summarise"),
  "compaction.strategy": oneOf("in-place", "new-session"),
  "compaction.models": userOnly(strings(["litellm:small"])),
  "compaction.maxMessages": positiveInt(100),
  "branchSummary.enabled": flag(false),
  "branchSummary.reserveTokens": positiveInt(16_384),
  "pruning.enabled": flag(true),
  "pruning.protectTokens": positiveInt(40_000),
  "pruning.minimumTokens": positiveInt(20_000),
  "checkpoints.enabled": flag(true),
  "checkpoints.maxDays": positiveInt(30),
  "checkpoints.maxMegabytes": positiveInt(200),
  "skills.claude": flag(true),
  "skills.agents": flag(true),
  "streamRules.enabled": flag(true),
  "streamRules.contextMode": oneOf("discard", "keep"),
  "streamRules.repeatMode": oneOf("once", "after-gap"),
  "streamRules.repeatGap": positiveInt(10),
  "streamRules.builtin": {
    is: (value) => Predicate.isBoolean(value) || isStrings(value),
    expected: { en: "true, false or a list of rule names", fr: "true, false ou une liste de noms de règles" },
    example: "true"
  },
  "rails.loopDetector": userOnly(flag(true)),
  "rails.adaptiveTemperature": userOnly(flag(true)),
  "rails.textToolCalls": userOnly(flag(true)),
  "rails.argumentRepair": userOnly(flag(true)),
  "rails.aliases": userOnly(flag(true)),
  "rails.cutCalls": userOnly(flag(true)),
  "rails.repairTexts": userOnly(flag(true)),
  "rails.looseEdits": userOnly(flag(true)),
  "rails.duplicateCalls": userOnly(flag(true)),
  "rails.repetition": userOnly(flag(true))
}

/** Keys below `models."pattern"`. */
export const modelKeys: Readonly<Record<string, KeySpec>> = {
  contextWindow: positiveInt(131_072),
  maxOutputTokens: positiveInt(16_384),
  profile: oneOf(...profiles.map(({ name }) => name), "none"),
  images: flag(true),
  parallelToolCalls: flag(false),
  silentReasoning: flag(true),
  loopTemperature: number(0.4),
  thinking: flag(false),
  attachments: oneOf("path", "content"),
  prompt: oneOf("short", "full"),
  outputLimit: positiveInt(8_000),
  tools: strings(["Read", "Grep", "Edit", "Bash"]),
  temperature: number(0),
  topP: number(0.9),
  topK: number(40),
  minP: number(0.05),
  frequencyPenalty: number(0),
  presencePenalty: number(0),
  repeatPenalty: number(1.1)
}

/** What a person can copy into `~/.maia/settings.json`. */
export const settingsExample = `{
  "LiteLLM_URL": "http://localhost:4000",
  "LiteLLM_API_Key": "sk-...",
  "model": "litellm:your-model"
}`
