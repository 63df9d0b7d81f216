/**
 * Cuts what a tool returns to what the model may get, keeping head and tail, and keeps the whole in a private file that
 * Read takes without asking (spec 02, "Output limits", fixed point 9).
 */
import { Context, Effect, FileSystem, Layer, Path } from "effect"
import { Config } from "../config/Config.ts"
import { DEFAULT_OUTPUT_LIMIT, headAndTail } from "./outputLimit.ts"

export class OutputStore extends Context.Service<
  OutputStore,
  {
    /** The text itself where it fits; else its head and tail around a notice that names the file with the whole. */
    readonly limit: (text: string, limit?: number) => Effect.Effect<string>
    /** Keeps a text whole; undefined where the disk does not take it. */
    readonly keep: (text: string) => Effect.Effect<string | undefined>
  }
>()("maia/tools/OutputStore") {
  static readonly layer = Layer.effect(
    OutputStore,
    Effect.gen(function* () {
      const config = yield* Config
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path

      const keep = Effect.fn("OutputStore.keep")(
        function* (text: string) {
          yield* fs.makeDirectory(config.outputDir, { recursive: true, mode: 0o700 })
          const folder = yield* fs.makeTempDirectory({ directory: config.outputDir, prefix: "result-" })
          const file = path.join(folder, "output.txt")
          yield* fs.writeFileString(file, text, { mode: 0o600 })
          return file
        },
        // A full disk costs the file, not the result.
        Effect.orElseSucceed(() => undefined)
      )

      const limit = Effect.fn("OutputStore.limit")(function* (text: string, most: number = DEFAULT_OUTPUT_LIMIT) {
        const wellFormed = text.toWellFormed()
        if (wellFormed.length <= most) return wellFormed
        return headAndTail(wellFormed, most, yield* keep(wellFormed))
      })

      return OutputStore.of({ keep, limit })
    })
  )
}
