/**
 * `maia` in a terminal (spec 07): the interface is there at once, then the settings are completed, then one conversation after
 * the other runs on it. Elsewhere one line and exit 1.
 */
import { Effect } from "effect"
import type { Config } from "../../config/Config.ts"
import type { LaunchFlags } from "../../config/loadConfig.ts"
import { DEMO_MODEL } from "../../demo/demoModel.ts"
import { TerminalDevice } from "../../process/terminalDevice.ts"
import type { OpenOptions } from "../../sessions/Sessions.ts"
import { start } from "../../tui/loop/start.ts"
import { terminalApprover } from "../../tui/terminalApprover.ts"
import { detectTheme } from "../../tui/text/theme.ts"
import { Ui } from "../../tui/Ui.ts"
import { EXIT } from "../exitCodes.ts"
import { reportErrors, withReadableFailures } from "../failure.ts"
import { configFor } from "../Launch.ts"
import { agentLayer } from "../layers.ts"
import { noServer, notATerminal } from "../messages.ts"
import { wizard } from "../wizard.ts"

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

export const interactive = (flags: InteractiveFlags) =>
  withReadableFailures(
    Effect.gen(function* () {
      const device = yield* TerminalDevice
      if (!device.isTerminal) return yield* Effect.as(reportErrors([notATerminal]), EXIT.error)
      const config = yield* configFor(flags)
      const ended = yield* Effect.scoped(onTerminal(config, flags))
      if (ended === "done") return EXIT.done
      // Said where it stays: the screen of the interface has gone.
      return yield* Effect.as(reportErrors([noServer(`${config.userDir}/settings.json`)]), EXIT.missing)
    }).pipe(Effect.provide(TerminalDevice.layer))
  )

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
  const left = Effect.as(ui.left, "done" as const)
  return yield* Effect.raceFirst(conversations(config, flags), left).pipe(Effect.provideService(Ui, ui))
})

/** For screen readers, and terminals whose cursor cannot move: lines that are only added. */
const isPlain = (env: Config["Service"]["env"]): boolean => {
  const wish = env["MAIA_A11Y"] ?? ""
  return (wish !== "" && wish !== "0") || env["TERM"] === "dumb"
}

/** One conversation after the other; settings, instructions, tools and rules are read anew for each. */
const conversations = Effect.fnUntraced(function* (first: Config["Service"], flags: InteractiveFlags) {
  const ui = yield* Ui
  let config = first
  if (config.settings.LiteLLM_URL === undefined && config.settings.model !== DEMO_MODEL) {
    if (!(yield* wizard(config))) return "no-server" as const
    config = yield* configFor(flags)
  }
  if (flags.words.length > 0) yield* ui.send(flags.words.join(" "))
  let next: Parameters<typeof start>[0] = {
    session: sessionOf(flags),
    showHistory: flags.session !== undefined || flags.continue || flags.resume,
    pick: flags.resume,
    isFirst: true,
    effort: undefined
  }
  /** Tried in turn where a session cannot be opened: what was open before, a new one. */
  let fallbacks: ReadonlyArray<OpenOptions> = [{ save: true }]
  for (;;) {
    const layers = agentLayer(config, yield* terminalApprover(config), { trust: flags.trust })
    const end = yield* start(next).pipe(
      Effect.provide(layers),
      Effect.scoped,
      Effect.catchTag("SessionError", (error) =>
        fallbacks.length === 0 ? Effect.fail(error) : Effect.as(ui.fail(error.text), "not-opened" as const)
      )
    )
    if (end === "not-opened") {
      const [session = { save: true }, ...others] = fallbacks
      fallbacks = others
      next = { ...next, session, showHistory: false, pick: false, isFirst: false }
      continue
    }
    if (end?.reopen === undefined) return "done" as const
    fallbacks = [{ name: end.session, save: true }, { save: true }]
    next = { ...end.reopen, pick: false, isFirst: false, effort: end.effort }
    config = yield* reloaded(config, { ...flags, model: end.model, mode: end.mode })
  }
})

const sessionOf = (flags: InteractiveFlags): OpenOptions => ({
  ...(flags.session === undefined ? {} : { name: flags.session }),
  continueNewest: flags.continue,
  save: true
})

/** Settings that are broken now are said; those from before go on. */
const reloaded = Effect.fnUntraced(function* (before: Config["Service"], flags: LaunchFlags) {
  const ui = yield* Ui
  return yield* configFor(flags).pipe(
    Effect.catchTag("ConfigError", (error) =>
      Effect.as(
        Effect.forEach(error.texts, (line) => ui.fail(line)),
        before
      )
    )
  )
})
