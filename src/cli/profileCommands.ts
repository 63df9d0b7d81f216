/** The `maia profile` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command } from "effect/cli"
import { cwdFlag, handled, on, type Say } from "./commandParts.ts"

export const profileCommand = (say: Say) =>
  Command.make("profile").pipe(
    Command.withDescription(
      say("What is known of a model and set for it", "Ce qui est connu d'un modèle et réglé pour lui")
    ),
    Command.withSubcommands([
      Command.make(
        "show",
        {
          cwd: cwdFlag(say),
          json: on("json", "JSON"),
          model: Argument.String("model").pipe(Argument.withDescription(say("Name of the model", "Nom du modèle")))
        },
        (flags) =>
          handled(
            () => import("./commands/profile.ts"),
            (module) => module.showProfile(flags)
          )
      ).pipe(Command.withDescription(say("Values and where each comes from", "Valeurs et provenance de chacune")))
    ])
  )
