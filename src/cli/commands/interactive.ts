/**
 * `maia` in a terminal (spec 07): the interface is there at once, then all the rest is loaded (`conversations.ts`). Elsewhere
 * one line and exit 1.
 */
import { Effect } from "effect"
import type { Config } from "../../config/Config.ts"
import { editDistance } from "../../config/nearest.ts"
import type { LaunchFlags } from "../../config/loadConfig.ts"
import { TerminalDevice } from "../../process/terminalDevice.ts"
import { detectTheme } from "../../tui/text/theme.ts"
import { Ui } from "../../tui/Ui.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"
import { noServer, notATerminal, unknownSubcommand } from "../messages.ts"

export interface InteractiveFlags {
  readonly cwd: string | undefined
  readonly model: string | undefined
  readonly allow: ReadonlyArray<string>
  readonly deny: ReadonlyArray<string>
  readonly mode: LaunchFlags["mode"]
  readonly trust: boolean
  readonly session: string | undefined
  readonly continue: boolean
  readonly resume: boolean
  readonly words: ReadonlyArray<string>
}

/** `commands`: names of maia's commands. */
export const interactive = (flags: InteractiveFlags, commands: ReadonlyArray<string>) =>
  withReadableFailures(
    Effect.gen(function* () {
      const meant = misspelt(flags.words, commands)
      if (meant !== undefined) {
        yield* reportErrors([unknownSubcommand(flags.words[0] ?? "", meant)])
        return EXIT.usage
      }
      const device = yield* TerminalDevice
      if (!device.isTerminal) return yield* Effect.as(reportErrors([notATerminal]), EXIT.error)
      const config = yield* configFor(flags)
      const ended = yield* Effect.scoped(onTerminal(config, flags))
      if (ended === "done") return EXIT.done
      // Said where it stays: the screen of the interface has gone.
      return yield* Effect.as(reportErrors([noServer(`${config.userDir}/settings.json`)]), EXIT.missing)
    }).pipe(Effect.provide(TerminalDevice.layer))
  )

/** A request of one word that is nearly a command is a slip of the keyboard, not something to send to a model. */
export const misspelt = (words: ReadonlyArray<string>, commands: ReadonlyArray<string>): string | undefined => {
  const [word = "", ...others] = words
  if (others.length > 0 || !/^[a-z-]{3,}$/i.test(word)) return undefined
  return commands.find((name) => {
    // Letters that may be wrong: `bug` is no `run`.
    const slips = name.length > 4 ? 2 : 1
    return editDistance(word.toLowerCase(), name, slips) <= slips
  })
}

const onTerminal = Effect.fnUntraced(function* (config: Config["Service"], flags: InteractiveFlags) {
  const { language, launchFolder, settings } = config
  const { env } = config
  const status = { model: settings.model ?? "", mode: settings.mode, session: "", tokens: 0, window: undefined }
  const ui = isPlain(env)
    ? yield* Effect.flatMap(
        Effect.promise(() => import("../../tui/plain/plainUi.ts")),
        ({ plainUi }) => plainUi({ language, status, env })
      )
    : yield* Effect.flatMap(
        Effect.promise(() => import("../../tui/ink/inkUi.ts")),
        ({ inkUi }) => inkUi({ language, status, theme: detectTheme(env), editor: { cwd: launchFolder, env } })
      )
  yield* ui.print({ type: "banner", version: config.version, folder: launchFolder })
  // What comes next takes a while: the screen is seen first.
  yield* Effect.flatMap(TerminalDevice, (device) => device.drain)
  const { conversations } = yield* Effect.promise(() => import("../conversations.ts"))
  const left = Effect.as(ui.left, "done" as const)
  return yield* Effect.raceFirst(conversations(config, flags), left).pipe(Effect.provideService(Ui, ui))
})

/** For screen readers, and terminals whose cursor cannot move: lines that are only added. */
const isPlain = (env: Config["Service"]["env"]): boolean => {
  const wish = env["MAIA_A11Y"] ?? ""
  return (wish !== "" && wish !== "0") || env["TERM"] === "dumb"
}
