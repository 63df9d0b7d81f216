/** `/tools` and `/mcp`: what the model can call, and the servers some of it comes from. */
import { Effect } from "effect"
import { text, type Text } from "../../domain/text.ts"
import { McpServers } from "../../extensions/mcp/McpServers.ts"
import type { ServerStatus } from "../../extensions/mcp/McpServer.ts"
import { STAY } from "../loop/Talk.ts"
import { Ui } from "../Ui.ts"
import type { Command } from "./command.ts"

const toolsCommand: Command = {
  name: "tools",
  help: text("Tools the model has", "Outils du modèle"),
  run: Effect.fn("Tui.tools")(function* (talk) {
    const ui = yield* Ui
    const rows = talk.conversation.specs.map(
      ({ description, name }) => [name, description.split("\n", 1)[0] ?? ""] as const
    )
    yield* ui.print({ type: "table", rows })
    return STAY
  })
}

const mcpCommand: Command = {
  name: "mcp",
  help: text("MCP servers; /mcp start tries those that failed", "Serveurs MCP ; /mcp start retente ceux en échec"),
  run: Effect.fn("Tui.mcp")(function* (_talk, argument) {
    const ui = yield* Ui
    const servers = yield* McpServers
    const found = argument === "start" ? yield* ui.waiting(starting, servers.start()) : yield* servers.status
    if (found.length === 0) yield* ui.info(noServers)
    else
      yield* ui.print({ type: "table", rows: found.map((one) => [one.name, describe(one)[ui.store.current.language]]) })
    return STAY
  })
}

const describe = ({ problem, state, tools, type }: ServerStatus): Text => {
  const said = STATES[state]
  const why = problem === undefined ? "" : ` — `
  return text(
    `${type}, ${said.en}, ${tools} tools${why}${problem?.en ?? ""}`,
    `${type}, ${said.fr}, ${tools} outils${why}${problem?.fr ?? ""}`
  )
}

const STATES: Readonly<Record<ServerStatus["state"], Text>> = {
  idle: text("not started", "pas lancé"),
  known: text("started when needed", "lancé au besoin"),
  starting: text("starting", "en cours de lancement"),
  ready: text("running", "en marche"),
  failed: text("failed", "en échec")
}

const starting = text("Starting MCP servers", "Lancement des serveurs MCP")
const noServers = text(
  'There are no MCP servers. They are named in the settings, under "mcpServers".',
  "Il n'y a pas de serveur MCP. On les nomme dans les réglages, sous « mcpServers »."
)

export const extensionCommands: ReadonlyArray<Command> = [toolsCommand, mcpCommand]
