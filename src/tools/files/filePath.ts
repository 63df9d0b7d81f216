/**
 * The path a tool was given, as an absolute one, and the file it really is (spec 02: relative to the launch folder, `~`,
 * symlinks resolved). Shared by the file tools.
 */
import { Context, Effect, FileSystem, Layer, Option, Path } from "effect"
import { Config } from "../../config/Config.ts"
import { ToolFailure, type ToolContext } from "../../domain/tool.ts"
import { nearest } from "../../config/nearest.ts"

/** What was judged and what is there now differ: a link was planted, or something was moved. */
export const moved = (given: string): ToolFailure =>
  new ToolFailure({
    message: `${given} now leads elsewhere than when it was checked. Nothing was done: look at the path, then try again.`
  })

/** Links followed one after the other, as the system does. */
const MOST_LINKS = 40

export class FilePaths extends Context.Service<
  FilePaths,
  {
    /** Absolute, not resolved. */
    readonly absolute: (given: string) => string
    /** The real path; for what does not exist yet, that of the deepest existing parent with the rest behind it. */
    readonly real: (given: string) => Effect.Effect<string>
    /** `real`, where that is still what the permission was given for. */
    readonly judged: (given: string, context: Pick<ToolContext, "judgedPath">) => Effect.Effect<string, ToolFailure>
    /** Key under which calls on one file run one after the other. */
    readonly lockKey: (given: string) => Effect.Effect<string>
    /** The message for a file that is not there, with near names of its folder. */
    readonly notFound: (given: string) => Effect.Effect<ToolFailure>
  }
>()("maia/tools/files/FilePaths") {
  static readonly layer = Layer.effect(
    FilePaths,
    Effect.gen(function* () {
      const config = yield* Config
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path

      const absolute = (given: string): string => {
        if (given === "~") return config.home
        if (given.startsWith("~/")) return path.join(config.home, given.slice(2))
        return path.resolve(config.launchFolder, given)
      }

      /** What is not there yet is where its deepest existing parent really is; a link to nothing leads to where it would be. */
      const resolve = (target: string, links: number): Effect.Effect<string> =>
        Effect.catch(fs.realPath(target), () => {
          const parent = path.dirname(target)
          if (parent === target) return Effect.succeed(target)
          return Effect.gen(function* () {
            const folder = yield* resolve(parent, links)
            const missing = path.join(folder, path.basename(target))
            const link = yield* Effect.option(fs.readLink(missing))
            if (Option.isNone(link) || links === 0) return missing
            return yield* resolve(path.resolve(folder, link.value), links - 1)
          })
        })

      const real = (given: string): Effect.Effect<string> => resolve(absolute(given), MOST_LINKS)

      const notFound = Effect.fn("FilePaths.notFound")(function* (given: string) {
        const target = absolute(given)
        const folder = path.dirname(target)
        const names = yield* Effect.orElseSucceed(fs.readDirectory(folder), () => undefined)
        if (names === undefined) {
          return new ToolFailure({
            message: `There is no file ${given}: its folder ${folder} does not exist. Use Glob to find it.`
          })
        }
        const near = nearest(path.basename(target), names)
        return new ToolFailure({
          message: `There is no file ${given}.${near.length === 0 ? " Use Glob to find it." : ` Near names in its folder: ${near.join(", ")}.`}`
        })
      })

      return FilePaths.of({
        absolute,
        real,
        judged: (given, { judgedPath }) =>
          Effect.filterOrFail(
            real(given),
            (found) => judgedPath === undefined || judgedPath === found,
            () => moved(given)
          ),
        lockKey: (given) => Effect.map(real(given), (found) => `file:${found}`),
        notFound
      })
    })
  )
}
