/** `maia sessions list|show|rename|delete|export` (spec 04; `undo` is beside it), on the sessions of the launch folder. */
import { Effect, FileSystem, Layer, Path } from "effect"
import { Config } from "../../config/Config.ts"
import { text } from "../../domain/text.ts"
import { asker } from "../../extensions/agents/phrases.ts"
import { Output } from "../../process/stdout.ts"
import { sanitizeForTerminal } from "../../process/terminalText.ts"
import type { SessionError } from "../../sessions/errors.ts"
import { Sessions } from "../../sessions/Sessions.ts"
import { sessionsLayer } from "../../sessions/SessionsLive.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"

export interface FolderFlags {
  readonly cwd: string | undefined
}

/** Runs `use` on the sessions of the folder; near names are told where a session was not found. */
export const withSessions = <R>(flags: FolderFlags, use: Effect.Effect<number, SessionError, R>) =>
  withReadableFailures(
    Effect.gen(function* () {
      const config = yield* configFor({ cwd: flags.cwd })
      const layer = sessionsLayer.pipe(Layer.provideMerge(Layer.succeed(Config, Config.of(config))))
      return yield* Effect.provide(use, layer)
    })
  )

export const listSessions = (flags: FolderFlags & { readonly json: boolean }) =>
  withSessions(
    flags,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const output = yield* Output
      const { language } = yield* Config
      const found = yield* sessions.list
      if (flags.json) {
        yield* output.out(`${JSON.stringify(found)}\n`)
        return EXIT.done
      }
      const width = Math.min(40, Math.max(0, ...found.map(({ name }) => name.length)))
      for (const { agent, name, lastActivity, firstText } of found) {
        const time = new Date(lastActivity).toISOString().slice(0, 16).replace("T", " ")
        const whose = agent === undefined ? "" : `[${asker(agent)[language]}] `
        const line = `${name.padEnd(width)}  ${time}  ${whose}${firstText ?? ""}`.trimEnd()
        yield* output.out(sanitizeForTerminal(line) + "\n")
      }
      return EXIT.done
    })
  )

export const showSession = (flags: FolderFlags & { readonly name: string }) =>
  withSessions(
    flags,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const output = yield* Output
      const name = yield* existing(flags.name)
      if (name === undefined) return EXIT.error
      yield* output.out(sanitizeForTerminal(yield* sessions.export(name, "markdown")))
      return EXIT.done
    })
  )

export const renameSession = (flags: FolderFlags & { readonly name: string; readonly to: string }) =>
  withSessions(
    flags,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const output = yield* Output
      const name = yield* existing(flags.name)
      if (name === undefined) return EXIT.error
      yield* output.out(`${yield* sessions.rename(name, flags.to)}\n`)
      return EXIT.done
    })
  )

export const deleteSession = (flags: FolderFlags & { readonly name: string }) =>
  withSessions(
    flags,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const name = yield* existing(flags.name)
      if (name === undefined) return EXIT.error
      yield* sessions.delete(name)
      return EXIT.done
    })
  )

export const exportSession = (
  flags: FolderFlags & {
    readonly name: string
    readonly format: "markdown" | "json" | "html"
    readonly to: string | undefined
  }
) =>
  withSessions(
    flags,
    Effect.gen(function* () {
      const sessions = yield* Sessions
      const output = yield* Output
      const config = yield* Config
      const fs = yield* FileSystem.FileSystem
      const path = yield* Path.Path
      const name = yield* existing(flags.name)
      if (name === undefined) return EXIT.error
      const exported = yield* sessions.export(name, flags.format)
      if (flags.to === undefined) {
        yield* output.out(exported.endsWith("\n") ? exported : `${exported}\n`)
        return EXIT.done
      }
      const file = path.resolve(config.launchFolder, flags.to)
      const written = yield* Effect.result(fs.writeFileString(file, exported))
      if (written._tag === "Success") return EXIT.done
      const why = written.failure.message
      yield* reportErrors([text(`${file} cannot be written: ${why}`, `${file} ne peut pas être écrit : ${why}`)])
      return EXIT.error
    })
  )

/** The name as the file has it; undefined, after a message with near names, where there is none. */
export const existing = Effect.fnUntraced(function* (wanted: string) {
  const sessions = yield* Sessions
  const found = yield* sessions.find(wanted)
  if (found !== undefined) return found
  const near = yield* sessions.suggest(wanted)
  yield* reportErrors([
    text(
      `There is no session ${JSON.stringify(wanted)} here.${near.length === 0 ? "" : ` Near names: ${near.join(", ")}`}`,
      `Il n'y a pas de session ${JSON.stringify(wanted)} ici.${near.length === 0 ? "" : ` Noms proches : ${near.join(", ")}`}`
    )
  ])
  return undefined
})
