/** The `maia agents` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command } from "effect/cli"
import { folderFlags, handled, type Say } from "./commandParts.ts"

const load = () => import("./commands/agents.ts")

export const agentsCommand = (say: Say) =>
  Command.make("agents").pipe(
    Command.withDescription(
      say("Sub-agents: who can be given a task", "Sous-agents : à qui une tâche peut être confiée")
    ),
    Command.withSubcommands([
      Command.make("list", folderFlags(say), (flags) => handled(load, (module) => module.listAgents(flags))).pipe(
        Command.withDescription(say("Agents and where they come from", "Les agents et leur provenance"))
      ),
      Command.make("show", { ...folderFlags(say), name: Argument.String("name") }, (flags) =>
        handled(load, (module) => module.showAgent(flags))
      ).pipe(
        Command.withDescription(say("What an agent is told and may use", "Ce qu'un agent reçoit et peut utiliser"))
      )
    ])
  )
