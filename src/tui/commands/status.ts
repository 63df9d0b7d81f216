/** `/status`: who answers, how full the context is, what the server said of the last answer, where the session is. */
import { Effect } from "effect"
import { Config } from "../../config/Config.ts"
import { ContextWindow } from "../../context/ContextWindow.ts"
import { text } from "../../domain/text.ts"
import type { Usage } from "../../domain/message.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { StreamRules } from "../../stream-rules/StreamRules.ts"
import { STAY } from "../loop/Talk.ts"
import { percent, shortNumber } from "../text/numbers.ts"
import { Ui } from "../Ui.ts"
import { modes } from "../views/phrases.ts"
import type { Command } from "./command.ts"

export const statusCommand: Command = {
  name: "status",
  help: text("Model, context, cache, session, rules", "Modèle, contexte, cache, session, règles"),
  run: Effect.fn("Tui.status")(function* (talk) {
    const ui = yield* Ui
    const config = yield* Config
    const permissions = yield* Permissions
    const { conversation } = talk
    const { language, status } = ui.store.current
    const windows = yield* ContextWindow
    const window = yield* windows.get(conversation.model, { askModel: false })
    const why = yield* windows.whyUnknown(conversation.model)
    const streamRules = (yield* Effect.flatMap(StreamRules, (service) => service.load)).rules.rules.length
    const unknown = why?.[language] ?? words.unknown[language]
    const rows: ReadonlyArray<readonly [string, string]> = [
      [
        words.model[language],
        `${conversation.model}${conversation.effort === undefined ? "" : ` (${conversation.effort})`}`
      ],
      [words.server[language], config.settings.LiteLLM_URL ?? "—"],
      [
        words.window[language],
        window === undefined ? unknown : `${shortNumber(window.tokens)} (${window.origin[language]})`
      ],
      [
        words.context[language],
        `${shortNumber(status.tokens)}${window === undefined ? "" : ` · ${percent(status.tokens, window.tokens)}%`}`
      ],
      ...(talk.usage === undefined ? [] : [[words.answer[language], usageText(talk.usage)] as const]),
      [words.session[language], `${yield* conversation.session.name}${fileText(conversation.session.file())}`],
      [words.folder[language], config.launchFolder],
      [words.mode[language], modes[yield* permissions.mode][language]],
      [words.rules[language], `${(yield* permissions.rules).length} + ${streamRules} ${words.streamRules[language]}`]
    ]
    yield* ui.print({ type: "table", rows })
    return STAY
  })
}

const words = {
  model: text("Model", "Modèle"),
  server: text("Server", "Serveur"),
  window: text("Window", "Fenêtre"),
  context: text("Context", "Contexte"),
  answer: text("Last answer", "Dernière réponse"),
  session: text("Session", "Session"),
  folder: text("Folder", "Dossier"),
  mode: text("Permissions", "Permissions"),
  rules: text("Rules", "Règles"),
  streamRules: text("stream rules", "règles de flux"),
  unknown: text("unknown", "inconnue")
} as const

const fileText = (file: string | undefined): string => (file === undefined ? "" : ` (${file})`)

/** `12.3k in, 91% cached, 456 out, 38 tokens/s`. */
const usageText = (usage: Usage): string => {
  const cached = usage.cachedTokens === undefined ? "" : ` (${percent(usage.cachedTokens, usage.inputTokens)}% cache)`
  const speed = usage.outputPerSecond === undefined ? "" : ` · ${usage.outputPerSecond.toFixed(0)} tokens/s`
  return `↑ ${shortNumber(usage.inputTokens)}${cached} ↓ ${shortNumber(usage.outputTokens)}${speed}`
}
