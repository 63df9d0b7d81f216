/** The `maia agents` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command } from "effect/cli"
import { cwdFlag, handled, on, type Say } from "./commandParts.ts"

const load = () => import("./commands/agents.ts")

const shared = (say: Say) => ({
  cwd: cwdFlag(say),
  json: on("json", "JSON"),
  trust: on(
    "trust",
    say("Trust this folder's .maia for this run", "Faire confiance au .maia de ce dossier, cette fois")
  )
})

export const agentsCommand = (say: Say) =>
  Command.make("agents").pipe(
    Command.withDescription(
      say("Sub-agents: who can be given a task", "Sous-agents : à qui une tâche peut être confiée")
    ),
    Command.withSubcommands([
      Command.make("list", shared(say), (flags) => handled(load, (module) => module.listAgents(flags))).pipe(
        Command.withDescription(say("Agents and where they come from", "Les agents et leur provenance"))
      ),
      Command.make("show", { ...shared(say), name: Argument.String("name") }, (flags) =>
        handled(load, (module) => module.showAgent(flags))
      ).pipe(
        Command.withDescription(say("What an agent is told and may use", "Ce qu'un agent reçoit et peut utiliser"))
      )
    ])
  )
