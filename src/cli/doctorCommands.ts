/** The `maia doctor` command: flags and help only; see `commandTree.ts`. */
import { Option } from "effect"
import { Command, Flag } from "effect/cli"
import { cwdFlag, handled, on, type Say } from "./commandParts.ts"

export const doctorCommand = (say: Say) =>
  Command.make(
    "doctor",
    {
      cwd: cwdFlag(say),
      model: Flag.String("model").pipe(
        Flag.withAlias("m"),
        Flag.withDescription(say("Model to examine", "Modèle à examiner")),
        Flag.optional,
        Flag.map(Option.getOrUndefined)
      ),
      timeout: Flag.Int("timeout").pipe(
        Flag.withMetavar("SECONDS"),
        Flag.withDescription(say("Time for one check", "Temps pour un contrôle")),
        Flag.filter(
          (n) => n > 0,
          () => say("expected a positive integer", "un entier positif est attendu")
        ),
        Flag.withDefault(60)
      ),
      json: on("json", "JSON")
    },
    (flags) =>
      handled(
        () => import("./commands/doctor.ts"),
        (module) => module.doctor(flags)
      )
  ).pipe(
    Command.withDescription(
      say(
        "Examine settings, server, model and this machine, and say what to do",
        "Examiner réglages, serveur, modèle et machine, et dire quoi faire"
      )
    )
  )
