/** What a search is asked and what it answers; shared by both engines. Data only. */
import type { Effect } from "effect"
import type { ToolFailure } from "../../domain/tool.ts"

/** Longest a search may take. */
export const SEARCH_SECONDS = 20
/** Most paths or lines one search brings. */
export const MOST_RESULTS = 20_000

export interface GrepQuery {
  readonly pattern: string
  readonly mode: "content" | "files" | "count"
  /** Only files whose path matches. */
  readonly glob: string | undefined
  readonly ignoreCase: boolean
  readonly multiline: boolean
  /** Lines before and after each match. */
  readonly context: number
  /** Lines, files or counts at most. */
  readonly limit: number
}

export interface SearchResult {
  /** `path`, `path:count`, `path:line:text`, `path-line-text` for context, `--` between groups. */
  readonly lines: ReadonlyArray<string>
  /** `false` where time or the limit ended the search. */
  readonly complete: boolean
}

/** A way to search; `R` is what it needs of the platform. */
export interface Engine<R = never> {
  /** Paths relative to `root`, sorted. */
  readonly files: (root: string) => Effect.Effect<SearchResult, ToolFailure, R>
  /** Fails with what is wrong with the expression. */
  readonly grep: (root: string, query: GrepQuery) => Effect.Effect<SearchResult, ToolFailure, R>
}

/** Never searched unless named: what such files hold must not reach a model by accident (spec 03, secrets). */
export const EXCLUDED = [".git", ".env", ".env.*", "*.pem", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"] as const
