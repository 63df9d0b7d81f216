/**
 * Watches how much of each request the server had in its cache, and names what changed at the beginning of the request where
 * that falls (spec 06, "Server facts"; seed 003 p10). Compares by identity: nothing of the history is looked through.
 */
import type { Usage } from "../domain/message.ts"
import { text, type Text } from "../domain/text.ts"
import type { ToolSpec } from "../domain/llm.ts"

/** What a request begins with. */
export interface Prefix {
  readonly model: string
  readonly system: string
  readonly specs: ReadonlyArray<ToolSpec>
  /** Changes when messages were rewritten, not when some were added. */
  readonly revision: number
}

export interface CacheReport {
  /** Share of the last request's tokens that came out of the cache, 0 to 1. */
  readonly rate: number
  /** Why the server had to read again what it had read before; undefined where it did not. */
  readonly reason: Text | undefined
  /** Tokens it read again. */
  readonly readAgain: number
}

/** Blocks of a cache are whole ones: so many tokens at the end of the last request may be missing. */
const SLACK_TOKENS = 512
const SLACK_SHARE = 0.2

export class PrefixWatch {
  private last: { readonly prefix: Prefix; readonly tokens: number } | undefined
  private latest: CacheReport | undefined

  /** After each answer; says nothing where the server does not tell what was cached. */
  note(prefix: Prefix, { cachedTokens, inputTokens }: Usage): void {
    const { last } = this
    this.last = { prefix, tokens: inputTokens }
    if (cachedTokens === undefined || inputTokens === 0) return
    const missing = last === undefined ? 0 : Math.max(0, Math.min(last.tokens, inputTokens) - cachedTokens)
    const hasFallen = last !== undefined && missing > SLACK_TOKENS + last.tokens * SLACK_SHARE
    this.latest = {
      rate: Math.min(1, cachedTokens / inputTokens),
      readAgain: hasFallen ? missing : 0,
      reason: hasFallen ? changed(last.prefix, prefix) : undefined
    }
  }

  /** Of the last answer; undefined as long as the server has told nothing. */
  get report(): CacheReport | undefined {
    return this.latest
  }
}

/** In the order in which they stand in a request. */
const changed = (before: Prefix, now: Prefix): Text => {
  if (before.model !== now.model) return text("the model was changed", "le modèle a été changé")
  if (before.specs !== now.specs) {
    const names = toolChanges(before.specs, now.specs)
    return text(`the tools changed (${names})`, `les outils ont changé (${names})`)
  }
  if (before.system !== now.system) return text("the system prompt changed", "le prompt système a changé")
  if (before.revision !== now.revision) {
    return text(
      "earlier messages were shortened, compacted or left by a move in the tree",
      "des messages antérieurs ont été raccourcis, compactés ou quittés par un déplacement dans l'arbre"
    )
  }
  return text(
    "the request began as before: the server dropped its cache, or served somebody else",
    "la demande commençait comme avant : le serveur a perdu son cache, ou a servi quelqu'un d'autre"
  )
}

const toolChanges = (before: ReadonlyArray<ToolSpec>, now: ReadonlyArray<ToolSpec>): string => {
  const [old, fresh] = [before, now].map((specs) => new Set(specs.map(({ name }) => name)))
  const added = [...(fresh ?? [])].filter((name) => old?.has(name) !== true).map((name) => `+${name}`)
  const gone = [...(old ?? [])].filter((name) => fresh?.has(name) !== true).map((name) => `−${name}`)
  return [...added, ...gone].join(", ") || "~"
}
