/** The `maia mcp` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command } from "effect/cli"
import { cwdFlag, handled, on, type Say } from "./commandParts.ts"

const load = () => import("./commands/mcp.ts")

export const mcpCommand = (say: Say) => {
  const trust = on(
    "trust",
    say("Trust this folder's .maia for this run", "Faire confiance au .maia de ce dossier, cette fois")
  )
  const shared = { cwd: cwdFlag(say), json: on("json", "JSON"), trust }
  return Command.make("mcp").pipe(
    Command.withDescription(say("MCP servers of the settings", "Serveurs MCP des réglages")),
    Command.withSubcommands([
      Command.make("list", shared, (flags) => handled(load, (module) => module.listServers(flags))).pipe(
        Command.withDescription(
          say("Servers, started to see whether they answer", "Les serveurs, lancés pour voir s'ils répondent")
        )
      ),
      Command.make(
        "show",
        {
          ...shared,
          server: Argument.String("server").pipe(Argument.withDescription(say("Name of the server", "Nom du serveur")))
        },
        (flags) => handled(load, (module) => module.showServer(flags))
      ).pipe(
        Command.withDescription(
          say("Tools, prompts and resources of one", "Outils, invites et ressources de l'un d'eux")
        )
      )
    ])
  )
}
