/** What `/status` says, row by row: who answers, how full the context is, what the last answer cost, where things are. Pure. */
import type { Usage } from "../../domain/message.ts"
import { text, type Text } from "../../domain/text.ts"
import { percent, shortNumber } from "./numbers.ts"

export interface StatusFacts {
  readonly model: string
  /** Reasoning effort, where one is set. */
  readonly effort: string | undefined
  /** Address of the server, where one is set. */
  readonly server: string | undefined
  /** Tokens that fit and who said so, or why nobody knows. */
  readonly window: { readonly tokens: number; readonly origin: Text } | { readonly unknown: Text | undefined }
  /** Tokens of the conversation. */
  readonly tokens: number
  /** What the server said of the last answer. */
  readonly usage: Usage | undefined
  /** Share of the last request that the server had in its cache, and why it read again what it knew. */
  readonly cache: { readonly readAgain: number; readonly reason: Text | undefined } | undefined
  /** US dollars so far, where the server says what its models cost. */
  readonly cost: number | undefined
  /** MCP servers, and how many of them have failed. */
  readonly servers: { readonly all: number; readonly failed: number }
  readonly session: string
  /** Path of the session's file; undefined until it is written. */
  readonly file: string | undefined
  /** Launch folder. */
  readonly folder: string
  readonly mode: Text
  /** Permission rules, stream rules. */
  readonly rules: number
  readonly streamRules: number
}

/** Names and values; values are others' text, not safe yet. */
export const statusRows = (
  facts: StatusFacts,
  language: keyof Text
): ReadonlyArray<readonly [name: string, value: string]> => {
  const { cache, cost, effort, file, folder, mode, model, rules, server, servers, session, streamRules, usage } = facts
  const rows: ReadonlyArray<readonly [Text, string]> = [
    [WORDS.model, effort === undefined ? model : `${model} (${effort})`],
    [WORDS.server, server ?? "—"],
    [WORDS.window, windowText(facts.window, language)],
    [WORDS.context, contextText(facts)],
    ...(usage === undefined ? [] : [[WORDS.answer, usageText(usage)] as const]),
    ...(cache?.reason === undefined
      ? []
      : [
          [
            WORDS.cache,
            `${shortNumber(cache.readAgain)} ${WORDS.readAgain[language]}: ${cache.reason[language]}`
          ] as const
        ]),
    ...(cost === undefined ? [] : [[WORDS.cost, `$${cost.toFixed(cost < 0.1 ? 4 : 2)}`] as const]),
    [WORDS.session, file === undefined ? session : `${session} (${file})`],
    [WORDS.folder, folder],
    [WORDS.mode, mode[language]],
    [WORDS.rules, `${rules} + ${streamRules} ${WORDS.streamRules[language]}`],
    ...(servers.all === 0
      ? []
      : [
          [
            WORDS.servers,
            servers.failed === 0 ? `${servers.all}` : `${servers.all} (${servers.failed} ${WORDS.failed[language]})`
          ] as const
        ])
  ]
  return rows.map(([name, value]) => [name[language], value])
}

const WORDS = {
  model: text("Model", "Modèle"),
  server: text("Server", "Serveur"),
  window: text("Window", "Fenêtre"),
  context: text("Context", "Contexte"),
  answer: text("Last answer", "Dernière réponse"),
  cache: text("Cache", "Cache"),
  readAgain: text("tokens read again", "tokens relus"),
  cost: text("Cost", "Coût"),
  servers: text("MCP servers", "Serveurs MCP"),
  failed: text("failed", "en échec"),
  session: text("Session", "Session"),
  folder: text("Folder", "Dossier"),
  mode: text("Permissions", "Permissions"),
  rules: text("Rules", "Règles"),
  streamRules: text("stream rules", "règles de flux"),
  unknown: text("unknown", "inconnue")
} as const

const windowText = (window: StatusFacts["window"], language: keyof Text): string =>
  "tokens" in window
    ? `${shortNumber(window.tokens)} (${window.origin[language]})`
    : (window.unknown ?? WORDS.unknown)[language]

const contextText = ({ tokens, window }: StatusFacts): string =>
  "tokens" in window ? `${shortNumber(tokens)} · ${percent(tokens, window.tokens)}%` : shortNumber(tokens)

/** `↑ 12.3k (91% cache) ↓ 456 · 38 tokens/s`. */
const usageText = ({ cachedTokens, inputTokens, outputPerSecond, outputTokens }: Usage): string => {
  const cached = cachedTokens === undefined ? "" : ` (${percent(cachedTokens, inputTokens)}% cache)`
  const speed = outputPerSecond === undefined ? "" : ` · ${outputPerSecond.toFixed(0)} tokens/s`
  return `↑ ${shortNumber(inputTokens)}${cached} ↓ ${shortNumber(outputTokens)}${speed}`
}
