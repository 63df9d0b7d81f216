/**
 * Lists and searches files under a folder (spec 02, Glob and Grep): honours `.gitignore`, skips binaries, `.git` and files
 * that hold secrets, sorted by path, bounded in time and output. Two engines give the same answers: ripgrep, and a walk of
 * our own where there is none.
 */
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { Config } from "../../config/Config.ts"
import { findRipgrep } from "../../process/ripgrep.ts"
import { ripgrepEngine } from "./ripgrepEngine.ts"
import type { Engine } from "./query.ts"
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
          (program): Engine => {
            const chosen: Engine<Platform> = program === undefined ? walkEngine : ripgrepEngine(program)
            return {
              files: (root) => Effect.provide(chosen.files(root), services),
              grep: (root, query) => Effect.provide(chosen.grep(root, query), services)
            }
          }
        )
      )
      return SearchEngine.of({
        files: (root) => Effect.flatMap(engine, ({ files }) => files(root)),
        grep: (root, query) => Effect.flatMap(engine, ({ grep }) => grep(root, query))
      })
    })
  )
}
