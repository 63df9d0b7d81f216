/**
 * Files that WebFetch writes: the page under `output`, and the whole text of a page that was cut for the model.
 *
 * `output` is judged by the permission rules like a Write, from the call's input, before anything here runs. A file that
 * exists is never replaced.
 */
import { Effect, FileSystem, Path } from "effect"
import { Config } from "../../config/Config.ts"
import { notConvertible, wrongCall, type WebFailure } from "./failure.ts"

/** Absolute path of `output`, relative to the launch folder; `~` is the home. */
export const outputPath = (config: Config["Service"], path: Path.Path, output: string): string => {
  if (output === "~") return config.home
  return output.startsWith("~/") ? path.join(config.home, output.slice(2)) : path.resolve(config.launchFolder, output)
}

/** Fails where the page could not be saved, before it is fetched. */
export const checkFree = Effect.fnUntraced(function* (
  target: string
): Effect.fn.Return<void, WebFailure, FileSystem.FileSystem> {
  const fs = yield* FileSystem.FileSystem
  const info = yield* Effect.option(fs.stat(target))
  if (info._tag === "None") return
  return yield* wrongCall(
    info.value.type === "Directory"
      ? `${target} is a folder; "output" names a file.`
      : `${target} exists already and is not overwritten: give "output" another name.`
  )
})

/** Makes the folders and puts the file in place whole, never over another one. */
export const savePage = Effect.fnUntraced(function* (
  target: string,
  content: string
): Effect.fn.Return<void, WebFailure, FileSystem.FileSystem | Path.Path> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const folder = path.dirname(target)
  yield* Effect.gen(function* () {
    yield* fs.makeDirectory(folder, { recursive: true })
    const temporary = yield* fs.makeTempDirectoryScoped({ directory: folder, prefix: ".maia-web-" })
    const whole = path.join(temporary, "page")
    yield* fs.writeFileString(whole, content)
    // A link fails where the name is taken, which a rename does not.
    yield* fs.link(whole, target)
  }).pipe(
    Effect.scoped,
    Effect.mapError((error) => wrongCall(`${target} cannot be written: ${error.message.split("\n")[0] ?? ""}.`))
  )
})

/** Keeps a text too long for the model where Read finds it without asking. */
export const keepWhole = Effect.fnUntraced(function* (
  content: string
): Effect.fn.Return<string, WebFailure, FileSystem.FileSystem | Path.Path | Config> {
  const fs = yield* FileSystem.FileSystem
  const path = yield* Path.Path
  const { outputDir } = yield* Config
  return yield* Effect.gen(function* () {
    yield* fs.makeDirectory(outputDir, { recursive: true, mode: 0o700 })
    const folder = yield* fs.makeTempDirectory({ directory: outputDir, prefix: "web-" })
    const file = path.join(folder, "page.md")
    yield* fs.writeFileString(file, content, { mode: 0o600 })
    return file
  }).pipe(
    Effect.mapError((error) =>
      notConvertible("not kept", `The page cannot be kept: ${error.message.split("\n")[0] ?? ""}.`)
    )
  )
})
