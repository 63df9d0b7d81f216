/** The `maia sessions` commands: flags and help only; see `commandTree.ts`. */
import { Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { cwdFlag, handled, on, type Say } from "./commandParts.ts"

const load = () => import("./commands/sessions.ts")

const nameArgument = (say: Say) => Argument.String("name").pipe(Argument.withDescription(say("Session", "Session")))

export const sessionsCommand = (say: Say) =>
  Command.make("sessions").pipe(
    Command.withDescription(say("The sessions of this folder", "Les sessions de ce dossier")),
    Command.withSubcommands([
      Command.make(
        "list",
        { cwd: cwdFlag(say), json: Flag.Boolean("json").pipe(Flag.withDefault(false), Flag.withoutNegation) },
        (flags) => handled(load, (module) => module.listSessions(flags))
      ).pipe(Command.withDescription(say("Newest first", "La plus récente d'abord"))),
      Command.make("show", { cwd: cwdFlag(say), name: nameArgument(say) }, (flags) =>
        handled(load, (module) => module.showSession(flags))
      ).pipe(Command.withDescription(say("Print one as Markdown", "En afficher une en Markdown"))),
      Command.make("rename", { cwd: cwdFlag(say), name: nameArgument(say), to: Argument.String("to") }, (flags) =>
        handled(load, (module) => module.renameSession(flags))
      ).pipe(Command.withDescription(say("Give another name", "Changer le nom"))),
      Command.make("delete", { cwd: cwdFlag(say), name: nameArgument(say) }, (flags) =>
        handled(load, (module) => module.deleteSession(flags))
      ).pipe(Command.withDescription(say("Delete one", "En supprimer une"))),
      Command.make(
        "undo",
        {
          cwd: cwdFlag(say),
          name: nameArgument(say),
          files: on("files", say("Put the files back too", "Remettre aussi les fichiers en état")),
          force: on(
            "force",
            say("Also files changed by others since", "Aussi les fichiers modifiés par d'autres depuis")
          ),
          dryRun: on("dry-run", say("Only say what would change", "Dire seulement ce qui changerait"))
        },
        (flags) =>
          handled(
            () => import("./commands/undo.ts"),
            (module) => module.undoSession(flags)
          )
      ).pipe(Command.withDescription(say("Go back before the last request", "Revenir avant la dernière demande"))),
      Command.make(
        "export",
        {
          cwd: cwdFlag(say),
          name: nameArgument(say),
          format: Flag.Literals("format", ["markdown", "json", "html"]).pipe(
            Flag.withAlias("f"),
            Flag.withDefault("markdown")
          ),
          to: Flag.String("to").pipe(
            Flag.withDescription(say("File to write; stdout when absent", "Fichier à écrire ; stdout par défaut")),
            Flag.optional,
            Flag.map(Option.getOrUndefined)
          )
        },
        (flags) => handled(load, (module) => module.exportSession(flags))
      ).pipe(Command.withDescription(say("Markdown, JSON or one HTML page", "Markdown, JSON ou une page HTML")))
    ])
  )
