/**
 * Lists and searches files under a folder (spec 02, Glob and Grep): honours `.gitignore`, skips binaries, `.git` and files
 * that hold secrets, sorted by path, bounded in time and output. Two engines give the same answers: ripgrep, and a walk of
 * our own where there is none that works.
 */
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { Config } from "../../config/Config.ts"
import { findRipgrep } from "../../process/ripgrep.ts"
import type { Engine } from "./query.ts"
import { ripgrepEngine } from "./ripgrepEngine.ts"
import { walkEngine } from "./walkEngine.ts"

type Platform = FileSystem.FileSystem | Path.Path | ChildProcessSpawner.ChildProcessSpawner

export class SearchEngine extends Context.Service<SearchEngine, Engine>()("maia/tools/search/SearchEngine") {
  static readonly layer = Layer.effect(
    SearchEngine,
    Effect.gen(function* () {
      const config = yield* Config
      const services = yield* Effect.context<Platform>()
      // Looked for when the first search needs it, not at the start of every run.
      const engine = yield* Effect.cached(
        Effect.map(
          Effect.promise(() => findRipgrep(config)),
          (program): Engine<Platform> => (program === undefined ? walkEngine : withFallback(program))
        )
      )
      return SearchEngine.of({
        files: (place, glob, most) =>
          Effect.flatMap(engine, ({ files }) => files(place, glob, most)).pipe(Effect.provide(services)),
        grep: (place, query) => Effect.flatMap(engine, ({ grep }) => grep(place, query)).pipe(Effect.provide(services))
      })
    })
  )
}

/** ripgrep, or the own walk where this ripgrep turns out to be unusable. */
export const withFallback = (program: string): Engine<Platform> => {
  const ripgrep = ripgrepEngine(program)
  return {
    files: (place, glob, most) =>
      Effect.catchTag(ripgrep.files(place, glob, most), "RipgrepUnusable", () => walkEngine.files(place, glob, most)),
    grep: (place, query) =>
      Effect.catchTag(ripgrep.grep(place, query), "RipgrepUnusable", () => walkEngine.grep(place, query))
  }
}
