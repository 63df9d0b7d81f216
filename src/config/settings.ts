/**
 * The settings of `~/.maia/settings.json` and `./.maia/settings.json` (spec 01, 03, 04, 05). Pure: the shape, the
 * defaults and nothing that reads a file.
 */
import type { Sampling } from "../domain/llm.ts"
import { allRails, type Rails } from "./rails.ts"

export interface ModelSettings extends Sampling {
  /** Tokens. */
  readonly contextWindow?: number
  /** Tokens. */
  readonly maxOutputTokens?: number
  /** Name of a built-in profile, or `none`; found by the model's name when absent. */
  readonly profile?: string
  /** The model takes images. */
  readonly images?: boolean
  readonly parallelToolCalls?: boolean
  /** The model thinks for long without a byte: idle time 300 s. */
  readonly silentReasoning?: boolean
  /** Temperature of the requests that follow a loop; 0.3 above the usual one, at most 1, when absent. */
  readonly loopTemperature?: number
  /** `false`: the model is asked not to reason, where its server can be told. */
  readonly thinking?: boolean
  /** What `@file` brings in: the content (default), or the path for the model to read. */
  readonly attachments?: "content" | "path"
  /** Variant of the system prompt (default `full`). */
  readonly prompt?: "full" | "short"
  /** Characters of one tool result, at most; the window's share counts too. */
  readonly outputLimit?: number
  /** The built-in tools that are declared; all when absent. Tools of extensions are not touched. */
  readonly tools?: ReadonlyArray<string>
}

export interface Settings {
  /** Base URL of the server, or undefined where nothing says it. */
  readonly LiteLLM_URL: string | undefined
  readonly OpenAI_EndPoint: string
  readonly LiteLLM_Models: string
  /** `max_tokens` of each request. */
  readonly MaxOutputTokens: number | undefined
  readonly model: string | undefined
  readonly maxIterations: number
  /** By pattern (`*` matches anything), most precise first. */
  readonly models: Readonly<Record<string, ModelSettings>>
  /** Seconds. */
  readonly firstTokenTimeout: number
  readonly idleTimeout: number
  /** Seconds a `Retry-After` may ask for before we stop and say when to come back. */
  readonly maxRetryAfter: number
  readonly sandbox: "off" | "auto" | "required"
  readonly sandboxNetwork: boolean
  readonly mode: "ask" | "accept-edits" | "plan" | "auto"
  readonly webFetch: { readonly robots: boolean }
  readonly compaction: {
    readonly enabled: boolean
    /** Tokens; undefined: min(16 384, 25 % of the window). */
    readonly reserveTokens: number | undefined
    /** Tokens; undefined: min(20 000, 30 % of the window). */
    readonly keepRecentTokens: number | undefined
    readonly autoContinue: boolean
    readonly remoteEndpoint: string | undefined
    readonly strategy: "in-place" | "new-session"
    /** Models tried for the summary, in order; empty: the session's model. */
    readonly models: ReadonlyArray<string>
    /** Trigger where the window is unknown. */
    readonly maxMessages: number
  }
  readonly branchSummary: { readonly enabled: boolean; readonly reserveTokens: number }
  readonly pruning: {
    readonly enabled: boolean
    /** Tokens; undefined: 40 000, scaled down with a small window. */
    readonly protectTokens: number | undefined
    /** Tokens; undefined: 20 000, scaled down with a small window. */
    readonly minimumTokens: number | undefined
  }
  readonly checkpoints: { readonly enabled: boolean; readonly maxDays: number; readonly maxMegabytes: number }
  /** Skills of other tools' folders too: `.claude/skills`, `.agents/skills`. */
  readonly skills: { readonly claude: boolean; readonly agents: boolean }
  readonly streamRules: {
    readonly enabled: boolean
    readonly contextMode: "discard" | "keep"
    readonly repeatMode: "once" | "after-gap"
    /** Completed turns. */
    readonly repeatGap: number
    /** Built-in rules: all, or by name. */
    readonly builtin: boolean | ReadonlyArray<string>
  }
  readonly rails: Rails
}

export const defaultSettings: Settings = {
  LiteLLM_URL: undefined,
  OpenAI_EndPoint: "/v1/chat/completions",
  LiteLLM_Models: "/v1/models",
  MaxOutputTokens: undefined,
  model: undefined,
  maxIterations: 25,
  models: {},
  firstTokenTimeout: 180,
  idleTimeout: 120,
  maxRetryAfter: 120,
  sandbox: "off",
  sandboxNetwork: false,
  mode: "ask",
  webFetch: { robots: true },
  compaction: {
    enabled: true,
    reserveTokens: undefined,
    keepRecentTokens: undefined,
    autoContinue: true,
    remoteEndpoint: undefined,
    strategy: "in-place",
    models: [],
    maxMessages: 100
  },
  branchSummary: { enabled: false, reserveTokens: 16_384 },
  pruning: { enabled: true, protectTokens: undefined, minimumTokens: undefined },
  checkpoints: { enabled: true, maxDays: 30, maxMegabytes: 200 },
  skills: { claude: false, agents: false },
  streamRules: { enabled: true, contextMode: "discard", repeatMode: "once", repeatGap: 10, builtin: false },
  rails: allRails
}
