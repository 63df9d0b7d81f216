/** What a search is asked and what it answers; shared by both engines. Data only. */
import type { Effect } from "effect"
import type { ToolFailure } from "../../domain/tool.ts"

/** Longest a search may take. */
export const SEARCH_SECONDS = 20
/** Most paths one search brings. */
export const MOST_RESULTS = 20_000
/** Characters of a line that are shown. */
export const LONGEST_LINE = 500

export interface GrepQuery {
  /** In the syntax of Rust's regular expressions. */
  readonly pattern: string
  readonly mode: "content" | "files" | "count"
  /** Only files whose path matches; see `globFilter`. */
  readonly glob: string | undefined
  readonly ignoreCase: boolean
  /** Matches may span lines, and `.` matches line ends. */
  readonly multiline: boolean
  /** Lines before and after each match. */
  readonly context: number
  /** Lines, files or counts at most. */
  readonly limit: number
}

export interface SearchResult {
  /** `path`, `path:count`, `path:line:text`, `path-line-text` for context, `--` between groups. */
  readonly lines: ReadonlyArray<string>
  /** What ended the search. */
  readonly ended: "all" | "limit" | "time"
}

/** A folder, or one file of it: that one is searched even where rules ignore it. */
export interface SearchPlace {
  /** Absolute. */
  readonly root: string
  /** Files that are left out, by path relative to `root`, whatever is in them. */
  readonly hides?: (path: string) => boolean
  readonly file?: string
}

/** A way to search; `R` is what it needs of the platform. */
export interface Engine<R = never, E = never> {
  /** Paths relative to the root that match the glob, sorted; at most `most`, else `MOST_RESULTS`. */
  readonly files: (place: SearchPlace, glob: string, most?: number) => Effect.Effect<SearchResult, ToolFailure | E, R>
  /** Fails with what is wrong with the expression. */
  readonly grep: (place: SearchPlace, query: GrepQuery) => Effect.Effect<SearchResult, ToolFailure | E, R>
}

/** Never searched unless named: what such files hold must not reach a model by accident (spec 03, secrets). */
export const EXCLUDED = [".git", ".env", ".env.*", "*.pem", "id_rsa", "id_ed25519", "id_ecdsa", "id_dsa"] as const
