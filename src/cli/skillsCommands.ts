/** The `maia skills` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command } from "effect/cli"
import { cwdFlag, handled, on, type Say } from "./commandParts.ts"

const load = () => import("./commands/skills.ts")

const shared = (say: Say) => ({
  cwd: cwdFlag(say),
  json: on("json", "JSON"),
  trust: on(
    "trust",
    say("Trust this folder's .maia for this run", "Faire confiance au .maia de ce dossier, cette fois")
  )
})

export const skillsCommand = (say: Say) =>
  Command.make("skills").pipe(
    Command.withDescription(
      say("Skills: procedures that the model loads when needed", "Skills : procédures que le modèle charge au besoin")
    ),
    Command.withSubcommands([
      Command.make("list", shared(say), (flags) => handled(load, (module) => module.listSkills(flags))).pipe(
        Command.withDescription(say("Skills and where they come from", "Les skills et leur provenance"))
      ),
      Command.make("show", { ...shared(say), name: Argument.String("name") }, (flags) =>
        handled(load, (module) => module.showSkill(flags))
      ).pipe(Command.withDescription(say("What the model is given", "Ce que le modèle reçoit")))
    ])
  )
