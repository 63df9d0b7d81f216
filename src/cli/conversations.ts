/** The conversations of one interactive program: completes the settings, then one conversation after the other. */
import { Effect } from "effect"
import type { Config } from "../config/Config.ts"
import type { LaunchFlags } from "../config/loadConfig.ts"
import { DEMO_MODEL } from "../demo/demoModel.ts"
import type { OpenOptions } from "../sessions/Sessions.ts"
import { start } from "../tui/loop/start.ts"
import { terminalApprover } from "../tui/terminalApprover.ts"
import { Ui } from "../tui/Ui.ts"
import type { InteractiveFlags } from "./commands/interactive.ts"
import { configFor } from "./Launch.ts"
import { agentLayer } from "./layers.ts"
import { wizard } from "./wizard.ts"

/** One conversation after the other; settings, instructions, tools and rules are read anew for each. */
export const conversations = Effect.fnUntraced(function* (first: Config["Service"], flags: InteractiveFlags) {
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
