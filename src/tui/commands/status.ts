/** `/status`: who answers, how full the context is, what the server said of the last answer, where the session is. */
import { Effect, Option } from "effect"
import { Config } from "../../config/Config.ts"
import { ContextWindow } from "../../context/ContextWindow.ts"
import { text } from "../../domain/text.ts"
import { McpServers } from "../../extensions/mcp/McpServers.ts"
import { Permissions } from "../../permissions/Permissions.ts"
import { StreamRules } from "../../stream-rules/StreamRules.ts"
import { stoppable } from "../loop/stoppable.ts"
import { STAY } from "../loop/Talk.ts"
import { statusRows } from "../text/statusView.ts"
import { Ui } from "../Ui.ts"
import { sessionCost } from "./cost.ts"
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
    const asked = yield* stoppable(
      text("Asking the server", "Question au serveur"),
      Effect.all([windows.get(conversation.model, { askModel: false }), sessionCost(conversation.session.path())])
    )
    const [window, cost] = Option.getOrElse(asked, () => [undefined, undefined] as const)
    const why = yield* windows.whyUnknown(conversation.model)
    const streamRules = (yield* Effect.flatMap(StreamRules, (service) => service.load)).rules.rules.length
    const servers = yield* Effect.flatMap(McpServers, (service) => service.status)
    const rows = statusRows(
      {
        model: conversation.model,
        effort: conversation.effort,
        server: config.settings.LiteLLM_URL,
        window: window ?? { unknown: why },
        tokens: status.tokens,
        usage: talk.usage,
        cache: conversation.prefix.report,
        cost,
        servers: { all: servers.length, failed: servers.filter(({ state }) => state === "failed").length },
        session: yield* conversation.session.name,
        file: conversation.session.file(),
        folder: config.launchFolder,
        mode: modes[yield* permissions.mode],
        rules: (yield* permissions.rules).length,
        streamRules
      },
      language
    )
    yield* ui.print({ type: "table", rows })
    return STAY
  })
}
