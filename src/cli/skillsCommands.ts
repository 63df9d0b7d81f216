/** The `maia skills` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command } from "effect/cli"
import { folderFlags, handled, type Say } from "./commandParts.ts"

const load = () => import("./commands/skills.ts")

export const skillsCommand = (say: Say) =>
  Command.make("skills").pipe(
    Command.withDescription(
      say("Skills: procedures that the model loads when needed", "Skills : procédures que le modèle charge au besoin")
    ),
    Command.withSubcommands([
      Command.make("list", folderFlags(say), (flags) => handled(load, (module) => module.listSkills(flags))).pipe(
        Command.withDescription(say("Skills and where they come from", "Les skills et leur provenance"))
      ),
      Command.make("show", { ...folderFlags(say), name: Argument.String("name") }, (flags) =>
        handled(load, (module) => module.showSkill(flags))
      ).pipe(Command.withDescription(say("What the model is given", "Ce que le modèle reçoit")))
    ])
  )
