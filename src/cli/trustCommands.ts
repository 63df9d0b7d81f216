/** The `maia trust` commands: flags and help only; see `commandTree.ts`. */
import { Argument, Command } from "effect/cli"
import { cwdFlag, handled, on, type Say } from "./commandParts.ts"

const load = () => import("./commands/trust.ts")

export const trustCommand = (say: Say) =>
  Command.make("trust").pipe(
    Command.withDescription(
      say("The folders whose .maia you trust", "Les dossiers dont le .maia est considéré comme fiable")
    ),
    Command.withSubcommands([
      Command.make("list", { cwd: cwdFlag(say), json: on("json", "JSON") }, (flags) =>
        handled(load, (module) => module.listTrusted(flags))
      ).pipe(Command.withDescription(say("When each was trusted", "Quand chacun a été accepté"))),
      Command.make(
        "revoke",
        {
          cwd: cwdFlag(say),
          folder: Argument.String("folder").pipe(
            Argument.withDescription(say("Folder; this one when absent", "Dossier ; celui-ci par défaut")),
            Argument.withDefault(".")
          )
        },
        (flags) => handled(load, (module) => module.revokeTrust(flags))
      ).pipe(Command.withDescription(say("Ask again at the next start", "Redemander au prochain démarrage")))
    ])
  )
