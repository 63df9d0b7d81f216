/**
 * Answers the input's question for candidates (spec 07 "Input"): `/` commands and their arguments, `§` skills, `@` paths.
 * The front end runs it for the effect `complete`, ends it when the next one comes, and gives the answer to
 * `completionsFound`.
 */
import { Effect, type FileSystem, type Path, type Scope } from "effect"
import type { Config } from "../../../config/Config.ts"
import type { SearchEngine } from "../../../tools/search/SearchEngine.ts"
import type { Candidate } from "./candidate.ts"
import type { CompletionToken } from "./completionToken.ts"
import { nameCandidates, type NamedItem } from "./nameCandidates.ts"
import { makePathCandidates } from "./pathCandidates.ts"

/** Names that are offered; asked for at every key, so they should be at hand. */
export interface CompletionSources {
  /** Without `/`. */
  readonly commands: Effect.Effect<ReadonlyArray<NamedItem>>
  /** Without `§`. */
  readonly skills: Effect.Effect<ReadonlyArray<NamedItem>>
  /** Of a command, given without `/`; empty where it takes none that are known. */
  readonly arguments: (command: string) => Effect.Effect<ReadonlyArray<NamedItem>>
}

export interface Completer {
  /** Best first; never fails. */
  readonly complete: (token: CompletionToken) => Effect.Effect<ReadonlyArray<Candidate>>
}

export const makeCompleter = (
  sources: CompletionSources
): Effect.Effect<Completer, never, Config | FileSystem.FileSystem | Path.Path | Scope.Scope | SearchEngine> =>
  Effect.map(makePathCandidates, (paths) => ({
    complete: ({ command, kind, query }) => {
      switch (kind) {
        case "command":
          return Effect.map(sources.commands, (items) => nameCandidates(items, query, "/"))
        case "skill":
          return Effect.map(sources.skills, (items) => nameCandidates(items, query, "§"))
        case "argument":
          return Effect.map(sources.arguments(command ?? ""), (items) => nameCandidates(items, query, ""))
        case "path":
          return paths(query)
      }
    }
  }))
